"""DLPack, and NumPy without copies: with the CPU as the device, or on a GPU."""
import ctypes
import gc
import threading
import unittest

import numpy as np

import common
import cufort
from cufort import dlpack

common.load()
ON_CPU = cufort.on_cpu()


class Producer:
    """Hands out what an array does, as an older or newer package would."""

    def __init__(self, array, versioned, **changes):
        self.array, self.versioned, self.changes = array, versioned, changes
        self.asked = []

    def __dlpack_device__(self):
        return self.changes.get("device", self.array.__dlpack_device__())

    def __dlpack__(self, stream=None, **newer):
        self.asked.append(stream)
        if not self.versioned:
            if newer:
                raise TypeError("an older package has no such argument")
            return self.array.__dlpack__(stream=stream)
        return self.array.__dlpack__(stream=stream, **newer)


class Exchange(unittest.TestCase):
    def setUp(self):
        gc.collect()
        self.assertFalse(dlpack._handed_out)

    def test_both_versions(self):
        for dtype in "f2 f4 f8 c8 c16 i1 i2 i4 i8 u1 u2 u4 u8 ?".split():
            for versioned in (False, True):
                array = cufort.zeros((3, 4), dtype, "F")[::2]
                producer = Producer(array, versioned)
                other = cufort.from_dlpack(producer)
                self.assertEqual((other.dtype, other.shape, other.strides,
                                  other.address),
                                 (array.dtype, array.shape, array.strides,
                                  array.address))
                if not ON_CPU:
                    self.assertEqual(producer.asked[-1], 1)
                with self.assertRaisesRegex(BufferError, "still in use by 1"):
                    array.free()
                del other
                gc.collect()
                array.free()
        with self.assertRaisesRegex(BufferError, "no dtype"):
            cufort.zeros(1, [("id", "i4")]).__dlpack__()

    def test_capsule_is_taken_once(self):
        array = cufort.asarray([1.0, 2.0])
        for version in (None, (1, 0), (1, 3)):
            capsule = array.__dlpack__(max_version=version)
            producer = Producer(array, True)
            producer.__dlpack__ = None

            class Again:
                def __dlpack_device__(self):
                    return array.__dlpack_device__()

                def __dlpack__(self, **_):
                    return capsule

            first = cufort.from_dlpack(Again())
            with self.assertRaisesRegex(ValueError, "no DLPack capsule"):
                cufort.from_dlpack(Again())
            del capsule
            gc.collect()
            np.testing.assert_array_equal(first.get(), [1, 2])
            del first

    def test_capsule_that_nobody_takes(self):
        array = cufort.zeros(3)
        for version in (None, (1, 0)):
            capsule = array.__dlpack__(max_version=version)
            self.assertEqual(len(dlpack._handed_out), 1)
            del capsule
            self.assertFalse(dlpack._handed_out)
        array.free()

    def test_deleter_of_another_thread(self):
        array = cufort.zeros(3)
        taken = [cufort.from_dlpack(array)]
        thread = threading.Thread(target=taken.clear)
        thread.start()
        thread.join()
        self.assertFalse(dlpack._handed_out)

    def test_a_refused_tensor_is_given_back(self):
        array = cufort.zeros(3)
        capsule = array.__dlpack__()
        address = next(iter(dlpack._handed_out))
        tensor = dlpack._Managed.from_address(address).tensor
        tensor.dtype.code = 4  # bfloat
        with self.assertRaisesRegex(BufferError, "type 4 of 64 bits"):
            cufort.from_dlpack(Given(capsule, array))
        self.assertFalse(dlpack._handed_out)
        array.free()

    def test_strides_may_be_absent(self):
        array = cufort.asarray([[1, 2], [3, 4]])
        capsule = array.__dlpack__()
        address = next(iter(dlpack._handed_out))
        dlpack._Managed.from_address(address).tensor.strides = \
            ctypes.POINTER(ctypes.c_int64)()
        np.testing.assert_array_equal(
            cufort.from_dlpack(Given(capsule, array)).get(), [[1, 2], [3, 4]])

    def test_read_only(self):
        base = cufort.zeros(3)
        address = base.address
        array = cufort.asarray(common.StandIn(base, data=(address, True)))
        with self.assertRaisesRegex(BufferError, "read-only"):
            array.__dlpack__()
        self.assertTrue(cufort.from_dlpack(array).read_only)

    def test_copies(self):
        array = cufort.asarray([1, 2])
        copy = cufort.from_dlpack(array, copy=True)
        self.assertNotEqual(copy.address, array.address)
        capsule = array.__dlpack__(max_version=(1, 0), dl_device=(1, 0))
        del capsule
        with self.assertRaisesRegex(BufferError, "DLPack device"):
            array.__dlpack__(dl_device=(7, 0))

    def test_what_is_no_producer(self):
        with self.assertRaisesRegex(TypeError, "'list' has no __dlpack__"):
            cufort.from_dlpack([1])
        with self.assertRaisesRegex(BufferError, r"DLPack device \(10, 0\)"):
            cufort.from_dlpack(Producer(cufort.zeros(1), True, device=(10, 0)))


class Given:
    def __init__(self, capsule, array):
        self.capsule, self.array = capsule, array

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()

    def __dlpack__(self, **_):
        return self.capsule


@unittest.skipUnless(ON_CPU, "the device is a GPU")
class OnCpu(unittest.TestCase):
    def test_numpy_sees_the_memory(self):
        array = cufort.zeros((2, 3), "f4", "F")
        view = np.asarray(array)
        view[1, 2] = 5
        self.assertEqual(array.get()[1, 2], 5)
        self.assertEqual(view.strides, array.strides)
        self.assertTrue(np.shares_memory(view, array[1:].numpy()))
        self.assertEqual(np.asarray(array, "f8").dtype, np.float64)
        by_dlpack = np.from_dlpack(array)
        self.assertTrue(np.shares_memory(view, by_dlpack))
        self.assertEqual(array.__dlpack_device__(), (1, 0))
        del array
        gc.collect()
        self.assertEqual(view[1, 2], 5)

    def test_numpy_memory_as_an_array(self):
        host = np.arange(6, dtype="i8").reshape(2, 3)
        for array in (cufort.asarray(host, copy=False), cufort.from_dlpack(host)):
            self.assertEqual(array.address, host.ctypes.data)
            array[0, 0] = 41
            self.assertEqual(host[0, 0], 41)
            host[0, 0] = 0
        fixed = host.copy()
        fixed.flags.writeable = False
        self.assertTrue(cufort.asarray(fixed, copy=False).read_only)
        with self.assertRaisesRegex(ValueError, "needs a copy"):
            cufort.asarray(host, "f4", copy=False)
        with self.assertRaisesRegex(ValueError, "not aligned"):
            odd = np.zeros(9, "u1")[1:].view("i8")
            cufort.asarray(odd, copy=False)

    def test_no_stream(self):
        with self.assertRaisesRegex(ValueError, "no stream"):
            cufort.zeros(1).__dlpack__(stream=1)

    def test_unreachable_address(self):
        array = cufort.zeros(1)
        with self.assertRaisesRegex(ValueError, "cannot be reached"):
            cufort.asarray(common.StandIn(array, data=(8, False)))


@unittest.skipIf(ON_CPU, "the device is the CPU")
class OnGpu(unittest.TestCase):
    def test_numpy_is_refused(self):
        array = cufort.zeros(3)
        for use in (array.numpy, lambda: np.asarray(array)):
            with self.assertRaisesRegex(TypeError, "array.get()"):
                use()
        with self.assertRaisesRegex(ValueError, "for the CPU"):
            cufort.asarray(np.zeros(3), copy=False)
        with self.assertRaisesRegex(BufferError, "cufort.asarray"):
            cufort.from_dlpack(np.zeros(3))
        self.assertEqual(array.__dlpack_device__(), (2, 0))
        pinned = cufort.zeros(1, memory="pinned")
        self.assertEqual(pinned.__dlpack_device__()[0], 3)
        managed = cufort.zeros(1, memory="managed")
        self.assertEqual(managed.__dlpack_device__()[0], 13)

    def test_streams(self):
        array = cufort.zeros(3)
        stream = cufort.Stream()
        with self.assertRaisesRegex(ValueError, "ambiguous"):
            array.__dlpack__(stream=0)
        for number in (-1, 1, 2, stream.handle, None):
            array.__dlpack__(stream=number)
        with stream:
            self.assertEqual(array.__cuda_array_interface__["stream"],
                             stream.handle)
        self.assertEqual(array.__cuda_array_interface__["stream"], 1)

    def test_host_memory(self):
        array, host = cufort.zeros(1), np.zeros(1)
        with self.assertRaisesRegex(ValueError, "GPU cannot reach"):
            cufort.asarray(common.StandIn(array, data=(host.ctypes.data, False)))


if __name__ == "__main__":
    common.main()

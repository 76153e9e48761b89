"""Arrays, without kernels: on the CPU, on a GPU and on the driver's double."""
import gc
import unittest

import numpy as np

import common
import cufort

try:
    cufort.empty(1)
    raise SystemExit("an array without a library")
except RuntimeError as error:
    assert "cufort.Library(path)" in str(error)

common.load()
DTYPES = "f2 f4 f8 c8 c16 i1 i2 i4 i8 u1 u2 u4 u8 ?".split()


class Arrays(unittest.TestCase):
    def assertRaisesText(self, kind, text):
        return self.assertRaisesRegex(kind, text)

    def test_types_and_orders(self):
        for dtype in DTYPES:
            values = np.arange(24).reshape(2, 3, 4).astype(dtype)
            for order in "CF":
                array = cufort.asarray(np.asarray(values, order=order))
                self.assertEqual(array.dtype, values.dtype)
                self.assertTrue(getattr(array, order.lower() + "_contiguous"))
                np.testing.assert_array_equal(array.get(), values)
                self.assertTrue(array.get().flags[order + "_CONTIGUOUS"])
                np.testing.assert_array_equal(array.T.get(), values.T)
                zeros = cufort.zeros((3, 2), dtype, order)
                self.assertFalse(zeros.get().any())
        record = np.array([(1, 2.5)], [("id", "i4"), ("mass", "f8")])
        np.testing.assert_array_equal(cufort.asarray(record).get(), record)

    def test_refused_types(self):
        for dtype in ("U3", "S2", object, "M8[s]", np.longdouble):
            with self.assertRaisesText(TypeError, "cannot hold dtype"):
                cufort.empty(2, dtype)
        with self.assertRaisesText(TypeError, "other byte order"):
            cufort.empty(2, ">f4")

    def test_slices(self):
        values = np.arange(60.0).reshape(3, 4, 5)
        array = cufort.asarray(values)
        for key in (0, -1, (1, 2), (..., 0), slice(None, None, -1), np.s_[1:, ::2],
                    np.s_[:, ::-2, 1::3], np.s_[2, ..., ::-1], np.s_[3:], ()):
            np.testing.assert_array_equal(array[key].get(), values[key])
            array[key] = values[key] + 1
            values[key] += 1
            np.testing.assert_array_equal(array.get(), values)
        np.testing.assert_array_equal(array.transpose(1, 0, 2)[:, ::-1].get(),
                                      values.transpose(1, 0, 2)[:, ::-1])
        array.T[1:3] = 7
        values.T[1:3] = 7
        np.testing.assert_array_equal(array.get(), values)
        np.testing.assert_array_equal(array.reshape((6, 10)).get(),
                                      values.reshape(6, 10))
        np.testing.assert_array_equal(array[:, ::2].copy("F").get(), values[:, ::2])
        out = np.empty((3, 4, 5), order="F")
        self.assertIs(array.get(out), out)
        np.testing.assert_array_equal(out, values)
        for key, kind in ((3, IndexError), ((0, 0, 0, 0), IndexError),
                          ([0, 1], TypeError), (values > 3, TypeError)):
            with self.assertRaises(kind):
                array[key]

    def test_refused_values(self):
        array = cufort.zeros(3, "i4")
        with self.assertRaisesText(TypeError, "float64 do not fit"):
            array.set([1.5, 2, 3])
        with self.assertRaises(ValueError):
            array.set(np.zeros(4, "i4"))
        with self.assertRaisesText(ValueError, "do not have the shape"):
            array.reshape((2, 2))
        with self.assertRaisesText(ValueError, "order is"):
            cufort.empty(2, order="A")
        with self.assertRaisesText(ValueError, "negative"):
            cufort.empty(-1)
        with self.assertRaisesText(ValueError, "memory is"):
            cufort.empty(1, memory="shared")
        with self.assertRaisesText(cufort.CudaError, "cudaMalloc: out of memory"):
            cufort.empty(1 << 58)

    def test_zero_size(self):
        for shape in (0, (0, 3), (3, 0)):
            array = cufort.zeros(shape)
            self.assertEqual(array.address, 0)
            self.assertEqual(array.get().shape, array.shape)
            self.assertEqual(array.__cuda_array_interface__["data"], (0, False))
            self.assertEqual(cufort.from_dlpack(array).shape, array.shape)
            array.set(1)
            self.assertEqual(array.copy().size, 0)

    def test_freed(self):
        array = cufort.zeros(3)
        view = array[1:]
        array.free()
        for use in (array.get, view.get, view.copy, lambda: array.set(1),
                    lambda: array[0], array.__dlpack__, lambda: array.address,
                    lambda: array.__cuda_array_interface__):
            with self.assertRaisesText(ValueError, "has been freed"):
                use()
        self.assertIn("freed", repr(view))

    def test_memory_is_given_back(self):
        total = cufort.memory_info()[1]
        for _ in range(10):
            cufort.empty(total // 4, "u1")

    def test_interface(self):
        array = cufort.asarray(np.arange(6, dtype="i2").reshape(2, 3))
        interface = array.__cuda_array_interface__
        self.assertEqual(interface["version"], 3)
        self.assertEqual(interface["typestr"], "<i2")
        self.assertIsNone(interface["strides"])
        turned = array.T.__cuda_array_interface__
        self.assertEqual(turned["strides"], (2, 6))
        other = cufort.asarray(common.StandIn(array[:, ::-1]))
        self.assertEqual(other.strides, (6, -2))
        np.testing.assert_array_equal(other.get(), [[2, 1, 0], [5, 4, 3]])
        address, _ = interface["data"]
        fixed = cufort.asarray(common.StandIn(array, data=(address, True)))
        with self.assertRaisesText(ValueError, "read-only"):
            fixed.set(1)
        with self.assertRaisesText(TypeError, "mask"):
            cufort.asarray(common.StandIn(array, mask=array))
        with self.assertRaisesText(ValueError, "stream 0"):
            cufort.asarray(common.StandIn(array, stream=0))
        with self.assertRaisesText(ValueError, "not aligned"):
            cufort.asarray(common.StandIn(array, data=(address + 1, False)))
        stream = cufort.Stream()
        for number in (1, 2, stream.handle):
            cufort.asarray(common.StandIn(array, stream=number))
        # The other object lives as long as the array.
        owner = common.StandIn(cufort.asarray([1.0, 2.0]))
        other = cufort.asarray(owner)
        del owner
        gc.collect()
        np.testing.assert_array_equal(other.get(), [1, 2])

    def test_streams(self):
        stream = cufort.Stream(non_blocking=True)
        with stream:
            self.assertIs(cufort.current_stream(), stream)
            array = cufort.asarray(np.ones(1000))
            np.testing.assert_array_equal(array.get(), 1)
        self.assertIs(cufort.current_stream(), cufort.default_stream)
        before, after = cufort.Event().record(stream), cufort.Event().record(stream)
        stream.wait(cufort.default_stream)
        stream.synchronize()
        self.assertTrue(stream.done() and after.done())
        self.assertGreaterEqual(before.seconds_until(after), 0)
        self.assertEqual(cufort.Stream.from_handle(stream.handle).handle,
                         stream.handle)
        if cufort.on_cpu():
            with self.assertRaisesText(cufort.CudaError, "InvalidResourceHandle"):
                cufort.Stream.from_handle(12345678)
        stream.destroy()
        with self.assertRaisesText(ValueError, "destroyed"):
            stream.synchronize()

    def test_devices(self):
        self.assertEqual(cufort.current_device(), 0)
        with self.assertRaisesText(ValueError, "no device 99"):
            cufort.Device(99).use()
        with cufort.Device(cufort.device_count() - 1):
            array = cufort.zeros(4)
        self.assertEqual(array.device, cufort.device_count() - 1)
        self.assertEqual(cufort.current_device(), 0)
        np.testing.assert_array_equal(array.get(), 0)
        # Streams of another device.
        last = cufort.Device(cufort.device_count() - 1)
        with last:
            stream = cufort.Stream()
        for number in (1, stream.handle):
            other = cufort.asarray(common.StandIn(array, stream=number))
            self.assertEqual(other.device, last.number)
        with stream:
            self.assertEqual(cufort.from_dlpack(array).device, last.number)

    def test_arguments(self):
        kind = cufort.array_argument("f4", 2, order="F", writable=True)
        good = cufort.zeros((2, 3), "f4", "F")
        self.assertEqual(kind.from_param(good).value, good.address)
        kind.from_param(common.StandIn(good))
        address = good.address
        fixed = cufort.asarray(common.StandIn(good, data=(address, True)))
        for bad, text in ((np.zeros(3), "device array is needed"),
                          (cufort.zeros((2, 3)), "float32 is needed"),
                          (cufort.zeros(3, "f4"), "2 dimension"),
                          (cufort.zeros((2, 3), "f4"), "order 'F'"),
                          (cufort.zeros((4, 3), "f4", "F")[::2], "contiguous"),
                          (fixed, "read-only")):
            with self.assertRaisesText(TypeError, text):
                kind.from_param(bad)

    def test_pinned_and_managed(self):
        host = cufort.pinned_empty((2, 2), "f4")
        host[...] = 3
        np.testing.assert_array_equal(cufort.asarray(host).get(), host)
        managed = cufort.zeros(5, memory="managed")
        managed.numpy()[2] = 4
        np.testing.assert_array_equal(managed.get(), [0, 0, 4, 0, 0])


if __name__ == "__main__":
    common.main()

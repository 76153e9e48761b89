"""Kernels on arrays: all types, both libraries, threads, processes."""
import ctypes
import multiprocessing
import os
import subprocess
import sys
import threading
import unittest
import _ctypes

import numpy as np

import common
import cufort

kernels, more = common.load()
scale = kernels.declare("scale", cufort.array_argument("f4", 1, writable=True),
                        ctypes.c_int, ctypes.c_float, cufort.Stream)


def scaled_in_child(n):
    """In another process, which loads the library itself."""
    array = cufort.asarray(np.ones(n, "f4"))
    scale(array, n, 3.0, cufort.default_stream)
    return float(array.get().sum())


class Kernels(unittest.TestCase):
    def test_fortran(self):
        array = cufort.asarray(np.arange(1000, dtype="f4"))
        scale(array, 1000, 2.5, cufort.default_stream)
        np.testing.assert_allclose(array.get(), np.arange(1000) * np.float32(2.5))
        scale(cufort.zeros(0, "f4"), 0, 1.0, cufort.default_stream)
        with self.assertRaisesRegex(ctypes.ArgumentError, "float32 is needed"):
            scale(cufort.zeros(3), 3, 1.0, cufort.default_stream)
        with self.assertRaisesRegex(AttributeError, r"bind\(C\)"):
            kernels.multiply

    def test_order(self):
        values = np.array([[1.0, 2, 3], [4, 5, 6]])
        matrix = cufort.asarray(values, order="F")
        sums = cufort.empty(2)
        kernels.rows(matrix, ctypes.c_int(2), ctypes.c_int(3), sums)
        np.testing.assert_array_equal(sums.get(), [321, 654])
        # Fortran sees an array of C's order with its dimensions reversed.
        columns = cufort.empty(3)
        kernels.rows(cufort.asarray(values), ctypes.c_int(3), ctypes.c_int(2),
                     columns)
        np.testing.assert_array_equal(columns.get(), [41, 52, 63])

    def test_types(self):
        for name in ("float16 float32 float64 int8 int16 int32 int64 uint8 uint16 "
                     "uint32 uint64 bool complex64").split():
            values = np.array([0, 1, 5]).astype(name)
            array = cufort.asarray(values)
            self.assertEqual(more[f"increment_{name}"](array, 3), 0)
            wanted = (~values if name == "bool" else values + 1j
                      if name == "complex64" else values + 1)
            np.testing.assert_array_equal(array.get(), wanted.astype(name), name)
        values = np.array([1 + 2j, 3 - 1j])
        array = cufort.asarray(values)
        kernels.negate(array, 2)
        np.testing.assert_array_equal(array.get(), -values)
        records = np.zeros(3, np.dtype([("id", "i4"), ("mass", "f8")], align=True))
        records["id"] = [1, 2, 3]
        array = cufort.asarray(records)
        self.assertEqual(more.weigh_particles(array, 3), 0)
        np.testing.assert_array_equal(array.get()["mass"], [2, 4, 6])

    def test_one_runtime(self):
        # An array of one library's in a kernel of the other's, and back.
        array = cufort.asarray(np.zeros(100, "f4"))
        more.increment_float32(array, 100)
        scale(array, 100, 4.0, cufort.default_stream)
        more.increment_float32(array, 100)
        np.testing.assert_array_equal(array.get(), 5)
        self.assertEqual(cufort.library_path(), common.KERNELS)

    @unittest.skipUnless(cufort.on_cpu(), "the device is a GPU")
    def test_numpy_memory(self):
        host = np.ones(64, "f4")
        scale(cufort.asarray(host, copy=False), 64, 2.0, cufort.default_stream)
        cufort.synchronize()
        np.testing.assert_array_equal(host, 2)

    def test_streams(self):
        first, second = cufort.Stream(True), cufort.Stream(True)
        array = cufort.asarray(np.ones(100000, "f4"))
        for _ in range(10):
            scale(array, 100000, 2.0, first)
            second.wait(first)
            scale(array, 100000, 0.5, second)
            first.wait(second)
        with first:
            np.testing.assert_array_equal(array.get(), 1)

    def test_threads(self):
        wrong = []

        def work(number):
            stream = cufort.Stream(non_blocking=True)
            with stream:
                array = cufort.asarray(np.full(5000, number, "f4"))
                for _ in range(20):
                    scale(array, 5000, 2.0, stream)
                if not (array.get() == number * 2.0**20).all():
                    wrong.append(number)

        threads = [threading.Thread(target=work, args=(n,)) for n in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertFalse(wrong)

    def test_unloading(self):
        array = cufort.asarray(np.ones(10, "f4"))
        _ctypes.dlclose(more._handle)
        again = cufort.Library(common.MORE)
        again.increment_float32(array, 10)
        np.testing.assert_array_equal(array.get(), 2)

    def test_fork_after_use(self):
        array = cufort.asarray(np.ones(10, "f4"))
        child = os.fork()
        if not child:
            try:
                array.get()
            except RuntimeError as error:
                os._exit(0 if "spawn" in str(error) else 2)
            os._exit(1)
        self.assertEqual(os.waitpid(child, 0)[1], 0)
        np.testing.assert_array_equal(array.get(), 1)

    def test_processes(self):
        with multiprocessing.get_context("spawn").Pool(2) as pool:
            self.assertEqual(pool.map(scaled_in_child, [10, 20, 30]),
                             [30, 60, 90])

    def run_python(self, text):
        return subprocess.run([sys.executable, "-c", text, *sys.argv[1:3]],
                              capture_output=True, text=True, timeout=60)

    def test_fork_before_use(self):
        done = self.run_python(
            "import sys, os, numpy, cufort\n"
            "more = cufort.Library(sys.argv[2])\n"
            "child = os.fork()\n"
            "a = cufort.asarray(numpy.zeros(3, 'f4'))\n"
            "more.increment_float32(a, 3)\n"
            "assert a.get().sum() == 3\n"
            "assert not child or os.waitpid(child, 0)[1] == 0\n")
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_failed_kernel(self):
        done = self.run_python(
            "import sys, cufort\n"
            "more = cufort.Library(sys.argv[2])\n"
            "a = cufort.zeros(3)\n"
            "more.stop_device()\n"
            "try:\n"
            "    cufort.synchronize()\n"
            "except cufort.CudaError as error:\n"
            "    print(error.name)\n")
        # 719 or 715: a GPU says either.
        self.assertRegex(done.stdout, "cudaError(LaunchFailure|IllegalInstruction)",
                         done.stderr)
        self.assertEqual(done.returncode, 0, done.stderr)


if __name__ == "__main__":
    common.main()

"""Kernels from Python with CFFI, and device arrays of the package python/.

usage: PYTHONPATH=../../python python3 cffi_package.py ./libkernels.so
"""
import sys

import cffi
import numpy as np

import cufort

cufort.Library(sys.argv[1])  # the arrays' runtime is this library's
ffi = cffi.FFI()
ffi.cdef("""
    void saxpy(int n, float a, const float *x, float *y, void *stream);
    int wait(void);
""")
kernels = ffi.dlopen(sys.argv[1])


def address(array, type_):
    return ffi.cast(type_, array.address)


x, y = cufort.asarray(np.arange(1000, dtype="f4")), cufort.asarray(np.ones(1000, "f4"))
kernels.saxpy(x.size, 2.0, address(x, "float *"), address(y, "float *"), ffi.NULL)
assert kernels.wait() == 0
np.testing.assert_array_equal(y.get(), 2 * x.get() + 1)
print("PASSED")

"""Kernels from Python with ctypes alone: nothing has to be installed.

usage: python3 plain_ctypes.py ./libkernels.so
"""
import ctypes
import sys
from array import array

kernels = ctypes.CDLL(sys.argv[1])
# The library has the functions of the CUDA runtime, too.
kernels.cudaMalloc.argtypes = ctypes.c_void_p, ctypes.c_size_t
kernels.cudaMemcpy.argtypes = (ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t,
                               ctypes.c_int)
kernels.cudaFree.argtypes = ctypes.c_void_p,
kernels.saxpy.argtypes = (ctypes.c_int, ctypes.c_float, ctypes.c_void_p,
                          ctypes.c_void_p, ctypes.c_void_p)
kernels.saxpy.restype = None
TO_DEVICE, TO_HOST = 1, 2


def check(code):
    if code:
        kernels.cudaGetErrorString.restype = ctypes.c_char_p
        sys.exit(kernels.cudaGetErrorString(code).decode())


def on_device(values):
    address, size = values.buffer_info()
    memory = ctypes.c_void_p()
    check(kernels.cudaMalloc(ctypes.byref(memory), size * values.itemsize))
    check(kernels.cudaMemcpy(memory, address, size * values.itemsize, TO_DEVICE))
    return memory


n = 1000
x, y = array("f", range(n)), array("f", [1]) * n
x_device, y_device = on_device(x), on_device(y)
kernels.saxpy(n, 2.0, x_device, y_device, None)
check(kernels.wait())
result = array("f", bytes(4 * n))
check(kernels.cudaMemcpy(result.buffer_info()[0], y_device, 4 * n, TO_HOST))
check(kernels.cudaFree(x_device))
check(kernels.cudaFree(y_device))
assert list(result) == [2 * i + 1 for i in range(n)]
print("PASSED")

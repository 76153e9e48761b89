"""Kernels from Python with the package python/: device arrays, no copies by hand.

usage: PYTHONPATH=../../python python3 package.py ./libkernels.so
"""
import ctypes
import sys

import numpy as np

import cufort

kernels = cufort.Library(sys.argv[1])
vector = cufort.array_argument("f4", ndim=1)
field = cufort.array_argument("f8", ndim=2, order="F")
saxpy = kernels.declare("saxpy", ctypes.c_int, ctypes.c_float, vector, vector,
                        cufort.Stream)
smooth = kernels.declare("smooth", ctypes.c_int, ctypes.c_int, field, field)

# Vectors, in a stream of their own.
n = 100_000
x, y = np.random.rand(n).astype("f4"), np.random.rand(n).astype("f4")
stream = cufort.Stream()
with stream:
    x_device, y_device = cufort.asarray(x), cufort.asarray(y)
    saxpy(n, 2.5, x_device, y_device, stream)
    np.testing.assert_allclose(y_device.get(), np.float32(2.5) * x + y, rtol=1e-5)

# A field in Fortran's order.
start = np.zeros((60, 40))
start[30, 20] = 1
before = cufort.asarray(start, order="F")
after = cufort.empty(start.shape, order="F")
for _ in range(10):
    smooth(*start.shape, before, after)
    before, after = after, before
host = start
for _ in range(10):
    inner = (host[:-2, 1:-1] + host[2:, 1:-1] + host[1:-1, :-2]
             + host[1:-1, 2:]) / 4
    host = host.copy()
    host[1:-1, 1:-1] = inner
np.testing.assert_allclose(before.get(), host)

# On the CPU NumPy sees the same memory.
if cufort.on_cpu():
    assert np.asarray(before)[30, 20] == before.get()[30, 20]
print("PASSED")

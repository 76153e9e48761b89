"""Arrays of PyTorch and CuPy in kernels, and ours in theirs, on a GPU.

The last argument says whether they come before the first use of a library or
after it.
"""
import ctypes
import gc
import sys

if sys.argv[3] == "before":
    import cupy
    import torch
import numpy as np

import common
import cufort

kernels, more = common.load()
if sys.argv[3] == "after":
    cufort.zeros(3)
    import cupy
    import torch

N = 1 << 20
scale = kernels.declare("scale", cufort.array_argument("f4", 1, writable=True),
                        ctypes.c_int, ctypes.c_float, cufort.Stream)


def counted():
    return torch.arange(N, dtype=torch.float32, device="cuda")


# A tensor as an argument, and by DLPack in both directions.
tensor = counted()
scale(tensor, N, 2.0, None)
cufort.synchronize()
assert torch.equal(tensor, counted() * 2)
array = cufort.from_dlpack(tensor)
assert array.address == tensor.data_ptr()
ours = cufort.zeros((3, 4), "f8", "F")
theirs = torch.from_dlpack(ours)
assert theirs.stride() == (1, 3)
theirs += 1
torch.cuda.synchronize()
assert (ours.get() == 1).all()
try:
    ours.free()
    raise SystemExit("freed what PyTorch has")
except BufferError:
    pass
del theirs
gc.collect()
ours.free()

# Their streams, and a stream of ours that they wait for.
stream = torch.cuda.Stream()
with torch.cuda.stream(stream), cufort.Stream.from_handle(stream.cuda_stream) as same:
    tensor = torch.ones(N, device="cuda")
    scale(tensor, N, 5.0, same)
    scale(tensor, N, 2.0, stream.cuda_stream)
    tensor = tensor + 1
stream.synchronize()
assert (tensor == 11).all()
with cufort.Stream(non_blocking=True) as own:
    array = cufort.asarray(np.ones(N, "f4"))
    for _ in range(100):
        scale(array, N, 1.0, own)
    scale(array, N, 7.0, own)
    with torch.cuda.stream(stream):
        tensor = torch.from_dlpack(array) + 1
stream.synchronize()
assert (tensor == 8).all()

# CuPy, with gaps between elements, Fortran's order, and its streams.
theirs = cupy.arange(12, dtype="f4").reshape(3, 4)
np.testing.assert_array_equal(cufort.asarray(theirs[:, ::2]).get(),
                              theirs[:, ::2].get())
array = cufort.from_dlpack(theirs)
array[0] = 9
cufort.synchronize()
assert (theirs[0] == 9).all()
ours = cufort.asarray(np.arange(6, dtype="c16").reshape(2, 3), order="F")
for view in (cupy.asarray(ours), cupy.from_dlpack(ours)):
    assert view.strides == ours.strides
    view *= 2
cupy.cuda.Device().synchronize()
np.testing.assert_array_equal(ours.get(), 4 * np.arange(6).reshape(2, 3))
with cupy.cuda.Stream(non_blocking=True):
    theirs = cupy.ones(N, "f4")
    for _ in range(100):
        theirs *= 1
    theirs *= 3
    np.testing.assert_array_equal(cufort.asarray(theirs).get(), 3)

# What kernels cannot reach or know.
for tensor, text in ((torch.ones(3), "GPU's kernels cannot reach"),
                     (torch.ones(3, dtype=torch.bfloat16, device="cuda"),
                      "type 4 of 16 bits")):
    try:
        cufort.from_dlpack(tensor)
        raise SystemExit("taken")
    except BufferError as error:
        assert text in str(error)
print("PASSED")

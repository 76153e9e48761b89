"""Kernels of cufort from Python: libraries, device arrays, streams.

    import cufort, ctypes
    kernels = cufort.Library("./libkernels.so")     # cufort -shared
    x = cufort.asarray(numpy_array)
    kernels.scale(x, ctypes.c_int(x.size), ctypes.c_float(2))
    print(x.get())

docs/python.md tells the rest.
"""
from .arguments import array_argument
from .arrays import Array
from .creation import (asarray, empty, from_cuda_array_interface, pinned_empty,
                       zeros)
from .dlpack import from_dlpack
from .runtime import (CudaError, Device, Library, current_device, device_count,
                      library_path, memory_info, on_cpu, synchronize)
from .streams import Event, Stream, current_stream, default_stream

__version__ = "0.1.0"

__all__ = [
    "Array", "CudaError", "Device", "Event", "Library", "Stream",
    "array_argument", "asarray", "current_device", "current_stream",
    "default_stream", "device_count", "empty", "from_cuda_array_interface",
    "from_dlpack", "library_path", "memory_info", "on_cpu", "pinned_empty",
    "synchronize", "zeros",
]

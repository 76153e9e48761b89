"""How arrays come to be."""
import math
import operator

import numpy as np

from . import runtime
from .arrays import Array, as_dtype, as_shape, extent_of, strides_of
from .memory import Memory, host_reaches, kind_of
from .streams import current_stream, let_wait


def empty(shape, dtype=float, order="C", memory="device"):
    """An array of any values in this thread's device's memory.

    `memory` may be 'managed' or 'pinned'. Fortran's arrays have order 'F'.
    """
    shape, dtype = as_shape(shape), as_dtype(dtype)
    strides = strides_of(shape, dtype.itemsize, order)
    allocation = Memory.allocate(math.prod(shape) * dtype.itemsize, memory)
    return Array(allocation, 0, shape, dtype, strides)


def zeros(shape, dtype=float, order="C", memory="device"):
    """The same, of zeros."""
    result = empty(shape, dtype, order, memory)
    if result.size:
        runtime.call("cudaMemsetAsync", result.address, 0, result.nbytes,
                     current_stream().handle)
    return result


def pinned_empty(shape, dtype=float, order="C"):
    """A NumPy array in page-locked memory, which copies of streams want."""
    return empty(shape, dtype, order, "pinned").numpy()


def asarray(values, dtype=None, order=None, copy=None):
    """Values in device memory.

    What has `__cuda_array_interface__` is taken as it is, unless `copy`. What
    NumPy makes an array of is copied to the device; with copy=False it is taken
    as it is on the CPU, and refused on a GPU. `order` is 'C', 'F', or that of the
    values.
    """
    if isinstance(values, Array) or hasattr(values, "__cuda_array_interface__"):
        result = (values if isinstance(values, Array)
                  else from_cuda_array_interface(values))
        fits = ((dtype is None or result.dtype == np.dtype(dtype))
                and (order is None or result.has_order(order)))
        if fits and not copy:
            return result
        if copy is False:
            raise ValueError("another type or order needs a copy")
        if dtype is None or result.dtype == np.dtype(dtype):
            return result.copy(order or "C")
        return asarray(result.get(), dtype, order)
    host = np.asarray(values, dtype, order)
    as_dtype(host.dtype)
    if copy is False:
        if not runtime.on_cpu():
            raise ValueError("a GPU's kernels cannot work on NumPy's memory: "
                             "copy=False is for the CPU")
        if host is not values:
            raise ValueError("another type or order needs a copy")
        return _of_host(host)
    if order is None:
        order = ("F" if host.flags.f_contiguous and not host.flags.c_contiguous
                 else "C")
    result = empty(host.shape, host.dtype, order)
    result.write(host, current_stream())
    return result


def _of_host(host):
    if not host.flags.aligned:
        raise ValueError("the NumPy array is not aligned, which kernels rely on: "
                         "copy it")
    memory = Memory.of_other(host.ctypes.data, host.nbytes,
                             runtime.current_device(), "host", host)
    return Array(memory, 0, host.shape, host.dtype, host.strides,
                 not host.flags.writeable)


def from_cuda_array_interface(other):
    """The array of an object with `__cuda_array_interface__`, not copied.

    The current stream waits for the stream that the object names.
    """
    interface = other.__cuda_array_interface__
    if interface.get("mask") is not None:
        raise TypeError("arrays with a mask are not supported")
    shape = as_shape(interface["shape"])
    dtype = np.dtype(interface["typestr"])
    if dtype.kind == "V" and interface.get("descr"):
        dtype = np.dtype([tuple(each) for each in interface["descr"]])
    dtype = as_dtype(dtype)
    strides = interface.get("strides")
    strides = (strides_of(shape, dtype.itemsize, "C") if strides is None
               else tuple(operator.index(each) for each in strides))
    if len(strides) != len(shape):
        raise ValueError(f"{len(strides)} strides for {len(shape)} dimensions")
    address, read_only = interface["data"]
    stream = interface.get("stream")
    if stream == 0:
        raise ValueError("the stream 0 is not allowed in "
                         "__cuda_array_interface__: 1 is the default stream")
    result = of_address(address or 0, shape, dtype, strides, bool(read_only), other)
    if stream is not None:
        let_wait((current_stream().handle, runtime.current_device()),
                 (int(stream), result.device))
    return result


def of_address(address, shape, dtype, strides, read_only, owner, release=None):
    """An array at an address of somebody else's, who is kept or released."""
    before, behind = extent_of(shape, strides, dtype.itemsize)
    kind, device = "device", runtime.current_device()
    if behind:
        if address % dtype.alignment:
            raise ValueError(f"the address {address:#x} is not aligned for "
                             f"{dtype}")
        kind, device = kind_of(address)
        if kind == "host" and not runtime.on_cpu():
            raise ValueError(f"the address {address:#x} is in memory that the GPU "
                             "cannot reach")
        if kind == "host" and not host_reaches(address - before, before + behind):
            raise ValueError(f"the address {address:#x} cannot be reached by the "
                             "CPU, which CUFORT_DEVICE and this machine chose as "
                             "the device")
    memory = Memory.of_other(address, before + behind, device, kind, owner,
                             release)
    return Array(memory, 0, shape, dtype, strides, read_only)

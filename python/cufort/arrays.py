"""Arrays in device memory."""
import ctypes
import math
import operator

import numpy as np

from . import dlpack, runtime
from .memory import host_reaches
from .streams import current_stream, exchanged

# cudaMemcpyDefault: an array may lie in the host's memory, too.
_ANYWHERE = 4


def as_dtype(dtype):
    """A dtype that kernels have, or TypeError."""
    dtype = np.dtype(dtype)
    known = (dtype.kind in "biu" or (dtype.kind == "f" and dtype.itemsize <= 8)
             or (dtype.kind == "c" and dtype.itemsize <= 16)
             or (dtype.kind == "V" and dtype.itemsize and not dtype.hasobject))
    if not known:
        raise TypeError(
            f"device arrays cannot hold dtype '{dtype}': they have booleans, "
            "integers of 1 to 8 bytes, reals of 2 to 8, complex numbers of 8 and "
            "16, and records")
    if not dtype.isnative:
        raise TypeError(f"dtype '{dtype}' has the other byte order: convert the "
                        "array with .astype(dtype.newbyteorder('='))")
    return dtype


def as_shape(shape):
    try:
        shape = (operator.index(shape),)
    except TypeError:
        shape = tuple(operator.index(extent) for extent in shape)
    if any(extent < 0 for extent in shape):
        raise ValueError(f"negative extents in shape {shape}")
    return shape


def strides_of(shape, itemsize, order):
    if order not in ("C", "F"):
        raise ValueError(f"order is 'C' or 'F', not {order!r}")
    strides, step = [], itemsize
    for extent in shape if order == "F" else reversed(shape):
        strides.append(step)
        step *= max(extent, 1)
    return tuple(strides if order == "F" else reversed(strides))


def extent_of(shape, strides, itemsize):
    """The bytes before and behind the first element's address."""
    if 0 in shape:
        return 0, 0
    reach = [(extent - 1) * stride for extent, stride in zip(shape, strides)]
    return (-sum(each for each in reach if each < 0),
            itemsize + sum(each for each in reach if each > 0))


class Array:
    """An array in device memory, as empty(), zeros() and asarray() make it.

    It is an argument of a library's procedures as it is, and has
    `__cuda_array_interface__` and `__dlpack__`. Slices, transpose() and
    reshape() are views of the same memory.
    """

    __array_priority__ = 1000

    def __init__(self, memory, offset, shape, dtype, strides, read_only=False):
        self._memory, self._offset = memory, offset
        self.shape, self.dtype, self.strides = shape, dtype, strides
        self.read_only = read_only

    # What it is like.

    @property
    def ndim(self):
        return len(self.shape)

    @property
    def size(self):
        return math.prod(self.shape)

    @property
    def itemsize(self):
        return self.dtype.itemsize

    @property
    def nbytes(self):
        return self.size * self.itemsize

    @property
    def device(self):
        """The number of the device that the memory belongs to."""
        return self._memory.device

    @property
    def kind(self):
        """'device', 'managed', 'pinned', or 'host' (on the CPU)."""
        return self._memory.kind

    @property
    def freed(self):
        return self._memory.freed

    @property
    def address(self):
        """The address of the first element; 0 if there is none."""
        self._memory.check()
        return self._memory.address + self._offset if self.size else 0

    @property
    def _as_parameter_(self):
        return ctypes.c_void_p(self.address)

    def has_order(self, order):
        fixed = strides_of(self.shape, self.itemsize, order)
        return self.size == 0 or all(
            extent == 1 or stride == each
            for extent, stride, each in zip(self.shape, self.strides, fixed))

    @property
    def c_contiguous(self):
        return self.has_order("C")

    @property
    def f_contiguous(self):
        return self.has_order("F")

    def __len__(self):
        if not self.shape:
            raise TypeError("an array without dimensions has no length")
        return self.shape[0]

    def __repr__(self):
        state = "freed" if self.freed else self.kind
        order = ("C" if self.c_contiguous else "F" if self.f_contiguous
                 else "strided")
        return (f"<cufort.Array shape={self.shape} dtype={self.dtype} "
                f"order={order} {state} memory of device {self.device}>")

    def free(self):
        """Frees the memory now, and not when the last array on it goes."""
        self._memory.free()

    # Views.

    def _view(self, offset, shape, strides):
        self._memory.check()
        return Array(self._memory, self._offset + offset, shape, self.dtype,
                     strides, self.read_only)

    def __getitem__(self, key):
        if not isinstance(key, tuple):
            key = (key,)
        try:
            key = tuple(each if each is Ellipsis or isinstance(each, slice)
                        else operator.index(each) for each in key)
        except TypeError:
            raise TypeError("device arrays have slices and single indices; take "
                            "others of a copy on the host: array.get()[...]"
                            ) from None
        if sum(each is Ellipsis for each in key) > 1:
            raise IndexError("more than one '...'")
        if Ellipsis not in key:
            key += (Ellipsis,)
        if len(key) - 1 > self.ndim:
            raise IndexError(f"{len(key) - 1} indices for {self.ndim} dimensions")
        at = key.index(Ellipsis)
        middle = (slice(None),) * (self.ndim - len(key) + 1)
        key = key[:at] + middle + key[at + 1:]
        offset, shape, strides = 0, [], []
        for index, extent, stride in zip(key, self.shape, self.strides):
            if isinstance(index, slice):
                begin, end, step = index.indices(extent)
                count = len(range(begin, end, step))
                offset += begin * stride if count else 0
                shape.append(count)
                strides.append(stride * step)
                continue
            if not -extent <= index < extent:
                raise IndexError(f"index {index} is outside of an extent of "
                                 f"{extent}")
            offset += index % extent * stride
        return self._view(offset, tuple(shape), tuple(strides))

    def __setitem__(self, key, value):
        self[key].set(value)

    def transpose(self, *axes):
        """A view with its dimensions in another order, reversed without `axes`."""
        axes = axes[0] if len(axes) == 1 and isinstance(axes[0], tuple) else axes
        axes = axes or tuple(reversed(range(self.ndim)))
        if sorted(axes) != list(range(self.ndim)):
            raise ValueError(f"{axes} does not name each of {self.ndim} "
                             "dimensions once")
        return self._view(0, tuple(self.shape[axis] for axis in axes),
                          tuple(self.strides[axis] for axis in axes))

    @property
    def T(self):
        return self.transpose()

    def reshape(self, shape, order="C"):
        """A view of a contiguous array in another shape, counted in `order`."""
        shape = as_shape(shape)
        if math.prod(shape) != self.size:
            raise ValueError(f"{self.size} elements do not have the shape {shape}")
        if not self.has_order(order):
            raise ValueError(f"the array is not contiguous in order {order!r}: "
                             "take a copy(order) of it")
        return self._view(0, shape, strides_of(shape, self.itemsize, order))

    # Copies.

    def get(self, out=None, stream=None):
        """A copy on the host, in `out` or a new NumPy array of the same order."""
        stream = stream or current_stream()
        if out is None:
            out = np.empty(self.shape, self.dtype,
                           "F" if self.f_contiguous and not self.c_contiguous
                           else "C")
        elif out.shape != self.shape or out.dtype != self.dtype:
            raise ValueError(f"'out' has shape {out.shape} and dtype {out.dtype}, "
                             f"the array {self.shape} and {self.dtype}")
        before, behind = extent_of(self.shape, self.strides, self.itemsize)
        if not behind:
            self._memory.check()
            return out
        # All bytes from the first element to the last, in one copy.
        direct = self.strides == out.strides and before + behind == out.nbytes
        bytes_ = out if direct else np.empty(before + behind, np.uint8)
        runtime.call("cudaMemcpyAsync", bytes_.ctypes.data, self.address - before,
                     before + behind, _ANYWHERE, stream.handle)
        stream.synchronize()
        if not direct:
            out[...] = np.ndarray(self.shape, self.dtype, bytes_, before,
                                  self.strides)
        return out

    def set(self, values, stream=None):
        """Copies `values` here: NumPy's broadcasting and conversions apply."""
        self._check_writable()
        stream = stream or current_stream()
        if isinstance(values, Array):
            values = values.get(stream=stream)
        # Integers of Python have no type of their own.
        values = np.asarray(values, self.dtype if isinstance(values, int) else None)
        values = np.broadcast_to(values, self.shape)
        if not np.can_cast(values.dtype, self.dtype, "same_kind"):
            raise TypeError(f"values of dtype {values.dtype} do not fit an array "
                            f"of {self.dtype}: convert them with .astype()")
        source = values.astype(self.dtype, copy=False)
        self.write(source, stream)
        return self

    def write(self, source, stream):
        """Copies a NumPy array of the same shape and type, in rows."""
        if not self.size:
            self._memory.check()
            return
        address = self.address
        for order in "CF":
            if self.has_order(order):
                source = np.asarray(source, order=order)
                runtime.call("cudaMemcpyAsync", address, source.ctypes.data,
                             self.nbytes, _ANYWHERE, stream.handle)
                stream.synchronize()
                return
        # Rows along the dimension with the smallest steps.
        axis = min(range(self.ndim), key=lambda each: (
            self.shape[each] == 1, abs(self.strides[each])))
        rows = np.moveaxis(source, axis, -1)
        rows = np.ascontiguousarray(rows)
        step, count = self.strides[axis], self.shape[axis]
        strides = self.strides[:axis] + self.strides[axis + 1:]
        for index in np.ndindex(rows.shape[:-1]):
            row = rows[index]
            to = address + sum(map(operator.mul, index, strides))
            if step < 0:
                row, to = np.ascontiguousarray(row[::-1]), to + (count - 1) * step
            if abs(step) < self.itemsize:
                raise ValueError("the array's elements overlap: it cannot be set")
            runtime.call("cudaMemcpy2DAsync", to, abs(step), row.ctypes.data,
                         self.itemsize, self.itemsize, count, _ANYWHERE,
                         stream.handle)
            stream.synchronize()

    def fill(self, value, stream=None):
        """Sets all elements."""
        return self.set(value, stream)

    def copy(self, order="C"):
        """A copy in device memory, contiguous in `order`."""
        from .creation import empty  # which needs this module

        result = empty(self.shape, self.dtype, order)
        if not self.has_order(order):
            return result.set(self)
        if self.size:
            runtime.call("cudaMemcpyAsync", result.address, self.address,
                         self.nbytes, _ANYWHERE, current_stream().handle)
        return result

    # What others see of it.

    def _check_writable(self):
        self._memory.check()
        if self.read_only:
            raise ValueError("the array is read-only")

    def _on_cpu(self):
        return runtime.on_cpu(self.device)

    def numpy(self):
        """The same memory as a NumPy array, without a copy.

        On the CPU, and for pinned and managed memory on a GPU. Waits for the
        device first.
        """
        if not self._on_cpu() and self.kind not in ("pinned", "managed"):
            raise TypeError("the array is in a GPU's memory, which NumPy cannot "
                            "reach: copy it with array.get()")
        self._memory.check()
        if not self.size:
            return np.empty(self.shape, self.dtype)  # nothing to share
        if not host_reaches(self.address, self.itemsize):
            raise TypeError("the host cannot reach the array (CUFORT_CPU_GUARD): "
                            "copy it with array.get()")
        self._settle()
        return np.asarray(_HostView(self))

    def __array__(self, dtype=None, copy=None):
        if self._on_cpu():
            result = self.numpy()
            return result.copy() if copy else result if dtype is None else \
                result.astype(dtype, copy=False)
        raise TypeError("an array in a GPU's memory is not converted to NumPy's "
                        "without being asked: copy it with array.get()")

    def _settle(self):
        """Waits for what may still write it."""
        with runtime.Device(self.device):
            runtime.synchronize()

    @property
    def __cuda_array_interface__(self):
        address = self.address
        stream = None
        if self._on_cpu():
            self._settle()  # who reads it may know nothing of streams
        else:
            stream = exchanged(current_stream().handle)
        interface = {
            "shape": self.shape,
            "typestr": self.dtype.str,
            "data": (address, self.read_only),
            "version": 3,
            "strides": None if self.c_contiguous else self.strides,
            "stream": stream,
        }
        if self.dtype.names:
            interface["descr"] = self.dtype.descr
        return interface

    def __dlpack_device__(self):
        return dlpack.device_of(self)

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None,
                   copy=None):
        return dlpack.export(self, stream, max_version, dl_device, copy)


class _HostView:
    """What keeps the memory as long as NumPy's view of it lives."""

    def __init__(self, array):
        self._memory = array._memory
        self._memory.hand_out()
        self.__array_interface__ = {
            "shape": array.shape,
            "typestr": array.dtype.str,
            "descr": array.dtype.descr,
            "data": (array.address, array.read_only),
            "strides": array.strides,
            "version": 3,
        }

    def __del__(self):
        self._memory.take_back()

"""DLPack: arrays of other packages, and this one's for them, without a copy.

Both forms of the capsule are written and read: the one of version 1, which
consumers ask for by `max_version`, and the one before it.
"""
import ctypes

import numpy as np

from . import runtime
from .streams import current_stream, exchanged, let_wait

CPU, CUDA, CUDA_HOST, CUDA_MANAGED = 1, 2, 3, 13  # DLDeviceType
_KINDS = {"i": 0, "u": 1, "f": 2, "c": 5, "b": 6}  # DLDataTypeCode
_READ_ONLY, _COPIED = 1, 2
_VERSION = (1, 0)


class _Device(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int32), ("id", ctypes.c_int32)]


class _Type(ctypes.Structure):
    _fields_ = [("code", ctypes.c_uint8), ("bits", ctypes.c_uint8),
                ("lanes", ctypes.c_uint16)]


class _Tensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("device", _Device),
                ("ndim", ctypes.c_int32), ("dtype", _Type),
                ("shape", ctypes.POINTER(ctypes.c_int64)),
                ("strides", ctypes.POINTER(ctypes.c_int64)),
                ("byte_offset", ctypes.c_uint64)]


class _Managed(ctypes.Structure):
    _fields_ = [("tensor", _Tensor), ("context", ctypes.c_void_p),
                ("deleter", ctypes.c_void_p)]


class _Versioned(ctypes.Structure):
    _fields_ = [("major", ctypes.c_uint32), ("minor", ctypes.c_uint32),
                ("context", ctypes.c_void_p), ("deleter", ctypes.c_void_p),
                ("flags", ctypes.c_uint64), ("tensor", _Tensor)]


# Names of capsules have to stay where they are: Python keeps their addresses.
_NAMES = {False: (b"dltensor", b"used_dltensor"),
          True: (b"dltensor_versioned", b"used_dltensor_versioned")}
_NAME_BUFFERS = {name: ctypes.create_string_buffer(name)
                 for names in _NAMES.values() for name in names}


def _address_of_name(name):
    return ctypes.addressof(_NAME_BUFFERS[name])


def _python(name, result, *arguments):
    # A prototype of its own: pythonapi's functions are everybody's.
    prototype = ctypes.PYFUNCTYPE(result, *arguments)
    return prototype((name, ctypes.pythonapi))


_Deleter = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
_new = _python("PyCapsule_New", ctypes.py_object, ctypes.c_void_p,
               ctypes.c_void_p, ctypes.c_void_p)
_is_valid = _python("PyCapsule_IsValid", ctypes.c_int, ctypes.py_object,
                    ctypes.c_void_p)
_get = _python("PyCapsule_GetPointer", ctypes.c_void_p, ctypes.py_object,
               ctypes.c_void_p)
_set_name = _python("PyCapsule_SetName", ctypes.c_int, ctypes.py_object,
                    ctypes.c_void_p)
# For the destructor, whose capsule has no references any more.
_dying_is_valid = _python("PyCapsule_IsValid", ctypes.c_int, ctypes.c_void_p,
                          ctypes.c_void_p)
_dying_get = _python("PyCapsule_GetPointer", ctypes.c_void_p, ctypes.c_void_p,
                     ctypes.c_void_p)

# What has been handed out and not been given back, by the structure's address.
_handed_out = {}


@_Deleter
def _give_back(address):
    entry = _handed_out.pop(address, None)
    if entry is not None:
        entry[-1]()


@_Deleter
def _end_of_capsule(capsule):
    """A capsule that nobody has taken from frees what it holds."""
    for names in _NAMES.values():
        name = _address_of_name(names[0])
        if _dying_is_valid(capsule, name):
            _give_back(_dying_get(capsule, name))


def _type_of(dtype):
    if dtype.kind not in _KINDS:
        raise BufferError(f"DLPack has no dtype '{dtype}'")
    return _Type(_KINDS[dtype.kind], dtype.itemsize * 8, 1)


def _capsule(address, shape, dtype, strides, device, flags, versioned, release):
    """A capsule for memory that `release()` gives back."""
    if any(stride % dtype.itemsize for stride in strides):
        raise BufferError("DLPack counts strides in elements, and this array's "
                          "are no multiples of its element's size")
    managed = _Versioned() if versioned else _Managed()
    numbers = ctypes.c_int64 * max(len(shape), 1)
    extents = numbers(*shape)
    steps = numbers(*(stride // dtype.itemsize for stride in strides))
    tensor = managed.tensor
    tensor.data, tensor.byte_offset = address or None, 0
    tensor.device, tensor.dtype = _Device(*device), _type_of(dtype)
    tensor.ndim = len(shape)
    tensor.shape = ctypes.cast(extents, type(tensor.shape))
    tensor.strides = ctypes.cast(steps, type(tensor.strides))
    managed.deleter = ctypes.cast(_give_back, ctypes.c_void_p)
    if versioned:
        managed.major, managed.minor = _VERSION
        managed.flags = flags
    at = ctypes.addressof(managed)
    _handed_out[at] = (managed, extents, steps, release)
    return _new(at, _address_of_name(_NAMES[versioned][0]),
                ctypes.cast(_end_of_capsule, ctypes.c_void_p))


def device_of(array):
    """What `__dlpack_device__` says of an Array."""
    if array._on_cpu():
        return CPU, 0
    kinds = {"pinned": CUDA_HOST, "managed": CUDA_MANAGED}
    return kinds.get(array.kind, CUDA), array.device


def export(array, stream, max_version, dl_device, copy):
    """What `__dlpack__` says of an Array."""
    versioned = max_version is not None and tuple(max_version)[0] >= 1
    _type_of(array.dtype)
    here = device_of(array)
    if dl_device is not None and tuple(dl_device) != here:
        if tuple(dl_device) != (CPU, 0) or copy is False:
            raise BufferError(f"the array is on DLPack device {here} and can be "
                              "copied to the host, (1, 0), alone")
        host = array.get()
        return _capsule(host.ctypes.data, host.shape, host.dtype, host.strides,
                        (CPU, 0), _COPIED, versioned, lambda: host)
    flags = 0
    if copy:
        array, flags = array.copy(), _COPIED
    if array.read_only:
        if not versioned:
            raise BufferError("the array is read-only, which DLPack cannot say "
                              "before version 1.0")
        flags |= _READ_ONLY
    _order(array, here[0], stream)
    array._memory.hand_out()
    try:
        return _capsule(array.address, array.shape, array.dtype, array.strides,
                        here, flags, versioned, array._memory.take_back)
    except BaseException:
        array._memory.take_back()
        raise


def _order(array, kind, stream):
    """Lets the consumer's stream see what has been done to the array."""
    if kind == CPU:
        if stream not in (None, -1):
            raise ValueError("an array of the CPU has no stream: pass None")
        array._settle()
        return
    if stream == -1:
        return
    if stream == 0:
        raise ValueError("stream 0 is ambiguous in DLPack: 1 is the default "
                         "stream, 2 that of the thread")
    let_wait((1 if stream is None else int(stream), array.device),
             (current_stream().handle, runtime.current_device()))


def from_dlpack(other, copy=None):
    """The array of an object with `__dlpack__`, not copied unless `copy`."""
    from .creation import of_address  # which needs this module

    if not hasattr(other, "__dlpack__") or not hasattr(other,
                                                       "__dlpack_device__"):
        raise TypeError(f"'{type(other).__name__}' has no __dlpack__ and "
                        "__dlpack_device__")
    kind, number = other.__dlpack_device__()
    _check_device(int(kind), number)
    arguments = {}
    if int(kind) in (CUDA, CUDA_MANAGED):
        arguments["stream"] = exchanged(current_stream().handle)
    try:
        capsule = other.__dlpack__(max_version=_VERSION, **arguments)
    except TypeError:
        capsule = other.__dlpack__(**arguments)
    managed, versioned, flags = _take(capsule)
    try:
        result = _array_of(managed, flags, of_address)
    except BaseException:
        _delete(managed)
        raise
    return result.copy() if copy else result


def _check_device(kind, number):
    if kind == CUDA_HOST:
        return
    if runtime.on_cpu():
        if kind != CPU:
            raise BufferError(f"the data is on DLPack device ({kind}, {number}), "
                              "and the kernels run on the CPU")
    elif kind not in (CUDA, CUDA_MANAGED):
        raise BufferError(f"the data is on DLPack device ({kind}, {number}), "
                          "which a GPU's kernels cannot reach: copy it with "
                          "cufort.asarray()")


def _take(capsule):
    """What is in a capsule, which is marked as taken."""
    for versioned, (name, used) in _NAMES.items():
        if _is_valid(capsule, _address_of_name(name)):
            break
    else:
        raise ValueError("no DLPack capsule that somebody may still take from")
    address = _get(capsule, _address_of_name(name))
    managed = (_Versioned if versioned else _Managed).from_address(address)
    if versioned and managed.major != _VERSION[0]:
        raise BufferError(f"DLPack {managed.major}.{managed.minor} is not "
                          "supported, 1.x is")
    _set_name(capsule, _address_of_name(used))
    return managed, versioned, managed.flags if versioned else 0


def _delete(managed):
    if managed.deleter:
        _Deleter(managed.deleter)(ctypes.addressof(managed))


def _array_of(managed, flags, of_address):
    tensor = managed.tensor
    if tensor.dtype.lanes != 1:
        raise BufferError("DLPack data of several lanes is not supported")
    letters = {code: letter for letter, code in _KINDS.items()}
    code, size = tensor.dtype.code, tensor.dtype.bits // 8
    try:
        dtype = np.dtype(f"{letters[code]}{size}")
    except (KeyError, TypeError):
        raise BufferError(f"DLPack type {code} of {tensor.dtype.bits} bits is not "
                          "supported") from None
    shape = tuple(tensor.shape[i] for i in range(tensor.ndim))
    if tensor.strides:
        strides = tuple(tensor.strides[i] * size for i in range(tensor.ndim))
    else:
        strides, step = [], size
        for extent in reversed(shape):
            strides.append(step)
            step *= max(extent, 1)
        strides = tuple(reversed(strides))
    return of_address((tensor.data or 0) + tensor.byte_offset, shape, dtype,
                      strides, bool(flags & _READ_ONLY), managed, _delete)

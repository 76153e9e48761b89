"""Memory that arrays lie in: who frees it, and who may not yet."""
import ctypes
import os
import threading
import weakref

from . import runtime

_ALLOCATIONS = {
    "device": ("cudaMalloc", "cudaFree"),
    "managed": ("cudaMallocManaged", "cudaFree"),
    "pinned": ("cudaMallocHost", "cudaFreeHost"),
}


def _free(function, address):
    if runtime.usable():
        try:
            runtime.call(function, address)
        except runtime.CudaError:
            pass  # the device has failed, which others are told


class Memory:
    """One allocation, or memory of somebody else's that `release` gives back.

    `exports` counts who else was handed the memory and has not given it back.
    """

    def __init__(self, address, nbytes, device, kind, release):
        self.address, self.nbytes = address, nbytes
        self.device, self.kind = device, kind
        self.exports = 0
        self._lock = threading.Lock()
        self._finish = weakref.finalize(self, *release)

    @classmethod
    def allocate(cls, nbytes, kind):
        if kind not in _ALLOCATIONS:
            raise ValueError(f"memory is 'device', 'managed' or 'pinned', not "
                             f"{kind!r}")
        allocate, free = _ALLOCATIONS[kind]
        address = ctypes.c_void_p()
        device = runtime.current_device()
        if nbytes:
            arguments = (ctypes.byref(address), nbytes)
            if kind == "managed":
                arguments += (1,)  # cudaMemAttachGlobal
            runtime.call(allocate, *arguments)
        return cls(address.value or 0, nbytes, device, kind,
                   (_free, free, address.value or 0))

    @classmethod
    def of_other(cls, address, nbytes, device, kind, owner, release=None):
        """Somebody else's, who is kept as long as it is used."""
        release = release or _nothing
        return cls(address, nbytes, device, kind, (release, owner))

    @property
    def freed(self):
        return not self._finish.alive

    def free(self):
        with self._lock:
            if self.exports:
                raise BufferError(
                    f"the array's memory is still in use by {self.exports} other "
                    "object(s) that got it by numpy() or DLPack")
            self._finish()

    def check(self):
        if self.freed:
            raise ValueError("the array has been freed")

    def hand_out(self):
        with self._lock:
            self.check()
            self.exports += 1

    def take_back(self):
        with self._lock:
            self.exports -= 1


def _nothing(owner):
    del owner


def kind_of(address):
    """What the runtime says of an address: (kind, device); kind 'host' if nothing."""

    class Attributes(ctypes.Structure):
        _fields_ = [("type", ctypes.c_int), ("device", ctypes.c_int),
                    ("device_pointer", ctypes.c_void_p),
                    ("host_pointer", ctypes.c_void_p),
                    ("reserved", ctypes.c_long * 8)]

    attributes = Attributes()
    runtime.call("cudaPointerGetAttributes", ctypes.byref(attributes), address)
    kinds = {1: "pinned", 2: "device", 3: "managed"}
    kind = kinds.get(attributes.type, "host")
    return kind, attributes.device if kind != "host" else runtime.current_device()


def host_reaches(address, nbytes):
    """Whether the host can read these bytes, asked of the kernel."""
    write = ctypes.CDLL(None).write
    write.argtypes = (ctypes.c_int, ctypes.c_void_p, ctypes.c_size_t)
    write.restype = ctypes.c_ssize_t
    reads, writes = os.pipe()
    try:
        return all(write(writes, address + at, 1) == 1 for at in {0, nbytes - 1})
    finally:
        os.close(reads)
        os.close(writes)

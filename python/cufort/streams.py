"""Streams and events."""
import ctypes
import threading
import weakref

from . import runtime

_thread = threading.local()


def _destroy(function, handle):
    if runtime.usable():
        try:
            runtime.call(function, handle)
        except runtime.CudaError:
            pass  # the device has failed, which others are told


class Stream:
    """A stream of this thread's device; `with stream:` makes it the current one.

    Copies of this package and what it hands to others are in the order of the
    current stream. A procedure of a library gets a stream as an argument.
    """

    def __init__(self, non_blocking=False, priority=0):
        handle = ctypes.c_void_p()
        runtime.call("cudaStreamCreateWithPriority", ctypes.byref(handle),
                     1 if non_blocking else 0, priority)
        self._handle = handle.value
        self._finish = weakref.finalize(self, _destroy, "cudaStreamDestroy",
                                        self._handle)

    @classmethod
    def from_handle(cls, handle):
        """A stream of somebody else's on this device, by its cudaStream_t.

        It has to live as long as it is used here.
        """
        self = cls.__new__(cls)
        self._handle, self._finish = int(handle), None
        if self._handle > 2:  # these are the default streams
            runtime.call("__cufort_adopt_stream", self._handle)
        return self

    @property
    def handle(self):
        """The cudaStream_t as an integer; 0 is the default stream."""
        if self._finish is not None and not self._finish.alive:
            raise ValueError("the stream has been destroyed")
        return self._handle

    @property
    def _as_parameter_(self):
        return ctypes.c_void_p(self.handle)

    @classmethod
    def from_param(cls, value):
        """For a procedure's `argtypes`: a Stream, a handle, or None (the default)."""
        if value is None or isinstance(value, int):
            return cls.from_handle(value or 0)
        if not isinstance(value, Stream):
            raise TypeError("a cufort.Stream is needed here, not "
                            f"'{type(value).__name__}'")
        return value

    def synchronize(self):
        """Waits for everything in the stream, and raises what failed."""
        runtime.call("cudaStreamSynchronize", self.handle)

    def done(self):
        """Whether everything in the stream has been done."""
        return runtime.answer("cudaStreamQuery", self.handle)

    def wait(self, other):
        """What follows here begins after an event, or after a stream as it is."""
        if isinstance(other, Stream):
            other = Event(timing=False).record(other)
        runtime.call("cudaStreamWaitEvent", self.handle, other.handle, 0)

    def destroy(self):
        """Ends the stream, after what is in it."""
        if self._finish is not None:
            self._finish()

    def __enter__(self):
        _stack().append(self)
        return self

    def __exit__(self, *_):
        _stack().pop()

    def __repr__(self):
        return f"<cufort.Stream {self._handle:#x}>"


def _stack():
    if not hasattr(_thread, "streams"):
        _thread.streams = []
    return _thread.streams


default_stream = Stream.from_handle(0)


def current_stream():
    """This thread's: that of the innermost `with stream:`, or the default one."""
    return _stack()[-1] if _stack() else default_stream


def exchanged(handle):
    """A stream as the protocols write it, where 1 is the default stream."""
    return 1 if handle == 0 else handle


def let_wait(waits, works):
    """Lets a stream wait for another; each is a handle and its device's number.

    The number counts where the handle is 0 or 1, each device's own default stream,
    and for the event between them.
    """
    (waits, there), (works, here) = ((0 if handle == 1 else handle, device)
                                     for handle, device in (waits, works))
    if (waits, there) == (works, here):
        return
    with runtime.Device(here):
        event = Event(timing=False).record(Stream.from_handle(works))
    with runtime.Device(there):
        Stream.from_handle(waits).wait(event)


class Event:
    """A point in a stream's work."""

    def __init__(self, timing=True):
        handle = ctypes.c_void_p()
        runtime.call("cudaEventCreateWithFlags", ctypes.byref(handle),
                     0 if timing else 2)
        self.handle = handle.value
        weakref.finalize(self, _destroy, "cudaEventDestroy", self.handle)

    @property
    def _as_parameter_(self):
        return ctypes.c_void_p(self.handle)

    def record(self, stream=None):
        """Puts it behind what is in a stream (the current one) now."""
        stream = stream or current_stream()
        runtime.call("cudaEventRecord", self.handle, stream.handle)
        return self

    def synchronize(self):
        """Waits for it."""
        runtime.call("cudaEventSynchronize", self.handle)

    def done(self):
        """Whether it has been reached."""
        return runtime.answer("cudaEventQuery", self.handle)

    def seconds_until(self, later):
        """The time between two events that have been reached."""
        milliseconds = ctypes.c_float()
        runtime.call("cudaEventElapsedTime", ctypes.byref(milliseconds),
                     self.handle, later.handle)
        return milliseconds.value / 1e3

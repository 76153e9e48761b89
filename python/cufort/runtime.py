"""The CUDA runtime in a shared library of kernels, and its errors as exceptions.

`cufort -shared` puts all functions of the CUDA runtime into the library that it
makes, so nothing else has to be installed. Several such libraries in one process
share their devices, memory and streams; the functions of the first serve all.
"""
import ctypes
import difflib
import os
import threading

_LEGACY_STREAM = 1  # cudaStreamLegacy

# The functions that the package calls, with the types of their arguments.
_pointer, _size, _int = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int
_FUNCTIONS = {
    "cudaGetDeviceCount": (_pointer,),
    "cudaGetDevice": (_pointer,),
    "cudaSetDevice": (_int,),
    "cudaDeviceSynchronize": (),
    "cudaMemGetInfo": (_pointer, _pointer),
    "cudaMalloc": (_pointer, _size),
    "cudaMallocManaged": (_pointer, _size, ctypes.c_uint),
    "cudaMallocHost": (_pointer, _size),
    "cudaFree": (_pointer,),
    "cudaFreeHost": (_pointer,),
    "cudaMemcpyAsync": (_pointer, _pointer, _size, _int, _pointer),
    "cudaMemcpy2DAsync": (_pointer, _size, _pointer, _size, _size, _size, _int,
                          _pointer),
    "cudaMemsetAsync": (_pointer, _int, _size, _pointer),
    "cudaPointerGetAttributes": (_pointer, _pointer),
    "cudaStreamCreateWithPriority": (_pointer, ctypes.c_uint, _int),
    "cudaStreamDestroy": (_pointer,),
    "cudaStreamSynchronize": (_pointer,),
    "cudaStreamQuery": (_pointer,),
    "cudaStreamWaitEvent": (_pointer, _pointer, ctypes.c_uint),
    "cudaEventCreateWithFlags": (_pointer, ctypes.c_uint),
    "cudaEventDestroy": (_pointer,),
    "cudaEventRecord": (_pointer, _pointer),
    "cudaEventSynchronize": (_pointer,),
    "cudaEventQuery": (_pointer,),
    "cudaEventElapsedTime": (_pointer, _pointer, _pointer),
    "cudaGetLastError": (),
    "__cufort_adopt_stream": (_pointer,),
}


class CudaError(RuntimeError):
    """A function of the CUDA runtime has failed: `code`, `name`, `function`."""

    def __init__(self, code, name, text, function):
        super().__init__(f"{function}: {text} ({name}, {code})")
        self.code, self.name, self.function = code, name, function


class _Runtime:
    """The functions of the library at `path`."""

    def __init__(self, library, path):
        self.path = path
        self.used = self.forked = False
        self.functions = {}
        for name, arguments in _FUNCTIONS.items():
            function = library[name]
            function.argtypes, function.restype = arguments, _int
            self.functions[name] = function
        self.is_cpu = library["__cufort_device_is_cpu"]
        self.is_cpu.argtypes, self.is_cpu.restype = (_int,), _int
        self.texts = {}
        for name in ("cudaGetErrorName", "cudaGetErrorString"):
            self.texts[name] = library[name]
            self.texts[name].argtypes = (_int,)
            self.texts[name].restype = ctypes.c_char_p

    def error(self, code, function):
        name, text = (self.texts[each](code).decode()
                      for each in ("cudaGetErrorName", "cudaGetErrorString"))
        return CudaError(code, name, text, function)


_runtime = None
_lock = threading.Lock()


def _after_fork():
    if _runtime is not None and _runtime.used:
        _runtime.forked = True


os.register_at_fork(after_in_child=_after_fork)


class Library(ctypes.CDLL):
    """A shared library of kernels, made by `cufort -shared`; a ctypes.CDLL.

    Arrays and streams of this package are arguments of its procedures as they
    are. A name without a slash is looked for as the system's loader does.
    """

    def __init__(self, path, mode=None):
        global _runtime
        path = os.fspath(path)
        if os.sep in path:
            path = os.path.abspath(path)
            if not os.path.exists(path):
                raise FileNotFoundError(f"there is no library '{path}'")
        if mode is None:
            mode = ctypes.DEFAULT_MODE
            # Where the process has NVIDIA's runtime in its global scope, as
            # beside PyTorch, the library's calls must not lead there.
            if hasattr(ctypes.CDLL(None), "cudaMalloc"):
                mode |= os.RTLD_DEEPBIND | os.RTLD_NOW
        super().__init__(path, mode)
        with _lock:
            if _runtime is None:
                try:
                    _runtime = _Runtime(self, path)
                except AttributeError:
                    pass  # linked by another command: perhaps the next one

    def __getattr__(self, name):
        try:
            return super().__getattr__(name)
        except AttributeError:
            if name.startswith("__"):
                raise
            raise AttributeError(
                f"library '{self._name}' has no procedure '{name}'; a procedure "
                "in Fortran has its own name with the suffix bind(C), one in C++ "
                'with extern "C"') from None

    def declare(self, name, *arguments, restype=None):
        """The procedure `name` with the types of its arguments.

        Types are those of ctypes and `array_argument(...)`. Sets what
        `library.name` is, too.
        """
        procedure = getattr(self, name)
        procedure.argtypes, procedure.restype = arguments, restype
        return procedure


def _the_runtime():
    if _runtime is None:
        raise RuntimeError(
            "no CUDA runtime yet: load a library of kernels that was linked with "
            "'cufort -shared' (cufort.Library(path)) before the first array or "
            "stream")
    if _runtime.forked:
        raise RuntimeError(
            "the parent process has used devices before it forked, and its child "
            "cannot: use multiprocessing.set_start_method('spawn') or "
            "'forkserver', or fork before the first use")
    return _runtime


def call(function, *arguments):
    """Calls a function of the CUDA runtime; CudaError if it fails."""
    runtime = _the_runtime()
    runtime.used = True
    code = runtime.functions[function](*arguments)
    if code:
        runtime.functions["cudaGetLastError"]()  # it has been told
        raise runtime.error(code, function)


def answer(function, *arguments):
    """The same for questions that cudaErrorNotReady (600) answers with no."""
    runtime = _the_runtime()
    runtime.used = True
    code = runtime.functions[function](*arguments)
    if code not in (0, 600):
        runtime.functions["cudaGetLastError"]()
        raise runtime.error(code, function)
    return code == 0


def usable():
    """Whether this process can call the runtime, for what ends by itself."""
    return _runtime is not None and not _runtime.forked


def library_path():
    """The library whose functions of the CUDA runtime are called, or None."""
    return _runtime.path if _runtime else None


def device_count():
    """How many devices there are."""
    count = _int()
    call("cudaGetDeviceCount", ctypes.byref(count))
    return count.value


def current_device():
    """The number of this thread's device."""
    device = _int()
    call("cudaGetDevice", ctypes.byref(device))
    return device.value


def on_cpu(device=None):
    """Whether a device (this thread's) is the CPU, whose memory NumPy reaches."""
    if device is None:
        device = current_device()
    runtime = _the_runtime()
    runtime.used = True
    kind = runtime.is_cpu(device)
    if kind < 0:
        raise ValueError(f"there is no device {device}")
    return kind == 1


def synchronize():
    """Waits for everything on this thread's device, and raises what failed."""
    call("cudaDeviceSynchronize")


def memory_info():
    """Bytes of this thread's device: (free, total)."""
    free, total = _size(), _size()
    call("cudaMemGetInfo", ctypes.byref(free), ctypes.byref(total))
    return free.value, total.value


class Device:
    """`with Device(1):` makes it this thread's device; `Device(1).use()` stays so."""

    def __init__(self, number):
        self.number = int(number)
        self._before = []

    def use(self):
        if not 0 <= self.number < device_count():
            raise ValueError(f"there is no device {self.number}: there are "
                             f"{device_count()}, counted from 0")
        call("cudaSetDevice", self.number)

    def __enter__(self):
        before = current_device()
        self.use()
        self._before.append(before)
        return self

    def __exit__(self, *_):
        call("cudaSetDevice", self._before.pop())

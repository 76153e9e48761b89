"""Types of arguments for ctypes, which say what an array has to be like."""
import ctypes

import numpy as np

from .arrays import Array
from .creation import from_cuda_array_interface


def array_argument(dtype=None, ndim=None, shape=None, order=None, writable=False):
    """A type for a procedure's `argtypes`: arrays like this, passed by address.

    What is None may be anything, except that arrays must be contiguous in one of
    both orders, because the procedure gets an address and no strides. `writable`
    refuses arrays that are read-only.
    """
    wanted = None if dtype is None else np.dtype(dtype)
    extents = None if shape is None else tuple(shape)

    class Argument:
        @classmethod
        def from_param(cls, value):
            if not isinstance(value, Array):
                if not hasattr(value, "__cuda_array_interface__"):
                    raise TypeError(
                        f"a device array is needed here, not "
                        f"'{type(value).__name__}': cufort.asarray(value) copies "
                        "it to the device")
                value = from_cuda_array_interface(value)
            if wanted is not None and value.dtype != wanted:
                raise TypeError(f"an array of {wanted} is needed here, not of "
                                f"{value.dtype}")
            if ndim is not None and value.ndim != ndim:
                raise TypeError(f"an array of {ndim} dimension(s) is needed here, "
                                f"not of {value.ndim}")
            if extents is not None and value.shape != extents:
                raise TypeError(f"an array of shape {extents} is needed here, not "
                                f"{value.shape}")
            fits = (value.c_contiguous or value.f_contiguous if order is None
                    else value.c_contiguous if order == "C"
                    else value.f_contiguous)
            if not fits:
                what = f"in order '{order}'" if order else "in memory"
                raise TypeError(f"an array that is contiguous {what} is needed "
                                f"here: array.copy('{order or 'C'}') makes one")
            if writable and value.read_only:
                raise TypeError("the procedure writes this array, which is "
                                "read-only")
            return _Address(value)

    return Argument


class _Address(ctypes.c_void_p):
    """An address that keeps its array as long as ctypes keeps the argument."""

    def __init__(self, array):
        super().__init__(array.address)
        self.array = array

"""What the tests have in common: the libraries that the command line names."""
import os
import sys
import unittest

import cufort

KERNELS, MORE = (os.path.abspath(path) for path in sys.argv[1:3])


def main():
    unittest.main(module="__main__", argv=sys.argv[:1] + sys.argv[3:])


class StandIn:
    """An object of another package: nothing but the protocol's attribute."""

    def __init__(self, array, **changes):
        self.array = array
        self.__cuda_array_interface__ = {**array.__cuda_array_interface__,
                                         **changes}


def load():
    return cufort.Library(KERNELS), cufort.Library(MORE)

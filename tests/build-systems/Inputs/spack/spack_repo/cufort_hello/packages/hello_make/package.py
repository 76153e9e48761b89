import os

from spack.package import *
from spack_repo.builtin.build_systems.makefile import MakefilePackage


class HelloMake(MakefilePackage):
    """A program of CUDA Fortran, with a makefile for NVIDIA's compiler."""

    url = f"file://{os.environ['HELLO']}/hello-make-1.0.tar.gz"
    version("1.0")
    depends_on("fortran", type="build")
    requires("%fortran=nvhpc")

    def install(self, spec, prefix):
        mkdirp(prefix.bin)
        install("hello", prefix.bin)

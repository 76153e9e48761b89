import os

from spack.package import *
from spack_repo.builtin.build_systems.cmake import CMakePackage


class HelloCmake(CMakePackage):
    """A program of CUDA Fortran and C, built by CMake."""

    url = f"file://{os.environ['HELLO']}/hello-cmake-1.0.tar.gz"
    version("1.0")
    depends_on("c", type="build")
    depends_on("fortran", type="build")
    requires("%fortran=nvhpc")

    def install(self, spec, prefix):
        mkdirp(prefix.bin)
        install(join_path(self.build_directory, "hello"), prefix.bin)

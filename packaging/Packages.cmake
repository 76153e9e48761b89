# cpack: cufort_VERSION_amd64.deb, and a tree in a tarball that works wherever it
# is unpacked.

set(CPACK_PACKAGE_NAME cufort)
set(CPACK_PACKAGE_VENDOR cufort)
set(CPACK_PACKAGE_CONTACT "the cufort developers <cufort@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY
    "compiler of CUDA Fortran and CUDA C++ for GPUs and CPUs")
set(CPACK_PACKAGE_DESCRIPTION
"Compiles CUDA Fortran and CUDA C++ to programs that run their kernels on an
NVIDIA GPU or on the cores of the CPU, chosen when a program starts. Neither
NVIDIA's toolkit nor a GPU is needed.")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_GENERATOR DEB TGZ)
set(CPACK_PACKAGE_FILE_NAME
    cufort-${PROJECT_VERSION}-${CMAKE_SYSTEM_NAME}-${CMAKE_SYSTEM_PROCESSOR})
set(CPACK_STRIP_FILES ON)
set(CPACK_MONOLITHIC_INSTALL ON)
# Where the tree lies differs between the two.
set(CPACK_PROJECT_CONFIG_FILE ${CMAKE_CURRENT_BINARY_DIR}/PerGenerator.cmake)
configure_file(PerGenerator.cmake.in PerGenerator.cmake @ONLY)
set(CPACK_INSTALL_CMAKE_PROJECTS "${CMAKE_BINARY_DIR};cufort;ALL;/")

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# LLVM's own library, of which dpkg-shlibdeps says nothing under /usr/lib/llvm-22;
# and what is read at compile time, not linked: Clang's headers, Flang's runtime, the linker,
# and for the host's code what g++ has; ld and objcopy for -rdc=false.
string(JOIN ", " CPACK_DEBIAN_PACKAGE_DEPENDS
  "libllvm${LLVM_VERSION_MAJOR} (>= 1:${LLVM_VERSION_MAJOR}.${LLVM_VERSION_MINOR})"
  "libclang-common-${LLVM_VERSION_MAJOR}-dev"
  "libflang-${LLVM_VERSION_MAJOR}-dev"
  "libomp-${LLVM_VERSION_MAJOR}-dev"
  "lld-${LLVM_VERSION_MAJOR}" binutils libc6-dev libgcc-12-dev libstdc++-12-dev)
# Opened by programs where they are: cuBLAS and cuSOLVER, cuFFT on the CPU; and
# headers that CUDA C++ includes.
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS
    "libopenblas0-pthread | libopenblas0, libfftw3-double3, libfftw3-single3, libthrust-dev, libcub-dev")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "cmake, libopenmpi-dev | libmpich-dev")
set(CPACK_DEBIAN_PACKAGE_PROVIDES fortran-compiler)
set(CPACK_DEBIAN_PACKAGE_HOMEPAGE "")

include(CPack)

# find_package(cufort): the runtime as targets, and a function for .cuf files.
#
#   cufort_COMPILER, cufort_NVFORTRAN, cufort_NVCC   the compiler by its names
#   cufort_CUDA_TOOLKIT      a folder for CUDAToolkit_ROOT
#   cufort::runtime          CUDA's runtime and driver API: headers and library
#   cufort::libraries        cuBLAS, cuFFT, cuRAND, cuSOLVER, cuSPARSE, NCCL;
#                            cufort::cublas, ... are the same
#   cufort::fortran          what a linker other than cufort needs for objects
#                            of Fortran
#   cufort_add_cuf(TARGET FILES...)   CUDA Fortran sources of TARGET, which
#                            cufort links
#
# Objects with kernels in Fortran need cufort as the linker, or a device link
# (cufort -dlink): their device code is linked across files.

get_filename_component(_cufort_root "${CMAKE_CURRENT_LIST_FILE}" REALPATH)
get_filename_component(_cufort_root "${_cufort_root}/../../../.." ABSOLUTE)
set(cufort_COMPILER "${_cufort_root}/bin/cufort")
set(cufort_NVFORTRAN "${_cufort_root}/lib/cufort/bin/nvfortran")
set(cufort_NVCC "${_cufort_root}/lib/cufort/toolkit/bin/nvcc")
set(cufort_CUDA_TOOLKIT "${_cufort_root}/lib/cufort/toolkit")

if(NOT TARGET cufort::runtime)
  add_library(cufort::runtime STATIC IMPORTED)
  set_target_properties(cufort::runtime PROPERTIES
    IMPORTED_LOCATION "${_cufort_root}/lib/libcufort.a"
    INTERFACE_INCLUDE_DIRECTORIES "${_cufort_root}/include/cufort"
    IMPORTED_LINK_INTERFACE_LANGUAGES CXX
    INTERFACE_LINK_LIBRARIES "pthread;dl;m")
  add_library(cufort::libraries STATIC IMPORTED)
  set_target_properties(cufort::libraries PROPERTIES
    IMPORTED_LOCATION "${_cufort_root}/lib/libcufort_libraries.a"
    INTERFACE_LINK_LIBRARIES cufort::runtime)
  foreach(_library cublas cufft curand cusolver cusparse nccl nvtx3)
    add_library(cufort::${_library} INTERFACE IMPORTED)
    set_target_properties(cufort::${_library} PROPERTIES
      INTERFACE_LINK_LIBRARIES cufort::libraries)
  endforeach()
  execute_process(
    COMMAND "${cufort_COMPILER}" -print-file-name=libflang_rt.runtime.a
    OUTPUT_VARIABLE _library OUTPUT_STRIP_TRAILING_WHITESPACE)
  add_library(cufort::fortran STATIC IMPORTED)
  # The modules and the libraries call each other.
  set_target_properties(cufort::fortran PROPERTIES
    IMPORTED_LOCATION "${_cufort_root}/lib/libcufort_modules.a"
    INTERFACE_LINK_LIBRARIES
    "${_cufort_root}/lib/libcufort_libraries.a;${_cufort_root}/lib/libcufort_modules.a;cufort::runtime;${_library}")
endif()
unset(_library)
unset(_cufort_root)

function(cufort_add_cuf target)
  foreach(file ${ARGN})
    set_source_files_properties("${file}" PROPERTIES LANGUAGE Fortran)
  endforeach()
  target_sources(${target} PRIVATE ${ARGN})
  set_target_properties(${target} PROPERTIES LINKER_LANGUAGE Fortran)
endfunction()

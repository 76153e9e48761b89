# cmake --toolchain .../lib/cmake/cufort/toolchain.cmake: cufort compiles Fortran
# and CUDA, and .cuf is a suffix of Fortran.
get_filename_component(_cufort_root "${CMAKE_CURRENT_LIST_FILE}" REALPATH)
get_filename_component(_cufort_root "${_cufort_root}/../../../.." ABSOLUTE)
if(NOT DEFINED CMAKE_Fortran_COMPILER AND NOT DEFINED ENV{FC})
  set(CMAKE_Fortran_COMPILER "${_cufort_root}/bin/cufort")
endif()
if(NOT DEFINED CMAKE_CUDA_COMPILER AND NOT DEFINED ENV{CUDACXX})
  set(CMAKE_CUDA_COMPILER "${_cufort_root}/lib/cufort/toolkit/bin/nvcc")
endif()
if(NOT DEFINED CUDAToolkit_ROOT)
  set(CUDAToolkit_ROOT "${_cufort_root}/lib/cufort/toolkit")
endif()
list(APPEND CMAKE_PREFIX_PATH "${_cufort_root}")
set(CMAKE_USER_MAKE_RULES_OVERRIDE_Fortran
    "${CMAKE_CURRENT_LIST_DIR}/languages.cmake")
unset(_cufort_root)

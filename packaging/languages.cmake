# What CMake does not know of Fortran by cufort; read after CMake's own rules.
foreach(_suffix cuf CUF)
  if(NOT _suffix IN_LIST CMAKE_Fortran_SOURCE_FILE_EXTENSIONS)
    list(APPEND CMAKE_Fortran_SOURCE_FILE_EXTENSIONS ${_suffix})
  endif()
endforeach()
unset(_suffix)
# Before CMake 4.3 nothing is said for LLVM's Flang on Linux.
if(NOT CMAKE_Fortran_COMPILE_OPTIONS_PIC)
  set(CMAKE_Fortran_COMPILE_OPTIONS_PIC "-fPIC")
endif()

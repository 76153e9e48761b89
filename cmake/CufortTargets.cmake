# How cufort's own targets are compiled. Two kinds exist and they do not mix:
# the compiler (LLVM's headers, no exceptions, no RTTI) and the runtime (no
# LLVM at all). Both share the headers in image/.

set(CUFORT_WARNINGS -Wall -Wextra -Wno-unused-parameter -Werror)

# cufort_compiler_library(NAME SOURCES...): a static library of the compiler.
function(cufort_compiler_library name)
  add_library(${name} STATIC ${ARGN})
  cufort_compiler_flags(${name})
endfunction()

# The flags of everything that includes LLVM's headers.
function(cufort_compiler_flags name)
  target_compile_options(${name} PRIVATE ${CUFORT_WARNINGS} -fno-exceptions
                         -fno-rtti)
  # Else a precompiled header is another one whenever it is made.
  target_compile_options(${name} PRIVATE
    "$<$<CXX_COMPILER_ID:Clang>:SHELL:-Xclang -fno-pch-timestamp>")
  separate_arguments(definitions NATIVE_COMMAND "${LLVM_DEFINITIONS}")
  target_compile_options(${name} PRIVATE ${definitions})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR})
  target_include_directories(${name} SYSTEM PRIVATE
    ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS} ${CLANG_INCLUDE_DIRS}
    ${FLANG_INCLUDE_DIRS})
endfunction()

# Precompiles what files that know no LLVM include of the standard library: a
# third of their compile time. The runtime's components share it, but for those
# with files in C, for which CMake would want one, too.
function(cufort_standard_headers name)
  target_compile_options(${name} PRIVATE
    "$<$<COMPILE_LANG_AND_ID:CXX,Clang>:SHELL:-Xclang -fno-pch-timestamp>")
  string(REGEX REPLACE "^(cufort-runtime)-[a-z]+" "\\1-core" first ${name})
  get_target_property(sources ${name} SOURCES)
  if(TARGET ${first} AND NOT first STREQUAL name AND NOT sources MATCHES "[.]c(;|$)")
    target_precompile_headers(${name} REUSE_FROM ${first})
  else()
    target_precompile_headers(${name} PRIVATE
      $<$<COMPILE_LANGUAGE:CXX>:${PROJECT_SOURCE_DIR}/runtime/core/Precompiled.h>)
  endif()
endfunction()

# cufort_runtime_library(NAME SOURCES...): objects of the runtime. They are
# merged into the one archive libcufort.a that every compiled program links.
# NAME-with-faults is the same for the tests that make calls fail.
function(cufort_runtime_library name)
  add_library(${name} OBJECT ${ARGN})
  set(targets ${name})
  if(NOT CUFORT_FAULT_INJECTION)
    add_library(${name}-with-faults OBJECT EXCLUDE_FROM_ALL ${ARGN})
    # Compiled as fast as it can be; nothing measures it.
    target_compile_options(${name}-with-faults PRIVATE -O0)
    target_compile_definitions(${name}-with-faults PRIVATE
                               CUFORT_FAULT_INJECTION)
    list(APPEND targets ${name}-with-faults)
  endif()
  foreach(target ${targets})
    target_compile_features(${target} PRIVATE cxx_std_20)
    target_compile_options(${target} PRIVATE ${CUFORT_WARNINGS}
                           $<$<COMPILE_LANGUAGE:CXX>:-fno-rtti>
                           -fvisibility=hidden)
    target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR})
    cufort_standard_headers(${target})
  endforeach()
endfunction()

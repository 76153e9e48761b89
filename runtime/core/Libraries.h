//===- Libraries.h - code that a program loads for all devices --*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A library (cudaLibrary_t, CUlibrary) is a module of every device that uses
// it, loaded there at the first use. Its kernels have handles (cudaKernel_t,
// CUkernel) that mean the same on all devices, also where a host stub is
// expected.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_CORE_LIBRARIES_H
#define CUFORT_RUNTIME_CORE_LIBRARIES_H

#include "runtime/core/engine/Modules.h"

struct CUlib_st;
struct CUkern_st;

namespace cufort {

/// Made by loadLibrary; any other value is refused by what takes one.
using LibraryHandle = ::CUlib_st *;
/// A kernel of a library.
using LibraryKernelHandle = ::CUkern_st *;

/// Loads \p code on the current device and keeps a copy of it for the others.
/// \p bytes: 0 where only its content tells how long it is.
Error loadLibrary(const void *code, size_t bytes,
                  const TranslationOptions &options, LibraryHandle *library);
/// The same with the content of the file \p path.
Error loadLibraryFile(const char *path, const TranslationOptions &options,
                      LibraryHandle *library);
/// Unloads it from all devices; its kernels' handles mean nothing any more.
Error unloadLibrary(LibraryHandle library);

/// Calls \p forget(library, its kernels' handles) before one is unloaded.
void whenUnloaded(void (*forget)(LibraryHandle library,
                                 const void *const *kernels, size_t count));

/// The handle of a kernel; cudaErrorSymbolNotFound: there is none.
Error libraryKernel(LibraryHandle library, const char *name,
                    LibraryKernelHandle *kernel);
/// The names of all kernels.
Error libraryKernelNames(LibraryHandle library,
                         std::vector<std::string> *names);
/// A variable on the current device. \p managed: it must be a managed one, of
/// which all devices have the same; cudaErrorNotSupported: the engine cannot
/// share it among several (a driver before 12.0, GPUs that need different
/// code).
Error libraryVariable(LibraryHandle library, const char *name, bool managed,
                      void **address, size_t *bytes);
/// The module that the library is on the current device.
Error libraryModule(LibraryHandle library, ModuleHandle *module);

/// What the handle is of; cudaErrorInvalidResourceHandle: of no library.
Error libraryOfKernel(const void *kernel, LibraryHandle *library,
                      const char **name);
/// The kernel as the current device has it.
Error functionOfKernel(const void *kernel, FunctionHandle *function);

/// The kernel that a program names by the address of its host stub or by the
/// handle of a library's kernel; empty if there is none on this device.
KernelReference kernelNamed(const void *name);
/// The other way round; null: it has no such name.
const void *nameOfKernel(const KernelReference &kernel);

} // namespace cufort

#endif // CUFORT_RUNTIME_CORE_LIBRARIES_H

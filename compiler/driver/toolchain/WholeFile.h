//===- WholeFile.h - objects with device code of their own ------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_DRIVER_TOOLCHAIN_WHOLEFILE_H
#define CUFORT_COMPILER_DRIVER_TOOLCHAIN_WHOLEFILE_H

#include "llvm/Support/Error.h"
#include <string>

namespace cufort::driver {

/// -rdc=false: joins \p object, which is replaced, with \p image, made of its
/// device code alone. Any linker can take it then: it registers its kernels and
/// device variables itself, and no other file sees them; so files may have
/// device variables of the same name. \p source tells it from others.
llvm::Error joinWithImage(const std::string &object, const std::string &image,
                          const std::string &source);

/// Whether \p object is one that joinWithImage made: nothing in it is left for
/// a device link.
bool hasOwnImage(const std::string &object);

/// Writes an object that holds nothing to \p path, of the kind of \p object:
/// what a device link makes of files that do not need one.
llvm::Error writeEmptyObject(const std::string &object,
                             const std::string &path);

} // namespace cufort::driver

#endif // CUFORT_COMPILER_DRIVER_TOOLCHAIN_WHOLEFILE_H

//===- ModuleImage.h - a module as cufort writes it -------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_CORE_MODULEIMAGE_H
#define CUFORT_RUNTIME_CORE_MODULEIMAGE_H

#include "image/Image.h"
#include "image/Module.h"
#include "runtime/core/process/Error.h"
#include <cstddef>
#include <string>

namespace cufort {

/// A shared object that exports image::ModuleSymbol.
class ModuleImage {
public:
  ModuleImage() = default;
  ModuleImage(ModuleImage &&other) noexcept;
  ModuleImage &operator=(ModuleImage &&other) noexcept;
  ~ModuleImage();

  /// Whether \p data looks like one of ours.
  static bool isOne(const void *data, size_t bytes);

  /// Loads it anew, with variables of its own. \p toRun: its code for the CPU
  /// will run. What is wrong is said on standard error.
  Error open(const void *data, size_t bytes, bool toRun);

  const image::Image *image() const { return content; }

private:
  /// Open as long as the library is loaded: the loader knows libraries by their
  /// paths, and the path of a file in memory is its number.
  int file = -1;
  void *library = nullptr;
  const image::Image *content = nullptr;
};

/// How long device code is by what it says of itself: PTX, an ELF file (a cubin
/// or what cufort -fatbin writes) or a fat binary; 0: it is none of them.
size_t codeBytes(const void *code);

/// The content of the file \p path, which holds device code.
Error readCode(const char *path, std::string *content);

} // namespace cufort

#endif // CUFORT_RUNTIME_CORE_MODULEIMAGE_H

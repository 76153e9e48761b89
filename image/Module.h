//===- Module.h - code that a program loads while it runs -------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_IMAGE_MODULE_H
#define CUFORT_IMAGE_MODULE_H

namespace cufort::image {

/// The Image that a module exports: a shared object with device code alone.
/// Its undefined symbols are what device code calls on the CPU
/// (__cufort_cpu_...), which a program exports if it is linked with -lcuda.
inline constexpr char ModuleSymbol[] = "__cufort_module_image";

} // namespace cufort::image

#endif // CUFORT_IMAGE_MODULE_H

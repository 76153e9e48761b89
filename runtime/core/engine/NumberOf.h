//===- NumberOf.h - enumerations that programs have written -----*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_CORE_ENGINE_NUMBEROF_H
#define CUFORT_RUNTIME_CORE_ENGINE_NUMBEROF_H

#include <cstring>

namespace cufort {

/// What a program has written where an enumeration is wanted: any number, which
/// an object of the enumeration's type could not be read as.
template <typename Enumeration> int numberOf(const Enumeration &given) {
  static_assert(sizeof(given) == sizeof(int));
  int number = 0;
  std::memcpy(&number, &given, sizeof(number));
  return number;
}

} // namespace cufort

#endif // CUFORT_RUNTIME_CORE_ENGINE_NUMBEROF_H

//===- hints.h - kinds of loads and stores ----------------------*- C -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_DEVICE_HINTS_H
#define CUFORT_DEVICE_HINTS_H

/// PTX's words for how caches treat a load and a store.
#define EACH_LOAD(X) X(ca) X(cg) X(cs) X(lu) X(cv)
#define EACH_STORE(X) X(wb) X(cg) X(cs) X(wt)

/// Sizes of single accesses: name, type, PTX's type, constraint.
#define EACH_SIZE(X, hint)                                                     \
  X(hint, 2, unsigned short, "u16", "h")                                       \
  X(hint, 4, unsigned int, "u32", "r")                                         \
  X(hint, 8, unsigned long long, "u64", "l")

/// 16 bytes, aligned so.
struct Sixteen {
  unsigned long long low, high;
};

#define LOAD_NAME(hint, bytes) __cufort_load_##hint##_##bytes
#define STORE_NAME(hint, bytes) __cufort_store_##hint##_##bytes

#endif // CUFORT_DEVICE_HINTS_H

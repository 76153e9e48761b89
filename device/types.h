//===- types.h - derived types in device code -------------------*- C -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What compiler/lower/device/DeviceTypes writes of each derived type: 64-bit
// words. A type is the address of its words. Those of the types of its
// components follow in the same variable: no variable of PTX may contain its
// own address, which types of trees would want.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_DEVICE_TYPES_H
#define CUFORT_DEVICE_TYPES_H

#include "device/descriptors.h"

typedef struct Type {
  const struct Type *parent; ///< null for what extends nothing
  i64 bytes;                 ///< of an object
  i64 owners;                ///< how many components follow
  /// The components that own memory, themselves or by their own components.
  struct Owner {
    i64 offset;
    i64 count;    ///< of an array of objects within the object, or below
    i64 distance; ///< from this type's words to the component's type's
  } owner[];
} Type;

/// Instead of a count: a descriptor of what is allocatable.
enum { PlainValues = 0, OwningObjects = -1 };

/// \p object is a copy of another one, byte for byte: gives it memory of its
/// own, with the same values.
void __cufort_own(char *object, const Type *type, const char *file, int line);

/// Gives every element of \p to, which owns nothing yet, a value and memory of
/// its own.
void __cufort_clone(Array *to, const Array *from, const Type *type,
                    const char *file, int line);

/// Frees what the elements own.
void __cufort_destroy(const Array *array, const Type *type);

#endif // CUFORT_DEVICE_TYPES_H

//===- types.c - dynamic types --------------------------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What SELECT TYPE and the inquiries of dynamic types ask. A type is the
// address of a word that holds its parent's, or zero:
// compiler/lower/DeviceTypes makes them. A descriptor names its type behind its
// dimensions.
//
//===----------------------------------------------------------------------===//

#include "device/descriptors.h"

typedef struct Type {
  const struct Type *parent;
} Type;

/// Null for what is no derived type, or has none yet.
static const Type *typeOf(const Array *object) {
  return object->extra & 1 ? *(const Type *const *)&object->dim[object->rank]
                           : 0;
}

static _Bool isExtension(const Type *type, const Type *of) {
  for (; type; type = type->parent)
    if (type == of)
      return 1;
  return 0;
}

_Bool FORTRAN(ClassIs)(const Array *object, const Type *type) {
  return isExtension(typeOf(object), type);
}

_Bool FORTRAN(SameTypeAs)(const Array *a, const Array *b) {
  if (a->type != b->type)
    return 0;
  return a->type != CFI_type_struct || typeOf(a) == typeOf(b);
}

_Bool FORTRAN(ExtendsTypeOf)(const Array *a, const Array *mold) {
  // CLASS(*) that is neither allocated nor associated has no type.
  if (mold->type == CFI_type_other && !typeOf(mold))
    return 1;
  if (a->type != mold->type)
    return 0;
  return a->type != CFI_type_struct || isExtension(typeOf(a), typeOf(mold));
}

//===- types.c - dynamic types --------------------------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What SELECT TYPE and the inquiries of dynamic types ask. A descriptor names
// its type behind its dimensions.
//
//===----------------------------------------------------------------------===//

#include "device/types.h"

/// Null for what is no derived type, or has none yet.
static const Type *dynamicType(const Array *object) {
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
  return isExtension(dynamicType(object), type);
}

_Bool FORTRAN(SameTypeAs)(const Array *a, const Array *b) {
  if (a->type != b->type)
    return 0;
  return a->type != CFI_type_struct || dynamicType(a) == dynamicType(b);
}

_Bool FORTRAN(ExtendsTypeOf)(const Array *a, const Array *mold) {
  // CLASS(*) that is neither allocated nor associated has no type.
  if (mold->type == CFI_type_other && !dynamicType(mold))
    return 1;
  if (a->type != mold->type)
    return 0;
  return a->type != CFI_type_struct ||
         isExtension(dynamicType(a), dynamicType(mold));
}

//===- input.h - what a field of an internal READ says ------------*- C -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_DEVICE_INTERNAL_INPUT_H
#define CUFORT_DEVICE_INTERNAL_INPUT_H

#include "device/internal/statement.h"

/// Characters that stand for one value. Passed by address: procedures that the
/// CPU's compiler does not inline take no structures by value.
struct Text {
  const char *start;
  u64 length;
};

#define lower(c) ((c) >= 'A' && (c) <= 'Z' ? (char)((c) - 'A' + 'a') : (c))
#define isDigit(c) ((c) >= '0' && (c) <= '9')

/// The value of \p field for a variable of \p bytes; false after a failure of
/// the statement.
_Bool __cufort_internal_read_integer(struct Statement *statement,
                                     const struct Edit *edit,
                                     const struct Text *field, u64 bytes,
                                     i64 *result);
_Bool __cufort_internal_read_real(struct Statement *statement,
                                  const struct Edit *edit,
                                  const struct Text *field, u64 bytes,
                                  double *result);
_Bool __cufort_internal_read_logical(struct Statement *statement,
                                     const struct Text *field, _Bool *result);

#endif // CUFORT_DEVICE_INTERNAL_INPUT_H

//===- output.h - editing an item of an internal WRITE ------------*- C -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_DEVICE_INTERNAL_OUTPUT_H
#define CUFORT_DEVICE_INTERNAL_OUTPUT_H

#include "device/internal/statement.h"

// Short names for what the files of an internal WRITE share.
#define put INTERNAL(put)
#define putAgain INTERNAL(put_again)
#define mismatch INTERNAL(mismatch)
#define lead INTERNAL(lead)
#define putDigits INTERNAL(put_digits)
#define writeInteger INTERNAL(write_integer)
#define writeReal INTERNAL(write_real)

_Bool putAgain(struct Statement *statement, char c, i64 count);

/// The edit descriptor does not fit the item: the statement fails.
_Bool mismatch(struct Statement *statement);

/// The blank before a list-directed item, or a new record.
_Bool lead(struct Statement *statement, u64 length, _Bool isText);

/// The digits of \p value, none of zero, of which there are at most 64; how
/// many.
int putDigits(char *to, u64 value, u32 base);

/// An item of \p bytes, under I, B, O or Z, or list-directed.
_Bool writeInteger(struct Statement *statement, const struct Edit *edit,
                   i64 value, u64 bytes);

/// An item of \p bytes, under any edit descriptor or list-directed.
_Bool writeReal(struct Statement *statement, const struct Edit *edit,
                double value, u64 bytes);

#endif // CUFORT_DEVICE_INTERNAL_OUTPUT_H

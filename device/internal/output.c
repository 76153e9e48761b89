//===- output.c - the items of an internal WRITE --------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Data editing as Flang's library on the host does it, list-directed and with
// formats, so that both write the same.
//
//===----------------------------------------------------------------------===//

#include "device/internal/output.h"

// Formatting is long and not worth any optimisation: it stays calls.
#pragma clang attribute push(__attribute__((noinline, cold, minsize)),         \
                             apply_to = function)

typedef struct Statement Statement;

_Bool putAgain(Statement *statement, char c, i64 count) {
  while (count-- > 0)
    if (!put(statement, &c, 1))
      return 0;
  return 1;
}

_Bool mismatch(Statement *statement) {
  return __cufort_internal_fail(
      statement, IoBadItem,
      "Data edit descriptor does not fit the type of its item");
}

_Bool lead(Statement *statement, u64 length, _Bool isText) {
  if (!length)
    return 1;
  const _Bool space = statement->at == 0 || !(isText && statement->afterText);
  statement->afterText = 0;
  if (statement->at + space + length > statement->length && statement->left &&
      !__cufort_internal_advance(statement))
    return 0;
  return !space || put(statement, " ", 1);
}

/// False where there is no edit descriptor for an item. List-directed ones have
/// letter 0.
static _Bool nextEdit(Statement *statement, struct Edit *edit) {
  if (statement->format)
    return __cufort_internal_edit(statement, 1, edit);
  *edit = (struct Edit){0, 0, -1, -1, -1};
  return !statement->status;
}

//===----------------------------------------------------------------------===//
// Integers and logical values
//===----------------------------------------------------------------------===//

int putDigits(char *to, u64 value, u32 base) {
  char reversed[64];
  int count = 0;
  for (; value; value /= base)
    reversed[count++] = "0123456789ABCDEF"[value % base];
  for (int i = 0; i < count; ++i)
    to[i] = reversed[count - 1 - i];
  return count;
}

_Bool writeInteger(Statement *statement, const struct Edit *edit, i64 value,
                   u64 bytes) {
  char digits[64];
  const u32 base = edit->letter == 'B'   ? 2
                   : edit->letter == 'O' ? 8
                   : edit->letter == 'Z' ? 16
                                         : 10;
  u64 magnitude = (u64)value;
  char sign = 0;
  if (base != 10) {
    if (bytes < 8)
      magnitude &= (1ull << 8 * bytes) - 1;
  } else if (value < 0) {
    sign = '-';
    magnitude = -magnitude;
  } else if (statement->plus) {
    sign = '+';
  }
  const int count = putDigits(digits, magnitude, base);
  const i64 least = edit->letter == 'G' || edit->digits < 0 ? 1 : edit->digits;
  i64 zeros = least > count ? least - count : 0;
  // I5.0 of zero is blank.
  if (!count && !zeros)
    sign = 0;
  const i64 needed = (sign != 0) + zeros + count;
  const i64 width = edit->width > 0 ? edit->width : needed;
  if (needed > width)
    return putAgain(statement, '*', width);
  if (!edit->letter && !lead(statement, (u64)needed, 0))
    return 0;
  return putAgain(statement, ' ', width - needed) &&
         (!sign || put(statement, &sign, 1)) &&
         putAgain(statement, '0', zeros) && put(statement, digits, (u64)count);
}

static _Bool writeLogical(Statement *statement, const struct Edit *edit,
                          _Bool value) {
  if (!edit->letter && !lead(statement, 1, 0))
    return 0;
  return putAgain(statement, ' ', edit->width > 1 ? edit->width - 1 : 0) &&
         put(statement, value ? "T" : "F", 1);
}

//===----------------------------------------------------------------------===//
// Characters
//===----------------------------------------------------------------------===//

static _Bool writeDelimited(Statement *statement, const char *text,
                            u64 length) {
  u64 needed = length + 2;
  for (u64 i = 0; i < length; ++i)
    needed += text[i] == statement->delimiter;
  if (!lead(statement, needed, 1) || !put(statement, &statement->delimiter, 1))
    return 0;
  for (u64 i = 0; i < length; ++i)
    if (!put(statement, text + i, 1) ||
        (text[i] == statement->delimiter && !put(statement, text + i, 1)))
      return 0;
  return put(statement, &statement->delimiter, 1);
}

/// Undelimited text goes on in the next record where one is full.
static _Bool writeListText(Statement *statement, const char *text, u64 length) {
  if (statement->delimiter)
    return writeDelimited(statement, text, length);
  if (!lead(statement, length ? 1 : 0, 1))
    return 0;
  while (length) {
    u64 left = statement->length - statement->at;
    if (!left) {
      if (!__cufort_internal_advance(statement) || !put(statement, " ", 1))
        return 0;
      continue;
    }
    const u64 count = length < left ? length : left;
    if (!put(statement, text, count))
      return 0;
    text += count;
    length -= count;
  }
  statement->afterText = 1;
  return 1;
}

static _Bool writeText(Statement *statement, const char *text, u64 length) {
  struct Edit edit;
  if (!nextEdit(statement, &edit))
    return 0;
  if (!edit.letter)
    return writeListText(statement, text, length);
  if (edit.letter != 'A' && edit.letter != 'G')
    return mismatch(statement);
  const u64 width = edit.width > 0 ? (u64)edit.width : length;
  return putAgain(statement, ' ', (i64)width - (i64)length) &&
         put(statement, text, width < length ? width : length);
}

//===----------------------------------------------------------------------===//
// Items
//===----------------------------------------------------------------------===//

static _Bool outputInteger(Statement *statement, i64 value, u64 bytes) {
  struct Edit edit;
  if (!nextEdit(statement, &edit))
    return 0;
  switch (edit.letter) {
  case 0:
  case 'I':
  case 'B':
  case 'O':
  case 'Z':
  case 'G':
    return writeInteger(statement, &edit, value, bytes);
  case 'L':
    return writeLogical(statement, &edit, value != 0);
  }
  return mismatch(statement);
}

static _Bool outputReal(Statement *statement, double value, u64 bytes) {
  struct Edit edit;
  return nextEdit(statement, &edit) &&
         writeReal(statement, &edit, value, bytes);
}

/// List-directed: in parentheses, as one item.
static _Bool outputComplex(Statement *statement, double re, double im,
                           u64 bytes) {
  if (statement->format)
    return outputReal(statement, re, bytes) && outputReal(statement, im, bytes);
  const struct Edit edit = {0, 'P', -1, -1, -1};
  return lead(statement, 1, 0) && put(statement, "(", 1) &&
         writeReal(statement, &edit, re, bytes) &&
         put(statement, statement->comma ? ";" : ",", 1) &&
         writeReal(statement, &edit, im, bytes) && put(statement, ")", 1);
}

static _Bool outputLogical(Statement *statement, _Bool value) {
  struct Edit edit;
  if (!nextEdit(statement, &edit))
    return 0;
  if (edit.letter && edit.letter != 'L' && edit.letter != 'G')
    return mismatch(statement);
  return writeLogical(statement, &edit, value);
}

#define INTEGER(bits, T)                                                       \
  _Bool INTERNAL(OutputInteger##bits)(Statement * statement, T value) {        \
    return outputInteger(statement, value, sizeof(T));                         \
  }
INTEGER(8, signed char)
INTEGER(16, short)
INTEGER(32, int)
INTEGER(64, i64)

#define REAL(bits, T)                                                          \
  _Bool INTERNAL(OutputReal##bits)(Statement * statement, T value) {           \
    return outputReal(statement, value, sizeof(T));                            \
  }                                                                            \
  _Bool INTERNAL(OutputComplex##bits)(Statement * statement, T re, T im) {     \
    return outputComplex(statement, re, im, sizeof(T));                        \
  }
REAL(32, float)
REAL(64, double)

_Bool INTERNAL(OutputLogical)(Statement *statement, _Bool value) {
  return outputLogical(statement, value);
}

_Bool INTERNAL(OutputAscii)(Statement *statement, const char *text,
                            u64 length) {
  return writeText(statement, text, length);
}

_Bool INTERNAL(OutputCharacter)(Statement *statement, const char *text,
                                u64 length, int kind) {
  return kind == 1 ? writeText(statement, text, length) : mismatch(statement);
}

_Bool INTERNAL(OutputDescriptor)(Statement *statement, const Array *array) {
  i64 at[MAX_RANK] = {0};
  const u64 bytes = array->elem_len;
  const enum Category category = categoryOf(array);
  for (u64 left = elementsOf(array); left; --left, step(array, at)) {
    const char *element = elementAt(array, at);
    _Bool done;
    if (category == Integer)
      done = outputInteger(statement, loadInteger(element, bytes), bytes);
    else if (category == Real)
      done = outputReal(statement, loadReal(element, bytes), bytes);
    else if (category == Complex)
      done = outputComplex(statement, loadReal(element, bytes / 2),
                           loadReal(element + bytes / 2, bytes / 2), bytes / 2);
    else if (category == Logical)
      done = outputLogical(statement, loadInteger(element, bytes) != 0);
    else if (array->type == CFI_type_char)
      done = writeText(statement, element, bytes);
    else
      done = mismatch(statement);
    if (!done)
      return 0;
  }
  return 1;
}

#pragma clang attribute pop

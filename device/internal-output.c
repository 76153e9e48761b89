//===- internal-output.c - the items of an internal WRITE -----------------===//
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

#include "device/internal.h"

#include "device/decimal.h"

// Formatting is long and not worth any optimisation: it stays calls.
#pragma clang attribute push(__attribute__((noinline, cold, minsize)),         \
                             apply_to = function)

typedef struct Statement Statement;

static _Bool put(Statement *statement, const char *text, u64 count) {
  return __cufort_internal_put(statement, text, count);
}

static _Bool putAgain(Statement *statement, char c, i64 count) {
  while (count-- > 0)
    if (!put(statement, &c, 1))
      return 0;
  return 1;
}

static _Bool mismatch(Statement *statement) {
  return __cufort_internal_fail(
      statement, IoBadItem,
      "Data edit descriptor does not fit the type of its item");
}

/// The blank before a list-directed item, or a new record.
static _Bool lead(Statement *statement, u64 length, _Bool isText) {
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

static int putDigits(char *to, u64 value, u32 base) {
  char reversed[64];
  int count = 0;
  for (; value; value /= base)
    reversed[count++] = "0123456789ABCDEF"[value % base];
  for (int i = 0; i < count; ++i)
    to[i] = reversed[count - 1 - i];
  return count;
}

static _Bool writeInteger(Statement *statement, const struct Edit *edit,
                          i64 value, u64 bytes) {
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
    u64 room = statement->length - statement->at;
    if (!room) {
      if (!__cufort_internal_advance(statement) || !put(statement, " ", 1))
        return 0;
      continue;
    }
    const u64 count = length < room ? length : room;
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
// Real numbers
//===----------------------------------------------------------------------===//

/// The characters of one number, without what fills its field.
struct Field {
  char sign;
  int count;
  char text[400];
  _Bool leadingZero; ///< it may be left out
  _Bool overflow;
};

static void add(struct Field *field, char c) {
  if (field->count < (int)sizeof(field->text))
    field->text[field->count++] = c;
  else
    field->overflow = 1;
}

static void addDigits(struct Field *field, const struct Digits *digits,
                      int first, int count) {
  for (int i = 0; i < count; ++i)
    add(field, (char)('0' + digitAt(digits, first + i)));
}

static _Bool writeField(Statement *statement, const struct Edit *edit,
                        const struct Field *field) {
  int from = 0;
  i64 needed = field->count + (field->sign != 0);
  i64 width = edit->width > 0 ? edit->width : needed;
  if (field->leadingZero && (needed > width || edit->width <= 0)) {
    from = 1;
    --needed;
    if (edit->width <= 0)
      width = needed;
  }
  if (needed > width || field->overflow)
    return putAgain(statement, '*', width);
  if (!edit->letter && !edit->second && !lead(statement, (u64)needed, 0))
    return 0;
  return putAgain(statement, ' ', width - needed) &&
         (!field->sign || put(statement, &field->sign, 1)) &&
         put(statement, field->text + from, (u64)(field->count - from));
}

/// digits before and after the point; \p after < 0: as many as there are.
static void addFixed(Statement *statement, struct Field *field,
                     const struct Digits *digits, int exponent, int after) {
  if (!digits->count)
    exponent = 0;
  if (exponent > 0) {
    addDigits(field, digits, 0, exponent);
  } else {
    field->leadingZero = 1;
    add(field, '0');
  }
  add(field, statement->comma ? ',' : '.');
  if (after < 0)
    after = digits->count > exponent ? digits->count - exponent : 0;
  int zeros = exponent < 0 ? -exponent : 0;
  if (zeros > after)
    zeros = after;
  for (int i = 0; i < zeros; ++i)
    add(field, '0');
  addDigits(field, digits, exponent > 0 ? exponent : 0, after - zeros);
  // A point must not stand alone.
  if (field->leadingZero && after == 0)
    field->leadingZero = 0;
}

/// \p places 0: as few as it has; negative: two or three.
static void addExponent(struct Field *field, char letter, int exponent,
                        int places) {
  char digits[8];
  const int magnitude = exponent < 0 ? -exponent : exponent;
  const int count = putDigits(digits, (u64)magnitude, 10);
  if (places < 0) {
    if (count <= 2)
      add(field, letter);
    places = count <= 2 ? 2 : 3;
    if (count > 3)
      field->overflow = 1;
  } else {
    add(field, letter);
    if (!places)
      places = count ? count : 1;
    else if (count > places)
      field->overflow = 1;
  }
  add(field, exponent < 0 ? '-' : '+');
  for (int i = count; i < places; ++i)
    add(field, '0');
  for (int i = 0; i < count; ++i)
    add(field, digits[i]);
}

static _Bool writeSpecial(Statement *statement, const struct Edit *edit,
                          double value) {
  struct Field field = {0};
  const char *text = value != value ? "NaN" : "Inf";
  if (value < 0)
    field.sign = '-';
  else if (value == value && statement->plus)
    field.sign = '+';
  for (; *text; ++text)
    add(&field, *text);
  return writeField(statement, edit, &field);
}

/// The exact decimal value, of a precision's number.
static void toDecimal(struct Decimal *number, double value, u64 bytes) {
  const struct Binary binary = takeApart(value, bytes);
  makeDecimal(number, binary.mantissa, binary.exponent);
}

static _Bool writeFixed(Statement *statement, const struct Edit *edit,
                        struct Field *field, double value, u64 bytes,
                        int scale) {
  struct Decimal number;
  struct Digits digits;
  toDecimal(&number, value, bytes);
  const int after = edit->digits < 0 ? 0 : edit->digits;
  const int exponent = decimalDigits(&number) + number.scale + scale;
  takeDigits(&digits, &number, exponent + after, 1);
  addFixed(statement, field, &digits,
           digits.count ? digits.exponent + scale : 0, after);
  return writeField(statement, edit, field);
}

/// Digits before the point where the exponent is a multiple of three.
static int groupDigits(int exponent) {
  return ((exponent - 1) % 3 + 3) % 3 + 1;
}

/// With an exponent: E, D, EN and ES.
static _Bool writePower(Statement *statement, const struct Edit *edit,
                        struct Field *field, double value, u64 bytes) {
  struct Decimal number;
  struct Digits digits;
  toDecimal(&number, value, bytes);
  const int after = edit->digits < 0 ? 0 : edit->digits;
  int before = statement->scale, wanted = after;
  if (edit->second == 'S')
    before = 1;
  if (edit->second == 'N') {
    const int exponent = value == 0 ? 1 : decimalDigits(&number) + number.scale;
    before = groupDigits(exponent);
    takeDigits(&digits, &number, before + after, 1);
    // Rounding may have made it ten times as large.
    if (value != 0)
      before = groupDigits(digits.exponent);
    wanted = before + after;
  } else if (edit->second == 'S') {
    wanted = 1 + after;
  } else if (before > 0) {
    wanted = after + 1;
  } else if (before < 0) {
    wanted = after + before;
  }
  if (edit->second != 'N')
    takeDigits(&digits, &number, wanted, 1);
  if (before > 0) {
    addDigits(field, &digits, 0, before);
    add(field, statement->comma ? ',' : '.');
    addDigits(field, &digits, before, wanted - before);
  } else {
    field->leadingZero = 1;
    add(field, '0');
    add(field, statement->comma ? ',' : '.');
    for (int i = before; i < 0; ++i)
      add(field, '0');
    addDigits(field, &digits, 0, wanted);
  }
  addExponent(field, edit->letter == 'D' ? 'D' : 'E',
              digits.count ? digits.exponent - before : 0,
              edit->power < 0 && edit->width == 0 ? 0 : edit->power);
  return writeField(statement, edit, field);
}

/// The fewest digits that are read back as the same number.
static _Bool writeShortest(Statement *statement, const struct Edit *edit,
                           struct Field *field, double value, u64 bytes) {
  struct Digits digits;
  struct Decimal number;
  // One digit decides whether there is an exponent.
  toDecimal(&number, value, bytes);
  takeDigits(&digits, &number, 1, 1);
  int size = digits.exponent;
  if (value != 0)
    shortestDigits(&digits, value, bytes);
  if (edit->second == 'G')
    size = digits.exponent;
  if (size < 0 || size > (bytes == 4 ? 6 : 15)) {
    const int before = edit->second == 'G' ? 0 : 1;
    if (!before) {
      field->leadingZero = 1;
      add(field, '0');
    }
    addDigits(field, &digits, 0, before);
    add(field, statement->comma ? ',' : '.');
    addDigits(field, &digits, before, digits.count - before);
    const int power = digits.exponent - before;
    addExponent(field, 'E', power,
                !before                     ? 0
                : power > 99 || power < -99 ? 3
                                            : 2);
  } else {
    addFixed(statement, field, &digits, digits.exponent, -1);
    if (!digits.count)
      field->leadingZero = 0;
  }
  return writeField(statement, edit, field);
}

/// F where that shows all wanted digits, E otherwise.
static _Bool writeGeneral(Statement *statement, const struct Edit *edit,
                          struct Field *field, double value, u64 bytes) {
  struct Edit inner = *edit;
  if (edit->width <= 0 && edit->digits < 0) {
    inner.letter = 0;
    inner.second = 'G';
    return writeShortest(statement, &inner, field, value, bytes);
  }
  const int wanted = edit->digits < 0 ? 0 : edit->digits;
  struct Decimal number;
  struct Digits digits;
  toDecimal(&number, value, bytes);
  takeDigits(&digits, &number, wanted, 1);
  const int exponent = value == 0 ? 1 : digits.exponent;
  if (exponent < 0 || exponent > wanted) {
    inner.letter = 'E';
    return writePower(statement, &inner, field, value, bytes);
  }
  const int blanks = edit->width <= 0  ? 0
                     : edit->power > 0 ? edit->power + 2
                                       : 4;
  inner.letter = 'F';
  inner.digits = wanted - exponent;
  inner.width = edit->width - blanks;
  if (inner.width <= 0 && edit->width > 0)
    return putAgain(statement, '*', edit->width);
  return writeFixed(statement, &inner, field, value, bytes, 0) &&
         putAgain(statement, ' ', blanks);
}

static _Bool writeBits(Statement *statement, const struct Edit *edit,
                       double value, u64 bytes) {
  const i64 bits = bytes == 4 ? (i64) __builtin_bit_cast(u32, (float)value)
                              : __builtin_bit_cast(i64, value);
  return writeInteger(statement, edit, bits, bytes);
}

static _Bool writeReal(Statement *statement, const struct Edit *edit,
                       double value, u64 bytes) {
  struct Field field;
  field.sign = 0;
  field.count = 0;
  field.leadingZero = field.overflow = 0;
  switch (edit->letter) {
  case 'B':
  case 'O':
  case 'Z':
    return writeBits(statement, edit, value, bytes);
  case 'I':
  case 'L':
  case 'A':
    return mismatch(statement);
  }
  const _Bool isFinite = value - value == 0;
  if (!isFinite)
    return writeSpecial(statement, edit, value);
  if (__builtin_signbit(value))
    field.sign = '-';
  else if (statement->plus)
    field.sign = '+';
  switch (edit->letter) {
  case 0:
    return writeShortest(statement, edit, &field, value, bytes);
  case 'F':
    return writeFixed(statement, edit, &field, value, bytes, statement->scale);
  case 'G':
    return writeGeneral(statement, edit, &field, value, bytes);
  }
  return writePower(statement, edit, &field, value, bytes);
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

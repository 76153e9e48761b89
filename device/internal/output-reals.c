//===- output-reals.c - real numbers of an internal WRITE -----------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Data editing of real numbers as Flang's library on the host does it,
// list-directed and with formats, so that both write the same.
//
//===----------------------------------------------------------------------===//

#include "device/internal/output.h"

#include "device/internal/decimal.h"

// Formatting is long and not worth any optimisation: it stays calls.
#pragma clang attribute push(__attribute__((noinline, cold, minsize)),         \
                             apply_to = function)

typedef struct Statement Statement;

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

_Bool writeReal(Statement *statement, const struct Edit *edit, double value,
                u64 bytes) {
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

#pragma clang attribute pop

//===- numbers.c - numbers and logical values of an internal READ ---------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "device/internal/input.h"

#include "device/internal/decimal.h"

// Formatting is long and not worth any optimisation: it stays calls.
#pragma clang attribute push(__attribute__((noinline, cold, minsize)),         \
                             apply_to = function)

typedef struct Statement Statement;

static _Bool badInteger(Statement *statement) {
  return __cufort_internal_fail(statement, IoBadInput,
                                "Bad character in an integer input field");
}

static _Bool badReal(Statement *statement) {
  return __cufort_internal_fail(statement, IoBadInput,
                                "Bad character in a real input field");
}

static _Bool overflow(Statement *statement, int status) {
  return __cufort_internal_fail(
      statement, status,
      "A number in an input field is too large for its variable");
}

_Bool __cufort_internal_read_integer(Statement *statement,
                                     const struct Edit *edit,
                                     const struct Text *field, u64 bytes,
                                     i64 *result) {
  const struct Text text = *field;
  const u32 base = edit->letter == 'B'   ? 2
                   : edit->letter == 'O' ? 8
                   : edit->letter == 'Z' ? 16
                                         : 10;
  u64 value = 0;
  _Bool isNegative = 0, sawDigit = 0, sawSign = 0;
  for (u64 i = 0; i < text.length; ++i) {
    const char c = lower(text.start[i]);
    if (c == ' ' && !(statement->blanksAreZero && sawDigit))
      continue;
    if ((c == '-' || c == '+') && !sawDigit && !sawSign) {
      isNegative = c == '-';
      sawSign = 1;
      continue;
    }
    const u32 digit = c == ' '               ? 0
                      : isDigit(c)           ? (u32)(c - '0')
                      : c >= 'a' && c <= 'f' ? (u32)(c - 'a' + 10)
                                             : base;
    if (digit >= base)
      return badInteger(statement);
    if (value > (~0ull - digit) / base)
      return overflow(statement, IoIntegerOverflow);
    value = value * base + digit;
    sawDigit = 1;
  }
  if (!sawDigit && sawSign)
    return badInteger(statement);
  const u64 most = base == 10   ? (1ull << (8 * bytes - 1)) - !isNegative
                   : bytes == 8 ? ~0ull
                                : (1ull << 8 * bytes) - 1;
  if (value > most)
    return overflow(statement, IoIntegerOverflow);
  *result = (i64)(isNegative ? -value : value);
  return 1;
}

/// Between \p value and the next smaller or larger number of its precision.
static void middle(struct Digits *to, double value, u64 bytes, _Bool above) {
  const struct Binary binary = takeApart(value, bytes);
  struct Decimal number;
  if (above)
    makeDecimal(&number, 2 * binary.mantissa + 1, binary.exponent - 1);
  else if (binary.isLowest)
    makeDecimal(&number, 4 * binary.mantissa - 1, binary.exponent - 2);
  else
    makeDecimal(&number, 2 * binary.mantissa - 1, binary.exponent - 1);
  takeDigits(to, &number, 339, 0);
}

static double neighbour(double value, u64 bytes, int by) {
  if (bytes == 4)
    return __builtin_bit_cast(
        float, (u32)((int)__builtin_bit_cast(u32, (float)value) + by));
  return __builtin_bit_cast(double, __builtin_bit_cast(i64, value) + by);
}

/// The nearest number of a precision, ties to even: a first guess, then steps
/// to where the exact digits lie between the middles on both sides.
static double nearest(const struct Digits *digits, u64 bytes) {
  const double largest = bytes == 4 ? 0x1.fffffep+127 : 0x1.fffffffffffffp+1023;
  if (!digits->count || digits->exponent < -330)
    return 0;
  if (digits->exponent > 310)
    return __builtin_inf();
  double guess = 0;
  const int used = digits->count < 17 ? digits->count : 17;
  for (int i = 0; i < used; ++i)
    guess = guess * 10 + digits->digits[i];
  int power = digits->exponent - used;
  const _Bool isExact =
      bytes == 8 && digits->count <= 15 && power <= 22 && power >= -22;
  double factor = 1;
  for (int left = power < 0 ? -power : power; left; --left) {
    factor *= 10;
    if (factor == 1e22 || left == 1) {
      guess = power < 0 ? guess / factor : guess * factor;
      factor = 1;
    }
  }
  if (isExact)
    return guess;
  if (guess > largest)
    guess = largest;
  if (bytes == 4)
    guess = (float)guess > (float)largest ? largest : (float)guess;
  for (;;) {
    struct Digits limit;
    const _Bool isEven = takeApart(guess, bytes).mantissa % 2 == 0;
    middle(&limit, guess, bytes, 1);
    const int above = compareDigits(digits, &limit);
    if (above > 0 || (above == 0 && !isEven)) {
      if (guess == largest)
        return __builtin_inf();
      guess = neighbour(guess, bytes, 1);
      continue;
    }
    if (guess == 0)
      return 0;
    middle(&limit, guess, bytes, 0);
    const int below = compareDigits(digits, &limit);
    if (below > 0 || (below == 0 && isEven))
      return guess;
    guess = neighbour(guess, bytes, -1);
  }
}

static _Bool isWord(const struct Text *field, const char *word) {
  const struct Text text = *field;
  u64 i = 0;
  for (; word[i]; ++i)
    if (i >= text.length || lower(text.start[i]) != word[i])
      return 0;
  while (i < text.length && text.start[i] == ' ')
    ++i;
  return i == text.length;
}

_Bool __cufort_internal_read_real(Statement *statement, const struct Edit *edit,
                                  const struct Text *field, u64 bytes,
                                  double *result) {
  struct Text text = *field;
  while (text.length && *text.start == ' ')
    ++text.start, --text.length;
  _Bool isNegative = 0;
  if (text.length && (*text.start == '-' || *text.start == '+')) {
    isNegative = *text.start == '-';
    ++text.start, --text.length;
  }
  if (isWord(&text, "inf") || isWord(&text, "infinity") ||
      isWord(&text, "nan")) {
    *result = lower(*text.start) == 'i' ? __builtin_inf() : __builtin_nan("");
    if (isNegative)
      *result = -*result;
    return 1;
  }
  struct Digits digits;
  digits.count = digits.exponent = 0;
  digits.rest = 0;
  _Bool sawPoint = 0, sawDigit = 0, sawExponent = 0;
  const char point = statement->comma ? ',' : '.';
  u64 i = 0;
  for (; i < text.length; ++i) {
    char c = text.start[i];
    if (c == ' ' && statement->blanksAreZero)
      c = '0';
    if (c == ' ')
      continue;
    if (c == point && !sawPoint) {
      sawPoint = 1;
      continue;
    }
    if (!isDigit(c))
      break;
    sawDigit = 1;
    if (!digits.count && c == '0') {
      // Zeros before the first digit that counts.
      digits.exponent -= sawPoint;
      continue;
    }
    if (digits.count < (int)sizeof(digits.digits))
      digits.digits[digits.count++] = (char)(c - '0');
    digits.exponent += !sawPoint;
  }
  int exponent = 0;
  if (i < text.length) {
    char c = lower(text.start[i]);
    if (c == 'e' || c == 'd' || c == 'q')
      c = ++i < text.length ? text.start[i] : ' ';
    else if (c != '-' && c != '+')
      return badReal(statement);
    const _Bool down = c == '-';
    i += c == '-' || c == '+';
    for (; i < text.length; ++i) {
      if (text.start[i] == ' ')
        continue;
      if (!isDigit(text.start[i]))
        return badReal(statement);
      if (exponent < 100000)
        exponent = 10 * exponent + (text.start[i] - '0');
      sawExponent = 1;
    }
    if (!sawExponent)
      return badReal(statement);
    exponent = down ? -exponent : exponent;
  }
  if (!sawDigit && (sawPoint || isNegative || sawExponent))
    return badReal(statement);
  if (!sawPoint && edit->digits > 0)
    exponent -= edit->digits;
  if (!sawExponent)
    exponent -= statement->scale;
  digits.exponent += exponent;
  while (digits.count && !digits.digits[digits.count - 1])
    --digits.count;
  const double value = nearest(&digits, bytes);
  if (value - value != 0)
    return overflow(statement, IoRealOverflow);
  *result = isNegative ? -value : value;
  return 1;
}

_Bool __cufort_internal_read_logical(Statement *statement,
                                     const struct Text *field, _Bool *result) {
  const struct Text text = *field;
  u64 i = 0;
  while (i < text.length && text.start[i] == ' ')
    ++i;
  i += i < text.length && text.start[i] == '.';
  const char c = i < text.length ? lower(text.start[i]) : ' ';
  if (c != 't' && c != 'f')
    return __cufort_internal_fail(statement, IoBadInput,
                                  "Bad character in a logical input field");
  *result = c == 't';
  return 1;
}

#pragma clang attribute pop

//===- decimal.h - real numbers as decimal digits -----------------*- C -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every finite binary number is a decimal one of at most 767 digits. It is
// computed exactly, as an integer in base 10^9 and a power of ten; what is
// printed is rounded from that once, to nearest with ties to even.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_DEVICE_INTERNAL_DECIMAL_H
#define CUFORT_DEVICE_INTERNAL_DECIMAL_H

#include "device/internal/statement.h"

// Formatting is long and not worth any optimisation: it stays calls.
#pragma clang attribute push(__attribute__((noinline, cold, minsize)),         \
                             apply_to = function)

#define DECIMAL_WORDS 88
#define DECIMAL_BASE 1000000000u

/// words, the lowest first, times 10^scale.
struct Decimal {
  u32 words[DECIMAL_WORDS];
  int count, scale;
};

static __attribute__((unused)) void multiplyDecimal(struct Decimal *number,
                                                    u32 factor) {
  u64 carry = 0;
  for (int i = 0; i < number->count; ++i) {
    carry += (u64)number->words[i] * factor;
    number->words[i] = (u32)(carry % DECIMAL_BASE);
    carry /= DECIMAL_BASE;
  }
  if (carry)
    number->words[number->count++] = (u32)carry;
}

/// mantissa * 2^exponent
static __attribute__((unused)) void makeDecimal(struct Decimal *number,
                                                u64 mantissa, int exponent) {
  number->count = 0;
  for (; mantissa; mantissa /= DECIMAL_BASE)
    number->words[number->count++] = (u32)(mantissa % DECIMAL_BASE);
  number->scale = exponent < 0 ? exponent : 0;
  for (; exponent > 0; exponent -= exponent < 29 ? exponent : 29)
    multiplyDecimal(number, 1u << (exponent < 29 ? exponent : 29));
  for (; exponent <= -12; exponent += 12)
    multiplyDecimal(number, 244140625u);
  for (; exponent < 0; ++exponent)
    multiplyDecimal(number, 5);
}

/// How many digits \p number has.
static __attribute__((unused)) int decimalDigits(const struct Decimal *number) {
  if (!number->count)
    return 0;
  int digits = 9 * (number->count - 1);
  for (u32 top = number->words[number->count - 1]; top; top /= 10)
    ++digits;
  return digits;
}

/// Digit \p place, counted from the lowest one.
static __attribute__((unused)) int decimalDigit(const struct Decimal *number,
                                                int place) {
  u32 word = number->words[place / 9];
  for (int i = place % 9; i; --i)
    word /= 10;
  return (int)(word % 10);
}

static __attribute__((unused)) _Bool
hasLowerDigits(const struct Decimal *number, int place) {
  for (int i = 0; i < place; ++i)
    if (decimalDigit(number, i))
      return 1;
  return 0;
}

/// Digits of a number, which is 0.d1d2d3... * 10^exponent. After the last one
/// there are zeros.
struct Digits {
  int count, exponent;
  _Bool rest; ///< something was cut off
  char digits[340];
};

/// The first \p wanted digits, cut off or rounded. None are left of zero.
static __attribute__((unused)) void takeDigits(struct Digits *to,
                                               const struct Decimal *number,
                                               int wanted, _Bool rounds) {
  const int all = decimalDigits(number);
  to->exponent = all + number->scale;
  to->count = 0;
  to->rest = 0;
  if (!all)
    to->exponent = 0;
  const int most = (int)sizeof(to->digits) - 1;
  if (wanted > most)
    wanted = most;
  if (wanted < 0 || !all)
    return;
  const int kept = wanted < all ? wanted : all, place = all - kept;
  for (int i = 0; i < kept; ++i)
    to->digits[i] = (char)decimalDigit(number, all - 1 - i);
  to->count = kept;
  if (!place)
    return;
  if (!rounds) {
    to->rest = hasLowerDigits(number, place);
    return;
  }
  const int next = decimalDigit(number, place - 1);
  const _Bool isOdd = kept && to->digits[kept - 1] % 2;
  if (next < 5 || (next == 5 && !isOdd && !hasLowerDigits(number, place - 1)))
    return;
  int i = kept - 1;
  while (i >= 0 && to->digits[i] == 9)
    to->digits[i--] = 0;
  if (i >= 0) {
    ++to->digits[i];
    return;
  }
  // 9.99 has become 10.0
  for (int k = kept; k > 0; --k)
    to->digits[k] = to->digits[k - 1];
  to->digits[0] = 1;
  to->count = kept + 1;
  ++to->exponent;
}

static __attribute__((unused)) int digitAt(const struct Digits *digits,
                                           int place) {
  return place >= 0 && place < digits->count ? digits->digits[place] : 0;
}

/// Like strcmp, of the numbers; \p b may have something after its digits.
static __attribute__((unused)) int compareDigits(const struct Digits *a,
                                                 const struct Digits *b) {
  if (a->exponent != b->exponent)
    return a->exponent < b->exponent ? -1 : 1;
  const int most = a->count > b->count ? a->count : b->count;
  for (int i = 0; i < most; ++i)
    if (digitAt(a, i) != digitAt(b, i))
      return digitAt(a, i) < digitAt(b, i) ? -1 : 1;
  return b->rest ? -1 : 0;
}

/// A finite number taken apart: (mantissa) * 2^exponent, and whether the next
/// smaller number is nearer than the next larger one.
struct Binary {
  u64 mantissa;
  int exponent;
  _Bool isLowest; ///< of its power of two
};

static __attribute__((unused)) struct Binary takeApart(double value,
                                                       u64 bytes) {
  struct Binary result;
  if (bytes == 4) {
    const u32 bits = __builtin_bit_cast(u32, (float)value);
    const u32 fraction = bits & 0x7fffffu, power = bits >> 23 & 0xff;
    result.mantissa = power ? fraction | 0x800000u : fraction;
    result.exponent = (int)(power ? power : 1) - 150;
    result.isLowest = !fraction && power > 1;
    return result;
  }
  const u64 bits = __builtin_bit_cast(u64, value);
  const u64 fraction = bits & 0xfffffffffffffull, power = bits >> 52 & 0x7ff;
  result.mantissa = power ? fraction | 1ull << 52 : fraction;
  result.exponent = (int)(power ? power : 1) - 1075;
  result.isLowest = !fraction && power > 1;
  return result;
}

/// Adds \p by, at most 5, in the lowest place.
static __attribute__((unused)) void adjustDecimal(struct Decimal *number,
                                                  int by) {
  i64 carry = by;
  for (int i = 0; carry && i < number->count; ++i) {
    carry += number->words[i];
    number->words[i] = (u32)((carry + DECIMAL_BASE) % DECIMAL_BASE);
    carry = carry < 0 ? -1 : carry / DECIMAL_BASE;
  }
  if (carry > 0)
    number->words[number->count++] = 1;
  while (number->count && !number->words[number->count - 1])
    --number->count;
}

/// The fewest digits that are read back as \p value of \p bytes, as Flang's
/// library chooses them: what the largest and the smallest decimal number that
/// are rounded to the value have in common, and a digit between those in which
/// they differ first. Both end where the value's own digits end.
static __attribute__((unused)) void shortestDigits(struct Digits *to,
                                                   double value, u64 bytes) {
  const struct Binary binary = takeApart(value, bytes);
  const _Bool isLargest =
      value == (bytes == 4 ? 0x1.fffffep+127 : 0x1.fffffffffffffp+1023);
  struct Decimal number;
  struct Digits low, high;
  if (isLargest)
    makeDecimal(&number, binary.mantissa, binary.exponent);
  else
    makeDecimal(&number, 2 * binary.mantissa + 1, binary.exponent - 1);
  adjustDecimal(&number, number.scale < 0 && !binary.isLowest ? -5 : -1);
  takeDigits(&high, &number, 24, 0);
  if (binary.isLowest)
    makeDecimal(&number, 4 * binary.mantissa - 1, binary.exponent - 2);
  else
    makeDecimal(&number, 2 * binary.mantissa - 1, binary.exponent - 1);
  if (number.scale < 0)
    adjustDecimal(&number, 5);
  takeDigits(&low, &number, 24, 0);
  const int shift = high.exponent - low.exponent;
  int place = 0;
  while (place < 24 && digitAt(&high, place) == digitAt(&low, place - shift))
    ++place;
  if (place == 24) {
    makeDecimal(&number, binary.mantissa, binary.exponent);
    takeDigits(to, &number, 24, 1);
  } else {
    to->exponent = high.exponent;
    to->count = place + 1;
    to->rest = 0;
    for (int i = 0; i < place; ++i)
      to->digits[i] = (char)digitAt(&high, i);
    const int most = digitAt(&high, place);
    to->digits[place] =
        (char)(most - (most - digitAt(&low, place - shift)) / 2);
  }
  while (to->count > 1 && to->digits[to->count - 1] == 0)
    --to->count;
}

#pragma clang attribute pop

#endif // CUFORT_DEVICE_INTERNAL_DECIMAL_H

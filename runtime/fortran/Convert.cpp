//===- Convert.cpp - element conversion -----------------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Flang converts before it transfers, so this is for the few cases left
// (logical constants, kinds that meet in a descriptor); it need not be fast.
//
//===----------------------------------------------------------------------===//

#include "runtime/fortran/Convert.h"
#include <algorithm>
#include <cstring>

namespace cufort::fortran {
namespace {

enum class Category {
  Integer,
  Unsigned,
  Real,
  Complex,
  Logical,
  Character,
  Other
};

Category category(const Descriptor &d) {
  switch (d.type) {
  case TypeInteger8:
  case TypeInteger16:
  case TypeInteger32:
  case TypeInteger64:
    return Category::Integer;
  case TypeUnsigned8:
  case TypeUnsigned16:
  case TypeUnsigned32:
  case TypeUnsigned64:
    return Category::Unsigned;
  case TypeReal32:
  case TypeReal64:
    return Category::Real;
  case TypeComplex32:
  case TypeComplex64:
    return Category::Complex;
  case TypeLogical8:
  case TypeLogical16:
  case TypeLogical32:
  case TypeLogical64:
    return Category::Logical;
  case TypeCharacter:
    return Category::Character;
  default:
    return Category::Other;
  }
}

bool numeric(Category c) {
  return c == Category::Integer || c == Category::Unsigned ||
         c == Category::Real || c == Category::Complex;
}

/// A number of any type: whole ones keep all 64 bits.
struct Number {
  bool whole, negative;
  uint64_t bits;
  double real, imaginary;
};

uint64_t loadBits(const char *from, size_t bytes) {
  uint64_t bits = 0;
  std::memcpy(&bits, from, bytes);
  return bits;
}

double loadReal(const char *from, size_t bytes) {
  if (bytes == 4) {
    float value;
    std::memcpy(&value, from, 4);
    return value;
  }
  double value;
  std::memcpy(&value, from, 8);
  return value;
}

void storeReal(char *to, size_t bytes, double value) {
  if (bytes == 4) {
    const auto narrow = static_cast<float>(value);
    std::memcpy(to, &narrow, 4);
  } else {
    std::memcpy(to, &value, 8);
  }
}

Number load(const char *from, Category c, size_t bytes) {
  if (c == Category::Real)
    return {false, false, 0, loadReal(from, bytes), 0};
  if (c == Category::Complex)
    return {false, false, 0, loadReal(from, bytes / 2),
            loadReal(from + bytes / 2, bytes / 2)};
  uint64_t bits = loadBits(from, bytes);
  const unsigned shift = 64 - 8 * static_cast<unsigned>(bytes);
  if (c == Category::Integer)
    bits = static_cast<uint64_t>(static_cast<int64_t>(bits << shift) >> shift);
  const bool negative =
      c == Category::Integer && static_cast<int64_t>(bits) < 0;
  return {true, negative, bits, 0, 0};
}

void store(char *to, Category c, size_t bytes, const Number &n) {
  const double real =
      !n.whole ? n.real
               : (n.negative ? static_cast<double>(static_cast<int64_t>(n.bits))
                             : static_cast<double>(n.bits));
  if (c == Category::Real) {
    storeReal(to, bytes, real);
  } else if (c == Category::Complex) {
    storeReal(to, bytes / 2, real);
    storeReal(to + bytes / 2, bytes / 2, n.whole ? 0 : n.imaginary);
  } else {
    uint64_t bits = n.bits;
    if (!n.whole) // Beyond 64 bits the result is not defined by Fortran either.
      bits = n.real >= 0 ? static_cast<uint64_t>(std::min(n.real, 0x1p63))
                         : static_cast<uint64_t>(
                               static_cast<int64_t>(std::max(n.real, -0x1p63)));
    std::memcpy(to, &bits, bytes);
  }
}

} // namespace

bool sameElements(const Descriptor &to, const Descriptor &from) {
  if (to.elementBytes != from.elementBytes)
    return false;
  const Category a = category(to), b = category(from);
  // Types that are only moved (derived, real(2), real(16) and so on) differ by
  // number at most between signed and unsigned spellings.
  return to.type == from.type || a == b;
}

bool convert(void *target, const Descriptor &toType, const void *source,
             const Descriptor &fromType, size_t count) {
  auto *to = static_cast<char *>(target);
  auto *from = static_cast<const char *>(source);
  const Category a = category(toType), b = category(fromType);
  const size_t toBytes = toType.elementBytes, fromBytes = fromType.elementBytes;
  for (size_t i = 0; i < count; ++i, to += toBytes, from += fromBytes) {
    if (numeric(a) && numeric(b)) {
      store(to, a, toBytes, load(from, b, fromBytes));
    } else if (a == Category::Logical && b == Category::Logical) {
      const uint64_t truth = loadBits(from, fromBytes) != 0;
      std::memcpy(to, &truth, toBytes);
    } else if (a == Category::Character && b == Category::Character) {
      std::memset(to, ' ', toBytes);
      std::memcpy(to, from, std::min(toBytes, fromBytes));
    } else {
      return false;
    }
  }
  return true;
}

} // namespace cufort::fortran

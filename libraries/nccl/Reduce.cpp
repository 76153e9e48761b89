//===- Reduce.cpp - elements of several ranks become one ------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "libraries/nccl/Reduce.h"
#include "libraries/common/NarrowTypes.h"
#include <algorithm>
#include <cstring>
#include <type_traits>

namespace cufort::nccl {

using namespace libraries;

namespace {

/// Elements that one thread takes at a time, and that are wide at a time.
constexpr size_t Piece = 16384, Strip = 256;

/// A type of elements: how it is stored, and in what it is computed.
template <typename T> struct Plain {
  using Stored = T;
  // Sums of integers wrap around.
  template <typename U, bool = std::is_integral_v<U>> struct Wide {
    using Type = std::make_unsigned_t<U>;
  };
  template <typename U> struct Wide<U, false> {
    using Type = U;
  };
  using Computed = Wide<T>::Type;
  static Computed load(Stored x) { return static_cast<Computed>(x); }
  static Stored store(Computed x) { return static_cast<Stored>(x); }
};
struct Half {
  using Stored = uint16_t;
  using Computed = float;
  static float load(uint16_t x) { return ofHalfBits(x); }
  static uint16_t store(float x) { return toHalfBits(x); }
};
struct Bfloat {
  using Stored = uint16_t;
  using Computed = float;
  static float load(uint16_t x) { return ofBfloat(x); }
  static uint16_t store(float x) { return toBfloat(x); }
};
template <bool E4M3> struct Eighth {
  using Stored = uint8_t;
  using Computed = float;
  static float load(uint8_t x) { return E4M3 ? ofE4M3(x) : ofE5M2(x); }
  static uint8_t store(float x) { return E4M3 ? toE4M3(x) : toE5M2(x); }
};

template <typename Type, typename Combine>
void combineStrips(const std::vector<Source> &sources, bool scaled,
                   char *result, size_t begin, size_t end, Combine combine,
                   int divisor) {
  using Stored = Type::Stored;
  using Computed = Type::Computed;
  Computed strip[Strip];
  for (size_t first = begin; first < end; first += Strip) {
    const size_t count = std::min(Strip, end - first);
    for (size_t s = 0; s != sources.size(); ++s) {
      const auto *x =
          reinterpret_cast<const Stored *>(sources[s].elements) + first;
      Computed scale(1);
      if (scaled) {
        Stored stored;
        std::memcpy(&stored, &sources[s].scalar, sizeof(stored));
        scale = Type::load(stored);
      }
      if (s == 0)
        for (size_t i = 0; i != count; ++i)
          strip[i] = static_cast<Computed>(Type::load(x[i]) * scale);
      else
        for (size_t i = 0; i != count; ++i)
          strip[i] = combine(strip[i],
                             static_cast<Computed>(Type::load(x[i]) * scale));
    }
    auto *to = reinterpret_cast<Stored *>(result) + first;
    for (size_t i = 0; i != count; ++i)
      if (divisor == 1)
        to[i] = Type::store(strip[i]);
      else if constexpr (std::is_integral_v<Stored> &&
                         !std::is_same_v<Computed, float>)
        to[i] = static_cast<Stored>(static_cast<Stored>(strip[i]) /
                                    static_cast<Stored>(divisor));
      else
        to[i] = Type::store(strip[i] / static_cast<Computed>(divisor));
  }
}

template <typename Type>
void reduceAs(Team &team, const Operation &operation,
              const std::vector<Source> &sources, char *result, size_t count) {
  using Computed = Type::Computed;
  using Stored = Type::Stored;
  // Unsigned numbers stand for signed ones, whose order is another.
  const auto less = [](Computed a, Computed b) {
    if constexpr (std::is_integral_v<Computed>)
      return static_cast<Stored>(a) < static_cast<Stored>(b);
    else
      return a < b;
  };
  team.forEach((count + Piece - 1) / Piece, [&](uint64_t piece) {
    const size_t begin = piece * Piece, end = std::min(count, begin + Piece);
    const auto run = [&](auto combine, int divisor = 1) {
      combineStrips<Type>(sources, operation.scaled, result, begin, end,
                          combine, divisor);
    };
    switch (operation.operation) {
    case ncclProd:
      return run(
          [](Computed a, Computed b) { return static_cast<Computed>(a * b); });
    case ncclMax:
      return run([&](Computed a, Computed b) { return less(a, b) ? b : a; });
    case ncclMin:
      return run([&](Computed a, Computed b) { return less(b, a) ? b : a; });
    default:
      return run(
          [](Computed a, Computed b) { return static_cast<Computed>(a + b); },
          operation.operation == ncclAvg ? static_cast<int>(sources.size())
                                         : 1);
    }
  });
}

} // namespace

size_t sizeOf(ncclDataType_t type) {
  switch (static_cast<int>(type)) {
  case ncclInt8:
  case ncclUint8:
  case ncclFloat8e4m3:
  case ncclFloat8e5m2:
    return 1;
  case ncclFloat16:
  case ncclBfloat16:
    return 2;
  case ncclInt32:
  case ncclUint32:
  case ncclFloat32:
    return 4;
  case ncclInt64:
  case ncclUint64:
  case ncclFloat64:
    return 8;
  default:
    return 0;
  }
}

void reduce(Team &team, ncclDataType_t type, const Operation &operation,
            const std::vector<Source> &sources, char *result, size_t count) {
  switch (static_cast<int>(type)) {
  case ncclInt8:
    return reduceAs<Plain<int8_t>>(team, operation, sources, result, count);
  case ncclUint8:
    return reduceAs<Plain<uint8_t>>(team, operation, sources, result, count);
  case ncclInt32:
    return reduceAs<Plain<int32_t>>(team, operation, sources, result, count);
  case ncclUint32:
    return reduceAs<Plain<uint32_t>>(team, operation, sources, result, count);
  case ncclInt64:
    return reduceAs<Plain<int64_t>>(team, operation, sources, result, count);
  case ncclUint64:
    return reduceAs<Plain<uint64_t>>(team, operation, sources, result, count);
  case ncclFloat16:
    return reduceAs<Half>(team, operation, sources, result, count);
  case ncclFloat32:
    return reduceAs<Plain<float>>(team, operation, sources, result, count);
  case ncclFloat64:
    return reduceAs<Plain<double>>(team, operation, sources, result, count);
  case ncclBfloat16:
    return reduceAs<Bfloat>(team, operation, sources, result, count);
  case ncclFloat8e4m3:
    return reduceAs<Eighth<true>>(team, operation, sources, result, count);
  case ncclFloat8e5m2:
    return reduceAs<Eighth<false>>(team, operation, sources, result, count);
  }
}

} // namespace cufort::nccl

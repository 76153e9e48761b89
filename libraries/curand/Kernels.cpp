//===- Kernels.cpp - the loops that make numbers --------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiled once for each of several processors (CUFORT_KERNELS names the
// result). Everything else has internal linkage: an inline function that was
// compiled for another processor must not come into the program.
//
//===----------------------------------------------------------------------===//

#include "libraries/curand/Kernels.h"
#include "libraries/curand/DeviceFunctions.h"

namespace cufort::curand {

extern const Kernels CUFORT_KERNELS;

namespace {

#define CUFORT_INLINE [[gnu::always_inline]] inline
#define CUFORT_VECTORS                                                         \
  _Pragma("clang loop vectorize(assume_safety) interleave(enable)")

/// How many lanes' states are kept close by, and for how many steps.
constexpr size_t Block = 128, Tile = 8;

size_t smaller(size_t a, size_t b) { return a < b ? a : b; }

struct Xorwow {
  using State = curandStateXORWOW;
  CUFORT_INLINE static void load(State &s, const uint32_t (*w)[Block],
                                 size_t i) {
    s.d = w[0][i];
    for (int k = 0; k != 5; ++k)
      s.v[k] = w[k + 1][i];
  }
  CUFORT_INLINE static void store(const State &s, uint32_t (*w)[Block],
                                  size_t i) {
    w[0][i] = s.d;
    for (int k = 0; k != 5; ++k)
      w[k + 1][i] = s.v[k];
  }
  CUFORT_INLINE static double unit(State &s) {
    return ::curand(&s) * 0x1p-32 + 0x1p-33;
  }
};

struct Mrg {
  using State = curandStateMRG32k3a;
  CUFORT_INLINE static void load(State &s, const uint32_t (*w)[Block],
                                 size_t i) {
    for (int k = 0; k != 3; ++k) {
      s.s1[k] = w[k][i];
      s.s2[k] = w[k + 3][i];
    }
  }
  CUFORT_INLINE static void store(const State &s, uint32_t (*w)[Block],
                                  size_t i) {
    for (int k = 0; k != 3; ++k) {
      w[k][i] = s.s1[k];
      w[k + 3][i] = s.s2[k];
    }
  }
  CUFORT_INLINE static double unit(State &s) {
    return curand_uniform_double(&s);
  }
};

CUFORT_INLINE uint32_t discrete(double unit, const DiscreteTable &table) {
  const double place = unit * table.length;
  // The last one may be one.
  const uint32_t whole = static_cast<uint32_t>(place);
  const uint32_t j = whole < table.length ? whole : table.length - 1;
  return table.first + (place - j < table.below[j] ? j : table.other[j]);
}

CUFORT_INLINE uint32_t large(float normal, const Wanted &wanted) {
  return static_cast<uint32_t>(wanted.mean + wanted.deviation * normal + 0.5);
}

// What one step of a lane writes.

struct Words {
  using Value = uint32_t;
  static constexpr size_t Width = 1;
  template <class Engine>
  CUFORT_INLINE static void make(typename Engine::State &s, const Wanted &,
                                 Value *to) {
    *to = ::curand(&s);
  }
};
struct Uniform {
  using Value = float;
  static constexpr size_t Width = 1;
  template <class Engine>
  CUFORT_INLINE static void make(typename Engine::State &s, const Wanted &,
                                 Value *to) {
    *to = curand_uniform(&s);
  }
};
struct UniformDouble {
  using Value = double;
  static constexpr size_t Width = 1;
  template <class Engine>
  CUFORT_INLINE static void make(typename Engine::State &s, const Wanted &,
                                 Value *to) {
    *to = curand_uniform_double(&s);
  }
};
template <bool Logarithmic> struct Normal {
  using Value = float;
  static constexpr size_t Width = 2;
  template <class Engine>
  CUFORT_INLINE static void make(typename Engine::State &s,
                                 const Wanted &wanted, Value *to) {
    put(curand_normal2(&s), wanted, to);
  }
  CUFORT_INLINE static void put(float2 pair, const Wanted &wanted, Value *to) {
    const float mean = static_cast<float>(wanted.mean);
    const float deviation = static_cast<float>(wanted.deviation);
    const float x = mean + deviation * pair.x, y = mean + deviation * pair.y;
    to[0] = Logarithmic ? vectorExp(x) : x;
    to[1] = Logarithmic ? vectorExp(y) : y;
  }
};
template <bool Logarithmic> struct NormalDouble {
  using Value = double;
  static constexpr size_t Width = 2;
  template <class Engine>
  CUFORT_INLINE static void make(typename Engine::State &s,
                                 const Wanted &wanted, Value *to) {
    put(curand_normal2_double(&s), wanted, to);
  }
  CUFORT_INLINE static void put(double2 pair, const Wanted &wanted, Value *to) {
    const double x = wanted.mean + wanted.deviation * pair.x;
    const double y = wanted.mean + wanted.deviation * pair.y;
    to[0] = Logarithmic ? vectorExp(x) : x;
    to[1] = Logarithmic ? vectorExp(y) : y;
  }
};
struct Poisson {
  using Value = uint32_t;
  static constexpr size_t Width = 1;
  template <class Engine>
  CUFORT_INLINE static void make(typename Engine::State &s,
                                 const Wanted &wanted, Value *to) {
    *to = discrete(Engine::unit(s), wanted.table);
  }
};

template <class Engine, class What>
void steps(const Lanes &lanes, const Steps &which, const Wanted &given) {
  const Wanted wanted = given;
  using Value = typename What::Value;
  for (size_t row = 0; row < which.rows; row += Tile)
    for (size_t begin = 0; begin < which.count; begin += Block) {
      const size_t count = smaller(Block, which.count - begin);
      const size_t lane = which.first + begin;
      uint32_t words[6][Block];
      for (int k = 0; k != 6; ++k)
        for (size_t i = 0; i != count; ++i)
          words[k][i] = lanes.words[k][lane + i];
      Value *to = static_cast<Value *>(which.out) +
                  (row * which.stride + begin) * What::Width;
      for (size_t r = row; r != smaller(row + Tile, which.rows);
           ++r, to += which.stride * What::Width) {
        CUFORT_VECTORS
        for (size_t i = 0; i < count; ++i) {
          typename Engine::State state;
          Engine::load(state, words, i);
          What::template make<Engine>(state, wanted, to + i * What::Width);
          Engine::store(state, words, i);
        }
      }
      for (int k = 0; k != 6; ++k)
        for (size_t i = 0; i != count; ++i)
          lanes.words[k][lane + i] = words[k][i];
    }
}

/// Large means: a lane hands out both normal numbers of a pair, one in a step.
template <class Engine>
void normalSteps(const Lanes &lanes, const Steps &which, const Wanted &wanted) {
  for (size_t i = 0; i != which.count; ++i) {
    uint32_t words[6][Block];
    const size_t lane = which.first + i;
    for (int k = 0; k != 6; ++k)
      words[k][0] = lanes.words[k][lane];
    typename Engine::State state;
    Engine::load(state, words, 0);
    float kept = lanes.kept[lane];
    auto *to = static_cast<uint32_t *>(which.out) + i;
    for (size_t row = 0; row != which.rows; ++row, to += which.stride) {
      if (kept == kept) {
        *to = large(kept, wanted);
        kept = __builtin_nanf("");
      } else {
        const float2 pair = curand_normal2(&state);
        *to = large(pair.x, wanted);
        kept = pair.y;
      }
    }
    lanes.kept[lane] = kept;
    Engine::store(state, words, 0);
    for (int k = 0; k != 6; ++k)
      lanes.words[k][lane] = words[k][0];
  }
}

template <class Engine>
void lanes(const Lanes &lanes, const Steps &which, const Wanted &wanted) {
  switch (wanted.distribution) {
  case Distribution::Words:
  case Distribution::LongWords:
    return steps<Engine, Words>(lanes, which, wanted);
  case Distribution::Uniform:
    return steps<Engine, Uniform>(lanes, which, wanted);
  case Distribution::UniformDouble:
    return steps<Engine, UniformDouble>(lanes, which, wanted);
  case Distribution::Normal:
    return steps<Engine, Normal<false>>(lanes, which, wanted);
  case Distribution::NormalDouble:
    return steps<Engine, NormalDouble<false>>(lanes, which, wanted);
  case Distribution::LogNormal:
    return steps<Engine, Normal<true>>(lanes, which, wanted);
  case Distribution::LogNormalDouble:
    return steps<Engine, NormalDouble<true>>(lanes, which, wanted);
  case Distribution::Poisson:
    return steps<Engine, Poisson>(lanes, which, wanted);
  case Distribution::PoissonNormal:
    return normalSteps<Engine>(lanes, which, wanted);
  }
}

//===----------------------------------------------------------------------===//
// Philox: four numbers a step.
//===----------------------------------------------------------------------===//

template <Distribution What> struct Four {
  using Value = float;
};
template <> struct Four<Distribution::Words> {
  using Value = uint32_t;
};
template <> struct Four<Distribution::Poisson> {
  using Value = uint32_t;
};
template <> struct Four<Distribution::PoissonNormal> {
  using Value = uint32_t;
};
template <> struct Four<Distribution::UniformDouble> {
  using Value = double;
};
template <> struct Four<Distribution::NormalDouble> {
  using Value = double;
};
template <> struct Four<Distribution::LogNormalDouble> {
  using Value = double;
};

template <Distribution What, class Value>
CUFORT_INLINE void makeFour(uint4 x, uint4 next, const Wanted &wanted,
                            Value *to) {
  if constexpr (What == Distribution::Words) {
    to[0] = x.x, to[1] = x.y, to[2] = x.z, to[3] = x.w;
  } else if constexpr (What == Distribution::Uniform) {
    to[0] = __cufort_unit(x.x), to[1] = __cufort_unit(x.y);
    to[2] = __cufort_unit(x.z), to[3] = __cufort_unit(x.w);
  } else if constexpr (What == Distribution::UniformDouble) {
    to[0] = __cufort_unit(x.x, x.y), to[1] = __cufort_unit(x.z, x.w);
    to[2] = __cufort_unit(next.x, next.y),
    to[3] = __cufort_unit(next.z, next.w);
  } else if constexpr (What == Distribution::Normal ||
                       What == Distribution::LogNormal) {
    using N = Normal<What == Distribution::LogNormal>;
    N::put(__cufort_normals(x.x, x.y), wanted, to);
    N::put(__cufort_normals(x.z, x.w), wanted, to + 2);
  } else if constexpr (What == Distribution::NormalDouble ||
                       What == Distribution::LogNormalDouble) {
    using N = NormalDouble<What == Distribution::LogNormalDouble>;
    N::put(__cufort_normals(x), wanted, to);
    N::put(__cufort_normals(next), wanted, to + 2);
  } else if constexpr (What == Distribution::Poisson) {
    to[0] = discrete(x.x * 0x1p-32 + 0x1p-33, wanted.table);
    to[1] = discrete(x.y * 0x1p-32 + 0x1p-33, wanted.table);
    to[2] = discrete(x.z * 0x1p-32 + 0x1p-33, wanted.table);
    to[3] = discrete(x.w * 0x1p-32 + 0x1p-33, wanted.table);
  } else {
    const float2 a = __cufort_normals(x.x, x.y), b = __cufort_normals(x.z, x.w);
    to[0] = large(a.x, wanted), to[1] = large(a.y, wanted);
    to[2] = large(b.x, wanted), to[3] = large(b.y, wanted);
  }
}

template <Distribution What>
void philoxSteps(uint64_t *counters, uint64_t seed, const Steps &which,
                 const Wanted &given) {
  using Value = typename Four<What>::Value;
  constexpr bool Twice = sizeof(Value) == 8;
  const Wanted wanted = given;
  const uint2 key = make_uint2(static_cast<unsigned>(seed),
                               static_cast<unsigned>(seed >> 32));
  for (size_t row = 0; row < which.rows; row += Tile)
    for (size_t begin = 0; begin < which.count; begin += Block) {
      const size_t count = smaller(Block, which.count - begin);
      const size_t end = smaller(row + Tile, which.rows);
      const uint32_t lane = static_cast<uint32_t>(which.first + begin);
      uint64_t *from = counters + begin;
      Value *to =
          static_cast<Value *>(which.out) + (row * which.stride + begin) * 4;
      for (size_t r = row; r != end; ++r, to += which.stride * 4) {
        const uint64_t ahead = (r - row) * (Twice ? 2 : 1);
        CUFORT_VECTORS
        for (uint32_t i = 0; i < static_cast<uint32_t>(count); ++i) {
          const uint64_t c = from[i] + ahead;
          const uint64_t d = c + 1;
          const uint4 x = __cufort_philox(
              make_uint4(static_cast<unsigned>(c),
                         static_cast<unsigned>(c >> 32), lane + i, 0),
              key);
          const uint4 next =
              Twice ? __cufort_philox(make_uint4(static_cast<unsigned>(d),
                                                 static_cast<unsigned>(d >> 32),
                                                 lane + i, 0),
                                      key)
                    : x;
          makeFour<What>(x, next, wanted, to + 4 * static_cast<size_t>(i));
        }
      }
      for (size_t i = 0; i != count; ++i)
        from[i] += (end - row) * (Twice ? 2 : 1);
    }
}

void philox(uint64_t *counters, uint64_t seed, const Steps &which,
            const Wanted &wanted) {
  using D = Distribution;
  switch (wanted.distribution) {
  case D::Words:
  case D::LongWords:
    return philoxSteps<D::Words>(counters, seed, which, wanted);
  case D::Uniform:
    return philoxSteps<D::Uniform>(counters, seed, which, wanted);
  case D::UniformDouble:
    return philoxSteps<D::UniformDouble>(counters, seed, which, wanted);
  case D::Normal:
    return philoxSteps<D::Normal>(counters, seed, which, wanted);
  case D::NormalDouble:
    return philoxSteps<D::NormalDouble>(counters, seed, which, wanted);
  case D::LogNormal:
    return philoxSteps<D::LogNormal>(counters, seed, which, wanted);
  case D::LogNormalDouble:
    return philoxSteps<D::LogNormalDouble>(counters, seed, which, wanted);
  case D::Poisson:
    return philoxSteps<D::Poisson>(counters, seed, which, wanted);
  case D::PoissonNormal:
    return philoxSteps<D::PoissonNormal>(counters, seed, which, wanted);
  }
}

//===----------------------------------------------------------------------===//
// One number a word.
//===----------------------------------------------------------------------===//

template <class Value, class Function>
CUFORT_INLINE void each(Value *to, size_t count, Function value) {
  CUFORT_VECTORS
  for (size_t i = 0; i < count; ++i)
    to[i] = static_cast<Value>(value(i));
}

template <class Unit>
CUFORT_INLINE void convertWith(size_t count, const Wanted &given, Unit unit,
                               void *out) {
  const double mean = given.mean, deviation = given.deviation;
  const auto normal = [=](size_t i) __attribute__((always_inline)) {
    return vectorNormal<double>(unit(i));
  };
  const auto scaled = [=](size_t i) __attribute__((always_inline)) {
    return mean + deviation * normal(i);
  };
  const auto single = [=](size_t i) __attribute__((always_inline)) {
    return static_cast<float>(mean) +
           static_cast<float>(deviation) * static_cast<float>(normal(i));
  };
  auto *floats = static_cast<float *>(out);
  auto *doubles = static_cast<double *>(out);
  auto *integers = static_cast<uint32_t *>(out);
  switch (given.distribution) {
  case Distribution::Uniform:
    return each(floats, count, unit);
  case Distribution::UniformDouble:
    return each(doubles, count, unit);
  case Distribution::Normal:
    return each(floats, count, single);
  case Distribution::NormalDouble:
    return each(doubles, count, scaled);
  case Distribution::LogNormal:
    return each(floats, count, [=](size_t i) __attribute__((always_inline)) {
      return vectorExp(single(i));
    });
  case Distribution::LogNormalDouble:
    return each(doubles, count, [=](size_t i) __attribute__((always_inline)) {
      return vectorExp(scaled(i));
    });
  case Distribution::Poisson:
    for (size_t i = 0; i < count; ++i)
      integers[i] = discrete(unit(i), given.table);
    return;
  case Distribution::PoissonNormal:
    for (size_t i = 0; i < count; ++i)
      integers[i] = large(static_cast<float>(normal(i)), given);
    return;
  case Distribution::Words:
  case Distribution::LongWords:
    return;
  }
}

void convert(const uint32_t *words, size_t count, const Wanted &wanted,
             HalfStep ofDoubles, void *out) {
  const auto half = [=](size_t i) __attribute__((always_inline)) {
    return words[i] * 0x1p-32 + 0x1p-33;
  };
  const auto whole = [=](size_t i) __attribute__((always_inline)) {
    return words[i] * 0x1p-32 + 0x1p-32;
  };
  auto *integers = static_cast<uint32_t *>(out);
  auto *floats = static_cast<float *>(out);
  switch (wanted.distribution) {
  case Distribution::Words:
  case Distribution::LongWords:
    for (size_t i = 0; i < count; ++i)
      integers[i] = words[i];
    return;
  case Distribution::Uniform:
    if (ofDoubles == HalfStep::Half)
      return convertWith(count, wanted, half, out);
    for (size_t i = 0; i < count; ++i)
      floats[i] = __cufort_unit(words[i]);
    return;
  case Distribution::UniformDouble:
    if (ofDoubles == HalfStep::Whole)
      return convertWith(count, wanted, whole, out);
    return convertWith(count, wanted, half, out);
  default:
    return convertWith(count, wanted, half, out);
  }
}

void convertLong(const uint64_t *words, size_t count, const Wanted &wanted,
                 void *out) {
  auto *integers = static_cast<uint64_t *>(out);
  if (wanted.distribution == Distribution::LongWords) {
    for (size_t i = 0; i < count; ++i)
      integers[i] = words[i];
    return;
  }
  convertWith(
      count, wanted,
      [=](size_t i) __attribute__((always_inline)) {
        return static_cast<double>(words[i] >> 11) * 0x1p-53 + 0x1p-54;
      },
      out);
}

//===----------------------------------------------------------------------===//
// Mersenne twisters, Sobol's sequences
//===----------------------------------------------------------------------===//

void add(uint32_t *to, const uint32_t *from, size_t count) {
  CUFORT_VECTORS
  for (size_t i = 0; i < count; ++i)
    to[i] ^= from[i];
}

CUFORT_INLINE uint32_t twisted(uint32_t a, uint32_t b, uint32_t far) {
  const uint32_t y = (a & 0x80000000u) | (b & 0x7fffffffu);
  return far ^ y >> 1 ^ (-(b & 1) & 0x9908b0dfu);
}

void twist(uint32_t *s) {
  // Each loop's results are read by later loops alone.
  CUFORT_VECTORS
  for (int i = 0; i < 227; ++i)
    s[i] = twisted(s[i], s[i + 1], s[i + 397]);
  CUFORT_VECTORS
  for (int i = 227; i < 454; ++i)
    s[i] = twisted(s[i], s[i + 1], s[i - 227]);
  CUFORT_VECTORS
  for (int i = 454; i < 623; ++i)
    s[i] = twisted(s[i], s[i + 1], s[i - 227]);
  s[623] = twisted(s[623], s[0], s[396]);
}

/// Number i is the sum of the vectors of the bits of i's Gray code. Of numbers
/// that are a multiple of a power of two apart most bits are common.
template <typename Word>
void sobolNumbers(const Word *vectors, Word scramble, uint64_t first,
                  size_t count, Word *out) {
  constexpr int Bits = 8 * sizeof(Word);
  constexpr size_t Aligned = 256;
  Word low[Aligned];
  for (size_t i = 0; i != Aligned; ++i) {
    Word sum = 0;
    for (int k = 0; k != 9; ++k)
      sum ^= (i ^ i >> 1) >> k & 1 ? vectors[k] : 0;
    low[i] = sum;
  }
  for (size_t done = 0; done < count;) {
    const uint64_t i = first + done;
    const size_t from = i % Aligned,
                 here = smaller(Aligned - from, count - done);
    const uint64_t base = i - from, gray = base ^ base >> 1;
    Word sum = scramble;
    for (int k = 0; k != Bits; ++k)
      sum ^= gray >> k & 1 ? vectors[k] : 0;
    for (size_t j = 0; j < here; ++j)
      out[done + j] = sum ^ low[from + j];
    done += here;
  }
}

void sobol(const uint32_t *vectors, uint32_t scramble, uint64_t first,
           size_t count, uint32_t *out) {
  sobolNumbers(vectors, scramble, first, count, out);
}
void sobolLong(const uint64_t *vectors, uint64_t scramble, uint64_t first,
               size_t count, uint64_t *out) {
  sobolNumbers(vectors, scramble, first, count, out);
}

} // namespace

constinit const Kernels CUFORT_KERNELS = {
    lanes<Xorwow>, lanes<Mrg>, philox, convert,  convertLong,
    add,           twist,      sobol,  sobolLong};

} // namespace cufort::curand

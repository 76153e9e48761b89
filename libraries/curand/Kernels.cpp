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

#include "libraries/curand/WordKernels.h"

namespace cufort::curand {

extern const Kernels CUFORT_KERNELS;

namespace {

/// How many lanes' states are kept close by, and for how many steps.
constexpr size_t Block = 128, Tile = 8;
/// Steps that a lane takes while its state is in registers, where these are
/// quick ones of one word.
constexpr size_t Stride = 8;

struct Xorwow {
  using State = curandStateXORWOW;
  static constexpr bool Quick = true;
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
  static constexpr bool Quick = false;
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

// What one step of a lane writes.

struct Words {
  using Value = uint32_t;
  static constexpr size_t Width = 1;
  static constexpr bool Quick = true;
  template <class Engine>
  CUFORT_INLINE static void make(typename Engine::State &s, const Wanted &,
                                 Value *to) {
    *to = ::curand(&s);
  }
};
struct Uniform {
  using Value = float;
  static constexpr size_t Width = 1;
  static constexpr bool Quick = true;
  template <class Engine>
  CUFORT_INLINE static void make(typename Engine::State &s, const Wanted &,
                                 Value *to) {
    *to = curand_uniform(&s);
  }
};
struct UniformDouble {
  using Value = double;
  static constexpr size_t Width = 1;
  static constexpr bool Quick = false;
  template <class Engine>
  CUFORT_INLINE static void make(typename Engine::State &s, const Wanted &,
                                 Value *to) {
    *to = curand_uniform_double(&s);
  }
};
template <bool Logarithmic> struct Normal {
  using Value = float;
  static constexpr size_t Width = 2;
  static constexpr bool Quick = false;
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
  static constexpr bool Quick = false;
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
  static constexpr bool Quick = false;
  template <class Engine>
  CUFORT_INLINE static void make(typename Engine::State &s,
                                 const Wanted &wanted, Value *to) {
    *to = discrete(Engine::unit(s), wanted.table);
  }
};

/// \p Rows steps of each of \p count lanes; the numbers of one are \p apart
/// from those of the next.
template <class Engine, class What, size_t Rows>
CUFORT_INLINE void strip(uint32_t (*words)[Block], size_t count,
                         const Wanted &wanted, typename What::Value *to,
                         size_t apart) {
  CUFORT_VECTORS
  for (size_t i = 0; i < count; ++i) {
    typename Engine::State state;
    Engine::load(state, words, i);
#pragma clang loop unroll(full)
    for (size_t r = 0; r < Rows; ++r)
      What::template make<Engine>(state, wanted,
                                  to + r * apart + i * What::Width);
    Engine::store(state, words, i);
  }
}

template <class Engine, class What>
void steps(const Lanes &lanes, const Steps &which, const Wanted &given) {
  const Wanted wanted = given;
  using Value = typename What::Value;
  constexpr size_t Quick = What::Quick && Engine::Quick ? Stride : 1;
  const size_t apart = which.stride * What::Width;
  // A piece of few lanes stays away from the other threads' states, with which
  // its own may share cache lines, for all of its steps.
  const size_t tile = which.count <= Block ? which.rows : Tile;
  for (size_t row = 0; row < which.rows; row += tile)
    for (size_t begin = 0; begin < which.count; begin += Block) {
      const size_t count = smaller(Block, which.count - begin);
      const size_t lane = which.first + begin;
      uint32_t words[6][Block];
      for (int k = 0; k != 6; ++k)
        for (size_t i = 0; i != count; ++i)
          words[k][i] = lanes.words[k][lane + i];
      Value *to =
          static_cast<Value *>(which.out) + row * apart + begin * What::Width;
      size_t left = smaller(tile, which.rows - row);
      for (; left >= Quick; left -= Quick, to += Quick * apart)
        strip<Engine, What, Quick>(words, count, wanted, to, apart);
      for (; left; --left, to += apart)
        strip<Engine, What, 1>(words, count, wanted, to, apart);
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
  case Distribution::PoissonInverse:
    return;
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
      [[maybe_unused]] uint32_t fours[4 * Block];
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
          if constexpr (What == Distribution::Uniform)
            makeFour<Distribution::Words>(x, next, wanted,
                                          fours + 4 * static_cast<size_t>(i));
          else
            makeFour<What>(x, next, wanted, to + 4 * static_cast<size_t>(i));
        }
        // As numbers of their own they need no vectors of four.
        if constexpr (What == Distribution::Uniform)
          each(to, 4 * count, [&](size_t i) __attribute__((always_inline)) {
            return __cufort_unit(fours[i]);
          });
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
  case D::PoissonInverse:
    return;
  }
}

} // namespace

constinit const Kernels CUFORT_KERNELS = {
    lanes<Xorwow>, lanes<Mrg>, philox, convert, convertLong,
    twist,         temper,     mtgp,   sobol,   sobolLong};

} // namespace cufort::curand

//===- warp.c - shuffles, votes and matches of a warp ---------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the warp procedures that modules/cudadevice.py adds to Flang's module
// are bound to. Kinds are Fortran's: i4, i8, r4, r8.
//
//===----------------------------------------------------------------------===//

typedef unsigned int u32;
typedef unsigned long long u64;

#define CONVERGENT __attribute__((convergent))
#define INLINE static inline __attribute__((always_inline, convergent))

//===----------------------------------------------------------------------===//
// Shuffles
//===----------------------------------------------------------------------===//

/// All lanes: the mask of the forms without one. Those that have ended do not
/// count.
#define ALL 0xffffffffu

/// How lanes are chosen, the builtin's word for it, the clamp: the last lane of
/// a segment that may be read, for up the first; and what Fortran calls the
/// first lane: it counts them from one on, as threads, but distances are what
/// they are.
#define EACH_SHUFFLE(X)                                                        \
  X(idx, idx, 0x1fu, 1)                                                        \
  X(up, up, 0u, 0)                                                             \
  X(down, down, 0x1fu, 0)                                                      \
  X(xor, bfly, 0x1fu, 0)

/// A GPU shuffles 64 bits in two halves. The CPU's compiler knows these by name
/// and makes each one operation.
#define SHUFFLE_I64(how, builtin, clamp, first)                                \
  CONVERGENT u64 __cufort_shfl_##how##_i64(u32 mask, u64 value, u32 b,         \
                                           u32 c) {                            \
    u32 low = (u32)__nvvm_shfl_sync_##builtin##_i32(mask, (int)value, (int)b,  \
                                                    (int)c);                   \
    u32 high = (u32)__nvvm_shfl_sync_##builtin##_i32(mask, (int)(value >> 32), \
                                                     (int)b, (int)c);          \
    return (u64)high << 32 | low;                                              \
  }
EACH_SHUFFLE(SHUFFLE_I64)

#define AS_BITS(kind, T, U)                                                    \
  INLINE U bits_##kind(T value) {                                              \
    U bits;                                                                    \
    __builtin_memcpy(&bits, &value, sizeof(bits));                             \
    return bits;                                                               \
  }                                                                            \
  INLINE T from_##kind(U bits) {                                               \
    T value;                                                                   \
    __builtin_memcpy(&value, &bits, sizeof(value));                            \
    return value;                                                              \
  }
AS_BITS(i4, int, u32)
AS_BITS(i8, long long, u64)
AS_BITS(r4, float, u32)
AS_BITS(r8, double, u64)

/// The Fortran procedures: with and without a mask, with and without a width.
#define SHUFFLE_KIND(how, kind, T, clamp, first, operation)                    \
  INLINE T shfl_##how##_##kind(u32 mask, T value, int lane, int width) {       \
    u32 c = (u32)(32 - width) << 8 | clamp;                                    \
    return from_##kind(                                                        \
        operation(mask, bits_##kind(value), (u32)lane - first, c));            \
  }                                                                            \
  CONVERGENT T __cufort_shfl_sync_##how##_##kind##_width(                      \
      int mask, T value, int lane, int width) {                                \
    return shfl_##how##_##kind((u32)mask, value, lane, width);                 \
  }                                                                            \
  CONVERGENT T __cufort_shfl_sync_##how##_##kind(int mask, T value,            \
                                                 int lane) {                   \
    return shfl_##how##_##kind((u32)mask, value, lane, 32);                    \
  }                                                                            \
  CONVERGENT T __cufort_shfl_##how##_##kind##_width(T value, int lane,         \
                                                    int width) {               \
    return shfl_##how##_##kind(ALL, value, lane, width);                       \
  }                                                                            \
  CONVERGENT T __cufort_shfl_##how##_##kind(T value, int lane) {               \
    return shfl_##how##_##kind(ALL, value, lane, 32);                          \
  }

#define SHUFFLE(how, builtin, clamp, first)                                    \
  INLINE u32 shfl_##how##_32(u32 mask, u32 value, u32 b, u32 c) {              \
    return (u32)__nvvm_shfl_sync_##builtin##_i32(mask, (int)value, (int)b,     \
                                                 (int)c);                      \
  }                                                                            \
  SHUFFLE_KIND(how, i4, int, clamp, first, shfl_##how##_32)                    \
  SHUFFLE_KIND(how, i8, long long, clamp, first, __cufort_shfl_##how##_i64)    \
  SHUFFLE_KIND(how, r4, float, clamp, first, shfl_##how##_32)                  \
  SHUFFLE_KIND(how, r8, double, clamp, first, __cufort_shfl_##how##_i64)
EACH_SHUFFLE(SHUFFLE)

//===----------------------------------------------------------------------===//
// Votes
//===----------------------------------------------------------------------===//

CONVERGENT int __cufort_activemask(void) { return (int)__nvvm_activemask(); }

CONVERGENT void __cufort_syncwarp(void) { __nvvm_bar_warp_sync(ALL); }

/// The votes without a mask ask the lanes that execute them, as they always
/// have, also where others are elsewhere; with all 32 in the mask such a vote
/// would wait for ever.
CONVERGENT int __cufort_ballot(int predicate) {
  return (int)__nvvm_vote_ballot_sync(__nvvm_activemask(), predicate != 0);
}
CONVERGENT int __cufort_allthreads(int predicate) {
  return __nvvm_vote_all_sync(__nvvm_activemask(), predicate != 0);
}
CONVERGENT int __cufort_anythread(int predicate) {
  return __nvvm_vote_any_sync(__nvvm_activemask(), predicate != 0);
}

//===----------------------------------------------------------------------===//
// Matches of real numbers, bit by bit
//===----------------------------------------------------------------------===//

CONVERGENT int __cufort_match_any_r4(int mask, float value) {
  return (int)__nvvm_match_any_sync_i32((u32)mask, bits_r4(value));
}
CONVERGENT int __cufort_match_any_r8(int mask, double value) {
  return (int)__nvvm_match_any_sync_i64((u32)mask, bits_r8(value));
}
CONVERGENT int __cufort_match_all_r4(int mask, float value, int *all) {
  return (int)__nvvm_match_all_sync_i32p((u32)mask, bits_r4(value), all);
}
CONVERGENT int __cufort_match_all_r8(int mask, double value, int *all) {
  return (int)__nvvm_match_all_sync_i64p((u32)mask, bits_r8(value), all);
}

//===- functions.c - functions that the CPU has no instruction for --------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The __nv_* functions that are neither an operation nor a function of libm on
// the CPU: single instructions of a GPU. Directed rounding comes from the sign
// of what rounding to nearest has lost, which is computed exactly; so the code
// needs no change of the processor's mode and vectorises.
//
//===----------------------------------------------------------------------===//

#include "device/hints.h"
#include "device/math/number-bits.h"

#define INLINE static inline __attribute__((always_inline))

double __nv_sin(double x);
double __nv_cos(double x);

//===----------------------------------------------------------------------===//
// Rounding
//===----------------------------------------------------------------------===//

enum Mode { Down, Up, Zero };

INLINE double nextDouble(double x, int up) {
  i64 bits = __builtin_bit_cast(i64, x);
  if (x == 0)
    return up ? __builtin_bit_cast(double, 1ll)
              : -__builtin_bit_cast(double, 1ll);
  bits += (x > 0) == up ? 1 : -1;
  return __builtin_bit_cast(double, bits);
}

INLINE float nextFloat(float x, int up) {
  int bits = __builtin_bit_cast(int, x);
  if (x == 0)
    return up ? __builtin_bit_cast(float, 1) : -__builtin_bit_cast(float, 1);
  bits += (x > 0) == up ? 1 : -1;
  return __builtin_bit_cast(float, bits);
}

/// \p nearest, or its neighbour: \p lost has the sign of the exact value less
/// nearest.
#define DIRECTED(T, next)                                                      \
  INLINE T directed_##T(T nearest, double lost, enum Mode mode) {              \
    if (lost > 0 && (mode == Up || (mode == Zero && nearest < 0)))             \
      return next(nearest, 1);                                                 \
    if (lost < 0 && (mode == Down || (mode == Zero && nearest > 0)))           \
      return next(nearest, 0);                                                 \
    return nearest;                                                            \
  }
DIRECTED(float, nextFloat)
DIRECTED(double, nextDouble)

#define INF __builtin_inf()

/// The sign of what is lost where \p nearest has overflowed.
INLINE double lostInOverflow(double nearest) { return nearest > 0 ? -1 : 1; }

INLINE int isFinite(double x) { return x - x == 0; }

/// An exact zero from a sum of opposite numbers is negative when rounding down.
INLINE double zeroOf(double sum, double a, double b, enum Mode mode) {
  int bothPositive = !__builtin_signbit(a) && !__builtin_signbit(b);
  return sum == 0 && mode == Down && !bothPositive ? -0.0 : sum;
}

INLINE double sizeOf(double x) { return x < 0 ? -x : x; }

/// What the sum \p s of a and b has lost, exactly.
INLINE double lostInSum(double a, double b, double s) {
  int isOrdered = sizeOf(a) >= sizeOf(b);
  double larger = isOrdered ? a : b, smaller = isOrdered ? b : a;
  return smaller - (s - larger);
}

INLINE float floatOf(double exact, double lost, enum Mode mode) {
  float nearest = (float)exact;
  double difference = exact - nearest;
  if (!isFinite(nearest))
    difference = isFinite(exact) ? lostInOverflow(nearest) : 0;
  return directed_float(nearest, difference != 0 ? difference : lost, mode);
}

INLINE float addFloat(float a, float b, enum Mode mode) {
  double sum = (double)a + b;
  return floatOf(zeroOf(sum, a, b, mode),
                 isFinite(sum) ? lostInSum(a, b, sum) : 0, mode);
}

INLINE double addDouble(double a, double b, enum Mode mode) {
  double sum = a + b;
  if (!isFinite(sum))
    return isFinite(a) && isFinite(b) && sum == sum
               ? directed_double(sum, lostInOverflow(sum), mode)
               : sum;
  return directed_double(zeroOf(sum, a, b, mode), lostInSum(a, b, sum), mode);
}

INLINE double multiplyDouble(double a, double b, enum Mode mode) {
  double product = a * b;
  if (!isFinite(product))
    return isFinite(a) && isFinite(b)
               ? directed_double(product, lostInOverflow(product), mode)
               : product;
  double lost = __builtin_fma(a, b, -product);
  if (sizeOf(product) < 0x1p-900) {
    // Out of the reach of denormal numbers; not both are above 1.
    a *= 0x1p550, b *= 0x1p550;
    double scaled = a * b, difference = scaled - product * 0x1p550 * 0x1p550;
    lost = difference != 0 ? difference : __builtin_fma(a, b, -scaled);
  }
  return directed_double(product, lost, mode);
}

INLINE double divideDouble(double a, double b, enum Mode mode) {
  double quotient = a / b;
  if (!isFinite(quotient))
    return isFinite(a) && isFinite(b) && b != 0
               ? directed_double(quotient, lostInOverflow(quotient), mode)
               : quotient;
  if (!isFinite(b) || a == 0)
    return quotient;
  double up = sizeOf(a) < 0x1p-800 ? 0x1p200 : 1;
  double rest = __builtin_fma(-(quotient * up), b, a * up);
  int isNegative = (a < 0) != (b < 0);
  if (quotient == 0) {
    rest = isNegative ? -1 : 1;
    b = 1;
  }
  return directed_double(quotient, b < 0 ? -rest : rest, mode);
}

INLINE float divideFloat(float a, float b, enum Mode mode) {
  float quotient = a / b;
  if (!isFinite(quotient))
    return isFinite(a) && isFinite(b) && b != 0
               ? directed_float(quotient, lostInOverflow(quotient), mode)
               : quotient;
  if (!isFinite(b) || a == 0)
    return quotient;
  double rest = (double)a - (double)quotient * b;
  return directed_float(quotient, b < 0 ? -rest : rest, mode);
}

INLINE float rootFloat(float x, enum Mode mode) {
  float root = __builtin_sqrtf(x);
  if (!isFinite(root))
    return root;
  return directed_float(root, (double)x - (double)root * root, mode);
}

INLINE double rootDouble(double x, enum Mode mode) {
  double root = __builtin_sqrt(x);
  if (!isFinite(root) || x == 0)
    return root;
  double up = x < 0x1p-800 ? 0x1p100 : 1;
  double scaled = root * up;
  return directed_double(root, __builtin_fma(-scaled, scaled, x * up * up),
                         mode);
}

INLINE float fmaFloat(float a, float b, float c, enum Mode mode) {
  double product = (double)a * b, sum = product + c;
  return floatOf(zeroOf(sum, product, c, mode),
                 isFinite(sum) ? lostInSum(product, c, sum) : 0, mode);
}

INLINE double fmaDouble(double a, double b, double c, enum Mode mode) {
  double nearest = __builtin_fma(a, b, c);
  if (!isFinite(nearest))
    return isFinite(a) && isFinite(b) && isFinite(c)
               ? directed_double(nearest, lostInOverflow(nearest), mode)
               : nearest;
  double result = nearest;
  double product = a * b;
  if (product == 0 && (a == 0 || b == 0))
    return zeroOf(nearest, product, c, mode);
  if (sizeOf(product) < 0x1p-800) {
    if (sizeOf(c) < 0x1p-700) {
      // Out of the reach of denormal numbers.
      a *= 0x1p600, b *= 0x1p600;
      c = c * 0x1p600 * 0x1p600;
      nearest = nearest * 0x1p600 * 0x1p600;
      product = a * b;
    } else {
      // Only its sign counts.
      product = (a < 0) != (b < 0) ? -0x1p-800 : 0x1p-800;
      a = product;
      b = 1;
    }
  } else if (sizeOf(product) > 0x1p900 || sizeOf(c) > 0x1p900) {
    if (sizeOf(a) > sizeOf(b))
      a *= 0x1p-200;
    else
      b *= 0x1p-200;
    // Of what is tiny only the sign counts.
    if (c != 0 && sizeOf(c) < 0x1p-700)
      c = c < 0 ? -0x1p-700 : 0x1p-700;
    c *= 0x1p-200;
    nearest *= 0x1p-200;
    product = a * b;
  }
  double low = __builtin_fma(a, b, -product);
  double sum = product + c;
  double middle = lostInSum(product, c, sum);
  // The exact value less nearest: (sum - nearest) + middle + low.
  double high = sum - nearest;
  double more = middle + low, least = lostInSum(middle, low, more);
  double all = high + more, rest = lostInSum(high, more, all);
  double lost = all + (rest + least);
  return lost == 0 ? zeroOf(result, product, c, mode)
                   : directed_double(result, lost, mode);
}

#define MODES(X) X(rd, Down) X(ru, Up) X(rz, Zero)

#define ARITHMETIC(nv, mode)                                                   \
  float __nv_fadd_##nv(float a, float b) { return addFloat(a, b, mode); }      \
  float __nv_fsub_##nv(float a, float b) { return addFloat(a, -b, mode); }     \
  float __nv_fmul_##nv(float a, float b) {                                     \
    return floatOf((double)a * b, 0, mode);                                    \
  }                                                                            \
  float __nv_fdiv_##nv(float a, float b) { return divideFloat(a, b, mode); }   \
  float __nv_frcp_##nv(float a) { return divideFloat(1, a, mode); }            \
  float __nv_fsqrt_##nv(float a) { return rootFloat(a, mode); }                \
  float __nv_fmaf_##nv(float a, float b, float c) {                            \
    return fmaFloat(a, b, c, mode);                                            \
  }                                                                            \
  double __nv_dadd_##nv(double a, double b) { return addDouble(a, b, mode); }  \
  double __nv_dsub_##nv(double a, double b) { return addDouble(a, -b, mode); } \
  double __nv_dmul_##nv(double a, double b) {                                  \
    return multiplyDouble(a, b, mode);                                         \
  }                                                                            \
  double __nv_ddiv_##nv(double a, double b) {                                  \
    return divideDouble(a, b, mode);                                           \
  }                                                                            \
  double __nv_drcp_##nv(double a) { return divideDouble(1, a, mode); }         \
  double __nv_dsqrt_##nv(double a) { return rootDouble(a, mode); }             \
  double __nv_fma_##nv(double a, double b, double c) {                         \
    return fmaDouble(a, b, c, mode);                                           \
  }                                                                            \
  float __nv_double2float_##nv(double x) { return floatOf(x, 0, mode); }
MODES(ARITHMETIC)

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

// Whole numbers from integers: \p back is the integer again, if it is one.
#define FROM_INTEGER(nv, mode)                                                 \
  float __nv_int2float_##nv(int x) { return floatOf(x, 0, mode); }             \
  float __nv_uint2float_##nv(u32 x) { return floatOf(x, 0, mode); }            \
  float __nv_ll2float_##nv(i64 x) {                                            \
    float nearest = (float)x;                                                  \
    double lost = nearest >= 0x1p63f ? -1 : (double)(x - (i64)nearest);        \
    return directed_float(nearest, lost, mode);                                \
  }                                                                            \
  float __nv_ull2float_##nv(u64 x) {                                           \
    float nearest = (float)x;                                                  \
    double lost = nearest >= 0x1p64f ? -1 : (double)(i64)(x - (u64)nearest);   \
    return directed_float(nearest, lost, mode);                                \
  }                                                                            \
  double __nv_ll2double_##nv(i64 x) {                                          \
    double nearest = (double)x;                                                \
    double lost = nearest >= 0x1p63 ? -1 : (double)(x - (i64)nearest);         \
    return directed_double(nearest, lost, mode);                               \
  }                                                                            \
  double __nv_ull2double_##nv(u64 x) {                                         \
    double nearest = (double)x;                                                \
    double lost = nearest >= 0x1p64 ? -1 : (double)(i64)(x - (u64)nearest);    \
    return directed_double(nearest, lost, mode);                               \
  }
MODES(FROM_INTEGER)

// To integers: what is out of range becomes the nearest that there is, what is
// no number 0.
#define LIMITED(x, T, least, above, most)                                      \
  (!((x) == (x))    ? (T)0                                                     \
   : (x) < (least)  ? (T)(least)                                               \
   : (x) >= (above) ? (T)(most)                                                \
                    : (T)(x))

#define TO_INTEGERS(real, f, name, nv, whole)                                  \
  int __nv_##name##2int_##nv(real x) {                                         \
    x = whole##f(x);                                                           \
    return LIMITED(x, int, -0x1p31, 0x1p31, 0x7fffffff);                       \
  }                                                                            \
  u32 __nv_##name##2uint_##nv(real x) {                                        \
    x = whole##f(x);                                                           \
    return LIMITED(x, u32, 0, 0x1p32, 0xffffffffu);                            \
  }                                                                            \
  i64 __nv_##name##2ll_##nv(real x) {                                          \
    x = whole##f(x);                                                           \
    return LIMITED(x, i64, -0x1p63, 0x1p63, 0x7fffffffffffffffll);             \
  }                                                                            \
  u64 __nv_##name##2ull_##nv(real x) {                                         \
    x = whole##f(x);                                                           \
    return LIMITED(x, u64, 0, 0x1p64, 0xffffffffffffffffull);                  \
  }
TO_INTEGERS(float, f, float, rd, __builtin_floor)
TO_INTEGERS(float, f, float, ru, __builtin_ceil)
TO_INTEGERS(double, , double, rd, __builtin_floor)
TO_INTEGERS(double, , double, ru, __builtin_ceil)

u32 __nv_float2uint_rn(float x) {
  x = __builtin_roundevenf(x);
  return LIMITED(x, u32, 0, 0x1p32, 0xffffffffu);
}
u64 __nv_float2ull_rn(float x) {
  x = __builtin_roundevenf(x);
  return LIMITED(x, u64, 0, 0x1p64, 0xffffffffffffffffull);
}
u32 __nv_double2uint_rn(double x) {
  x = __builtin_roundeven(x);
  return LIMITED(x, u32, 0, 0x1p32, 0xffffffffu);
}
u64 __nv_double2ull_rn(double x) {
  x = __builtin_roundeven(x);
  return LIMITED(x, u64, 0, 0x1p64, 0xffffffffffffffffull);
}

//===----------------------------------------------------------------------===//
// Integers and the rest
//===----------------------------------------------------------------------===//

int __nv_mul24(int a, int b) {
  return (int)((u32)((int)((u32)a << 8) >> 8) * (u32)((int)((u32)b << 8) >> 8));
}
u32 __nv_umul24(u32 a, u32 b) { return (a & 0xffffff) * (b & 0xffffff); }
u32 __nv_sad(int a, int b, u32 c) {
  return (a > b ? (u32)a - (u32)b : (u32)b - (u32)a) + c;
}
u32 __nv_usad(u32 a, u32 b, u32 c) { return (a > b ? a - b : b - a) + c; }
int __nv_hadd(int a, int b) { return (int)(((i64)a + b) >> 1); }
int __nv_rhadd(int a, int b) { return (int)(((i64)a + b + 1) >> 1); }
u32 __nv_uhadd(u32 a, u32 b) { return (u32)(((u64)a + b) >> 1); }
u32 __nv_urhadd(u32 a, u32 b) { return (u32)(((u64)a + b + 1) >> 1); }
u32 __nv_byte_perm(u32 a, u32 b, u32 selector) {
  u64 bytes = (u64)b << 32 | a;
  u32 result = 0;
  for (int i = 0; i < 4; ++i) {
    u32 code = selector >> 4 * i & 15;
    u32 byte = (u32)(bytes >> 8 * (code & 7)) & 0xff;
    if (code & 8)
      byte = byte & 0x80 ? 0xff : 0;
    result |= byte << 8 * i;
  }
  return result;
}
float __nv_saturatef(float x) { return x > 1 ? 1 : x >= 0 ? x : 0; }

/// The sine and cosine of pi times \p x: x is reduced exactly.
INLINE void sinCosPi(double x, double *s, double *c) {
  double turns = 2 * __builtin_rint(0.5 * x);
  double part = x - turns; // in [-1, 1]
  double quarters = __builtin_rint(2 * part);
  double angle = (part - 0.5 * quarters) * 3.14159265358979323846;
  double sine = __nv_sin(angle), cosine = __nv_cos(angle);
  int quadrant = (int)quarters & 3;
  double swapped = quadrant & 1 ? cosine : sine;
  double other = quadrant & 1 ? sine : cosine;
  *s = quadrant & 2 ? -swapped : swapped;
  *c = quadrant == 1 || quadrant == 2 ? -other : other;
  // Whole numbers have a zero of their own sign, halves one above zero.
  if (*s == 0)
    *s = __builtin_copysign(0.0, x);
  if (*c == 0)
    *c = 0;
  if (!isFinite(x))
    *s = *c = x - x;
}

double __nv_sinpi(double x) {
  double s, c;
  sinCosPi(x, &s, &c);
  return s;
}
double __nv_cospi(double x) {
  double s, c;
  sinCosPi(x, &s, &c);
  return c;
}
void __nv_sincospi(double x, double *s, double *c) { sinCosPi(x, s, c); }
float __nv_sinpif(float x) { return (float)__nv_sinpi(x); }
float __nv_cospif(float x) { return (float)__nv_cospi(x); }
void __nv_sincospif(float x, float *s, float *c) {
  double sine, cosine;
  sinCosPi(x, &sine, &cosine);
  *s = (float)sine;
  *c = (float)cosine;
}

//===----------------------------------------------------------------------===//
// Loads and stores with cache hints
//===----------------------------------------------------------------------===//

// The CPU's caches agree with each other. A load that must not come from an
// older one of the same thread (cv) is volatile.
#define PLAIN_LOAD(hint, bytes, T, ptx, letter)                                \
  T LOAD_NAME(hint, bytes)(const T *from) { return *from; }
#define PLAIN_LOADS(hint)                                                      \
  EACH_SIZE(PLAIN_LOAD, hint)                                                  \
  void LOAD_NAME(hint, 16)(struct Sixteen * to, const struct Sixteen *from) {  \
    *to = *from;                                                               \
  }
PLAIN_LOADS(ca)
PLAIN_LOADS(cg)
PLAIN_LOADS(cs)
PLAIN_LOADS(lu)

#define FRESH_LOAD(hint, bytes, T, ptx, letter)                                \
  T LOAD_NAME(hint, bytes)(const T *from) { return *(const volatile T *)from; }
EACH_SIZE(FRESH_LOAD, cv)
void LOAD_NAME(cv, 16)(struct Sixteen *to, const struct Sixteen *from) {
  to->low = *(const volatile u64 *)&from->low;
  to->high = *(const volatile u64 *)&from->high;
}

#define PLAIN_STORE(hint, bytes, T, ptx, letter)                               \
  void STORE_NAME(hint, bytes)(T * to, T value) { *to = value; }
#define PLAIN_STORES(hint)                                                     \
  EACH_SIZE(PLAIN_STORE, hint)                                                 \
  void STORE_NAME(hint, 16)(struct Sixteen * to, const struct Sixteen *from) { \
    *to = *from;                                                               \
  }
EACH_STORE(PLAIN_STORES)

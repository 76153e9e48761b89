//===- fortran.c - Fortran's numeric procedures on a device ---------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What Flang calls on the host in its Fortran runtime and in the C library, for
// device code, under the same names. Everything rests on the __nv_* functions,
// which both engines have. Complex functions take their parts here; the forms
// that Flang calls are made of them in CMakeLists.txt.
//
//===----------------------------------------------------------------------===//

#include "device/math/scaled-erfc.h"

typedef long long i64;
typedef unsigned long long u64;
typedef unsigned int u32;

#define FORTRAN(name) _FortranA##name

// What exists for float and for double. X(type, suffix of __nv_*, suffix of C's
// functions, kind, integer of the same size, bits of the fraction, bias)
#define BOTH_REALS(X)                                                          \
  X(float, f, f, 4, u32, 23, 127)                                              \
  X(double, , , 8, u64, 52, 1023)

#define NV_(name, f) __nv_##name##f
#define NV(name, f) NV_(name, f)

#define DECLARE(T, f, c, kind, U, fraction, bias)                              \
  T NV(fmod, f)(T, T);                                                         \
  T NV(remainder, f)(T, T);                                                    \
  T NV(hypot, f)(T, T);                                                        \
  T NV(ldexp, f)(T, int);                                                      \
  T NV(exp, f)(T);                                                             \
  T NV(log, f)(T);                                                             \
  T NV(erfc, f)(T);                                                            \
  T NV(sin, f)(T);                                                             \
  T NV(cos, f)(T);                                                             \
  T NV(sinh, f)(T);                                                            \
  T NV(cosh, f)(T);                                                            \
  T NV(tgamma, f)(T);                                                          \
  T NV(lgamma, f)(T);                                                          \
  T NV(sqrt, f)(T);                                                            \
  T NV(fabs, f)(T);                                                            \
  T NV(asinh, f)(T);                                                           \
  T NV(fma, f)(T, T, T);                                                       \
  T NV(log1p, f)(T);                                                           \
  T NV(copysign, f)(T, T);                                                     \
  T NV(atan2, f)(T, T);                                                        \
  T NV(j0, f)(T);                                                              \
  T NV(j1, f)(T);                                                              \
  T NV(jn, f)(int, T);                                                         \
  T NV(y0, f)(T);                                                              \
  T NV(y1, f)(T);                                                              \
  T NV(yn, f)(int, T);
BOTH_REALS(DECLARE)

//===----------------------------------------------------------------------===//
// Real numbers
//===----------------------------------------------------------------------===//

// The number's exponent in Fortran's model: x = fraction * 2**exponent with a
// fraction in [0.5, 1). Zero has exponent 0.
#define REALS(T, f, c, kind, U, fraction, bias)                                \
  static int isSpecial##f(T x) {                                               \
    U bits = __builtin_bit_cast(U, x);                                         \
    return (bits >> fraction & (2 * bias + 1)) == 2 * bias + 1;                \
  }                                                                            \
  static int exponent##f(T x) {                                                \
    U bits = __builtin_bit_cast(U, x);                                         \
    int stored = (int)(bits >> fraction & (2 * bias + 1));                     \
    if (stored)                                                                \
      return stored - (bias - 1);                                              \
    if (x == 0)                                                                \
      return 0;                                                                \
    x *= (T)((U)1 << fraction); /* denormal */                                 \
    bits = __builtin_bit_cast(U, x);                                           \
    return (int)(bits >> fraction & (2 * bias + 1)) - (bias - 1) - fraction;   \
  }                                                                            \
  static T scale##f(T x, i64 by) {                                             \
    int limited = by > 100000 ? 100000 : by < -100000 ? -100000 : (int)by;     \
    return NV(ldexp, f)(x, limited);                                           \
  }                                                                            \
  T FORTRAN(ModReal##kind)(T x, T y, const char *file, int line) {             \
    return NV(fmod, f)(x, y);                                                  \
  }                                                                            \
  T FORTRAN(ModuloReal##kind)(T x, T y, const char *file, int line) {          \
    /* As on the host: no number for an infinite P, zeros with the sign of P.  \
     */                                                                        \
    T rest = NV(fmod, f)(x, y);                                                \
    if (isSpecial##f(y))                                                       \
      return y - y;                                                            \
    if (rest == 0)                                                             \
      return NV(copysign, f)(0, y);                                            \
    return (rest < 0) != (y < 0) ? rest + y : rest;                            \
  }                                                                            \
  int FORTRAN(Exponent##kind##_4)(T x) {                                       \
    return isSpecial##f(x) ? 2147483647 : exponent##f(x);                      \
  }                                                                            \
  i64 FORTRAN(Exponent##kind##_8)(T x) {                                       \
    return isSpecial##f(x) ? 9223372036854775807ll : exponent##f(x);           \
  }                                                                            \
  T FORTRAN(Fraction##kind)(T x) {                                             \
    return isSpecial##f(x) ? x - x : scale##f(x, -exponent##f(x));             \
  }                                                                            \
  T FORTRAN(Scale##kind)(T x, i64 by) { return scale##f(x, by); }              \
  T FORTRAN(SetExponent##kind)(T x, i64 to) {                                  \
    return x == 0            ? x                                               \
           : isSpecial##f(x) ? x - x                                           \
                             : scale##f(scale##f(x, -exponent##f(x)), to);     \
  }                                                                            \
  T FORTRAN(Spacing##kind)(T x) {                                              \
    if (isSpecial##f(x))                                                       \
      return x - x;                                                            \
    int least = -(bias - 1), unit = exponent##f(x) - (fraction + 1);           \
    return scale##f(1, x == 0 || unit < least ? least : unit);                 \
  }                                                                            \
  T FORTRAN(RRSpacing##kind)(T x) {                                            \
    if (isSpecial##f(x))                                                       \
      return x - x;                                                            \
    return scale##f(NV(fabs, f)(scale##f(x, -exponent##f(x))), fraction + 1);  \
  }                                                                            \
  T hypot##c(T x, T y) { return NV(hypot, f)(x, y); }                          \
  T remainder##c(T x, T y) { return NV(remainder, f)(x, y); }                  \
  T tgamma##c(T x) { return NV(tgamma, f)(x); }                                \
  T lgamma##c(T x) { return NV(lgamma, f)(x); }                                \
  T j0##c(T x) { return NV(j0, f)(x); }                                        \
  T j1##c(T x) { return NV(j1, f)(x); }                                        \
  T jn##c(int n, T x) { return NV(jn, f)(n, x); }                              \
  T y0##c(T x) { return NV(y0, f)(x); }                                        \
  T y1##c(T x) { return NV(y1, f)(x); }                                        \
  T yn##c(int n, T x) { return NV(yn, f)(n, x); }
BOTH_REALS(REALS)

double FORTRAN(ErfcScaled8)(double x) { return scaledErfc(x); }
float FORTRAN(ErfcScaled4)(float x) { return (float)FORTRAN(ErfcScaled8)(x); }

// nearest() raises IEEE exceptions, which a device does not have.
int FORTRAN(MapException)(int exceptions) { return 0; }
void FORTRAN(feraiseexcept)(int exceptions) {}

//===----------------------------------------------------------------------===//
// Powers of integers
//===----------------------------------------------------------------------===//

#define INTEGER_POWER(name, T)                                                 \
  T name(T base, T power) {                                                    \
    if (power < 0)                                                             \
      return base == 1 ? 1 : base == -1 ? (power & 1 ? -1 : 1) : 0;            \
    T result = 1;                                                              \
    for (; power; power >>= 1, base *= base)                                   \
      if (power & 1)                                                           \
        result *= base;                                                        \
    return result;                                                             \
  }
INTEGER_POWER(__cufort_ipow4, int)
INTEGER_POWER(__cufort_ipow8, i64)

#define REAL_POWER(name, T, I, U)                                              \
  T name(T base, I power) {                                                    \
    U count = power < 0 ? 0 - (U)power : (U)power;                             \
    T result = 1;                                                              \
    for (; count; count >>= 1, base *= base)                                   \
      if (count & 1)                                                           \
        result *= base;                                                        \
    return power < 0 ? 1 / result : result;                                    \
  }
REAL_POWER(FORTRAN(FPow4i), float, int, u32)
REAL_POWER(FORTRAN(FPow8i), double, int, u32)
REAL_POWER(FORTRAN(FPow4k), float, i64, u64)
REAL_POWER(FORTRAN(FPow8k), double, i64, u64)

//===----------------------------------------------------------------------===//
// Complex numbers: parts in, a pair out
//===----------------------------------------------------------------------===//

#define PAIR(T) _Complex T
#define MAKE(re, im) __builtin_complex(re, im)

#define COMPLEX(T, f, c, kind, U, fraction, bias)                              \
  T cufort_cabs##c(T x, T y) { return NV(hypot, f)(x, y); }                    \
  PAIR(T) cufort_cmul##c(T a, T b, T x, T y) {                                 \
    return MAKE(a * x - b * y, a * y + b * x);                                 \
  }                                                                            \
  /* Smith's way: no overflow of the divisor's square. */                      \
  PAIR(T) cufort_cdiv##c(T a, T b, T x, T y) {                                 \
    if (NV(fabs, f)(x) >= NV(fabs, f)(y)) {                                    \
      T ratio = y / x, divisor = x + y * ratio;                                \
      return MAKE((a + b * ratio) / divisor, (b - a * ratio) / divisor);       \
    }                                                                          \
    T ratio = x / y, divisor = x * ratio + y;                                  \
    return MAKE((a * ratio + b) / divisor, (b * ratio - a) / divisor);         \
  }                                                                            \
  PAIR(T) cufort_cexp##c(T x, T y) {                                           \
    T size = NV(exp, f)(x);                                                    \
    return y == 0 ? MAKE(size, y)                                              \
                  : MAKE(size * NV(cos, f)(y), size * NV(sin, f)(y));          \
  }                                                                            \
  /* x*x + y*y - 1, where that cancels: exact but for the last rounding. */    \
  static T squareLessOne##c(T x, T y) {                                        \
    T minus = x - 1, part = minus - x;                                         \
    T minusRest = (x - (minus - part)) + (-1 - part);                          \
    T plus = x + 1;                                                            \
    part = plus - x;                                                           \
    T plusRest = (x - (plus - part)) + (1 - part);                             \
    T product = minus * plus, square = y * y, sum = product + square;          \
    part = sum - product;                                                      \
    T sumRest = (product - (sum - part)) + (square - part);                    \
    T productRest = NV(fma, f)(minus, plus, -product);                         \
    T squareRest = NV(fma, f)(y, y, -square);                                  \
    return sum + (sumRest + (productRest + squareRest +                        \
                             (minus * plusRest + minusRest * plus)));          \
  }                                                                            \
  PAIR(T) cufort_clog##c(T x, T y) {                                           \
    T a = NV(fabs, f)(x), b = NV(fabs, f)(y);                                  \
    T larger = a >= b ? a : b, smaller = a >= b ? b : a;                       \
    T ratio = larger == smaller ? 1 : smaller / larger;                        \
    T size = larger > (T)0.25 && larger < 4                                    \
                 ? NV(log1p, f)(squareLessOne##c(larger, smaller)) / 2         \
                 : NV(log, f)(larger) + NV(log1p, f)(ratio * ratio) / 2;       \
    return MAKE(size, NV(atan2, f)(y, x));                                     \
  }                                                                            \
  PAIR(T) cufort_csqrt##c(T x, T y) {                                          \
    T a = NV(fabs, f)(x), b = NV(fabs, f)(y), larger = a >= b ? a : b;         \
    if (larger == 0)                                                           \
      return MAKE((T)0, y);                                                    \
    /* Neither sums too large nor squares too small. */                        \
    T factor = 1, root = 1;                                                    \
    if (larger > (T)0x1p100)                                                   \
      factor = (T)0x1p-108, root = (T)0x1p54;                                  \
    if (larger < (T)0x1p-100)                                                  \
      factor = (T)0x1p108, root = (T)0x1p-54;                                  \
    a *= factor;                                                               \
    b *= factor;                                                               \
    T half = NV(sqrt, f)((a + NV(hypot, f)(a, b)) / 2);                        \
    T other = b - b == 0 ? b / (2 * half) : b;                                 \
    half *= root;                                                              \
    other *= root;                                                             \
    return x >= 0 ? MAKE(half, NV(copysign, f)(other, y))                      \
                  : MAKE(other, NV(copysign, f)(half, y));                     \
  }                                                                            \
  PAIR(T) cufort_csin##c(T x, T y) {                                           \
    return MAKE(NV(sin, f)(x) * NV(cosh, f)(y),                                \
                NV(cos, f)(x) * NV(sinh, f)(y));                               \
  }                                                                            \
  PAIR(T) cufort_ccos##c(T x, T y) {                                           \
    return MAKE(NV(cos, f)(x) * NV(cosh, f)(y),                                \
                -NV(sin, f)(x) * NV(sinh, f)(y));                              \
  }                                                                            \
  PAIR(T) cufort_csinh##c(T x, T y) {                                          \
    return MAKE(NV(sinh, f)(x) * NV(cos, f)(y),                                \
                NV(cosh, f)(x) * NV(sin, f)(y));                               \
  }                                                                            \
  PAIR(T) cufort_ccosh##c(T x, T y) {                                          \
    return MAKE(NV(cosh, f)(x) * NV(cos, f)(y),                                \
                NV(sinh, f)(x) * NV(sin, f)(y));                               \
  }                                                                            \
  PAIR(T) cufort_ctanh##c(T x, T y) {                                          \
    T size = NV(fabs, f)(x), sine = NV(sin, f)(y), cosine = NV(cos, f)(y);     \
    /* There the result is one, and squares might overflow. */                 \
    if (size > 22) {                                                           \
      T small = NV(exp, f)(-size);                                             \
      return MAKE(NV(copysign, f)((T)1, x),                                    \
                  4 * sine * small * cosine * small);                          \
    }                                                                          \
    T up = NV(sinh, f)(x), divisor = up * up + cosine * cosine;                \
    return MAKE(up * NV(cosh, f)(x) / divisor, sine * cosine / divisor);       \
  }                                                                            \
  PAIR(T) cufort_ctan##c(T x, T y) {                                           \
    PAIR(T) turned = cufort_ctanh##c(-y, x);                                   \
    return MAKE(__imag__ turned, -__real__ turned);                            \
  }                                                                            \
  PAIR(T) cufort_cpow##c(T a, T b, T x, T y) {                                 \
    if (a == 0 && b == 0)                                                      \
      return x == 0 && y == 0 ? MAKE((T)1, (T)0) : MAKE((T)0, (T)0);           \
    T size = NV(log, f)(NV(hypot, f)(a, b)), angle = NV(atan2, f)(b, a);       \
    return cufort_cexp##c(x * size - y * angle, x * angle + y * size);         \
  }                                                                            \
  PAIR(T) cufort_cpowk##c(T x, T y, i64 power) {                               \
    u64 count = power < 0 ? 0 - (u64)power : (u64)power;                       \
    T re = 1, im = 0;                                                          \
    for (; count; count >>= 1) {                                               \
      T next;                                                                  \
      if (count & 1) {                                                         \
        next = re * x - im * y;                                                \
        im = re * y + im * x;                                                  \
        re = next;                                                             \
      }                                                                        \
      next = x * x - y * y;                                                    \
      y = 2 * x * y;                                                           \
      x = next;                                                                \
    }                                                                          \
    return power < 0 ? cufort_cdiv##c((T)1, (T)0, re, im) : MAKE(re, im);      \
  }                                                                            \
  PAIR(T) cufort_cpowi##c(T x, T y, int power) {                               \
    return cufort_cpowk##c(x, y, power);                                       \
  }
BOTH_REALS(COMPLEX)

// Kahan's formulas ("Branch cuts for complex elementary functions"), which keep
// their digits near the branch points and the side of a branch cut that the
// sign of zero names.
static PAIR(double) inverseSine(double x, double y) {
  PAIR(double) below = cufort_csqrt(1 - x, -y), above = cufort_csqrt(1 + x, y);
  double re = __real__ below * __real__ above - __imag__ below * __imag__ above;
  double im = __real__ below * __imag__ above - __imag__ below * __real__ above;
  return MAKE(__nv_atan2(x, re), __nv_asinh(im));
}

static PAIR(double) inverseCosine(double x, double y) {
  PAIR(double) below = cufort_csqrt(1 - x, -y), above = cufort_csqrt(1 + x, y);
  double im = __real__ above * __imag__ below - __imag__ above * __real__ below;
  return MAKE(2 * __nv_atan2(__real__ below, __real__ above), __nv_asinh(im));
}

static PAIR(double) inverseHyperbolicCosine(double x, double y) {
  PAIR(double) below = cufort_csqrt(x - 1, y), above = cufort_csqrt(x + 1, y);
  double re = __real__ below * __real__ above + __imag__ below * __imag__ above;
  return MAKE(__nv_asinh(re), 2 * __nv_atan2(__imag__ below, __real__ above));
}

static PAIR(double) inverseHyperbolicTangent(double x, double y) {
  double size = __nv_fabs(x), re, im;
  if (size > 1e100 || __nv_fabs(y) > 1e100) {
    double radius = __nv_hypot(x, y);
    re = x / radius / radius;
    im = __nv_copysign(1.570796326794896619231, y);
  } else {
    double distance = (1 - size) * (1 - size) + y * y;
    re = __nv_copysign(__nv_log1p(4 * size / distance) / 4, x);
    im = __nv_atan2(2 * y, (1 - size) * (1 + size) - y * y) / 2;
  }
  return MAKE(re, im);
}

// Single precision is worked out in double precision. f(z) = -i g(iz) for the
// pairs of circular and hyperbolic functions.
#define INVERSES(T, f, c, kind, U, fraction, bias)                             \
  PAIR(T) cufort_casin##c(T x, T y) {                                          \
    PAIR(double) w = inverseSine(x, y);                                        \
    return MAKE((T) __real__ w, (T) __imag__ w);                               \
  }                                                                            \
  PAIR(T) cufort_cacos##c(T x, T y) {                                          \
    PAIR(double) w = inverseCosine(x, y);                                      \
    return MAKE((T) __real__ w, (T) __imag__ w);                               \
  }                                                                            \
  PAIR(T) cufort_cacosh##c(T x, T y) {                                         \
    PAIR(double) w = inverseHyperbolicCosine(x, y);                            \
    return MAKE((T) __real__ w, (T) __imag__ w);                               \
  }                                                                            \
  PAIR(T) cufort_catanh##c(T x, T y) {                                         \
    PAIR(double) w = inverseHyperbolicTangent(x, y);                           \
    return MAKE((T) __real__ w, (T) __imag__ w);                               \
  }                                                                            \
  PAIR(T) cufort_casinh##c(T x, T y) {                                         \
    PAIR(double) w = inverseSine(-(double)y, x);                               \
    return MAKE((T) __imag__ w, (T) - __real__ w);                             \
  }                                                                            \
  PAIR(T) cufort_catan##c(T x, T y) {                                          \
    PAIR(double) w = inverseHyperbolicTangent(-(double)y, x);                  \
    return MAKE((T) __imag__ w, (T) - __real__ w);                             \
  }
BOTH_REALS(INVERSES)

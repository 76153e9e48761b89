//===- number-bits.h - the bits of real numbers ---------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What cpu.c and math.c say alike: libdevice's types, and its functions that
// look at a number's bits.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_DEVICE_MATH_NUMBER_BITS_H
#define CUFORT_DEVICE_MATH_NUMBER_BITS_H

typedef long long i64;
typedef unsigned long long u64;
typedef unsigned int u32;

int __nv_float_as_int(float x) { return __builtin_bit_cast(int, x); }
float __nv_int_as_float(int x) { return __builtin_bit_cast(float, x); }
u32 __nv_float_as_uint(float x) { return __builtin_bit_cast(u32, x); }
float __nv_uint_as_float(u32 x) { return __builtin_bit_cast(float, x); }
i64 __nv_double_as_longlong(double x) { return __builtin_bit_cast(i64, x); }
double __nv_longlong_as_double(i64 x) { return __builtin_bit_cast(double, x); }
int __nv_double2hiint(double x) {
  return (int)(__builtin_bit_cast(u64, x) >> 32);
}
int __nv_double2loint(double x) { return (int)__builtin_bit_cast(u64, x); }
double __nv_hiloint2double(int high, int low) {
  return __builtin_bit_cast(double, (u64)(u32)high << 32 | (u32)low);
}

#endif // CUFORT_DEVICE_MATH_NUMBER_BITS_H

//===- SpecialFunctions.c - CUDA's mathematics for host code --------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What include/cufort/special_functions.h declares: the device library's source
// over the C library.
//
//===----------------------------------------------------------------------===//

#define __nv_cbrt cbrt
#define __nv_erf erf
#define __nv_erfc erfc
#define __nv_exp exp
#define __nv_hypot hypot
#define __nv_log log
#define __nv_log1p log1p
#include "device/special.c"

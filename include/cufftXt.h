//===- cufftXt.h - Fourier transforms on several devices --------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_CUFFTXT_H
#define CUFORT_CUFFTXT_H
// By which programs ask whether the header is there.
#define _CUFFTXT_H_

#include "cudalibxt.h"
#include "cufft.h"

#endif // CUFORT_CUFFTXT_H

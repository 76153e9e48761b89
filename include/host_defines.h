//===- host_defines.h - the words of CUDA C++ -------------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_HOST_DEFINES_H
#define CUFORT_HOST_DEFINES_H

#include "crt/host_defines.h"

#endif // CUFORT_HOST_DEFINES_H

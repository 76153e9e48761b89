//===- host_config.h - what the host compiler is ----------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The toolkit's has the versions of host compilers that nvcc takes; here Clang
// compiles both sides.
#ifndef CUFORT_CRT_HOST_CONFIG_H
#define CUFORT_CRT_HOST_CONFIG_H

#include "host_defines.h"

#endif // CUFORT_CRT_HOST_CONFIG_H

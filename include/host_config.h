//===- host_config.h - what the host compiler is ----------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_HOST_CONFIG_H
#define CUFORT_HOST_CONFIG_H

#include "crt/host_config.h"

#endif // CUFORT_HOST_CONFIG_H

//===- Devices.cpp - the devices of this machine, as text --------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/api/Types.h"
#include "runtime/core/Device.h"
#include <cstdio>

/// Prints one paragraph for each device of this machine; for `cufort info`.
/// Returns 0, or 1 if \p file cannot be written.
CUFORT_API int __cufort_print_devices(std::FILE *file) {
  const std::string text = cufort::describeMachine();
  return std::fputs(text.c_str(), file) < 0 || std::fflush(file) != 0;
}

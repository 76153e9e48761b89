//===- Devices.cpp - the devices of this machine, as text -----------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/api/RuntimeApi.h"
#include "runtime/core/DeviceInfo.h"
#include <cstdio>

/// Prints the devices of this machine and whether they can be used, as JSON if
/// \p json; for `cufort info`. Returns 0 if a GPU can be used, 2 if not, 1 if
/// \p file cannot be written.
CUFORT_API int __cufort_print_devices(std::FILE *file, int json) {
  std::string text;
  const bool gpu = cufort::describeMachine(text, json);
  if (std::fputs(text.c_str(), file) < 0 || std::fflush(file) != 0)
    return 1;
  return gpu ? 0 : 2;
}

//===- Copies.cpp - what threads copy of memory that may be unset ---------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What instrumented code calls where it copies structures
// (compiler/check/PrivateCopies.h).
//
//===----------------------------------------------------------------------===//

#include "runtime/check/Check.h"
#include "runtime/check/Findings.h"
#include "runtime/check/Shadow.h"
#include "runtime/cpu/launches/DeviceFunctions.h"
#include <cstring>

using namespace cufort::check;
namespace device = cufort::cpu::device;
using cufort::image::CheckSite;

static bool isChecked() {
  return CurrentRun && checking(cufort::image::CheckInit);
}

void device::check_unset(void *unset, const void *from, uint64_t bytes) {
  std::memset(unset, 0, bytes);
  if (!isChecked())
    return;
  const auto begin = reinterpret_cast<uintptr_t>(from), end = begin + bytes;
  for (uintptr_t at = begin;
       (at = firstClear(Plane::Written, at, end - at)) != end; ++at)
    static_cast<char *>(unset)[at - begin] = 1;
}

void device::check_unset_use(uint32_t isUnset, const void *address,
                             CheckSite *site, const CheckSite *copy) {
  if (isUnset && isChecked())
    reportUnset(*currentThread(), *site, address, copy);
}

void device::check_copied(const void *to, const void *from, uint64_t bytes) {
  if (isChecked())
    copyWritten(reinterpret_cast<uintptr_t>(to),
                reinterpret_cast<uintptr_t>(from), bytes);
}

void device::check_copied_private(const void *to, const void *unset,
                                  uint64_t bytes) {
  if (!isChecked())
    return;
  const auto address = reinterpret_cast<uintptr_t>(to);
  for (uint64_t i = 0; i < bytes; ++i)
    if (static_cast<const char *>(unset)[i])
      setRange(Plane::Written, address + i, 1, false);
}

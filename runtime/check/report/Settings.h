//===- Settings.h - what CUFORT_CHECK_* say ---------------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_CHECK_REPORT_SETTINGS_H
#define CUFORT_RUNTIME_CHECK_REPORT_SETTINGS_H

#include "runtime/check/report/Filters.h"
#include <cstdint>
#include <string>

namespace cufort::check {

/// The environment of a program that is checked, read once, when it starts. A
/// value that makes no sense ends the program with the values that do.
struct Settings {
  std::string file;          ///< CUFORT_CHECK_REPORT, with the rank in its name
  bool sarif = false;        ///< by the suffix of the file
  int exitStatus = 86;       ///< CUFORT_CHECK_EXIT; 0: the program's own
  uint64_t limit = 100;      ///< CUFORT_CHECK_LIMIT: reports printed; 0: all
  bool leaks = false;        ///< CUFORT_CHECK_LEAKS
  Suppressions suppressions; ///< CUFORT_CHECK_SUPPRESS
  KernelFilter kernels; ///< CUFORT_CHECK_KERNEL, CUFORT_CHECK_KERNEL_EXCLUDE
};

const Settings &settings();

} // namespace cufort::check

#endif // CUFORT_RUNTIME_CHECK_REPORT_SETTINGS_H

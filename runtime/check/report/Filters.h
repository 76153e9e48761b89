//===- Filters.h - which reports to leave out -------------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_CHECK_REPORT_FILTERS_H
#define CUFORT_RUNTIME_CHECK_REPORT_FILTERS_H

#include "runtime/check/report/Report.h"
#include <string>
#include <utility>
#include <vector>

namespace cufort::check {

/// "race", "memory", "init", "sync" or "leak".
const char *name(Kind kind);

/// The lines of a file: KIND:PATTERN, where the pattern is the name of a kernel
/// or variable, FILE or FILE:LINE, and * stands for anything. A FILE without a
/// folder means those of that name in all folders.
class Suppressions {
public:
  /// Empty, or what is wrong with the file.
  std::string read(const std::string &path);
  bool match(const Report &report) const;

private:
  std::vector<std::pair<std::string, std::string>> lines;
};

/// Kernels by their names, as NVIDIA's tools choose them: kns=SUBSTRING
/// (kernel_substring), kne=NAME (kernel_name) or regex=EXPRESSION, several with
/// commas between them.
class KernelFilter {
public:
  /// Empty, or what is wrong with \p text.
  std::string read(const char *text, bool exclude);
  bool wants(const std::string &kernel) const;

private:
  enum class Form : uint8_t { Substring, Exact, Expression };
  struct Condition {
    Form form;
    std::string text;
    bool holds(const std::string &kernel) const;
  };
  std::vector<Condition> only, except;
};

} // namespace cufort::check

#endif // CUFORT_RUNTIME_CHECK_REPORT_FILTERS_H

//===- Settings.cpp - what CUFORT_CHECK_* say -----------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/check/report/Settings.h"
#include "runtime/core/process/OutputFile.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

namespace cufort::check {
namespace {

const char *value(const char *name) {
  const char *text = std::getenv(name);
  return text && *text ? text : nullptr;
}

/// Nothing has begun that would have to end in order.
[[noreturn]] void refuse(const char *name, const std::string &problem) {
  std::fprintf(stderr, "error: %s=%s: %s\n", name, value(name),
               problem.c_str());
  std::fflush(nullptr);
  _exit(1);
}

uint64_t number(const char *name, uint64_t standard, uint64_t most) {
  const char *text = value(name);
  if (!text)
    return standard;
  char *end;
  const unsigned long long result = std::strtoull(text, &end, 10);
  if (*text < '0' || *text > '9' || *end || result > most)
    refuse(name, "use a number from 0 to " + std::to_string(most));
  return result;
}

bool endsWith(const std::string &text, const char *end) {
  const size_t length = std::strlen(end);
  return text.size() >= length &&
         text.compare(text.size() - length, length, end) == 0;
}

} // namespace

const Settings &settings() {
  static const Settings *instance = [] {
    auto *result = new Settings;
    if (const char *file = value("CUFORT_CHECK_REPORT")) {
      result->file = outputFileName(file);
      result->sarif = endsWith(result->file, ".sarif");
    }
    result->exitStatus = static_cast<int>(number("CUFORT_CHECK_EXIT", 86, 255));
    result->limit = number("CUFORT_CHECK_LIMIT", 100, uint64_t(1) << 62);
    result->leaks = number("CUFORT_CHECK_LEAKS", 0, 1);
    if (const char *file = value("CUFORT_CHECK_SUPPRESS"))
      if (std::string problem = result->suppressions.read(file);
          !problem.empty())
        refuse("CUFORT_CHECK_SUPPRESS", problem);
    for (const char *name :
         {"CUFORT_CHECK_KERNEL", "CUFORT_CHECK_KERNEL_EXCLUDE"})
      if (const char *text = value(name))
        if (std::string problem = result->kernels.read(
                text, std::strlen(name) > sizeof "CUFORT_CHECK_KERNEL");
            !problem.empty())
          refuse(name, problem);
    return result;
  }();
  return *instance;
}

} // namespace cufort::check

//===- OutputFile.cpp - files that the runtime writes ---------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/core/process/OutputFile.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

namespace cufort {

/// Null where the variable is unset or empty.
static const char *environmentText(const char *name) {
  const char *text = std::getenv(name);
  return text && *text ? text : nullptr;
}

/// The number of this process among all of an MPI program's, as launchers say
/// it; null: there is no launcher.
static const char *rank() {
  // Slurm's is there for each task of a step, also where there is one.
  for (const char *name : {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK",
                           "MV2_COMM_WORLD_RANK", "PALS_RANKID"})
    if (const char *text = environmentText(name))
      return text;
  const char *tasks = environmentText("SLURM_STEP_NUM_TASKS");
  return tasks && std::strcmp(tasks, "1") != 0 ? environmentText("SLURM_PROCID")
                                               : nullptr;
}

std::string outputFileName(const std::string &pattern) {
  std::string result;
  bool distinguished = false;
  for (size_t i = 0; i < pattern.size(); ++i) {
    const char next = i + 1 < pattern.size() ? pattern[i + 1] : '\0';
    if (pattern[i] == '%' && next == 'p') {
      result += std::to_string(getpid());
      distinguished = true;
      ++i;
    } else if (pattern[i] == '%' && next == '%') {
      result += '%';
      ++i;
    } else if (size_t end; pattern.compare(i, 3, "%q{") == 0 &&
                           (end = pattern.find('}', i)) != std::string::npos) {
      const char *text =
          std::getenv(pattern.substr(i + 3, end - i - 3).c_str());
      result += text ? text : "";
      distinguished = true;
      i = end;
    } else {
      result += pattern[i];
    }
  }
  const char *own = rank();
  if (distinguished || !own || result.rfind("/dev/", 0) == 0)
    return result;
  const size_t folder = result.rfind('/');
  const size_t dot = result.rfind('.');
  const size_t at =
      dot == std::string::npos || (folder != std::string::npos && dot < folder)
          ? result.size()
          : dot;
  return result.insert(at, std::string(".") + own);
}

/// How many bytes at \p at are one character of UTF-8; 0: they are none.
static size_t characterAt(std::string_view text, size_t at) {
  const auto byte = [&](size_t i) {
    return at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : 0u;
  };
  const unsigned first = byte(0);
  const size_t length = first < 0x80                     ? 1
                        : first >= 0xc2 && first < 0xe0  ? 2
                        : first >= 0xe0 && first < 0xf0  ? 3
                        : first >= 0xf0 && first <= 0xf4 ? 4
                                                         : 0;
  for (size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xc0) != 0x80)
      return 0;
  // Surrogates and overlong forms.
  if ((first == 0xe0 && byte(1) < 0xa0) || (first == 0xed && byte(1) >= 0xa0) ||
      (first == 0xf0 && byte(1) < 0x90) || (first == 0xf4 && byte(1) >= 0x90))
    return 0;
  return length;
}

std::string jsonString(std::string_view text) {
  std::string result = "\"";
  for (size_t i = 0; i < text.size();) {
    const size_t length = characterAt(text, i);
    const auto byte = static_cast<unsigned char>(text[i]);
    if (!length) { // Latin-1, as old sources have it
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u%04x", byte);
      result += escape;
      ++i;
      continue;
    }
    if (byte == '"' || byte == '\\') {
      result += '\\';
      result += text[i];
    } else if (byte < 0x20) {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u%04x", byte);
      result += escape;
    } else {
      result += text.substr(i, length);
    }
    i += length;
  }
  return result + '"';
}

} // namespace cufort

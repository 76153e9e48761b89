//===- Variables.cpp - the names of addresses -----------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/check/Variables.h"
#include <map>

namespace cufort::check {

namespace {
struct Known {
  std::mutex mutex;
  std::map<const char *, const image::CheckVariable *> variables; // by begin
};
Known &known() {
  static auto *one = new Known;
  return *one;
}
} // namespace

void noteVariables(const image::CheckTable &table) {
  std::lock_guard lock(known().mutex);
  for (uint64_t i = 0; i < table.variableCount; ++i)
    if (const image::CheckVariable &variable = table.variables[i];
        variable.address && *variable.name)
      known().variables[static_cast<const char *>(variable.address)] =
          &variable;
}

static std::string bracketed(const image::CheckVariable &variable,
                             const int64_t *numbers) {
  std::string text = variable.name;
  for (uint32_t i = 0; i < variable.rank; ++i) {
    const std::string number = std::to_string(numbers[i]);
    if (variable.fortran)
      text += (i ? "," : "(") + number;
    else
      text += '[' + number + ']';
  }
  return variable.fortran ? text + ')' : text;
}

Name nameOfElement(const image::CheckVariable &variable, int64_t offset) {
  const uint32_t rank = variable.rank;
  if (!rank || !variable.elementBytes)
    return {variable.name, "", ""};
  int64_t number = offset / variable.elementBytes;
  if (offset < 0 && offset % variable.elementBytes)
    --number;
  int64_t subscripts[7], extents[7];
  for (uint32_t i = 0; i < rank; ++i) {
    const uint32_t at = variable.fortran ? i : rank - 1 - i;
    const auto extent = static_cast<int64_t>(variable.extents[at]);
    const bool last = i + 1 == rank;
    subscripts[at] = last || !extent ? number : number % extent;
    number = extent ? number / extent : 0;
    extents[at] = extent;
  }
  if (variable.fortran)
    for (uint32_t i = 0; i < rank; ++i)
      ++subscripts[i];
  return {variable.name, bracketed(variable, extents),
          bracketed(variable, subscripts)};
}

Name nameOf(const Thread &thread, const image::CheckSite &site,
            const void *address) {
  const char *at = static_cast<const char *>(address);
  // What the code itself has named last.
  if (thread.elementAddress == address && thread.elementRank) {
    std::string text = std::string(thread.elementName) + '(';
    for (uint32_t i = 0; i < thread.elementRank; ++i)
      text += (i ? "," : "") + std::to_string(thread.element[i]);
    return {thread.elementName, "", text + ')'};
  }
  for (const SharedVariable &each : thread.run->sharedVariables)
    if (at >= each.address &&
        (at < each.address + each.variable->bytes || !each.variable->bytes))
      return nameOfElement(*each.variable, at - each.address);
  {
    std::lock_guard lock(known().mutex);
    auto after = known().variables.upper_bound(at);
    if (after != known().variables.begin()) {
      const image::CheckVariable &variable = *std::prev(after)->second;
      const auto *begin = static_cast<const char *>(variable.address);
      if (at < begin + variable.bytes)
        return nameOfElement(variable, at - begin);
    }
  }
  return {site.name, "", ""};
}

} // namespace cufort::check

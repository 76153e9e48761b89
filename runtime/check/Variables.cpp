//===- Variables.cpp - the names of addresses -----------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/check/Variables.h"
#include <cstring>
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
  if (!rank || !variable.elementBytes || !*variable.name)
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

void noteArray(BlockRun &run, const char *address, const char *name,
               uint64_t elementBytes, uint32_t rank,
               const int64_t *dimensions) {
  for (const NamedArray &each : run.arrays)
    if (each.address == address && each.name == name)
      return;
  NamedArray array{address, name, elementBytes, {}};
  auto contiguous = static_cast<int64_t>(elementBytes);
  for (uint32_t i = 0; i < rank; ++i) {
    const int64_t lower = dimensions[3 * i], extent = dimensions[3 * i + 1],
                  stride = dimensions[3 * i + 2];
    array.dimensions.push_back({lower, extent, stride ? stride : contiguous});
    contiguous *= extent;
  }
  run.arrays.push_back(std::move(array));
}

static bool holds(const NamedArray &array, const char *address) {
  const NamedArray::Dimension &last = array.dimensions.back();
  if (last.stride <= 0 || address < array.address)
    return false;
  return last.extent < 0 || address - array.address < last.stride * last.extent;
}

/// The element of \p array at \p address.
static Name nameOfElement(const NamedArray &array, const char *address) {
  int64_t offset = address - array.address;
  std::string element, shape;
  for (size_t i = array.dimensions.size(); i-- > 0;) {
    const NamedArray::Dimension &dimension = array.dimensions[i];
    if (dimension.stride <= 0)
      return {array.name, "", ""};
    const int64_t upper = dimension.lower + dimension.extent - 1;
    const std::string end = dimension.extent < 0 ? "*" : std::to_string(upper);
    const char *separator = i ? "," : "(";
    std::string lower;
    if (dimension.lower != 1)
      lower = std::to_string(dimension.lower).append(":");
    element.insert(0,
                   std::to_string(dimension.lower + offset / dimension.stride));
    element.insert(0, separator);
    shape.insert(0, end).insert(0, lower).insert(0, separator);
    offset %= dimension.stride;
  }
  return {array.name, std::string(array.name).append(shape).append(")"),
          std::string(array.name).append(element).append(")")};
}

const char *inOwnShared(const BlockRun &run, const void *address) {
  const char *at = static_cast<const char *>(address);
  if (!run.cluster || (at >= run.shared && at < run.shared + run.sharedBytes))
    return at;
  std::lock_guard lock(run.launch->sharedMutex);
  auto after = run.launch->shared.upper_bound(at);
  if (after == run.launch->shared.begin())
    return at;
  // A little beyond its end it is meant still.
  constexpr size_t Near = 256;
  const size_t distance = at - *std::prev(after);
  return distance < run.sharedBytes + Near ? run.shared + distance : at;
}

Name nameOf(const Thread &thread, const image::CheckSite &site,
            const void *address) {
  const char *at = inOwnShared(*thread.run, address);
  // By the name that the place has for it, before all others.
  const NamedArray *array = nullptr;
  for (const NamedArray &each : thread.run->arrays)
    if (const bool isNamed = std::strcmp(each.name, site.name) == 0;
        holds(each, at) &&
        (isNamed || (!array && each.dimensions.back().extent >= 0)))
      array = &each;
  if (array)
    return nameOfElement(*array, at);
  for (const SharedVariable &each : thread.run->sharedVariables)
    if (at >= each.address &&
        at < (each.variable->bytes
                  ? each.address + each.variable->bytes
                  : thread.run->shared + thread.run->sharedBytes))
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

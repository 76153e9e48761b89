//===- Tables.h - what CUFORT_PROFILE counts --------------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_PROFILE_TABLES_H
#define CUFORT_RUNTIME_PROFILE_TABLES_H

#include "runtime/profile/Profile.h"
#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace cufort::profile {

/// Of what happened several times; in nanoseconds.
struct Times {
  uint64_t count = 0, total = 0, least = ~uint64_t(0), most = 0;

  void add(uint64_t time) {
    ++count;
    total += time;
    least = std::min(least, time);
    most = std::max(most, time);
  }
  double mean() const { return count ? double(total) / double(count) : 0; }
};

struct KernelRow {
  std::string name; ///< as the source has it
  Times times;
  uint64_t onFibers = 0; ///< of the total
  unsigned vectorBits = 0;
  int registers = 0;
  float occupancy = 0;
  std::vector<std::string> launchedAt; ///< FILE:LINE, a few of them
};

struct CopyRow {
  Times times;
  uint64_t bytes = 0;
};

struct Tables {
  std::map<std::pair<int, std::string>, KernelRow> kernels;
  /// By device, direction (the words of directionName) and whether the host's
  /// memory is pageable.
  std::map<std::tuple<int, std::string, bool>, CopyRow> copies;
  std::map<int, Times> libraries, hostFunctions;
  std::map<std::string, Times, std::less<>> calls;
  uint64_t waited = 0;
  uint64_t recorded = 0; ///< nanoseconds for which anything was

  bool isEmpty() const {
    return kernels.empty() && copies.empty() && libraries.empty() &&
           hostFunctions.empty() && calls.empty();
  }
};

/// A table for people; JSON; comma-separated values, a row for each of all.
std::string asText(const Tables &tables);
std::string asJson(const Tables &tables);
std::string asCsv(const Tables &tables);

} // namespace cufort::profile

#endif // CUFORT_RUNTIME_PROFILE_TABLES_H

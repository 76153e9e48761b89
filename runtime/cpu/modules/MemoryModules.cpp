//===- MemoryModules.cpp - what the machine's memory is -------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/cpu/modules/MemoryModules.h"
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <glob.h>
#include <set>

namespace cufort::cpu {

/// The number of \p count bytes at \p place; 0 behind the end.
static unsigned number(std::string_view structure, size_t place,
                       unsigned count) {
  unsigned value = 0;
  if (place + count <= structure.size())
    for (unsigned n = count; n-- != 0;)
      value = value << 8 | static_cast<unsigned char>(structure[place + n]);
  return value;
}

MemoryModules modulesOf(std::string_view table) {
  // Places in a structure of the kind "memory device" (SMBIOS 3.7, 7.18).
  constexpr unsigned MemoryDevice = 17;
  constexpr size_t DataWidth = 0x0a, Size = 0x0c, Speed = 0x15,
                   Configured = 0x20, LongSpeed = 0x54, LongConfigured = 0x58;
  constexpr unsigned Unknown = 0xffff; // as a width, and: the long field has it
  constexpr size_t Head = 4;
  MemoryModules found;
  while (table.size() >= Head) {
    const size_t length = number(table, 1, 1);
    if (length < Head || length > table.size())
      break;
    const std::string_view structure = table.substr(0, length);
    // Its texts follow, each with a zero, and a zero at their end.
    const size_t end = table.find(std::string_view("\0\0", 2), length);
    if (end == std::string_view::npos)
      break;
    table.remove_prefix(end + 2);
    if (number(structure, 0, 1) != MemoryDevice || !number(structure, Size, 2))
      continue;
    auto speed = [&](size_t place, size_t longPlace) {
      const unsigned value = number(structure, place, 2);
      return value == Unknown ? number(structure, longPlace, 4) : value;
    };
    unsigned transfers = speed(Configured, LongConfigured);
    if (!transfers)
      transfers = speed(Speed, LongSpeed);
    const unsigned width = number(structure, DataWidth, 2);
    if (!transfers || transfers > 1000000 || !width || width == Unknown)
      return {};
    // Millions of transfers, two in each turn of the clock.
    const int kilohertz = static_cast<int>(transfers * 500);
    const int bits = static_cast<int>(width);
    found.kilohertz =
        found.kilohertz ? std::min(found.kilohertz, kilohertz) : kilohertz;
    found.bits = found.bits ? std::min(found.bits, bits) : bits;
  }
  return found;
}

/// The first line of a file; empty if it cannot be read.
static std::string lineOf(const std::string &path) {
  char line[256] = {};
  if (FILE *file = std::fopen(path.c_str(), "re")) {
    if (!std::fgets(line, sizeof(line), file))
      line[0] = 0;
    std::fclose(file);
  }
  return line;
}

int memoryChannels(const std::string &folder) {
  glob_t modules{};
  std::set<std::string> channels;
  if (glob((folder + "/mc*/dimm*").c_str(), 0, nullptr, &modules) == 0)
    for (size_t n = 0; n != modules.gl_pathc; ++n) {
      const std::string module = modules.gl_pathv[n];
      if (std::atol(lineOf(module + "/size").c_str()) <= 0)
        continue;
      // "channel 0 slot 1": the slots of a channel share it.
      const std::string location = lineOf(module + "/dimm_location");
      int channel;
      const size_t word = location.find("channel ");
      if (word != std::string::npos &&
          std::sscanf(location.c_str() + word, "channel %d", &channel) == 1)
        channels.insert(module.substr(0, module.rfind('/')) + ' ' +
                        std::to_string(channel));
    }
  globfree(&modules);
  return static_cast<int>(channels.size());
}

} // namespace cufort::cpu

//===- MemoryModules.h - what the machine's memory is -----------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_CPU_MODULES_MEMORYMODULES_H
#define CUFORT_RUNTIME_CPU_MODULES_MEMORYMODULES_H

#include <string>
#include <string_view>

namespace cufort::cpu {

/// The modules that a machine has, as its firmware describes them.
struct MemoryModules {
  int kilohertz = 0; ///< of the slowest: half its transfers; 0: not told
  int bits = 0;      ///< the data of one, the narrowest; 0: not told
};

/// What \p table says, a table of SMBIOS (the kernel's
/// /sys/firmware/dmi/tables/DMI, which root may read). Nothing is taken from
/// what is cut off or not well formed.
MemoryModules modulesOf(std::string_view table);

/// How many channels have a module, by \p folder, where the kernel's error
/// detection describes memory controllers (/sys/devices/system/edac/mc); 0
/// where it does not.
int memoryChannels(const std::string &folder);

} // namespace cufort::cpu

#endif // CUFORT_RUNTIME_CPU_MODULES_MEMORYMODULES_H

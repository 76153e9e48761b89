//===- VirtualMemory.h - addresses and what lies behind them ----*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of the driver API: memory and addresses are made apart, and memory is mapped
// to addresses while the program runs.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_CORE_ENGINE_VIRTUALMEMORY_H
#define CUFORT_RUNTIME_CORE_ENGINE_VIRTUALMEMORY_H

#include "runtime/core/process/Error.h"
#include <cstddef>

namespace cufort {

/// CUmemGenericAllocationHandle.
using MemoryHandle = unsigned long long;

/// CUmemLocation.
struct Location {
  enum Type : int { Device = 1, Host = 2 };
  int type;
  int number;
};

/// CUmemAccessDesc.
struct AccessDescription {
  enum Flag : int { None = 0, Read = 1, ReadWrite = 3 };
  Location location;
  int flags;
};

/// CUmemAllocationProp.
struct MemoryProperties {
  int allocationType; ///< 1: pinned
  int handleTypes;    ///< how other processes may get it
  Location location;
  void *metadata; ///< of other systems
  unsigned char compression, direct;
  unsigned short usage;
  unsigned char reserved[4];
};
static_assert(sizeof(MemoryProperties) == 32);

/// Virtual memory of one engine. Handles and addresses are good on all devices
/// of its kind.
class VirtualMemory {
public:
  virtual ~VirtualMemory() = default;

#define CUFORT_VIRTUAL_MEMORY(result, name, parameters)                        \
  virtual result name parameters = 0;
#include "runtime/core/engine/VirtualMemory.def"
};

} // namespace cufort

#endif // CUFORT_RUNTIME_CORE_ENGINE_VIRTUALMEMORY_H

//===- Properties.cpp - what the CPU says of itself -----------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/cpu/Properties.h"
#include "runtime/check/Check.h"
#include "runtime/cpu/CpuEngine.h"
#include "runtime/cpu/modules/MemoryModules.h"
#include <algorithm>
#include <cpuid.h>
#include <cstdio>
#include <cstring>
#include <unistd.h>

namespace cufort::cpu {

image::CpuLevel machineLevel() {
  __builtin_cpu_init();
  if (__builtin_cpu_supports("x86-64-v4")) // Zen 4 is the one of its family
    return __builtin_cpu_is("amdfam19h") ? image::X86_64_V4
                                         : image::X86_64_V4_WIDE;
  return __builtin_cpu_supports("x86-64-v3") ? image::X86_64_V3
                                             : image::X86_64_V2;
}

unsigned vectorBits(image::CpuLevel level) {
  switch (level) {
  case image::X86_64_V2:
    return 128;
  case image::X86_64_V3:
    return 256;
  default:
    return 512;
  }
}

static std::string brand() {
  unsigned words[12] = {}, highest = __get_cpuid_max(0x80000000, nullptr);
  if (highest < 0x80000004)
    return "x86-64 processor";
  for (unsigned i = 0; i < 3; ++i)
    __get_cpuid(0x80000002 + i, &words[4 * i], &words[4 * i + 1],
                &words[4 * i + 2], &words[4 * i + 3]);
  char text[sizeof(words) + 1] = {};
  std::memcpy(text, words, sizeof(words));
  const char *start = text;
  while (*start == ' ')
    ++start;
  return start;
}

static int clockKilohertz() {
  double megahertz = 0;
  if (FILE *file = std::fopen("/proc/cpuinfo", "re")) {
    char line[256];
    while (std::fgets(line, sizeof(line), file))
      if (std::sscanf(line, "cpu MHz : %lf", &megahertz) == 1)
        break;
    std::fclose(file);
  }
  return static_cast<int>(megahertz * 1000);
}

/// What the firmware says, as far as this user may read it.
static void describeMemory(DeviceProperties &p) {
  std::string table;
  if (FILE *file = std::fopen("/sys/firmware/dmi/tables/DMI", "re")) {
    char part[4096];
    while (const size_t bytes = std::fread(part, 1, sizeof(part), file))
      table.append(part, bytes);
    std::fclose(file);
  }
  const MemoryModules modules = modulesOf(table);
  p.memoryClockKilohertz = modules.kilohertz;
  p.memoryBusBits =
      modules.bits * memoryChannels("/sys/devices/system/edac/mc");
}

DeviceProperties describeCpu(unsigned threads, image::CpuLevel level,
                             size_t memoryBytes) {
  DeviceProperties p{};
  p.name = brand();
  p.kind = "CPU";
  p.codeName =
      "x86-64-v" + std::to_string(std::min<int>(level, image::X86_64_V4) + 2);
  p.memoryBytes = memoryBytes;
  // The features of the device code's target; launch limits as on a GPU.
  p.major = 9;
  p.minor = 0;
  p.multiprocessors = static_cast<int>(threads);
  p.warpSize = 32;
  p.maxThreadsPerBlock = 1024;
  p.maxBlock[0] = p.maxBlock[1] = 1024;
  p.maxBlock[2] = 64;
  p.maxGrid[0] = 2147483647;
  p.maxGrid[1] = p.maxGrid[2] = 65535;
  p.maxThreadsPerMultiprocessor = 2048;
  p.maxBlocksPerMultiprocessor = 32;
  p.sharedBytesPerBlock = 48 * 1024;
  p.sharedBytesPerBlockOptIn = 227 * 1024;
  p.sharedBytesPerMultiprocessor = 228 * 1024;
  p.constantBytes = 64 * 1024;
  p.registersPerBlock = p.registersPerMultiprocessor = 65536;
  p.clockKilohertz = clockKilohertz();
  describeMemory(p);
  if (long bytes = sysconf(_SC_LEVEL2_CACHE_SIZE); bytes > 0)
    p.l2Bytes = static_cast<int>(bytes);
  p.maxPitch = 2147483647;
  p.textureAlignment = 256; // as allocations are aligned
  p.asyncEngines = 1;
  p.integrated = p.canMapHostMemory = p.concurrentKernels = true;
  p.unifiedAddressing = p.managedMemory = p.concurrentManagedAccess = true;
  p.cooperativeLaunch = p.preemption = true;
  // Checkers report kernels that use the host's memory: programs that ask may
  // do without.
  p.pageableMemoryAccess = !check::checking(image::CheckMemory);
  p.clusterLaunch = true;
  return p;
}

/// How large textures and surfaces may be: as on current GPUs, which is what
/// programs are written for. 0: not the number of such a limit.
static int textureLimit(int attribute) {
  switch (attribute) {
  case 21: // lines
  case 22: // planes
  case 56:
    return 131072;
  case 23:
  case 57:
    return 65536;
  case 24: // boxes
  case 25:
  case 26:
  case 58:
  case 59:
  case 60:
    return 16384;
  case 27: // layers
  case 28:
  case 42:
  case 45: // gathering
  case 46:
  case 49: // deep boxes, whose sides are shorter
  case 61:
  case 63:
  case 64:
    return 32768;
  case 29:
  case 43:
  case 62:
  case 65:
    return 2048;
  case 47:
  case 48:
    return 8192;
  case 30: // alignment of surfaces
    return 512;
  case 55: // lines of surfaces
    return 32768;
  case 69: // straight from memory
    return 1 << 28;
  case 70:
    return 131072;
  case 71:
    return 65000;
  case 72:
    return 2097120;
  case 73: // with levels
  case 74:
  case 77:
    return 32768;
  default:
    return 0;
  }
}

Error cpuAttribute(const DeviceProperties &p, int attribute, int *value) {
  // The numbers are cudaDeviceAttr's.
  switch (attribute) {
  case 1:
    return *value = p.maxThreadsPerBlock, cudaSuccess;
  case 2:
  case 3:
  case 4:
    return *value = p.maxBlock[attribute - 2], cudaSuccess;
  case 5:
  case 6:
  case 7:
    return *value = p.maxGrid[attribute - 5], cudaSuccess;
  case 8:
    return *value = static_cast<int>(p.sharedBytesPerBlock), cudaSuccess;
  case 9:
    return *value = static_cast<int>(p.constantBytes), cudaSuccess;
  case 10:
    return *value = p.warpSize, cudaSuccess;
  case 11:
    return *value = static_cast<int>(p.maxPitch), cudaSuccess;
  case 12:
    return *value = p.registersPerBlock, cudaSuccess;
  case 13:
    return *value = p.clockKilohertz, cudaSuccess;
  case 14:
    return *value = static_cast<int>(p.textureAlignment), cudaSuccess;
  case 15:
    return *value = p.asyncEngines > 0, cudaSuccess;
  case 51: // pitch of textures
    return *value = 32, cudaSuccess;
  case 16:
    return *value = p.multiprocessors, cudaSuccess;
  case 18:
    return *value = p.integrated, cudaSuccess;
  case 19:
    return *value = p.canMapHostMemory, cudaSuccess;
  case 31:
    return *value = p.concurrentKernels, cudaSuccess;
  case 38:
    return *value = p.l2Bytes, cudaSuccess;
  case 39:
    return *value = p.maxThreadsPerMultiprocessor, cudaSuccess;
  case 40:
    return *value = p.asyncEngines, cudaSuccess;
  case 41:
    return *value = p.unifiedAddressing, cudaSuccess;
  case 75:
    return *value = p.major, cudaSuccess;
  case 76:
    return *value = p.minor, cudaSuccess;
  case 81:
    return *value = static_cast<int>(p.sharedBytesPerMultiprocessor),
           cudaSuccess;
  case 82:
    return *value = p.registersPerMultiprocessor, cudaSuccess;
  case 83:
    return *value = p.managedMemory, cudaSuccess;
  case 88:
    return *value = p.pageableMemoryAccess, cudaSuccess;
  case 89:
    return *value = p.concurrentManagedAccess, cudaSuccess;
  case 95:
    return *value = p.cooperativeLaunch, cudaSuccess;
  case 120:
    return *value = p.clusterLaunch, cudaSuccess;
  case 97:
    return *value = static_cast<int>(p.sharedBytesPerBlockOptIn), cudaSuccess;
  case 86:  // native atomics between host and device
  case 78:  // stream priorities
  case 90:  // compute preemption
  case 91:  // host pointers of registered memory
  case 99:  // host register
  case 115: // memory pools
  case 102: // virtual memory
  case 103: // ... of other processes
  case 100: // pageable memory through the host's page tables
  case 101: // managed memory straight from the host
  case 122: // streams that wait for values of 64 bits
  case 123: // ... for values without certain bits
  case 125: // events of several processes
    return *value = 1, cudaSuccess;
  case 106:
    return *value = p.maxBlocksPerMultiprocessor, cudaSuccess;
  default:
    if (const int limit = textureLimit(attribute))
      return *value = limit, cudaSuccess;
    // Buses, cubes, multi-node features: the CPU has none of them.
    *value = 0;
    return attribute >= 1 && attribute <= 148 ? cudaSuccess
                                              : cudaErrorInvalidValue;
  }
}

} // namespace cufort::cpu

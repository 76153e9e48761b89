//===- Memory.cpp - device variables and descriptors ----------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/check/Allocations.h"
#include "runtime/core/ScopedMemory.h"
#include "runtime/fortran/Allocation.h"
#include "runtime/fortran/EntryPoints.h"
#include "runtime/fortran/PagedMemory.h"
#include "runtime/fortran/Transfer.h"
#include <cstdio>
#include <cstdlib>

using namespace cufort;
using namespace cufort::fortran;

/// The memory types of CUFMemAlloc: device, managed, unified, pinned.
static MemoryKind kindOfType(unsigned type) {
  return type == 0   ? MemoryKind::Device
         : type == 3 ? MemoryKind::Pinned
                     : MemoryKind::Managed;
}

void *_FortranACUFMemAlloc(size_t bytes, unsigned type, const char *file,
                           int line) {
  void *memory = nullptr;
  char detail[32];
  std::snprintf(detail, sizeof(detail), "%zu bytes", bytes);
  mustSucceed(
      {file, line}, "allocation of a device variable",
      [&](Engine &e) {
        return e.allocate(&memory, bytes ? bytes : 1, kindOfType(type));
      },
      detail);
  check::noteVariable(memory);
  if (kindOfType(type) == MemoryKind::Managed)
    haveMemory({file, line}, "allocation of a device variable",
               [&] { enterScopedMemory(memory); });
  return memory;
}

// The name our lowering uses; compiler/lower/host/SelectHostCode says why.
void *_FortranACUFDeviceMemAlloc(size_t bytes, unsigned type, const char *file,
                                 int line) {
  return _FortranACUFMemAlloc(bytes, type, file, line);
}

void _FortranACUFMemFree(void *memory, unsigned type, const char *file,
                         int line) {
  const MemoryKind kind = kindOfType(type);
  if (!memory || (kind == MemoryKind::Pinned && releasePaged(memory)))
    return;
  // The result of a function that was compiled without -gpu=mem:managed.
  if (kind == MemoryKind::Managed && !leaveScopedMemory(memory) &&
      !isKnownMemory(memory))
    return std::free(memory);
  mustSucceed({file, line}, "deallocation of a device variable",
              [&](Engine &e) { return releaseAtEnd(e, memory, kind); });
}

// Descriptors live in host memory: kernels get copies by value.
CufDescriptor *_FortranACUFAllocDescriptor(size_t bytes, const char *file,
                                           int line) {
  void *memory = faultDue("alloc") ? nullptr : std::calloc(1, bytes);
  if (!memory)
    stopProgram(file, line, "allocation of an array descriptor",
                cudaErrorMemoryAllocation, "the host's memory is exhausted");
  return static_cast<CufDescriptor *>(memory);
}

void _FortranACUFFreeDescriptor(CufDescriptor *descriptor, const char *, int) {
  std::free(descriptor);
}

void *_FortranACUFGetDeviceAddress(void *host, const char *file, int line) {
  void *address = nullptr;
  mustSucceed({file, line}, "use of a device variable", [&](Engine &e) {
    VariableReference variable = findVariable(host);
    return variable ? e.variableAddress(variable, &address)
                    : cudaErrorInvalidSymbol;
  });
  return address;
}

void _FortranACUFDescriptorSync(CufDescriptor *device,
                                const CufDescriptor *host, const char *file,
                                int line) {
  mustSucceed({file, line}, "update of a device array's descriptor",
              [&](Engine &e) {
                return e.copy(device, host, host->descriptorBytes(),
                              CopyKind::HostToDevice);
              });
}

void _FortranACUFSyncGlobalDescriptor(void *host, const char *file, int line) {
  void *device = _FortranACUFGetDeviceAddress(host, file, line);
  _FortranACUFDescriptorSync(static_cast<CufDescriptor *>(device),
                             static_cast<const CufDescriptor *>(host), file,
                             line);
}

void _FortranACUFDescriptorMoved(const CufDescriptor *descriptor,
                                 const char *file, int line) {
  syncModuleDescriptor(*descriptor, {file, line});
}

void _FortranACUFDescriptorCheckSection(const CufDescriptor *descriptor,
                                        const char *file, int line) {
  if (descriptor && descriptor->base && !descriptor->contiguous())
    stopProgram(file, line, "passing an array section to a kernel",
                cudaErrorInvalidValue,
                "the section is not contiguous, but the kernel's dummy "
                "argument needs contiguous data: copy the section to an array");
}

//===- Start.cpp - how the runtime meets flang_rt -------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// flang_rt frees allocatables through a table of allocators (automatic
// deallocation, move_alloc, derived types). Ours are installed by a
// constructor of this file; that of the entry points for allocations refers to
// it, and cufort asks for it where kernels have output in Fortran's way.
//
//===----------------------------------------------------------------------===//

#include "runtime/fortran/Start.h"
#include "runtime/fortran/Allocation.h"
#include "runtime/fortran/EntryPoints.h"
#include "runtime/fortran/Output.h"
#include "runtime/fortran/PagedMemory.h"

// What flang_rt exports (its C++ names; no header of it is installed).
namespace Fortran::runtime {
struct Allocator_t {
  void *(*alloc)(std::size_t, std::int64_t *);
  void (*free)(void *);
};
struct AllocatorRegistry {
  void Register(int position, Allocator_t allocator);
};
extern AllocatorRegistry allocatorRegistry;
} // namespace Fortran::runtime

extern "C" [[noreturn]] void _FortranAStopStatement(int code, bool isErrorStop,
                                                    bool quiet);

namespace cufort::fortran {
namespace {

template <MemoryKind Kind> void *allocate(std::size_t bytes, std::int64_t *) {
  void *memory = nullptr;
  onDevice([&](Engine &e) { return e.allocate(&memory, bytes, Kind); });
  if (Kind == MemoryKind::Pinned && !memory)
    memory = allocatePaged(bytes);
  return memory;
}

template <MemoryKind Kind> void release(void *memory) {
  if (Kind == MemoryKind::Pinned && releasePaged(memory))
    return;
  DeviceUse use = useDevice();
  // At the end of the program everything goes anyway.
  if (use.error == cudaErrorCudartUnloading)
    return;
  mustSucceed({nullptr, 0}, "deallocation of device data",
              [&](Engine &e) { return releaseAtEnd(e, memory, Kind); });
}

void errorStop(int status) {
  _FortranAStopStatement(status, /*isErrorStop=*/true, /*quiet=*/true);
}

} // namespace

void installAllocators() {
  auto &registry = Fortran::runtime::allocatorRegistry;
  registry.Register(AllocatorPinned, {allocate<MemoryKind::Pinned>,
                                      release<MemoryKind::Pinned>});
  registry.Register(AllocatorDevice, {allocate<MemoryKind::Device>,
                                      release<MemoryKind::Device>});
  for (int position : {AllocatorManaged, AllocatorUnified})
    registry.Register(position, {allocate<MemoryKind::Managed>,
                                 release<MemoryKind::Managed>});
  setProgramEnd(errorStop);
  installOutputReplay();
}

[[gnu::constructor]] static void start() { installAllocators(); }

} // namespace cufort::fortran

using namespace cufort::fortran;

void _FortranACUFInit() { installAllocators(); }

void _FortranACUFRegisterAllocator() { installAllocators(); }

// Kernels and variables come with the image; objects compiled by stock Flang
// carry none and cannot be registered.
static void foreignObject(const char *call) {
  cufort::stopProgram(nullptr, 0, call, cufort::cudaErrorInvalidKernelImage,
                      "an object file was compiled by another compiler than "
                      "cufort: compile it with cufort");
}

void *_FortranACUFRegisterModule(void *) {
  foreignObject("registration of a device module");
  return nullptr;
}

void _FortranACUFRegisterFunction(void **, const char *, char *) {
  foreignObject("registration of a kernel");
}

void _FortranACUFRegisterVariable(void **, char *, const char *, int64_t) {
  foreignObject("registration of a device variable");
}

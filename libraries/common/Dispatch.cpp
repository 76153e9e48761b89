//===- Dispatch.cpp - the vendor's library, or the CPU --------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "libraries/common/Dispatch.h"
#include "runtime/core/Device.h"
#include <cstdio>
#include <dlfcn.h>
#include <string>

namespace cufort::libraries {

bool onGpu(bool *usable) {
  const DeviceUse use = useDevice();
  *usable = use.error == cudaSuccess;
  if (!*usable)
    return false;
  size_t free, total;
  return !use.engine->deviceMemoryIsHostMemory() &&
         use.engine->memoryInformation(&free, &total) == cudaSuccess;
}

void *openVendorLibrary(const char *const *files) {
  // Where toolkits put it, if the loader does not look there.
  constexpr const char *Folders[] = {
      "", "/usr/local/cuda/lib64/",
      "/usr/local/cuda/targets/x86_64-linux/lib/"};
  for (const char *const *file = files; *file; ++file)
    for (const char *folder : Folders)
      if (void *opened = dlopen((std::string(folder) + *file).c_str(),
                                RTLD_NOW | RTLD_LOCAL))
        return opened;
  return nullptr;
}

void *VendorLibrary::open() {
  if (void *opened = handle.load(std::memory_order_acquire))
    return opened;
  if (void *opened = openVendorLibrary(files)) {
    handle.store(opened, std::memory_order_release);
    return opened;
  }
  if (!absenceSaid.exchange(true))
    std::fprintf(stderr,
                 "cufort: error: the program calls %s on a GPU, and NVIDIA's "
                 "%s is not found; it comes with %s\n",
                 name, *files, package);
  return nullptr;
}

void *VendorLibrary::valueOf(void *number) {
  void *library = handle.load(std::memory_order_acquire);
  auto which = reinterpret_cast<uintptr_t>(number);
  for (const char *const *name = values; library && *name; ++name)
    if (--which == 0)
      if (void *variable = dlsym(library, *name))
        return *static_cast<void **>(variable);
  return number;
}

Lead VendorLibrary::find(const char *function, void *onCpu, void **result) {
  bool usable;
  if (onGpu(&usable)) {
    void *library = open();
    if (!library)
      return Lead::NoLibrary;
    *result = dlsym(library, function);
    if (!*result)
      std::fprintf(stderr,
                   "cufort: error: this version of NVIDIA's %s has no %s\n",
                   name, function);
  } else {
    if (!usable && !withoutDevice)
      return Lead::NoLibrary;
    *result = onCpu;
    if (!*result)
      std::fprintf(stderr, "cufort: error: %s is not available on the CPU\n",
                   function);
  }
  return *result ? Lead::Found : Lead::NoFunction;
}

} // namespace cufort::libraries

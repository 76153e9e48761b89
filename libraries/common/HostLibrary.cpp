//===- HostLibrary.cpp - an open library of the system's ------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "libraries/common/HostLibrary.h"
#include <cstdio>
#include <dlfcn.h>

namespace cufort::libraries {

void *HostLibrary::open(bool quietly) {
  if (void *opened = handle.load(std::memory_order_acquire))
    return opened;
  for (const char *const *file = files; *file; ++file)
    if (void *opened = dlopen(*file, RTLD_NOW | RTLD_LOCAL)) {
      handle.store(opened, std::memory_order_release);
      return opened;
    }
  if (!quietly && !absenceSaid.exchange(true))
    std::fprintf(stderr,
                 "cufort: error: the program needs %s on the CPU, and %s is "
                 "not found; Debian's package %s has it\n",
                 name, *files, package);
  return nullptr;
}

void *HostLibrary::symbol(const char *symbol, bool needed) {
  void *library = open(false);
  if (!library)
    return nullptr;
  void *found = dlsym(library, symbol);
  if (!found && needed)
    std::fprintf(stderr,
                 "cufort: error: this version of %s is too old: it has no %s\n",
                 name, symbol);
  return found;
}

} // namespace cufort::libraries

//===- HostCode.cpp - host code that uses device memory -------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/check/HostCode.h"
#include "runtime/check/Allocations.h"
#include "runtime/check/Check.h"
#include "runtime/check/report/Settings.h"
#include "runtime/core/process/HostLines.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <link.h>
#include <string>
#include <unistd.h>

namespace cufort::check {
void endForHostAccess(const void *instruction, const void *address,
                      bool writes) {
  Report found;
  found.kind = Kind::Memory;
  found.rule = "host-access";
  found.title = std::string("Invalid host ") + (writes ? "write" : "read") +
                " of device memory";
  const HostLine line = lineOfHostCode(instruction);
  Place place;
  place.file = line.file;
  place.line = line.line;
  place.column = line.column;
  place.access = Access::Host;
  place.space = Space::Global;
  found.places.push_back(std::move(place));
  char text[64];
  std::snprintf(text, sizeof text, "Address %p", address);
  found.details.push_back(text);
  describeAddress(reinterpret_cast<uintptr_t>(address), found.details);
  report(found);
  const bool any = finishInSignal();
  std::fflush(nullptr);
  _exit(any && settings().exitStatus ? settings().exitStatus : 1);
}

void noteFatalSignal() {
  if (checking())
    finishInSignal();
}

} // namespace cufort::check

//===- HostCode.cpp - host code that uses device memory -------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Line tables of host code are read as LLVM's sanitizers do it: by
// llvm-symbolizer, or else by the binutils' addr2line, in a process of its own.
//
//===----------------------------------------------------------------------===//

#include "runtime/check/HostCode.h"
#include "runtime/check/Allocations.h"
#include "runtime/check/Check.h"
#include "runtime/check/report/Settings.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <link.h>
#include <string>
#include <unistd.h>

namespace cufort::check {
namespace {

std::string quotedForShell(const std::string &text) {
  std::string result = "'";
  for (char c : text)
    result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

/// The last "FILE:LINE" or "FILE:LINE:COLUMN" that \p command prints.
bool askForLine(const std::string &command, Place &place) {
  FILE *output = popen(command.c_str(), "re");
  if (!output)
    return false;
  bool found = false;
  char text[4096];
  while (std::fgets(text, sizeof text, output)) {
    std::string line(text, std::strcspn(text, "\n"));
    unsigned numbers[2] = {0, 0}, count = 0;
    while (count < 2) {
      const size_t colon = line.rfind(':');
      if (colon == std::string::npos)
        break;
      char *end;
      const unsigned long number =
          std::strtoul(line.c_str() + colon + 1, &end, 10);
      // "12 (discriminator 1)" is line 12.
      if (end == line.c_str() + colon + 1 || (*end && *end != ' '))
        break;
      numbers[count++] = static_cast<unsigned>(number);
      line.erase(colon);
    }
    const unsigned number = count == 2 ? numbers[1] : numbers[0];
    if (!count || !number || line == "??")
      continue;
    place.file = line;
    place.line = number;
    place.column = count == 2 ? numbers[0] : 0;
    found = true;
  }
  pclose(output);
  return found;
}

/// Where \p instruction stands in the source; line 0: nobody knows.
Place placeOfCode(const void *instruction) {
  Place place;
  Dl_info info;
  const link_map *object = nullptr;
  if (!dladdr1(instruction, &info,
               reinterpret_cast<void **>(const_cast<link_map **>(&object)),
               RTLD_DL_LINKMAP) ||
      !object)
    return place;
  const std::string file =
      *object->l_name ? object->l_name : std::string("/proc/self/exe");
  char path[4096];
  const ssize_t length = readlink(file.c_str(), path, sizeof path - 1);
  const std::string program =
      length > 0 && !*object->l_name ? std::string(path, size_t(length)) : file;
  char offset[32];
  std::snprintf(offset, sizeof offset, "0x%zx",
                reinterpret_cast<uintptr_t>(instruction) - object->l_addr);
  const std::string arguments =
      " -e " + quotedForShell(program) + " " + offset + " 2>/dev/null";
  for (const char *tool : {"llvm-symbolizer --no-inlines",
                           "llvm-symbolizer-22 --no-inlines", "addr2line"})
    if (askForLine(tool + arguments, place))
      break;
  return place;
}

} // namespace

void endForHostAccess(const void *instruction, const void *address,
                      bool writes) {
  Report found;
  found.kind = Kind::Memory;
  found.rule = "host-access";
  found.title = std::string("Invalid host ") + (writes ? "write" : "read") +
                " of device memory";
  Place place = placeOfCode(instruction);
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

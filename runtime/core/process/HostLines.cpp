//===- HostLines.cpp - lines of host code ---------------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/core/process/HostLines.h"
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <link.h>
#include <unistd.h>

namespace cufort {

static std::string quotedForShell(const std::string &text) {
  std::string result = "'";
  for (char c : text)
    result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

/// The last "FILE:LINE" or "FILE:LINE:COLUMN" that \p command prints.
static bool askForLine(const std::string &command, HostLine &place) {
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

HostLine lineOfHostCode(const void *instruction) {
  HostLine place;
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

} // namespace cufort

//===- KernelPlace.cpp - where in a kernel something happened -------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/cpu/launches/KernelPlace.h"
#include "runtime/core/Names.h"
#include "runtime/core/process/FaultInjection.h"
#include "runtime/cpu/launches/Fibers.h"
#include "runtime/cpu/launches/KernelOperation.h"
#include "runtime/cpu/launches/KernelOutput.h"
#include "runtime/cpu/launches/SourceLines.h"
#include <cstdio>
#include <string>

namespace cufort::cpu {

KernelPlace currentPlace(const void *instruction) {
  KernelPlace place;
  place.kernel = Running.kernel;
  place.instruction = instruction;
  if (Running.operation && Running.block)
    place.block = Running.operation->blockIndex(*Running.block);
  place.hasThread = FiberPool::runningPlace(place);
  return place;
}

/// C's files; everything else counts from one.
static bool isOfC(const std::string &file, const char *symbol) {
  const size_t dot = file.rfind('.');
  const std::string suffix =
      dot == std::string::npos ? "" : file.substr(dot + 1);
  if (suffix.empty())
    return firstIndex(symbol) == 0;
  for (const char *each : {"cu", "cuh", "h", "hpp", "cpp", "cc", "c", "inl"})
    if (suffix == each)
      return true;
  return false;
}

static void report(const KernelPlace &place, const char *what, const char *file,
                   unsigned line) {
  SourceLine source;
  if (file)
    source = {file, file, line};
  else if (place.instruction)
    source = sourceLineOf(place.instruction);
  const uint32_t first = isOfC(source.file, place.kernel) ? 0 : 1;
  auto index = [&](const image::Dim3 &value) {
    return "(" + std::to_string(value.x + first) + "," +
           std::to_string(value.y + first) + "," +
           std::to_string(value.z + first) + ")";
  };
  std::string text;
  if (source.line)
    text = source.file + ":" + std::to_string(source.line) + ": ";
  text +=
      "kernel " + readableName(place.kernel) + ", block " + index(place.block);
  if (place.hasThread)
    text += ", thread " + index(place.thread);
  text += ": " + std::string(what) + "\n";
  if (const std::string statement = source.line ? textOf(source) : "";
      !statement.empty())
    text += "    " + statement + "\n";
  if (!source.line)
    text += "  compile with -g to see the line and the thread\n";
  else if (!place.hasThread)
    text += "  compile with -g to see the thread\n";
  std::fflush(stdout);
  std::fputs(text.c_str(), stderr);
}

void reportAt(const KernelPlace &place, const char *what, const char *file,
              unsigned line) {
  if (place.kernel)
    (void)catchExhaustion([&] {
      report(place, what, file, line);
      return cudaSuccess;
    });
}

} // namespace cufort::cpu

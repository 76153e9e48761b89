//===- Subcommands.cpp - cufort run, info and view ------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/driver/options/Subcommands.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

using namespace cufort::driver;
using llvm::StringRef;

void cufort::driver::takeSubcommand(
    CommandLine &line, llvm::SmallVectorImpl<const char *> &arguments) {
  if (arguments.empty())
    return;
  StringRef first = arguments.front();
  line.subcommand = first == "run"    ? CommandLine::Run
                    : first == "info" ? CommandLine::Info
                    : first == "view" ? CommandLine::View
                                      : CommandLine::Compile;
  if (line.subcommand == CommandLine::Compile)
    return;
  arguments.erase(arguments.begin());
  if (line.subcommand == CommandLine::View) {
    line.programArguments.assign(arguments.begin(), arguments.end());
    arguments.clear();
    return;
  }
  if (line.subcommand == CommandLine::Info) {
    // For scripts; the device program reads it.
    auto json = llvm::find_if(arguments, [](const char *each) {
      return StringRef(each) == "--json";
    });
    if (json != arguments.end()) {
      line.programArguments.push_back(*json);
      arguments.erase(json);
    }
    return;
  }
  auto end = llvm::find_if(
      arguments, [](const char *each) { return StringRef(each) == "--"; });
  if (end == arguments.end())
    return;
  line.programArguments.assign(end + 1, arguments.end());
  arguments.erase(end, arguments.end());
}

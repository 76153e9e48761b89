//===- CheckOption.cpp - --check and its list -----------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/driver/options/CheckOption.h"
#include "compiler/driver/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

using namespace cufort;
using namespace cufort::driver;
using llvm::StringRef;

namespace {

struct Word {
  const char *name;
  bool CheckOptions::*checker;
};

} // namespace

// docs/command-line.md lists the same words.
static constexpr Word words[] = {
    {"memory", &CheckOptions::memory},
    {"race", &CheckOptions::race},
    {"init", &CheckOptions::init},
    {"sync", &CheckOptions::sync},
    {"same-value", &CheckOptions::sameValue},
};

void cufort::driver::addAllCheckers(CheckOptions &check) {
  check.memory = check.race = check.init = check.sync = true;
}

bool cufort::driver::applyCheckOption(llvm::ArrayRef<const char *> values,
                                      CheckOptions &check) {
  for (StringRef value : values) {
    const auto *word = llvm::find_if(
        words, [&](const Word &each) { return value == each.name; });
    if (word == std::end(words))
      return error("'--check=': '" + value +
                   "' is not a checker; the checkers are memory, race, init "
                   "and sync, and same-value beside race");
    check.*word->checker = true;
  }
  if (values.empty())
    return error("'--check=' needs one or more of memory, race, init and sync");
  if (check.sameValue && !check.race)
    return error("'--check=same-value': it goes with race: "
                 "'--check=race,same-value'");
  return true;
}

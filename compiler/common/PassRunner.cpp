//===- PassRunner.cpp - runs the passes of both engines -------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/common/PassRunner.h"
#include "compiler/common/PassErrors.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace cufort;

static SmallVector<StringRef> namesOf(StringRef list) {
  SmallVector<StringRef> names;
  list.split(names, ',', -1, /*KeepEmpty=*/false);
  return names;
}

bool PassOptions::isDisabled(StringRef name) const {
  return is_contained(namesOf(disable), name);
}

bool PassOptions::isPrinted(StringRef name) const {
  return is_contained(namesOf(printAfter), name);
}

Error cufort::cannotBeLeftOut(StringRef name) {
  return createStringError(inconvertibleErrorCode(),
                           Twine("the pass '") + name + "' cannot be left out");
}

static bool isBroken(const Module &module, raw_ostream &stream) {
  return verifyModule(module, &stream);
}

static bool isBroken(const Function &function, raw_ostream &stream) {
  return verifyFunction(function, &stream);
}

template <typename Unit>
static Expected<PassTime> runOn(const PassName &pass,
                                const PassOptions &options, Unit &unit,
                                function_ref<Expected<bool>()> run) {
  if (options.isDisabled(pass.name)) {
    if (pass.optional)
      return PassTime(0);
    return cannotBeLeftOut(pass.name);
  }
  auto start = std::chrono::steady_clock::now();
  Expected<bool> changed = run();
  if (!changed)
    return changed.takeError();
  PassTime time = std::chrono::steady_clock::now() - start;
  if (options.isPrinted(pass.name))
    errs() << "; after " << pass.name << '\n' << unit;
  std::string broken;
  raw_string_ostream stream(broken);
  if (*changed && isBroken(unit, stream))
    return createStringError(inconvertibleErrorCode(),
                             Twine("internal error: the pass '") + pass.name +
                                 "' left an invalid module: " + broken);
  return time;
}

Expected<PassTime> cufort::runPass(const PassName &pass,
                                   const PassOptions &options, Module &module,
                                   function_ref<Expected<bool>()> run) {
  return runOn(pass, options, module, run);
}

Expected<PassTime> cufort::runPass(const PassName &pass,
                                   const PassOptions &options,
                                   Function &function,
                                   function_ref<Expected<bool>()> run) {
  return runOn(pass, options, function, run);
}

void cufort::showPassTime(StringRef name, PassTime time) {
  errs() << format("%8.1f ms  ", time.count()) << name << '\n';
}

Error cufort::checkPassNames(const PassOptions &options,
                             function_ref<bool(StringRef)> isKnown) {
  for (const std::string *list : {&options.printAfter, &options.disable})
    for (StringRef name : namesOf(*list))
      if (!isKnown(name))
        return createStringError(inconvertibleErrorCode(),
                                 Twine("there is no pass '") + name +
                                     "'; --help-passes lists them");
  return Error::success();
}

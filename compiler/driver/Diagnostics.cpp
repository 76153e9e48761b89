//===- Diagnostics.cpp - what the driver says to the user -----------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/driver/Diagnostics.h"
#include "compiler/common/SourceLocation.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

using namespace cufort;

static bool warningsSuppressed = false;

using Severity = llvm::raw_ostream &(llvm::raw_ostream &, llvm::StringRef,
                                     bool);

/// Before the severity stands the location that \p text begins with, or cufort.
static void say(Severity severity, const llvm::Twine &text) {
  std::string whole = text.str();
  llvm::StringRef rest = whole;
  const size_t location = locationLength(rest);
  severity(llvm::errs(),
           location ? rest.take_front(location).drop_back(2) : "cufort", false)
      << rest.drop_front(location) << '\n';
}

bool driver::error(const llvm::Twine &text) {
  say(llvm::WithColor::error, text);
  return false;
}

bool driver::error(llvm::Error failure) {
  llvm::handleAllErrors(
      std::move(failure),
      [](const llvm::ErrorInfoBase &info) { error(info.message()); });
  return false;
}

bool driver::finishOutput() {
  llvm::outs().flush();
  const std::error_code failure = llvm::outs().error();
  if (!failure)
    return true;
  llvm::outs().clear_error();
  return error("cannot write the output: " + failure.message());
}

void driver::warning(const llvm::Twine &text) {
  if (!warningsSuppressed)
    say(llvm::WithColor::warning, text);
}

void driver::note(const llvm::Twine &text) { say(llvm::WithColor::note, text); }

void driver::suppressWarnings() { warningsSuppressed = true; }

llvm::Error driver::failure(const llvm::Twine &text) {
  return llvm::createStringError(text);
}

//===- Diagnostics.cpp - what the driver says to the user -----------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/driver/Diagnostics.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

using namespace cufort;

static bool warningsSuppressed = false;

bool driver::error(const llvm::Twine &text) {
  llvm::WithColor::error(llvm::errs(), "cufort") << text << '\n';
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
    llvm::WithColor::warning(llvm::errs(), "cufort") << text << '\n';
}

void driver::note(const llvm::Twine &text) {
  llvm::WithColor::note(llvm::errs(), "cufort") << text << '\n';
}

void driver::suppressWarnings() { warningsSuppressed = true; }

llvm::Error driver::failure(const llvm::Twine &text) {
  return llvm::createStringError(text);
}

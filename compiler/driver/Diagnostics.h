//===- Diagnostics.h - what the driver says to the user ---------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All of the driver's own messages have one form: "cufort: error: text", with
// the text in lower case and without a full stop. A text that begins with the
// location of device code in a source file (common/SourceLocation.h) is printed
// as those that come from Flang and Clang are: "FILE:LINE:COLUMN: error: text".
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_DRIVER_DIAGNOSTICS_H
#define CUFORT_COMPILER_DRIVER_DIAGNOSTICS_H

#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"

namespace cufort::driver {

/// Prints "cufort: error: text" and returns false, so that a check can end
/// with `return error(...)`.
bool error(const llvm::Twine &text);

/// Prints every message that \p failure holds as an error; returns false.
bool error(llvm::Error failure);

/// Writes what is left of standard output; false, with an error, if that or
/// something before could not be written.
bool finishOutput();

void warning(const llvm::Twine &text);
void note(const llvm::Twine &text);

/// After this, warning() prints nothing (-w).
void suppressWarnings();

/// An error that carries a finished user-level message.
llvm::Error failure(const llvm::Twine &text);

} // namespace cufort::driver

#endif // CUFORT_COMPILER_DRIVER_DIAGNOSTICS_H

//===- PassNames.h - the passes over FIR and device code --------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_DRIVER_PASSNAMES_H
#define CUFORT_COMPILER_DRIVER_PASSNAMES_H

#include "llvm/Support/Error.h"

namespace llvm {
class raw_ostream;
}

namespace cufort {
struct PassOptions;
}

namespace cufort::driver {

/// An error for the first name that \p options give to no pass, or to one over
/// FIR that is to be left out: none of those can.
llvm::Error checkPasses(const PassOptions &options);

/// Writes the passes over FIR and those of both engines in their order, a line
/// each; what cannot be left out is marked.
void listPasses(llvm::raw_ostream &out);

} // namespace cufort::driver

#endif // CUFORT_COMPILER_DRIVER_PASSNAMES_H

//===- PassErrors.h - what is wrong with a list of passes -------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_COMMON_PASSERRORS_H
#define CUFORT_COMPILER_COMMON_PASSERRORS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace cufort {

/// The error for a pass without which the code would not be correct.
llvm::Error cannotBeLeftOut(llvm::StringRef name);

} // namespace cufort

#endif // CUFORT_COMPILER_COMMON_PASSERRORS_H

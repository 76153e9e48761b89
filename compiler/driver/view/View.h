//===- View.h - cufort view -------------------------------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_DRIVER_VIEW_VIEW_H
#define CUFORT_COMPILER_DRIVER_VIEW_VIEW_H

#include "llvm/ADT/ArrayRef.h"
#include <string>

namespace cufort::driver {

/// `cufort view` with what follows it; the exit status.
int viewTrace(llvm::ArrayRef<std::string> arguments);

} // namespace cufort::driver

#endif // CUFORT_COMPILER_DRIVER_VIEW_VIEW_H

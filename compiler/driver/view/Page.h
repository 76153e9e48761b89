//===- Page.h - a trace as one HTML page ------------------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_DRIVER_VIEW_PAGE_H
#define CUFORT_COMPILER_DRIVER_VIEW_PAGE_H

#include "compiler/driver/view/TraceFile.h"
#include "llvm/Support/raw_ostream.h"

namespace cufort::driver {

/// Writes \p page with \p trace at its mark, whose title is \p title. What
/// kernels compute and move is that of \p counts, or null: of \p trace.
llvm::Error writePage(llvm::raw_ostream &out, llvm::StringRef page,
                      llvm::StringRef title, const TraceData &trace,
                      const TraceData *counts);

} // namespace cufort::driver

#endif // CUFORT_COMPILER_DRIVER_VIEW_PAGE_H

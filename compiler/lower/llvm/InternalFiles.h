//===- InternalFiles.h - input and output with characters -------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_LOWER_LLVM_INTERNALFILES_H
#define CUFORT_COMPILER_LOWER_LLVM_INTERNALFILES_H

namespace llvm {
class Module;
}

namespace cufort::lower {

/// Takes the statements of \p device whose unit is a character variable to the
/// device library's formatting (device/internal/statement.c): the calls that
/// belong to such a statement get names of their own, so that kernels that only
/// print do not contain it, and the statement gets memory for its state. Needs
/// Flang's calls, each with the value that the beginning of the statement
/// returned.
void lowerInternalFiles(llvm::Module &device);

} // namespace cufort::lower

#endif // CUFORT_COMPILER_LOWER_LLVM_INTERNALFILES_H

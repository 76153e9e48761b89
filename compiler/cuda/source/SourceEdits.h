//===- SourceEdits.h - what Clang does not read as nvcc does -- -*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CUDA_SOURCE_SOURCEEDITS_H
#define CUFORT_COMPILER_CUDA_SOURCE_SOURCEEDITS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <vector>

namespace clang {
class CompilerInstance;
class LangOptions;
} // namespace clang

namespace cufort::cuda {

/// \p text in the place of \p length characters at \p place of a file.
struct SourceEdit {
  size_t place, length;
  llvm::StringRef text;
};

/// A form of which Clang's grammar knows another spelling.
struct SourceForm {
  /// What a file that has the form contains; others are not looked at.
  llvm::StringRef sign;
  /// Its edits, in the order of their places.
  std::vector<SourceEdit> (*edits)(llvm::StringRef text,
                                   const clang::LangOptions &options);
  /// What is warned of at the first edit of a file; empty: nothing.
  llvm::StringRef warning = "";
};

/// Edits \p forms in the main file and in headers that are not the system's,
/// one form after the other. What macros make of a text is not looked at.
/// Needs a preprocessor that has not begun.
void editSources(clang::CompilerInstance &instance,
                 llvm::ArrayRef<const SourceForm *> forms);

} // namespace cufort::cuda

#endif // CUFORT_COMPILER_CUDA_SOURCE_SOURCEEDITS_H

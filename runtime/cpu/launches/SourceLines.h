//===- SourceLines.h - from an address to a source line ---------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads DWARF's line tables, versions 2 to 5, of the program's own file, when a
// kernel has failed. Nothing of it is kept.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_CPU_LAUNCHES_SOURCELINES_H
#define CUFORT_RUNTIME_CPU_LAUNCHES_SOURCELINES_H

#include <string>

namespace cufort::cpu {

struct SourceLine {
  std::string file; ///< as the compiler was given it
  std::string path; ///< with the folder in which it was compiled
  unsigned line = 0;
};

/// The line of the instruction at \p address; line 0: there are no tables, or
/// none has it. May throw std::bad_alloc.
SourceLine sourceLineOf(const void *address);

/// The text of \p place without blanks around it, if the file is still there.
std::string textOf(const SourceLine &place);

} // namespace cufort::cpu

#endif // CUFORT_RUNTIME_CPU_LAUNCHES_SOURCELINES_H

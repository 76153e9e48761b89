//===- HostLines.h - lines of host code -------------------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Line tables of host code are read as LLVM's sanitizers do it: by
// llvm-symbolizer, or else by the binutils' addr2line, in a process of its own.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_CORE_PROCESS_HOSTLINES_H
#define CUFORT_RUNTIME_CORE_PROCESS_HOSTLINES_H

#include <string>

namespace cufort {

struct HostLine {
  std::string file;
  unsigned line = 0, column = 0; ///< 0: not known
};

/// Where \p instruction of the program stands in its source, as far as it was
/// compiled with line tables.
HostLine lineOfHostCode(const void *instruction);

} // namespace cufort

#endif // CUFORT_RUNTIME_CORE_PROCESS_HOSTLINES_H

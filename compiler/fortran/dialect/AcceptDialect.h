//===- AcceptDialect.h - what other compilers accept ------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_FORTRAN_DIALECT_ACCEPTDIALECT_H
#define CUFORT_COMPILER_FORTRAN_DIALECT_ACCEPTDIALECT_H

#include <string>
#include <vector>

namespace Fortran::parser {
class Parsing;
}

namespace cufort {

/// Spellings of existing programs that Flang cannot parse, replaced in the
/// text: attributes(value) as a statement becomes VALUE, and ALIGN= in
/// ALLOCATE is left out (device memory is aligned to 256 bytes). Needs a
/// prescanned source, before it is parsed; every character keeps its place.
void acceptDialectText(Fortran::parser::Parsing &parsing);

/// What existing programs write and Flang's semantics refuses, in the parse
/// tree: PURE kernels (kernels have no results; the prefix is dropped),
/// the predefined variables in the ONLY list of cudafor (device code has them
/// without it), functions of the CUDA runtime
/// without their parentheses (a warning), STREAM= in array intrinsics of device
/// arrays (they wait for every stream). Needs a parsed program, before
/// semantics.
/// With \p managedAllocatables (-gpu=mem:managed) allocatable components that
/// have no memory attribute get MANAGED. \p moduleFolders is where cudafor.mod
/// may be.
void acceptDialect(Fortran::parser::Parsing &parsing, bool managedAllocatables,
                   const std::vector<std::string> &moduleFolders);

} // namespace cufort

#endif // CUFORT_COMPILER_FORTRAN_DIALECT_ACCEPTDIALECT_H

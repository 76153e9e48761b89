//===- RepairParseTree.h - what semantics would stumble over ----*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_FORTRAN_DIALECT_REPAIRPARSETREE_H
#define CUFORT_COMPILER_FORTRAN_DIALECT_REPAIRPARSETREE_H

namespace Fortran::parser {
struct Program;
}

namespace cufort {

/// Completes what Flang parses and its semantics then ends the process on:
/// launch_bounds with one argument gets the neutral second one (at least one
/// block per multiprocessor). Dummy arguments of host procedures with the
/// attribute constant (guide 3.2.2), which semantics refuses, become device
/// ones: to the host both are addresses it transfers to and from. Needs a
/// parsed program, before semantics, with the procedures' attributes in their
/// prefixes.
void repairParseTree(Fortran::parser::Program &program);

} // namespace cufort

#endif // CUFORT_COMPILER_FORTRAN_DIALECT_REPAIRPARSETREE_H

//===- CudaAttributes.h - attributes in forms Flang refuses -----*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_FORTRAN_DIALECT_CUDAATTRIBUTES_H
#define CUFORT_COMPILER_FORTRAN_DIALECT_CUDAATTRIBUTES_H

#include <map>
#include <string>

namespace Fortran::parser {
class Parsing;
struct Program;
} // namespace Fortran::parser

namespace cufort {

/// The attributes statements of procedures that Flang's grammar does not know,
/// by the address of the statement in the cooked source: the names between the
/// parentheses.
using AttributeStatements = std::map<const char *, std::string>;

/// Finds `attributes(global) :: name` and the like (`grid_global`, `host`,
/// `host,device`) and writes over the attributes so that the statement parses,
/// as that of a device variable. Needs a prescanned file; leaves lines of the
/// same length.
AttributeStatements
readAttributeStatements(const Fortran::parser::Parsing &parsing);

/// Moves the attributes that a statement of its specification part gives a
/// procedure to the prefix of its own statement. Needs a parsed program, before
/// semantics.
void repairCudaAttributes(Fortran::parser::Program &program,
                          const AttributeStatements &statements);

} // namespace cufort

#endif // CUFORT_COMPILER_FORTRAN_DIALECT_CUDAATTRIBUTES_H

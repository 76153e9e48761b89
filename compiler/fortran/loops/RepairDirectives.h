//===- RepairDirectives.h - what the parser would stumble over --*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_FORTRAN_LOOPS_REPAIRDIRECTIVES_H
#define CUFORT_COMPILER_FORTRAN_LOOPS_REPAIRDIRECTIVES_H

namespace Fortran::parser {
class CookedSource;
}

namespace cufort {

/// Rewrites `!$cuf kernel do` directives in the prescanned source, which keeps
/// its length: an extent that starts with a parenthesis and is no list gets a
/// sign, one that is left out an asterisk, and the bytes of dynamic shared
/// memory, for which Flang takes 0 only and which no kernel loop can use, go.
/// Needs the source after prescanning and before parsing.
void repairDirectives(const Fortran::parser::CookedSource &source);

} // namespace cufort

#endif // CUFORT_COMPILER_FORTRAN_LOOPS_REPAIRDIRECTIVES_H

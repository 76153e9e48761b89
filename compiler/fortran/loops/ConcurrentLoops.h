//===- ConcurrentLoops.h - DO CONCURRENT as kernel loop ---------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For KernelLoopRepair: a `do concurrent` under `!$cuf kernel do` becomes
// nested loops.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_FORTRAN_LOOPS_CONCURRENTLOOPS_H
#define CUFORT_COMPILER_FORTRAN_LOOPS_CONCURRENTLOOPS_H

#include "flang/Parser/parse-tree.h"
#include <string>
#include <vector>

namespace cufort {

inline Fortran::parser::Block &bodyOf(Fortran::parser::DoConstruct &loop) {
  return std::get<Fortran::parser::Block>(loop.t);
}

inline std::optional<Fortran::parser::LoopControl> &
controlOf(Fortran::parser::DoConstruct &loop) {
  return std::get<std::optional<Fortran::parser::LoopControl>>(
      std::get<Fortran::parser::Statement<Fortran::parser::NonLabelDoStmt>>(
          loop.t)
          .statement.t);
}

/// A variable of which each iteration has its own.
struct LocalVariable {
  std::string name;
  bool hasValue; ///< LOCAL_INIT: it begins with the variable's value
};

/// The variables that the LOCAL and LOCAL_INIT of a `do concurrent` name.
std::vector<LocalVariable> localsOf(Fortran::parser::DoConstruct &loop);

/// What splitConcurrent takes from the heads of several loops.
struct ConcurrentParts {
  std::vector<LocalVariable> locals;
  std::vector<Fortran::parser::TypeDeclarationStmt> declarations;
  bool isAny = false; ///< whether there was one
};

/// The one loop that the body of \p loop has, null if there is none or several.
Fortran::parser::DoConstruct *loopWithin(Fortran::parser::DoConstruct &loop);

/// How many indices a `do concurrent` has.
int indexCount(Fortran::parser::DoConstruct &loop);

/// The declaration of its indices that a `do concurrent` may have in its head:
/// other loops have none.
std::optional<Fortran::parser::TypeDeclarationStmt>
takeIndexDeclaration(Fortran::parser::DoConstruct &loop);

/// Puts what is from \p first to \p last into a BLOCK with \p declaration, and
/// returns its place.
Fortran::parser::Block::iterator
enclose(Fortran::parser::Block &block, Fortran::parser::Block::iterator first,
        Fortran::parser::Block::iterator last,
        Fortran::parser::CharBlock source,
        Fortran::parser::TypeDeclarationStmt &&declaration);

/// Turns `do concurrent` into nested loops, the last index innermost. Returns
/// how many they are.
int splitConcurrent(Fortran::parser::DoConstruct &loop,
                    std::list<Fortran::parser::CUFReduction> &clauses);

/// The same of each that is among the \p depth parallel loops that begin with
/// \p loop, whichever form these have. Returns how many loops can be parallel:
/// what a mask is asked for lies within it.
int splitConcurrent(Fortran::parser::DoConstruct &loop, int depth,
                    std::list<Fortran::parser::CUFReduction> &clauses,
                    ConcurrentParts &parts);

} // namespace cufort

#endif // CUFORT_COMPILER_FORTRAN_LOOPS_CONCURRENTLOOPS_H

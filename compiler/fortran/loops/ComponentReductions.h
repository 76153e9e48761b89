//===- ComponentReductions.h - reduce(+: record%x) --------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_FORTRAN_LOOPS_COMPONENTREDUCTIONS_H
#define CUFORT_COMPILER_FORTRAN_LOOPS_COMPONENTREDUCTIONS_H

namespace Fortran::parser {
class AllCookedSources;
struct Program;
} // namespace Fortran::parser
namespace mlir {
class ModuleOp;
}

namespace cufort {

/// Flang lowers the variables of a REDUCE clause to operands of the kernel
/// loop only where they are names; of `reduce(+: record%x)` the loop has the
/// operation alone, and does not verify. The operations of components become
/// an attribute of the loop here (lower::ComponentReductionsAttribute). Needs
/// the analysed \p program and the \p module that it was lowered to.
void noteComponentReductions(const Fortran::parser::Program &program,
                             const Fortran::parser::AllCookedSources &sources,
                             mlir::ModuleOp module);

} // namespace cufort

#endif // CUFORT_COMPILER_FORTRAN_LOOPS_COMPONENTREDUCTIONS_H

//===- KernelLoopShapes.h - dim3 in kernel loops ----------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_FORTRAN_LOOPS_KERNELLOOPSHAPES_H
#define CUFORT_COMPILER_FORTRAN_LOOPS_KERNELLOOPSHAPES_H

#include "flang/Parser/parse-tree.h"

namespace cufort {

/// The number of loops that the directive names; 1 if it is not a literal.
int kernelLoopDepth(
    const Fortran::parser::CUFKernelDoConstruct::Directive &directive);

/// Lets kernel loops take their grid and block from variables of type(dim3), as
/// launches do: `<<<grid, block>>>` becomes `<<<(grid%x, grid%y), ...>>>` with
/// a component for each parallel loop. The variables must be declared in the
/// program unit or in one around it. Needs a parsed program with literal
/// depths, before semantics, which wants integers.
void splitKernelLoopShapes(Fortran::parser::Program &program);

} // namespace cufort

#endif // CUFORT_COMPILER_FORTRAN_LOOPS_KERNELLOOPSHAPES_H

//===- RepairKernelLoops.h - kernel loops as semantics wants them ---------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_FORTRAN_LOOPS_REPAIRKERNELLOOPS_H
#define CUFORT_COMPILER_FORTRAN_LOOPS_REPAIRKERNELLOOPS_H

#include <memory>

namespace Fortran::parser {
class AllCookedSources;
class Messages;
struct Program;
} // namespace Fortran::parser
namespace mlir {
class ModuleOp;
}

namespace cufort {

/// What programs write under `!$cuf kernel do` and Flang's semantics refuses or
/// its lowering breaks on. Assignments between two parallel loops move into the
/// inner one, where executing them again is harmless. DO CONCURRENT becomes
/// nested loops, its mask an IF, its REDUCE a clause of the directive, and what
/// is LOCAL or LOCAL_INIT is noted for the lowering. CYCLE,
/// EXIT and GOTO, which semantics does not want in a kernel loop, are hidden
/// from it as CONTINUE and come back for the lowering.
class KernelLoopRepair {
public:
  KernelLoopRepair();
  ~KernelLoopRepair();
  /// Needs a parsed program; reports jumps out of the parallel loops.
  void beforeSemantics(Fortran::parser::Program &program,
                       Fortran::parser::Messages &messages);
  /// Needs the same program.
  void afterSemantics();
  /// Needs the \p module that the program was lowered to; leaves attributes of
  /// its kernel loops (lower::LoopLocalsAttribute).
  void afterLowering(const Fortran::parser::AllCookedSources &sources,
                     mlir::ModuleOp module);

private:
  struct Hidden;
  std::unique_ptr<Hidden> hidden;
};

} // namespace cufort

#endif // CUFORT_COMPILER_FORTRAN_LOOPS_REPAIRKERNELLOOPS_H

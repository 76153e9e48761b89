//===- LargeLocals.cpp - large local variables of host procedures ---------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Other compilers give large local variables static memory, and programs that
// were written with them have some that no stack holds: they would end with a
// segmentation fault when the procedure is entered. Memory of the heap is as
// good in recursive procedures and in parallel regions.
//
//===----------------------------------------------------------------------===//

#include "compiler/lower/Passes.h"
#include "flang/Optimizer/Dialect/FIRDialect.h"
#include "flang/Optimizer/Dialect/FIROps.h"
#include "flang/Optimizer/Dialect/Support/FIRContext.h"
#include "flang/Optimizer/Dialect/Support/KindMapping.h"
#include "flang/Optimizer/Transforms/MemoryUtils.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;

/// What one variable may take of a stack, in bytes: a hundredth of what most
/// systems give a thread. An allocation costs little beside the use of more.
static constexpr uint64_t maxOnStack = 64 * 1024;

namespace {

struct LargeLocals : public PassWrapper<LargeLocals, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(LargeLocals)
  StringRef getArgument() const override { return "lower-large-locals"; }
  StringRef getDescription() const override {
    return "Put large local variables of the host into the heap";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<fir::FIROpsDialect>();
  }

  void runOnOperation() override {
    const DataLayout layout(getOperation());
    const fir::KindMapping kinds = fir::getKindMapping(getOperation());
    auto isLarge = [&](fir::AllocaOp variable) {
      if (variable.isDynamic())
        return false;
      auto size = fir::getTypeSizeAndAlignment(
          variable.getLoc(), variable.getInType(), layout, kinds);
      return size && size->first > maxOnStack;
    };
    IRRewriter rewriter(&getContext());
    for (auto procedure : getOperation().getOps<func::FuncOp>())
      if (!procedure.isDeclaration())
        fir::replaceAllocas(rewriter, procedure, isLarge, allocate, free);
  }

private:
  /// Null where the end of the variable's life is reached by ways past its
  /// beginning: such a variable stays where it is.
  static Value allocate(OpBuilder &builder, fir::AllocaOp variable,
                        bool dominatesEnd) {
    if (!dominatesEnd)
      return {};
    return fir::AllocMemOp::create(
        builder, variable.getLoc(), variable.getInType(),
        variable.getUniqName().value_or(""), ValueRange(), ValueRange());
  }

  static void free(Location location, OpBuilder &builder, Value memory) {
    fir::FreeMemOp::create(builder, location, memory);
  }
};

} // namespace

std::unique_ptr<Pass> cufort::lower::createLargeLocals() {
  return std::make_unique<LargeLocals>();
}

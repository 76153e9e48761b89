//===- DefaultBounds.cpp - lower bounds of arrays that are shifted --------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where Flang puts CSHIFT and EOSHIFT in line, it asks whether the elements of
// an array behind a descriptor lie without gaps, and goes through them faster
// if so: from 1 to the extent, as if every array began at one.
//
//===----------------------------------------------------------------------===//

#include "compiler/lower/Passes.h"
#include "flang/Optimizer/Builder/HLFIRTools.h"
#include "flang/Optimizer/Dialect/FIRDialect.h"
#include "flang/Optimizer/HLFIR/HLFIRDialect.h"
#include "flang/Optimizer/HLFIR/HLFIROps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;

namespace {

struct DefaultBounds
    : public PassWrapper<DefaultBounds, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(DefaultBounds)
  StringRef getArgument() const override { return "lower-default-bounds"; }
  StringRef getDescription() const override {
    return "Give arrays that are shifted lower bounds of one";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<fir::FIROpsDialect, hlfir::hlfirDialect>();
  }

  void runOnOperation() override {
    getOperation().walk([](Operation *op) {
      if (isa<hlfir::CShiftOp, hlfir::EOShiftOp>(op))
        countFromOne(op->getOpOperand(0));
    });
  }

private:
  static void countFromOne(OpOperand &operand) {
    hlfir::Entity array{operand.get()};
    if (!array.isVariable() || !array.mayHaveNonDefaultLowerBounds())
      return;
    // Another name, which says nothing of bounds, for the same elements.
    OpBuilder builder(operand.getOwner());
    Location location = operand.getOwner()->getLoc();
    Value box = array;
    if (auto type = dyn_cast<fir::BoxType>(box.getType());
        type && fir::isa_ref_type(type.getEleTy()))
      box = fir::ReboxOp::create(
          builder, location,
          fir::BoxType::get(fir::unwrapRefType(type.getEleTy())), box,
          /*shape=*/Value(), /*slice=*/Value());
    auto name = hlfir::DeclareOp::create(builder, location, box, ".shifted");
    operand.set(name.getBase());
  }
};

} // namespace

std::unique_ptr<Pass> cufort::lower::createDefaultBounds() {
  return std::make_unique<DefaultBounds>();
}

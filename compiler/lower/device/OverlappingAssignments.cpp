//===- OverlappingAssignments.cpp - short arrays assigned to themselves ---===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/lower/DeviceAttributes.h"
#include "compiler/lower/Passes.h"
#include "flang/Optimizer/Analysis/AliasAnalysis.h"
#include "flang/Optimizer/Builder/FIRBuilder.h"
#include "flang/Optimizer/Builder/HLFIRTools.h"
#include "flang/Optimizer/Dialect/Support/KindMapping.h"
#include "flang/Optimizer/HLFIR/HLFIROps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;
using namespace cufort::lower;

namespace {

/// What a thread can hold in registers or near memory while it assigns.
constexpr int64_t MostElements = 64;

struct OverlappingAssignments
    : public PassWrapper<OverlappingAssignments, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(OverlappingAssignments)
  StringRef getArgument() const override {
    return "lower-overlapping-assignments";
  }
  StringRef getDescription() const override {
    return "Assign short sections that may overlap through a copy";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<fir::FIROpsDialect, hlfir::hlfirDialect>();
  }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    SmallVector<hlfir::AssignOp> assignments;
    for (auto func : module.getOps<func::FuncOp>())
      if (runsOnDevice(func))
        func.walk([&](hlfir::AssignOp assignment) {
          if (mayOverlap(assignment))
            assignments.push_back(assignment);
        });
    fir::FirOpBuilder builder(module, fir::getKindMapping(module));
    for (hlfir::AssignOp assignment : assignments)
      assignThroughCopy(assignment, builder);
  }

private:
  static bool isShort(hlfir::Entity array) {
    auto type = dyn_cast<fir::SequenceType>(array.getElementOrSequenceType());
    return type && !type.hasDynamicExtents() && !type.hasUnknownShape() &&
           type.getConstantArraySize() <= uint64_t(MostElements);
  }

  static bool mayOverlap(hlfir::AssignOp assignment) {
    hlfir::Entity left{assignment.getLhs()}, right{assignment.getRhs()};
    if (assignment.isAllocatableAssignment() || !left.isArray() ||
        !right.isArray() || isa<hlfir::ExprType>(right.getType()) ||
        left.isPolymorphic() || right.isPolymorphic())
      return false;
    Type element = right.getFortranElementType();
    if (!fir::isa_trivial(element) || left.getFortranElementType() != element ||
        !isShort(right))
      return false;
    return !fir::AliasAnalysis().alias(left, right).isNo();
  }

  static void assignThroughCopy(hlfir::AssignOp assignment,
                                fir::FirOpBuilder &builder) {
    Location location = assignment.getLoc();
    builder.setInsertionPoint(assignment);
    hlfir::Entity right{assignment.getRhs()}, left{assignment.getLhs()};
    left = hlfir::derefPointersAndAllocatables(location, builder, left);
    right = hlfir::derefPointersAndAllocatables(location, builder, right);
    Value copy = builder.createTemporary(
        location, right.getElementOrSequenceType(), ".copy");
    hlfir::Entity held{
        hlfir::DeclareOp::create(builder, location, copy, ".copy",
                                 hlfir::genShape(location, builder, right))
            .getBase()};
    hlfir::genNoAliasArrayAssignment(location, builder, right, held);
    hlfir::genNoAliasArrayAssignment(location, builder, held, left);
    assignment.erase();
  }
};

} // namespace

std::unique_ptr<Pass> cufort::lower::createOverlappingAssignments() {
  return std::make_unique<OverlappingAssignments>();
}

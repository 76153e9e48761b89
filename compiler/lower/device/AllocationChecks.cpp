//===- AllocationChecks.cpp - allocations of device code that fail --------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/lower/Lower.h"
#include "compiler/lower/Passes.h"
#include "flang/Optimizer/Builder/FIRBuilder.h"
#include "flang/Optimizer/Dialect/FIROps.h"
#include "flang/Optimizer/Dialect/Support/KindMapping.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;

namespace {

/// As device/allocation.c counts them.
enum Status { NotAllocated = 11, IsAllocated = 12, NoMemory = 19 };

struct AllocationChecks
    : public PassWrapper<AllocationChecks, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(AllocationChecks)
  StringRef getArgument() const override { return "lower-allocation-checks"; }
  StringRef getDescription() const override {
    return "Report allocations and deallocations of device code that fail";
  }

  void runOnOperation() override {
    // What malloc returns is not looked at in optimised code: LLVM would have
    // to keep the allocation, and kernels with small temporaries get slower by
    // far.
    const bool all = getOperation()->removeAttr(
                         cufort::lower::AllocationsAttribute) != nullptr;
    SmallVector<fir::AllocMemOp> allocations;
    SmallVector<fir::FreeMemOp> releases;
    getOperation().walk([&](Operation *op) {
      if (auto allocation = dyn_cast<fir::AllocMemOp>(op))
        allocations.push_back(allocation);
      else if (auto release = dyn_cast<fir::FreeMemOp>(op))
        releases.push_back(release);
    });
    fir::KindMapping kinds = fir::getKindMapping(getOperation());
    fir::FirOpBuilder builder(getOperation(), kinds);
    for (fir::AllocMemOp allocation : allocations) {
      if (Value descriptor = descriptorOf(allocation)) {
        builder.setInsertionPoint(allocation);
        const Location location = allocation.getLoc();
        Value held = fir::LoadOp::create(builder, location, descriptor);
        if (isa<fir::BaseBoxType>(held.getType()))
          held = fir::BoxAddrOp::create(builder, location, held);
        failIf(builder, location, held, /*isNull=*/false, IsAllocated);
      }
      if (!all)
        continue;
      builder.setInsertionPointAfter(allocation);
      failIf(builder, allocation.getLoc(), allocation.getResult(),
             /*isNull=*/true, NoMemory);
    }
    for (fir::FreeMemOp release : releases)
      if (all && isStatement(release)) {
        builder.setInsertionPoint(release);
        failIf(builder, release.getLoc(), release.getHeapref(),
               /*isNull=*/true, NotAllocated);
      }
  }

private:
  /// Where an ALLOCATE statement keeps what it has allocated; null for memory
  /// of the compiler's own, as that of an assignment (".auto.alloc").
  static Value descriptorOf(fir::AllocMemOp allocation) {
    const StringRef name = allocation.getUniqName().value_or("");
    if (!name.ends_with(".alloc") || name.starts_with("."))
      return {};
    for (Operation *user : allocation.getResult().getUsers()) {
      Value kept = allocation.getResult();
      if (auto box = dyn_cast<fir::EmboxOp>(user)) {
        if (!box.getResult().hasOneUse())
          continue;
        kept = box.getResult();
        user = *kept.getUsers().begin();
      }
      auto store = dyn_cast<fir::StoreOp>(user);
      if (store && store.getValue() == kept)
        return store.getMemref();
    }
    return {};
  }

  /// The address that a descriptor holds, and the descriptor's.
  static Value heldBy(Value address) {
    while (auto conversion = address.getDefiningOp<fir::ConvertOp>())
      address = conversion.getValue();
    if (auto held = address.getDefiningOp<fir::BoxAddrOp>())
      address = held.getVal();
    auto load = address.getDefiningOp<fir::LoadOp>();
    return load ? load.getMemref() : Value();
  }

  /// Whether a DEALLOCATE statement wants \p release. The compiler's own come
  /// where the program is known to have allocated, which it tests first.
  static bool isStatement(fir::FreeMemOp release) {
    Value descriptor = heldBy(release.getHeapref());
    if (!descriptor)
      return false;
    auto condition = dyn_cast<fir::IfOp>(release->getParentOp());
    if (!condition)
      return true;
    auto test = condition.getCondition().getDefiningOp<arith::CmpIOp>();
    return !test || test.getPredicate() != arith::CmpIPredicate::ne ||
           heldBy(test.getLhs()) != descriptor;
  }

  static void failIf(fir::FirOpBuilder &builder, Location location,
                     Value address, bool isNull, Status status) {
    auto cold = builder.genIfThen(
        location, isNull ? builder.genIsNullAddr(location, address)
                         : builder.genIsNotNullAddr(location, address));
    cold.genThen([&] {
      Type text = builder.getRefType(builder.getI8Type());
      Type number = builder.getI32Type();
      auto type =
          FunctionType::get(builder.getContext(), {number, text, number}, {});
      func::FuncOp callee =
          builder.createFunction(location, "__cufort_allocation_fails", type);
      fir::CallOp::create(
          builder, location, callee,
          ValueRange{
              builder.createIntegerConstant(location, number, status),
              builder.createConvert(
                  location, text,
                  fir::factory::locationToFilename(builder, location)),
              fir::factory::locationToLineNo(builder, location, number)});
    });
    cold.end();
  }
};

} // namespace

std::unique_ptr<Pass> cufort::lower::createAllocationChecks() {
  return std::make_unique<AllocationChecks>();
}

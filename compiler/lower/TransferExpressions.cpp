//===- TransferExpressions.cpp - device data in host expressions ----------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The front end copies device data to the host where an assignment has an
// expression on its right side, but not where the right side is one device
// variable with a vector subscript or of another type, nor outside of
// assignments (conditions, bounds, subscripts, items of an output list).
//
//===----------------------------------------------------------------------===//

#include "compiler/lower/DeviceData.h"
#include "compiler/lower/HostCopies.h"
#include "compiler/lower/Passes.h"
#include "flang/Optimizer/Builder/FIRBuilder.h"
#include "flang/Optimizer/Builder/HLFIRTools.h"
#include "flang/Optimizer/Dialect/FIRDialect.h"
#include "flang/Optimizer/Dialect/FIROps.h"
#include "flang/Optimizer/Dialect/Support/KindMapping.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace cufort::lower;

namespace {

cuf::DataTransferKindAttr transferKind(MLIRContext *context, bool toHost) {
  return cuf::DataTransferKindAttr::get(
      context, toHost ? cuf::DataTransferKind::DeviceHost
                      : cuf::DataTransferKind::HostDevice);
}

class Expressions {
public:
  explicit Expressions(ModuleOp module)
      : module(module), builder(module, fir::getKindMapping(module)) {}

  void run() {
    module.walk([](Operation *op) {
      if (isa<hlfir::AssignOp, cuf::DataTransferOp>(op))
        moveBehindOperands(op);
    });
    SmallVector<hlfir::ElementalOp> elementals;
    SmallVector<cuf::DataTransferOp> transfers;
    module.walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (auto elemental = dyn_cast<hlfir::ElementalOp>(op)) {
        if (isHostCode(op))
          elementals.push_back(elemental);
        // Inner ones read what the outermost reads.
        return WalkResult::skip();
      }
      if (auto transfer = dyn_cast<cuf::DataTransferOp>(op);
          transfer && isa<hlfir::ExprType>(transfer.getSrc().getType()))
        transfers.push_back(transfer);
      return WalkResult::advance();
    });
    for (hlfir::ElementalOp elemental : elementals)
      copySources(elemental);
    for (cuf::DataTransferOp transfer : transfers)
      move(transfer);
  }

private:
  /// The front end puts some assignments before what computes their left side.
  static void moveBehindOperands(Operation *op) {
    for (Value operand : op->getOperands())
      if (Operation *definition = operand.getDefiningOp();
          definition && definition->getBlock() == op->getBlock() &&
          op->isBeforeInBlock(definition))
        op->moveAfter(definition);
  }

  /// The device data that \p expression reads are copied before it.
  void copySources(hlfir::ElementalOp expression) {
    Region &region = expression.getRegion();
    auto isOutside = [&](Value value) {
      return !region.isAncestor(value.getParentRegion());
    };
    // Descriptors are the same for all elements.
    SmallVector<Operation *> descriptors;
    region.walk([&](Operation *op) {
      auto designate = dyn_cast<hlfir::DesignateOp>(op);
      auto load = dyn_cast<fir::LoadOp>(op);
      if ((designate && fir::isBoxAddress(designate.getType())) ||
          (load && fir::isBoxAddress(load.getMemref().getType())))
        if (llvm::all_of(op->getOperands(), [&](Value operand) {
              return isOutside(operand) ||
                     llvm::is_contained(descriptors, operand.getDefiningOp());
            }))
          descriptors.push_back(op);
    });
    for (Operation *op : descriptors)
      op->moveBefore(expression);

    llvm::MapVector<Value, HostCopy> copies;
    region.walk([&](Operation *op) {
      for (Value operand : op->getOperands())
        if (isOutside(operand) && isDeviceData(operand))
          copies.insert({operand, HostCopy()});
    });
    for (auto &[source, copy] : copies) {
      builder.setInsertionPoint(expression);
      copy = copyToHost(builder, expression.getLoc(), hlfir::Entity{source});
      Value fits = asType(builder, expression.getLoc(), copy, source.getType());
      region.walk([&](Operation *op) {
        for (OpOperand &operand : op->getOpOperands())
          if (operand.get() == source)
            operand.set(fits);
      });
      freeAfterUse(builder, expression, copy);
    }
  }

  /// The right side is a value of the host now.
  void move(cuf::DataTransferOp transfer) {
    Location location = transfer.getLoc();
    builder.setInsertionPoint(transfer);
    Value target = transfer.getDst();
    if (transfer.getTransferKind() == cuf::DataTransferKind::DeviceHost) {
      hlfir::AssignOp::create(builder, location, transfer.getSrc(), target,
                              fir::isBoxAddress(target.getType()));
    } else {
      hlfir::Entity value{transfer.getSrc()};
      hlfir::AssociateOp place = hlfir::genAssociateExpr(
          location, builder, value, value.getType(), ".transfer");
      cuf::DataTransferOp::create(builder, location, place.getBase(), target,
                                  transfer.getShape() ? transfer.getShape()
                                                      : place.getShape(),
                                  transferKind(module.getContext(), false));
      hlfir::EndAssociateOp::create(builder, location, place);
    }
    transfer.erase();
  }

  ModuleOp module;
  fir::FirOpBuilder builder;
};

struct TransferExpressions
    : public PassWrapper<TransferExpressions, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TransferExpressions)
  StringRef getArgument() const override {
    return "cufort-transfer-expressions";
  }
  StringRef getDescription() const override {
    return "Copy the device arrays that host expressions read";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<fir::FIROpsDialect, cuf::CUFDialect, hlfir::hlfirDialect>();
  }
  void runOnOperation() override { Expressions(getOperation()).run(); }
};

} // namespace

std::unique_ptr<Pass> cufort::lower::createTransferExpressions() {
  return std::make_unique<TransferExpressions>();
}

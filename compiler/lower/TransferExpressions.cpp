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

  bool run() {
    bool succeeded = true;
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
      succeeded &= copySources(elemental);
    for (cuf::DataTransferOp transfer : transfers)
      move(transfer);
    return succeeded;
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

  /// The device arrays that \p expression reads are copied before it.
  bool copySources(hlfir::ElementalOp expression) {
    llvm::MapVector<Value, Value> copies;
    bool readsDescriptor = false;
    expression.getRegion().walk([&](Operation *op) {
      for (Value operand : op->getOperands())
        if (!expression.getRegion().isAncestor(operand.getParentRegion()) &&
            isDeviceData(operand)) {
          copies.insert({operand, Value()});
          readsDescriptor |= fir::isBoxAddress(operand.getType());
        }
    });
    if (copies.empty())
      return true;
    Location location = expression.getLoc();
    // What is evaluated there moves to places of its own later.
    const bool isOrdered =
        expression->getParentOfType<hlfir::OrderedAssignmentTreeOpInterface>();
    if (readsDescriptor || isOrdered) {
      emitError(location)
          << "device data cannot be used "
          << (isOrdered ? "in WHERE or FORALL in host code"
                        : "in this expression")
          << "; assign it to a host variable first and use that";
      return false;
    }
    for (auto &[source, copy] : copies) {
      builder.setInsertionPoint(expression);
      hlfir::Entity entity{source};
      auto [temporary, onHeap] =
          hlfir::createTempFromMold(location, builder, entity);
      cuf::DataTransferOp::create(builder, location, source, temporary,
                                  shapeOf(source),
                                  transferKind(module.getContext(), true));
      copy = fitting(location, temporary, source.getType());
      if (!onHeap)
        continue;
      builder.setInsertionPoint(expression->getBlock()->getTerminator());
      fir::FreeMemOp::create(
          builder, location,
          hlfir::genVariableRawAddress(location, builder, temporary));
    }
    expression.getRegion().walk([&](Operation *op) {
      for (OpOperand &operand : op->getOpOperands())
        if (auto known = copies.find(operand.get()); known != copies.end())
          operand.set(known->second);
    });
    return true;
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

  /// The shape that a variable was declared with; descriptors have their own.
  static Value shapeOf(Value source) {
    if (isa<fir::BaseBoxType>(source.getType()))
      return {};
    if (auto declare = source.getDefiningOp<hlfir::DeclareOp>())
      return declare.getShape();
    if (auto designate = source.getDefiningOp<hlfir::DesignateOp>())
      return designate.getShape();
    return {};
  }

  /// The host's copy in the type that the device data had.
  Value fitting(Location location, Value copy, Type type) {
    if (copy.getType() == type)
      return copy;
    if (isa<fir::BaseBoxType>(type) && !isa<fir::BaseBoxType>(copy.getType()))
      copy = hlfir::genVariableBox(location, builder, hlfir::Entity{copy});
    return builder.createConvert(location, type, copy);
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
  void runOnOperation() override {
    if (!Expressions(getOperation()).run())
      signalPassFailure();
  }
};

struct HostReads : public PassWrapper<HostReads, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(HostReads)
  StringRef getArgument() const override { return "cufort-host-reads"; }
  StringRef getDescription() const override {
    return "Copy the device scalars that host code reads";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<fir::FIROpsDialect, cuf::CUFDialect>();
  }
  void runOnOperation() override {
    SmallVector<fir::LoadOp> loads;
    getOperation().walk([&](fir::LoadOp load) {
      if (fir::isa_trivial(load.getType()) && isHostCode(load) &&
          isDeviceData(load.getMemref()))
        loads.push_back(load);
    });
    for (fir::LoadOp load : loads) {
      OpBuilder builder(load);
      auto func = load->getParentOfType<func::FuncOp>();
      builder.setInsertionPointToStart(&func.getBody().front());
      Value local =
          fir::AllocaOp::create(builder, load.getLoc(), load.getType());
      builder.setInsertionPoint(load);
      cuf::DataTransferOp::create(builder, load.getLoc(), load.getMemref(),
                                  local, /*shape=*/Value(),
                                  transferKind(&getContext(), true));
      load.getMemrefMutable().assign(local);
    }
  }
};

} // namespace

std::unique_ptr<Pass> cufort::lower::createTransferExpressions() {
  return std::make_unique<TransferExpressions>();
}

std::unique_ptr<Pass> cufort::lower::createHostReads() {
  return std::make_unique<HostReads>();
}

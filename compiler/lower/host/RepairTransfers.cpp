//===- RepairTransfers.cpp - scalar transfers, streams of kernel loops ----===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/lower/Passes.h"
#include "flang/Optimizer/Builder/FIRBuilder.h"
#include "flang/Optimizer/Dialect/CUF/CUFOps.h"
#include "flang/Optimizer/Dialect/FIRDialect.h"
#include "flang/Optimizer/Dialect/FIROps.h"
#include "flang/Optimizer/Dialect/FIRType.h"
#include "flang/Optimizer/Dialect/Support/KindMapping.h"
#include "flang/Optimizer/HLFIR/HLFIROps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;

namespace {

/// A variable of the enclosing procedure, allocated at its start.
Value createLocal(OpBuilder &builder, Location location, Operation *user,
                  Type type) {
  OpBuilder::InsertionGuard guard(builder);
  auto func = user->getParentOfType<FunctionOpInterface>();
  builder.setInsertionPointToStart(&func.getFunctionBody().front());
  return fir::AllocaOp::create(builder, location, type);
}

/// The kind of logical that an i1 becomes in \p target, or null: in memory a
/// logical has all bytes of its kind.
Type getLogicalFor(Value source, Value target) {
  if (!source.getType().isInteger(1))
    return {};
  Type element = hlfir::getFortranElementType(target.getType());
  return isa<fir::LogicalType>(element) ? element : Type();
}

/// The load at the start of a chain of conversions, or null.
fir::LoadOp findLoad(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    // What is loaded for LOC is a descriptor, of the host.
    if (auto load = dyn_cast<fir::LoadOp>(op))
      return fir::isa_trivial(load.getType()) ? load : fir::LoadOp();
    if (op->getNumOperands() != 1)
      return {};
    value = op->getOperand(0);
  }
  return {};
}

struct RepairTransfers
    : public PassWrapper<RepairTransfers, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(RepairTransfers)
  StringRef getArgument() const override { return "lower-repair-transfers"; }
  StringRef getDescription() const override {
    return "Give scalar transfers with a conversion an address on both sides, "
           "and streams of kernel loops 64 bits";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<fir::FIROpsDialect, cuf::CUFDialect, hlfir::hlfirDialect>();
  }

  void runOnOperation() override {
    getOperation().walk(widenStream);
    SmallVector<cuf::DataTransferOp> transfers;
    getOperation().walk([&](cuf::DataTransferOp transfer) {
      Value source = transfer.getSrc();
      // Of an associate name the front end gives both, and the operation takes
      // one.
      if (isa<fir::BaseBoxType>(transfer.getDst().getType()))
        transfer.getShapeMutable().clear();
      if (haveOtherShapes(source.getType(), transfer.getDst().getType()))
        describeBoth(transfer);
      if (fir::isa_trivial(source.getType()) &&
          (!matchPattern(source, m_Constant()) ||
           getLogicalFor(source, transfer.getDst())))
        transfers.push_back(transfer);
    });
    for (cuf::DataTransferOp transfer : transfers)
      if (transfer.getTransferKind() == cuf::DataTransferKind::HostDevice)
        storeSource(transfer);
      else
        loadOnHost(transfer);
  }

private:
  /// The stream of a kernel loop may be an integer of any kind, or a value; it
  /// gets a place of 64 bits.
  static void widenStream(cuf::KernelOp loop) {
    Value stream = loop.getStream();
    if (!stream)
      return;
    Type type = fir::unwrapRefType(stream.getType());
    OpBuilder builder(loop);
    const bool isAddress = type != stream.getType();
    if (!isa<IntegerType>(type) || (isAddress && type.isInteger(64)))
      return;
    Location location = loop.getLoc();
    Value value =
        isAddress ? fir::LoadOp::create(builder, location, stream) : stream;
    Value local = createLocal(builder, location, loop, builder.getI64Type());
    fir::StoreOp::create(
        builder, location,
        fir::ConvertOp::create(builder, location, builder.getI64Type(), value),
        local);
    loop.getStreamMutable().assign(local);
  }

  /// Whether both are arrays whose extents are constants, and not the same.
  static bool haveOtherShapes(Type source, Type target) {
    auto from = dyn_cast<fir::SequenceType>(fir::unwrapRefType(source)),
         to = dyn_cast<fir::SequenceType>(fir::unwrapRefType(target));
    return from && to && !from.hasDynamicExtents() && !to.hasDynamicExtents() &&
           from.getShape() != to.getShape();
  }

  /// The runtime copies what both sides have; without descriptors it would take
  /// them for equally large.
  static void describeBoth(cuf::DataTransferOp transfer) {
    fir::FirOpBuilder builder(
        transfer, fir::getKindMapping(transfer->getParentOfType<ModuleOp>()));
    for (OpOperand *side :
         {&transfer.getSrcMutable(), &transfer.getDstMutable()}) {
      auto type =
          cast<fir::SequenceType>(fir::unwrapRefType(side->get().getType()));
      SmallVector<Value> extents;
      for (int64_t extent : type.getShape())
        extents.push_back(builder.createIntegerConstant(
            transfer.getLoc(), builder.getIndexType(), extent));
      side->set(fir::EmboxOp::create(
          builder, transfer.getLoc(), fir::BoxType::get(type), side->get(),
          builder.genShape(transfer.getLoc(), extents)));
    }
  }

  /// Host to device: the value moves from a local of its own.
  void storeSource(cuf::DataTransferOp transfer) {
    OpBuilder builder(transfer);
    Location location = transfer.getLoc();
    Value source = transfer.getSrc();
    if (Type logical = getLogicalFor(source, transfer.getDst()))
      source = fir::ConvertOp::create(builder, location, logical, source);
    Value local = createLocal(builder, location, transfer, source.getType());
    fir::StoreOp::create(builder, location, source, local);
    transfer.getSrcMutable().assign(local);
  }

  /// A value computed from what the device has: HostReads copies its operands.
  void assignOnHost(cuf::DataTransferOp transfer) {
    fir::FirOpBuilder builder(
        transfer, fir::getKindMapping(transfer->getParentOfType<ModuleOp>()));
    if (transfer.getTransferKind() != cuf::DataTransferKind::DeviceHost) {
      transfer.setTransferKind(cuf::DataTransferKind::HostDevice);
      return storeSource(transfer);
    }
    Value target = transfer.getDst();
    Value value = builder.createConvert(
        transfer.getLoc(),
        hlfir::getFortranElementType(fir::unwrapRefType(target.getType())),
        transfer.getSrc());
    hlfir::AssignOp::create(builder, transfer.getLoc(), value, target,
                            fir::isBoxAddress(target.getType()));
    transfer.erase();
  }

  /// From the device: the front end converts a value loaded straight from the
  /// device's address. The bytes move first and are converted on the host.
  void loadOnHost(cuf::DataTransferOp transfer) {
    fir::LoadOp load = findLoad(transfer.getSrc());
    if (!load || isa<fir::SequenceType>(hlfir::getFortranElementOrSequenceType(
                     transfer.getDst().getType())))
      return assignOnHost(transfer);
    OpBuilder builder(load);
    Location location = transfer.getLoc();
    Value local = createLocal(builder, location, transfer, load.getType());
    auto kind = [&](cuf::DataTransferKind kind) {
      return cuf::DataTransferKindAttr::get(&getContext(), kind);
    };
    cuf::DataTransferOp::create(builder, location, load.getMemref(), local,
                                /*shape=*/Value(),
                                kind(cuf::DataTransferKind::DeviceHost));
    load.getMemrefMutable().assign(local);
    builder.setInsertionPoint(transfer);
    Value value = transfer.getSrc();
    if (value.getType() != fir::unwrapRefType(transfer.getDst().getType()))
      value = fir::ConvertOp::create(
          builder, location, fir::unwrapRefType(transfer.getDst().getType()),
          value);
    Value target = transfer.getDst();
    if (transfer.getTransferKind() == cuf::DataTransferKind::DeviceDevice) {
      Value converted =
          createLocal(builder, location, transfer, value.getType());
      fir::StoreOp::create(builder, location, value, converted);
      cuf::DataTransferOp::create(builder, location, converted, target,
                                  /*shape=*/Value(),
                                  kind(cuf::DataTransferKind::HostDevice));
    } else {
      fir::StoreOp::create(builder, location, value, target);
    }
    transfer.erase();
  }
};

} // namespace

std::unique_ptr<Pass> cufort::lower::createRepairTransfers() {
  return std::make_unique<RepairTransfers>();
}

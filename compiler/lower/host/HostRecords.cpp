//===- HostRecords.cpp - records of the host with device components -------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Flang's runtime copies records component by component and would read and
// write the device's memory for those that are allocated there. Its functions
// take the copying function as an argument, which only ours set.
//
//===----------------------------------------------------------------------===//

#include "compiler/lower/DeviceData.h"
#include "compiler/lower/Passes.h"
#include "compiler/lower/llvm/DeviceModule.h"
#include "flang/Optimizer/Builder/FIRBuilder.h"
#include "flang/Optimizer/Dialect/FIRDialect.h"
#include "flang/Optimizer/Dialect/Support/KindMapping.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace cufort::lower;

namespace {

/// What stands in place of a function of Flang's runtime; runtime/fortran
/// defines them.
StringRef replacement(StringRef function) {
  return llvm::StringSwitch<StringRef>(function)
      .Case("_FortranAAssign", "_FortranACUFRecordAssign")
      .Case("_FortranAAssignTemporary", "_FortranACUFRecordAssignTemporary")
      .Case("_FortranAAssignPolymorphic", "_FortranACUFRecordAssignPolymorphic")
      .Case("_FortranAAllocatableAllocateSource",
            "_FortranACUFRecordAllocateSource")
      .Case("_FortranAPointerAllocateSource",
            "_FortranACUFRecordPointerAllocateSource")
      .Case("_FortranAPushArrayConstructorValue",
            "_FortranACUFRecordPushArrayConstructorValue")
      .Default({});
}

/// The type of a descriptor before it was made one of no type for a call.
Type describedType(Value descriptor) {
  while (auto convert = descriptor.getDefiningOp<fir::ConvertOp>()) {
    Type type = fir::unwrapRefType(convert.getValue().getType());
    if (!isa<fir::BaseBoxType>(type))
      break;
    descriptor = convert.getValue();
  }
  return descriptor.getType();
}

struct HostRecords : public PassWrapper<HostRecords, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(HostRecords)
  StringRef getArgument() const override { return "lower-host-records"; }
  StringRef getDescription() const override {
    return "Copy records of the host with device components";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<fir::FIROpsDialect, func::FuncDialect>();
  }

  void runOnOperation() override {
    SmallVector<fir::CallOp> calls;
    SmallVector<cuf::AllocOp> results;
    SmallVector<cuf::DataTransferOp> transfers;
    getOperation().walk([&](Operation *op) {
      if (!isOnHost(op))
        return;
      if (auto call = dyn_cast<fir::CallOp>(op); call && copiesComponents(call))
        calls.push_back(call);
      if (auto alloc = dyn_cast<cuf::AllocOp>(op); alloc && isResult(alloc))
        results.push_back(alloc);
      if (auto transfer = dyn_cast<cuf::DataTransferOp>(op))
        transfers.push_back(transfer);
    });
    for (fir::CallOp call : calls)
      replace(call);
    setComponentAllocators(getOperation());
    for (cuf::AllocOp alloc : results)
      moveToStack(alloc);
    for (cuf::DataTransferOp transfer : transfers) {
      if (repeatsRecord(transfer)) {
        describe(transfer, transfer.getSrcMutable());
        describe(transfer, transfer.getDstMutable());
      }
      store(transfer, transfer.getSrcMutable());
      store(transfer, transfer.getDstMutable());
    }
  }

private:
  static bool isOnHost(Operation *op) {
    auto func = op->getParentOfType<func::FuncOp>();
    return func && cufort::lower::runsOnHost(func);
  }

  static bool copiesComponents(fir::CallOp call) {
    if (!call.getCallee() ||
        replacement(call.getCallee()->getRootReference().getValue()).empty())
      return false;
    return hasDeviceComponents(call, describedType(call.getOperand(0))) ||
           hasDeviceComponents(call, describedType(call.getOperand(1)));
  }

  void replace(fir::CallOp call) {
    fir::FirOpBuilder builder(call, fir::getKindMapping(getOperation()));
    StringRef name =
        replacement(call.getCallee()->getRootReference().getValue());
    func::FuncOp function = builder.getNamedFunction(name);
    if (!function)
      function = builder.createFunction(
          call.getLoc(), name,
          FunctionType::get(&getContext(), call.getOperandTypes(),
                            call.getResultTypes()));
    call.setCalleeAttr(SymbolRefAttr::get(function));
  }

  /// Whether \p alloc is a function's result that is returned as a value.
  static bool isResult(cuf::AllocOp alloc) {
    if (!isa<fir::RecordType>(alloc.getInType()))
      return false;
    for (Value variable : namesOf(alloc))
      for (Operation *user : variable.getUsers())
        if (auto load = dyn_cast<fir::LoadOp>(user))
          if (llvm::any_of(load->getUsers(), llvm::IsaPred<func::ReturnOp>))
            return true;
    return false;
  }

  static SmallVector<Value> namesOf(cuf::AllocOp alloc) {
    SmallVector<Value> names{alloc.getResult()};
    for (Operation *user : alloc->getUsers())
      if (isa<fir::DeclareOp, hlfir::DeclareOp>(user))
        names.append(user->result_begin(), user->result_end());
    return names;
  }

  /// The front end allocates records with device components in managed memory
  /// and frees them at the end of the procedure. A result of a function lies
  /// where the caller wants it.
  static void moveToStack(cuf::AllocOp alloc) {
    SmallVector<Operation *> frees;
    for (Value variable : namesOf(alloc))
      for (Operation *user : variable.getUsers())
        if (isa<cuf::FreeOp>(user))
          frees.push_back(user);
    for (Operation *free : frees)
      free->erase();
    for (Operation *user : alloc->getUsers())
      if (auto declare = dyn_cast<fir::DeclareOp>(user))
        declare.removeDataAttrAttr();
    OpBuilder builder(alloc);
    alloc.replaceAllUsesWith(Value(fir::AllocaOp::create(
        builder, alloc.getLoc(), alloc.getInType(),
        alloc.getUniqName().value_or(""), alloc.getBindcName().value_or(""))));
    alloc.erase();
  }

  /// Whether a record becomes the value of every element of an array, where
  /// cuf-convert would copy as many bytes as the array has.
  static bool repeatsRecord(cuf::DataTransferOp transfer) {
    Type source = transfer.getSrc().getType();
    Type target = transfer.getDst().getType();
    return fir::isa_ref_type(source) && fir::isa_ref_type(target) &&
           isa<fir::RecordType>(fir::unwrapRefType(source)) &&
           isa<fir::SequenceType>(fir::unwrapRefType(target));
  }

  void describe(cuf::DataTransferOp transfer, OpOperand &operand) {
    fir::FirOpBuilder builder(transfer, fir::getKindMapping(getOperation()));
    Location location = transfer.getLoc();
    Value value = operand.get();
    Type type = fir::unwrapRefType(value.getType());
    Value shape;
    if (auto array = dyn_cast<fir::SequenceType>(type)) {
      auto declare = value.getDefiningOp<fir::DeclareOp>();
      shape = declare ? declare.getShape() : transfer.getShape();
      if (!shape) {
        SmallVector<Value> extents;
        for (int64_t extent : array.getShape())
          extents.push_back(builder.createIntegerConstant(
              location, builder.getIndexType(), extent));
        shape = builder.genShape(location, extents);
      }
    }
    operand.set(builder.createBox(location, fir::BoxType::get(type), value,
                                  shape, /*slice=*/Value(), /*lengths=*/{},
                                  /*tdesc=*/Value()));
  }

  /// The runtime wants the addresses of descriptors; cuf-convert sees to that
  /// only where they are made right before (not for what is optional).
  void store(cuf::DataTransferOp transfer, OpOperand &operand) {
    Value box = operand.get();
    if (!isa<fir::BaseBoxType>(box.getType()) ||
        isa_and_nonnull<fir::EmboxOp, fir::ReboxOp>(box.getDefiningOp()))
      return;
    auto func = transfer->getParentOfType<func::FuncOp>();
    OpBuilder builder(&getContext());
    builder.setInsertionPointToStart(&func.getBody().front());
    Value place =
        fir::AllocaOp::create(builder, transfer.getLoc(), box.getType());
    builder.setInsertionPoint(transfer);
    fir::StoreOp::create(builder, transfer.getLoc(), box, place);
    operand.set(place);
  }
};

} // namespace

std::unique_ptr<Pass> cufort::lower::createHostRecords() {
  return std::make_unique<HostRecords>();
}

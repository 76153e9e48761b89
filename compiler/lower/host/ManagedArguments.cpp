//===- ManagedArguments.cpp - values for managed dummy arguments ----------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The value of an expression has no memory until a call gives it some, which
// is the host's stack or heap. A dummy argument with the attribute MANAGED is
// read by kernels of the procedure: its value is put into managed memory.
//
//===----------------------------------------------------------------------===//

#include "compiler/lower/DeviceAttributes.h"
#include "compiler/lower/Passes.h"
#include "flang/Optimizer/Builder/FIRBuilder.h"
#include "flang/Optimizer/Builder/HLFIRTools.h"
#include "flang/Optimizer/Dialect/CUF/CUFOps.h"
#include "flang/Optimizer/HLFIR/HLFIROps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace {

struct ManagedArguments
    : public PassWrapper<ManagedArguments, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ManagedArguments)
  StringRef getArgument() const override { return "lower-managed-arguments"; }
  StringRef getDescription() const override {
    return "Put the values of expressions into managed memory where dummy "
           "arguments are there";
  }

  void runOnOperation() override {
    const SymbolTable symbols(getOperation());
    llvm::SmallSetVector<hlfir::AssociateOp, 4> values;
    getOperation().walk([&](fir::CallOp call) {
      auto caller = call->getParentOfType<func::FuncOp>();
      auto callee = call.getCallee() ? symbols.lookup<func::FuncOp>(
                                           call.getCallee()->getRootReference())
                                     : func::FuncOp();
      if (!caller || !cufort::lower::runsOnHost(caller) || !callee)
        return;
      for (auto [i, argument] : llvm::enumerate(call.getArgs()))
        if (isManaged(callee, i))
          if (auto value = valueOf(argument))
            values.insert(value);
    });
    for (hlfir::AssociateOp value : values)
      putIntoManagedMemory(value);
  }

private:
  static bool isManaged(func::FuncOp callee, unsigned index) {
    auto attribute = callee.getArgAttrOfType<cuf::DataAttributeAttr>(
        index, cuf::getDataAttrName());
    return attribute && attribute.getValue() == cuf::DataAttribute::Managed;
  }

  /// The value in memory that \p argument is, or describes.
  static hlfir::AssociateOp valueOf(Value argument) {
    while (Operation *op = argument.getDefiningOp()) {
      if (auto value = dyn_cast<hlfir::AssociateOp>(op))
        return value;
      if (!isa<fir::ConvertOp, fir::EmboxOp, fir::ReboxOp, fir::BoxAddrOp>(op))
        break;
      argument = op->getOperand(0);
    }
    return {};
  }

  void putIntoManagedMemory(hlfir::AssociateOp value) {
    const Location location = value.getLoc();
    auto expression = dyn_cast<hlfir::ExprType>(value.getSource().getType());
    const Type element =
        expression ? expression.getElementType() : value.getSource().getType();
    if (!fir::isa_trivial(element)) {
      mlir::emitError(location,
                      "a dummy argument here is in managed memory, and the "
                      "value of this expression cannot be put there; assign "
                      "it to a variable with ATTRIBUTES(MANAGED) first");
      return signalPassFailure();
    }
    OpBuilder before(value);
    fir::FirOpBuilder builder(before, getOperation());
    Type type = element;
    SmallVector<Value> sizes;
    if (expression) {
      type = fir::SequenceType::get(expression.getShape(), element);
      for (auto [size, extent] : llvm::zip(
               expression.getShape(),
               hlfir::getIndexExtents(location, builder, value.getShape())))
        if (size == hlfir::ExprType::getUnknownExtent())
          sizes.push_back(extent);
    }
    const auto managed =
        cuf::DataAttributeAttr::get(&getContext(), cuf::DataAttribute::Managed);
    Value memory =
        cuf::AllocOp::create(builder, location, type, ".managed_value", "",
                             managed, /*typeparams=*/ValueRange{}, sizes);
    auto variable = hlfir::DeclareOp::create(
        builder, location, memory, ".managed_value", value.getShape());
    hlfir::AssignOp::create(builder, location, value.getSource(),
                            variable.getBase());
    // The end names the memory and whether it has to be freed.
    llvm::SmallSetVector<hlfir::EndAssociateOp, 2> ends;
    for (Operation *user : value->getUsers())
      if (auto end = dyn_cast<hlfir::EndAssociateOp>(user))
        ends.insert(end);
    for (hlfir::EndAssociateOp end : ends) {
      builder.setInsertionPoint(end);
      cuf::FreeOp::create(builder, location, memory, managed);
      end->erase();
    }
    value.getResult(0).replaceAllUsesWith(variable.getBase());
    value.getResult(1).replaceAllUsesWith(variable.getOriginalBase());
    value.erase();
  }
};

} // namespace

std::unique_ptr<Pass> cufort::lower::createManagedArguments() {
  return std::make_unique<ManagedArguments>();
}

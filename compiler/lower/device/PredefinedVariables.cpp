//===- PredefinedVariables.cpp - threadidx and its kin --------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/lower/DeviceAttributes.h"
#include "compiler/lower/Passes.h"
#include "flang/Optimizer/Dialect/FIRDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;
using namespace cufort::lower;

namespace {

constexpr char BuiltinPrefix[] = "_QM__fortran_builtinsE__builtin_";

/// The three components of a predefined variable; indices count from one in
/// Fortran (guide, 2.2 and 2.7).
template <typename X, typename Y, typename Z>
SmallVector<Value, 3> readRegisters(OpBuilder &builder, Location location,
                                    bool isIndex) {
  Type i32 = builder.getI32Type();
  SmallVector<Value, 3> values{X::create(builder, location, i32),
                               Y::create(builder, location, i32),
                               Z::create(builder, location, i32)};
  if (!isIndex)
    return values;
  Value one = arith::ConstantIntOp::create(builder, location, 1, 32);
  for (Value &value : values)
    value = arith::AddIOp::create(builder, location, value, one);
  return values;
}

SmallVector<Value, 3> readVariable(OpBuilder &builder, Location location,
                                   StringRef name) {
  if (name == "threadidx")
    return readRegisters<NVVM::ThreadIdXOp, NVVM::ThreadIdYOp,
                         NVVM::ThreadIdZOp>(builder, location, true);
  if (name == "blockidx")
    return readRegisters<NVVM::BlockIdXOp, NVVM::BlockIdYOp, NVVM::BlockIdZOp>(
        builder, location, true);
  if (name == "blockdim")
    return readRegisters<NVVM::BlockDimXOp, NVVM::BlockDimYOp,
                         NVVM::BlockDimZOp>(builder, location, false);
  if (name == "griddim")
    return readRegisters<NVVM::GridDimXOp, NVVM::GridDimYOp, NVVM::GridDimZOp>(
        builder, location, false);
  return {};
}

struct PredefinedVariables
    : public PassWrapper<PredefinedVariables, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(PredefinedVariables)
  StringRef getArgument() const override {
    return "lower-predefined-variables";
  }
  StringRef getDescription() const override {
    return "Fill threadidx and its kin from registers";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry
        .insert<arith::ArithDialect, NVVM::NVVMDialect, fir::FIROpsDialect>();
  }

  void runOnOperation() override {
    SmallVector<fir::AddrOfOp> addresses;
    getOperation().walk([&](fir::AddrOfOp address) {
      if (variableName(address).size())
        addresses.push_back(address);
    });
    for (fir::AddrOfOp address : addresses)
      replace(address);
    for (auto global :
         llvm::make_early_inc_range(getOperation().getOps<fir::GlobalOp>()))
      if (global.getSymName().starts_with(BuiltinPrefix))
        global.erase();
  }

private:
  static StringRef variableName(fir::AddrOfOp address) {
    StringRef name = address.getSymbol().getRootReference().getValue();
    return name.consume_front(BuiltinPrefix) ? name : StringRef();
  }

  static void replace(fir::AddrOfOp address) {
    bool used = llvm::any_of(address->getUsers(), [](Operation *user) {
      return !isa<fir::DeclareOp>(user) || !user->use_empty();
    });
    OpBuilder builder(address);
    Location location = address.getLoc();
    auto record =
        cast<fir::RecordType>(fir::unwrapRefType(address.getResTy().getType()));
    Value local = fir::AllocaOp::create(builder, location, record);
    if (used)
      for (auto [component, value] :
           llvm::zip(record.getTypeList(),
                     readVariable(builder, location, variableName(address)))) {
        Value field = fir::FieldIndexOp::create(
            builder, location, fir::FieldType::get(builder.getContext()),
            component.first, record, ValueRange{});
        Value place = fir::CoordinateOp::create(
            builder, location, fir::ReferenceType::get(component.second), local,
            ValueRange{field});
        fir::StoreOp::create(builder, location, value, place);
      }
    address.replaceAllUsesWith(local);
    address.erase();
  }
};

} // namespace

std::unique_ptr<Pass> cufort::lower::createPredefinedVariables() {
  return std::make_unique<PredefinedVariables>();
}

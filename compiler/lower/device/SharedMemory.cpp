//===- SharedMemory.cpp - the places of shared variables ------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/lower/DeviceAttributes.h"
#include "compiler/lower/Passes.h"
#include "compiler/lower/llvm/DeviceModule.h"
#include "flang/Optimizer/CodeGen/TypeConverter.h"
#include "flang/Optimizer/Dialect/CUF/CUFOps.h"
#include "flang/Optimizer/Dialect/FIRDialect.h"
#include "flang/Optimizer/Support/DataLayout.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;
using namespace cufort::lower;

namespace {

constexpr unsigned SharedSpace = 3;
/// What the widest vector access of a GPU needs.
constexpr unsigned SharedAlignment = 16;

struct SharedMemory
    : public PassWrapper<SharedMemory, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(SharedMemory)
  StringRef getArgument() const override { return "lower-shared-memory"; }
  StringRef getDescription() const override {
    return "Turn shared variables into globals of the shared address space";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<arith::ArithDialect, DLTIDialect, LLVM::LLVMDialect,
                    fir::FIROpsDialect>();
  }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    std::optional<DataLayout> layout =
        fir::support::getOrSetMLIRDataLayout(module, true);
    fir::LLVMTypeConverter types(module, /*applyTBAA=*/false,
                                 /*forceUnifiedTBAATree=*/false, *layout);
    for (auto func : module.getOps<func::FuncOp>()) {
      SmallVector<cuf::SharedMemoryOp> variables;
      func.walk(
          [&](cuf::SharedMemoryOp variable) { variables.push_back(variable); });
      Value end; // of the dynamic variables up to here; none: at their start
      for (cuf::SharedMemoryOp variable : variables) {
        const bool isDynamic = fir::hasDynamicSize(variable.getInType());
        LLVM::GlobalOp global =
            isDynamic ? dynamicStart() : staticVariable(variable, types);
        if (!global) {
          signalPassFailure();
          continue;
        }
        Value offset;
        if (isDynamic && !isAssumedSize(variable))
          offset = place(variable, end, types, *layout);
        replace(variable, global, offset);
      }
    }
  }

private:
  static bool isAssumedSize(cuf::SharedMemoryOp variable) {
    return llvm::any_of(variable.getShape(), [](Value extent) {
      return extent.getDefiningOp<fir::AssumedSizeExtentOp>();
    });
  }

  /// Arrays whose extents the kernel knows lie one after another. Returns where
  /// \p variable starts and sets \p end to where it ends.
  static Value place(cuf::SharedMemoryOp variable, Value &end,
                     fir::LLVMTypeConverter &types, const DataLayout &layout) {
    auto array = cast<fir::SequenceType>(variable.getInType());
    Type element = types.convertType(array.getEleTy());
    OpBuilder builder(variable);
    Location location = variable.getLoc();
    auto constant = [&](int64_t value) -> Value {
      return arith::ConstantIntOp::create(builder, location, value, 64);
    };
    const int64_t alignment = layout.getTypeABIAlignment(element);
    Value start = end;
    if (start) {
      start = arith::AddIOp::create(builder, location, start,
                                    constant(alignment - 1));
      start =
          arith::AndIOp::create(builder, location, start, constant(-alignment));
    }
    int64_t known = layout.getTypeSize(element);
    for (int64_t extent : array.getShape())
      if (extent != fir::SequenceType::getUnknownExtent())
        known *= extent;
    Value bytes = constant(known);
    for (Value extent : variable.getShape())
      bytes = arith::MulIOp::create(builder, location, bytes,
                                    fir::ConvertOp::create(builder, location,
                                                           builder.getI64Type(),
                                                           extent));
    // What a BLOCK declares is gone where others could follow it.
    if (variable->getBlock()->isEntryBlock())
      end = start ? arith::AddIOp::create(builder, location, start, bytes)
                  : bytes;
    return start;
  }

  LLVM::GlobalOp createGlobal(Location location, StringRef name, Type type,
                              LLVM::Linkage linkage) {
    OpBuilder builder = OpBuilder::atBlockEnd(getOperation().getBody());
    return LLVM::GlobalOp::create(
        builder, location, type, /*isConstant=*/false, linkage, name,
        /*value=*/Attribute(), SharedAlignment, SharedSpace);
  }

  /// All assumed-size variables share one start (guide, 3.2.3).
  LLVM::GlobalOp dynamicStart() {
    if (auto global =
            getOperation().lookupSymbol<LLVM::GlobalOp>(DynamicSharedSymbol))
      return global;
    MLIRContext *context = &getContext();
    return createGlobal(
        getOperation().getLoc(), DynamicSharedSymbol,
        LLVM::LLVMArrayType::get(IntegerType::get(context, 8), 0),
        LLVM::Linkage::External);
  }

  LLVM::GlobalOp staticVariable(cuf::SharedMemoryOp variable,
                                fir::LLVMTypeConverter &types) {
    Type type = types.convertType(variable.getInType());
    if (!type) {
      variable.emitError("shared variable of a type that device code cannot "
                         "have");
      return {};
    }
    auto func = variable->getParentOfType<func::FuncOp>();
    std::string name = (func.getSymName() + "." +
                        variable.getBindcName().value_or("shared") + ".shared")
                           .str();
    std::string unique = name;
    for (int count = 1; getOperation().lookupSymbol(unique); ++count)
      unique = name + "." + std::to_string(count);
    LLVM::GlobalOp global =
        createGlobal(variable.getLoc(), unique, type, LLVM::Linkage::Internal);
    // Shared memory starts undefined; PTX has no way to say anything else.
    OpBuilder builder(&getContext());
    builder.createBlock(&global.getInitializerRegion());
    Value undefined = LLVM::PoisonOp::create(builder, variable.getLoc(), type);
    LLVM::ReturnOp::create(builder, variable.getLoc(), undefined);
    return global;
  }

  void replace(cuf::SharedMemoryOp variable, LLVM::GlobalOp global,
               Value offset) {
    OpBuilder builder(variable);
    Location location = variable.getLoc();
    Value shared = LLVM::AddressOfOp::create(builder, location, global);
    if (offset)
      shared = LLVM::GEPOp::create(builder, location, shared.getType(),
                                   builder.getI8Type(), shared, offset);
    Value generic = LLVM::AddrSpaceCastOp::create(
        builder, location, LLVM::LLVMPointerType::get(&getContext()), shared);
    Value reference =
        fir::ConvertOp::create(builder, location, variable.getType(), generic);
    variable.replaceAllUsesWith(reference);
    variable.erase();
  }
};

} // namespace

std::unique_ptr<Pass> cufort::lower::createSharedMemory() {
  return std::make_unique<SharedMemory>();
}

//===- SharedMemory.cpp - the places of shared variables ------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/lower/DeviceAttributes.h"
#include "compiler/lower/DeviceModule.h"
#include "compiler/lower/Passes.h"
#include "flang/Optimizer/CodeGen/TypeConverter.h"
#include "flang/Optimizer/Dialect/CUF/CUFOps.h"
#include "flang/Optimizer/Dialect/FIRDialect.h"
#include "flang/Optimizer/Support/DataLayout.h"
#include "mlir/Dialect/DLTI/DLTI.h"
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
  StringRef getArgument() const override { return "cufort-shared-memory"; }
  StringRef getDescription() const override {
    return "Turn shared variables into globals of the shared address space";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<DLTIDialect, LLVM::LLVMDialect, fir::FIROpsDialect>();
  }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    std::optional<DataLayout> layout =
        fir::support::getOrSetMLIRDataLayout(module, true);
    fir::LLVMTypeConverter types(module, /*applyTBAA=*/false,
                                 /*forceUnifiedTBAATree=*/false, *layout);
    SmallVector<cuf::SharedMemoryOp> variables;
    module.walk(
        [&](cuf::SharedMemoryOp variable) { variables.push_back(variable); });
    for (cuf::SharedMemoryOp variable : variables) {
      LLVM::GlobalOp global = fir::hasDynamicSize(variable.getInType())
                                  ? dynamicStart()
                                  : staticVariable(variable, types);
      if (!global)
        return signalPassFailure();
      replace(variable, global);
    }
  }

private:
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

  void replace(cuf::SharedMemoryOp variable, LLVM::GlobalOp global) {
    OpBuilder builder(variable);
    Location location = variable.getLoc();
    Value shared = LLVM::AddressOfOp::create(builder, location, global);
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

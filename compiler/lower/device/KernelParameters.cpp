//===- KernelParameters.cpp - by-value parameters of kernels --------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/lower/DeviceAttributes.h"
#include "compiler/lower/Passes.h"
#include "flang/Optimizer/CodeGen/TypeConverter.h"
#include "flang/Optimizer/Support/DataLayout.h"
#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;
using namespace cufort::lower;

namespace {

struct KernelParameters
    : public PassWrapper<KernelParameters, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(KernelParameters)
  StringRef getArgument() const override { return "lower-kernel-parameters"; }
  StringRef getDescription() const override {
    return "Mark the descriptors and records that kernels receive by value";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<DLTIDialect, LLVM::LLVMDialect>();
  }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    std::optional<DataLayout> layout =
        fir::support::getOrSetMLIRDataLayout(module, true);
    fir::LLVMTypeConverter types(module, /*applyTBAA=*/false,
                                 /*forceUnifiedTBAATree=*/false, *layout);
    for (auto func : module.getOps<func::FuncOp>()) {
      if (isKernel(func))
        mark(func, types);
      dropDataAttributes(func);
    }
  }

private:
  void mark(func::FuncOp kernel, fir::LLVMTypeConverter &types) {
    for (unsigned index = 0; index < kernel.getNumArguments(); ++index) {
      Type type = fir::unwrapRefType(kernel.getArgument(index).getType());
      Type bytes;
      switch (parameterPassing(kernel.getArgument(index).getType(),
                               kernel.getArgAttrDict(index))) {
      case ParameterPassing::Value:
        continue;
      case ParameterPassing::Descriptor:
        bytes = types.convertBoxTypeAsStruct(cast<fir::BaseBoxType>(type));
        break;
      case ParameterPassing::Record:
        bytes = types.convertType(type);
        break;
      }
      kernel.setArgAttr(index, LLVM::LLVMDialect::getByValAttrName(),
                        TypeAttr::get(bytes));
      kernel.setArgAttr(
          index, LLVM::LLVMDialect::getAlignAttrName(),
          IntegerAttr::get(IntegerType::get(&getContext(), 64), 8));
    }
  }
};

} // namespace

std::unique_ptr<Pass> cufort::lower::createKernelParameters() {
  return std::make_unique<KernelParameters>();
}

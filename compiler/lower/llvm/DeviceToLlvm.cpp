//===- DeviceToLlvm.cpp - the combined conversion of the device half ------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/lower/DeviceAttributes.h"
#include "compiler/lower/Passes.h"
#include "compiler/lower/llvm/DevicePowers.h"
#include "flang/Optimizer/CodeGen/CodeGen.h"
#include "flang/Optimizer/CodeGen/TypeConverter.h"
#include "flang/Optimizer/Dialect/CUF/CUFDialect.h"
#include "flang/Optimizer/Support/DataLayout.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ComplexToLLVM/ComplexToLLVM.h"
#include "mlir/Conversion/ComplexToStandard/ComplexToStandard.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVM.h"
#include "mlir/Conversion/GPUToNVVM/GPUToNVVMPass.h"
#include "mlir/Conversion/IndexToLLVM/IndexToLLVM.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVM.h"
#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/DialectConversion.h"

using namespace mlir;
using namespace cufort::lower;

namespace {

/// Math goes to the device's math functions (__nv_*) before anything else may
/// turn it into intrinsics that NVPTX cannot select.
constexpr unsigned DeviceMathBenefit = 20;

fir::FIRToLLVMPassOptions firOptions() {
  fir::FIRToLLVMPassOptions options;
  // DeviceTypes.h makes those of the types that the file knows; of the others
  // device code asks nothing.
  options.ignoreMissingTypeDescriptors = true;
  options.typeDescriptorsRenamedForAssembly = true;
  options.applyTBAA = true;
  return options;
}

/// The patterns refer to \p options.
void populatePatterns(fir::LLVMTypeConverter &types,
                      fir::FIRToLLVMPassOptions &options,
                      RewritePatternSet &patterns) {
  fir::populateFIRToLLVMConversionPatterns(types, patterns, options);
  populateFuncToLLVMConversionPatterns(types, patterns);
  arith::populateArithToLLVMConversionPatterns(types, patterns);
  cf::populateControlFlowToLLVMConversionPatterns(types, patterns);
  populateComplexToLLVMConversionPatterns(types, patterns);
  index::populateIndexToLLVMConversionPatterns(types, patterns);
  populateVectorToLLVMConversionPatterns(types, patterns);
  populateMathToLLVMConversionPatterns(types, patterns);
  populateGpuToNVVMConversionPatterns(types, patterns, DeviceMathBenefit);
  populateDevicePowerPatterns(types, patterns, DeviceMathBenefit + 1);
}

/// Kernels get their calling convention, launch bounds and clusters (guide
/// 3.1.2; nvfortran's launch_bounds and cluster_dims). A GPU needs to be told
/// of clusters in the kernel only, not at the launch.
void finishKernel(LLVM::LLVMFuncOp kernel) {
  kernel.setCConv(LLVM::CConv::PTX_Kernel);
  Builder builder(kernel.getContext());
  SmallVector<Attribute> passthrough;
  auto add = [&](StringRef name, const std::string &value) {
    passthrough.push_back(builder.getStrArrayAttr({name, value}));
  };
  auto addNumber = [&](StringRef name, IntegerAttr value) {
    if (value)
      add(name, std::to_string(value.getInt()));
  };
  auto dims = kernel->getAttrOfType<cuf::ClusterDimsAttr>(
      cuf::getClusterDimsAttrName());
  if (auto bounds = kernel->getAttrOfType<cuf::LaunchBoundsAttr>(
          cuf::getLaunchBoundsAttrName())) {
    addNumber("nvvm.maxntid", bounds.getMaxTPB());
    addNumber("nvvm.minctasm", bounds.getMinBPM());
    // PTX takes only one of the two, and the size says more.
    if (!dims)
      addNumber("nvvm.maxclusterrank", bounds.getUpperBoundClusterSize());
  }
  if (dims)
    add("nvvm.cluster_dim", std::to_string(dims.getX().getInt()) + "," +
                                std::to_string(dims.getY().getInt()) + "," +
                                std::to_string(dims.getZ().getInt()));
  if (!passthrough.empty())
    kernel.setPassthroughAttr(builder.getArrayAttr(passthrough));
}

/// Attributes of the source dialects stay behind and would stop the
/// translation to LLVM IR.
void removeStaleAttributes(Operation *op) {
  SmallVector<StringAttr> stale;
  for (NamedAttribute attr : op->getDiscardableAttrs()) {
    StringRef name = attr.getName();
    bool isSource = name.starts_with("fir.") || name.starts_with("cuf.");
    bool isForeign = isa<LLVM::LLVMDialect>(op->getDialect()) &&
                     (isa<cuf::CUFDialect>(attr.getValue().getDialect()) ||
                      name == "in_type" || name == "proc_attrs" ||
                      name == "operand_segment_sizes");
    if (isSource || isForeign)
      stale.push_back(attr.getName());
  }
  for (StringAttr name : stale)
    op->removeDiscardableAttr(name);
  if (auto func = dyn_cast<FunctionOpInterface>(op))
    for (unsigned index = 0; index < func.getNumArguments(); ++index)
      for (NamedAttribute attr : llvm::to_vector(func.getArgAttrs(index)))
        if (!attr.getName().strref().starts_with("llvm."))
          func.removeArgAttr(index, attr.getName());
}

struct DeviceToLlvm
    : public PassWrapper<DeviceToLlvm, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(DeviceToLlvm)
  StringRef getArgument() const override { return "lower-device-to-llvm"; }
  StringRef getDescription() const override {
    return "Convert device FIR to the LLVM and NVVM dialects";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<DLTIDialect, LLVM::LLVMDialect, NVVM::NVVMDialect>();
  }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    // An address has the space of its variable only if that is converted first;
    // declarations of other files' variables follow their users.
    for (auto global : llvm::to_vector(module.getOps<fir::GlobalOp>()))
      global->moveBefore(module.getBody(), module.getBody()->begin());
    std::optional<DataLayout> layout =
        fir::support::getOrSetMLIRDataLayout(module, true);
    fir::LLVMTypeConverter types(module, /*applyTBAA=*/true,
                                 /*forceUnifiedTBAATree=*/false, *layout);
    fir::FIRToLLVMPassOptions options = firOptions();
    RewritePatternSet patterns(&getContext());
    populatePatterns(types, options, patterns);
    ConversionTarget target(getContext());
    target.addLegalDialect<LLVM::LLVMDialect, NVVM::NVVMDialect>();
    target.addLegalOp<ModuleOp, UnrealizedConversionCastOp>();
    if (failed(applyFullConversion(module, target, std::move(patterns))))
      return signalPassFailure();

    OpPassManager casts(ModuleOp::getOperationName());
    casts.addPass(createReconcileUnrealizedCastsPass());
    if (failed(runPipeline(casts, module)))
      return signalPassFailure();

    for (auto func : module.getOps<LLVM::LLVMFuncOp>())
      if (isKernel(func))
        finishKernel(func);
    module.walk(removeStaleAttributes);
  }
};

} // namespace

std::unique_ptr<Pass> cufort::lower::createDeviceToLlvm() {
  return std::make_unique<DeviceToLlvm>();
}

//===- LaunchToRuntime.cpp - kernel launches as calls of the runtime ------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/lower/DeviceAttributes.h"
#include "compiler/lower/Lower.h"
#include "compiler/lower/Passes.h"
#include "flang/Optimizer/Builder/FIRBuilder.h"
#include "flang/Optimizer/Dialect/CUF/CUFOps.h"
#include "flang/Optimizer/Dialect/FIRDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;
using namespace cufort::lower;

namespace {

class LaunchLowering {
public:
  LaunchLowering(fir::FirOpBuilder &builder, cuf::KernelLaunchOp launch,
                 func::FuncOp kernel)
      : builder(builder), launch(launch), kernel(kernel),
        location(launch.getLoc()),
        pointer(LLVM::LLVMPointerType::get(builder.getContext())) {}

  void run() {
    builder.setInsertionPoint(launch);
    Type i32 = builder.getI32Type();
    Value stub = toPointer(fir::AddrOfOp::create(
        builder, location, kernel.getFunctionType(), launch.getCallee()));
    Value zero = builder.createIntegerConstant(location, i32, 0);
    Value bytes = launch.getBytes() ? launch.getBytes() : zero;
    Value stream = launch.getStream()
                       ? toPointer(launch.getStream())
                       : LLVM::ZeroOp::create(builder, location, pointer);
    Value file = toPointer(fir::factory::locationToFilename(builder, location));
    Value line = fir::factory::locationToLineNo(builder, location, i32);
    SmallVector<Value> operands{stub,
                                launch.getGridX(),
                                launch.getGridY(),
                                launch.getGridZ(),
                                launch.getBlockX(),
                                launch.getBlockY(),
                                launch.getBlockZ(),
                                bytes,
                                stream,
                                parameterAddresses(),
                                file,
                                line};
    fir::CallOp::create(builder, location, launchFunction(), operands);
    launch.erase();
  }

private:
  /// The address of each parameter's bytes, as cuLaunchKernel wants them.
  Value parameterAddresses() {
    auto arguments = launch.getArgs();
    auto arrayType = fir::SequenceType::get(
        {static_cast<fir::SequenceType::Extent>(arguments.size())}, pointer);
    Value array = builder.createTemporary(location, arrayType);
    for (auto [index, argument] : llvm::enumerate(arguments)) {
      Value position = builder.createIntegerConstant(
          location, builder.getIndexType(), static_cast<int64_t>(index));
      Value element = fir::CoordinateOp::create(
          builder, location, builder.getRefType(pointer), array, position);
      fir::StoreOp::create(builder, location, parameterAddress(argument, index),
                           element);
    }
    return toPointer(array);
  }

  /// Whether the kernel is one of another file that is launched by its name
  /// alone: that its arguments are addresses is all that is known. Of any other
  /// external kernel that has arguments in device memory they say so.
  bool isUndeclared() {
    return kernel.isDeclaration() && kernel.getName().starts_with("_QP") &&
           llvm::none_of(
               llvm::seq(kernel.getNumArguments()), [&](unsigned index) {
                 return kernel.getArgAttr(index, cuf::getDataAttrName());
               });
  }

  Value parameterAddress(Value argument, unsigned index) {
    ParameterPassing passing =
        parameterPassing(argument.getType(), kernel.getArgAttrDict(index));
    bool inMemory = passing != ParameterPassing::Value && !isUndeclared() &&
                    fir::isa_ref_type(argument.getType());
    if (inMemory)
      return toPointer(argument);
    // FIR has no variables of reference type; an address travels as a pointer.
    if (fir::isa_ref_type(argument.getType()))
      argument = toPointer(argument);
    Value slot = builder.createTemporary(location, argument.getType());
    fir::StoreOp::create(builder, location, argument, slot);
    return toPointer(slot);
  }

  Value toPointer(Value value) {
    return builder.createConvert(location, pointer, value);
  }

  func::FuncOp launchFunction() {
    StringRef name =
        procedureAttribute(kernel) == cuf::ProcAttribute::GridGlobal
            ? CooperativeFunction
            : LaunchFunction;
    if (func::FuncOp func = builder.getNamedFunction(name))
      return func;
    Type i32 = builder.getI32Type();
    SmallVector<Type> inputs{pointer};
    inputs.append(7, i32);
    inputs.append(3, pointer);
    inputs.push_back(i32);
    return builder.createFunction(location, name,
                                  builder.getFunctionType(inputs, {}));
  }

  fir::FirOpBuilder &builder;
  cuf::KernelLaunchOp launch;
  func::FuncOp kernel;
  Location location;
  Type pointer;
};

struct LaunchToRuntime
    : public PassWrapper<LaunchToRuntime, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(LaunchToRuntime)
  StringRef getArgument() const override { return "lower-launch-to-runtime"; }
  StringRef getDescription() const override {
    return "Turn kernel launches into calls of the runtime";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<LLVM::LLVMDialect, fir::FIROpsDialect>();
  }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    SymbolTable symbols(module);
    SmallVector<cuf::KernelLaunchOp> launches;
    module.walk(
        [&](cuf::KernelLaunchOp launch) { launches.push_back(launch); });
    fir::FirOpBuilder builder(module, fir::getKindMapping(module));
    for (cuf::KernelLaunchOp launch : launches) {
      auto kernel = symbols.lookup<func::FuncOp>(
          launch.getCallee().getRootReference().getValue());
      if (!kernel) {
        launch.emitError() << "launch of an unknown kernel "
                           << launch.getCallee();
        return signalPassFailure();
      }
      LaunchLowering(builder, launch, kernel).run();
    }
  }
};

} // namespace

std::unique_ptr<Pass> cufort::lower::createLaunchToRuntime() {
  return std::make_unique<LaunchToRuntime>();
}

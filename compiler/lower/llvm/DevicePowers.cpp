//===- DevicePowers.cpp - integer powers in device code -------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// MLIR's conversion to NVVM knows one integer power, a real to an integer(4).
// The device library (device/fortran.c) has the others.
//
//===----------------------------------------------------------------------===//

#include "compiler/lower/llvm/DevicePowers.h"
#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Dialect/LLVMIR/FunctionCallUtils.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace {

Value callLibrary(ConversionPatternRewriter &rewriter, Operation *op,
                  StringRef name, Type result, ValueRange operands) {
  auto module = op->getParentOfType<ModuleOp>();
  FailureOr<LLVM::LLVMFuncOp> function = LLVM::lookupOrCreateFn(
      rewriter, module, name, llvm::to_vector(operands.getTypes()), result);
  if (failed(function))
    return {};
  return LLVM::CallOp::create(rewriter, op->getLoc(), *function, operands)
      .getResult();
}

/// integer ** integer: int __cufort_ipow4(int, int), and ipow8 for integer(8).
struct IntegerToInteger : public ConvertOpToLLVMPattern<math::IPowIOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(math::IPowIOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto type = dyn_cast<IntegerType>(op.getType());
    if (!type || type.getWidth() > 64)
      return failure();
    bool isWide = type.getWidth() == 64;
    Type wide = rewriter.getIntegerType(isWide ? 64 : 32);
    auto widen = [&](Value value) -> Value {
      if (value.getType() == wide)
        return value;
      return LLVM::SExtOp::create(rewriter, op.getLoc(), wide, value);
    };
    Value power =
        callLibrary(rewriter, op, isWide ? "__cufort_ipow8" : "__cufort_ipow4",
                    wide, {widen(adaptor.getLhs()), widen(adaptor.getRhs())});
    if (!power)
      return failure();
    if (type != wide)
      power = LLVM::TruncOp::create(rewriter, op.getLoc(), type, power);
    rewriter.replaceOp(op, power);
    return success();
  }
};

/// real ** integer(8): Fortran's FPow4k and FPow8k.
struct RealToLongInteger : public ConvertOpToLLVMPattern<math::FPowIOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(math::FPowIOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (!op.getRhs().getType().isInteger(64))
      return failure();
    StringRef name = op.getType().isF32()   ? "_FortranAFPow4k"
                     : op.getType().isF64() ? "_FortranAFPow8k"
                                            : "";
    if (name.empty())
      return failure();
    Value power = callLibrary(rewriter, op, name, op.getType(),
                              {adaptor.getLhs(), adaptor.getRhs()});
    if (!power)
      return failure();
    rewriter.replaceOp(op, power);
    return success();
  }
};

} // namespace

void cufort::lower::populateDevicePowerPatterns(LLVMTypeConverter &types,
                                                RewritePatternSet &patterns,
                                                PatternBenefit benefit) {
  patterns.add<IntegerToInteger, RealToLongInteger>(types, benefit);
}

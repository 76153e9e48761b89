//===- KernelLoopReductions.cpp - the arithmetic of reductions ------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/lower/loops/KernelLoops.h"
#include "flang/Optimizer/Builder/Complex.h"
#include "flang/Optimizer/Dialect/FIROps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace cufort::lower {

StringRef reductionName(Reduction reduction, Type type) {
  bool isLogical = isa<fir::LogicalType>(type);
  switch (reduction) {
  case Reduction::Sum:
    return "sum";
  case Reduction::Product:
    return "product";
  case Reduction::Max:
    return "max";
  case Reduction::Min:
    return "min";
  case Reduction::And:
    return isLogical ? ".and." : "iand";
  case Reduction::Or:
    return isLogical ? ".or." : "ior";
  case Reduction::Xor:
    return isLogical ? ".neqv." : "ieor";
  case Reduction::Eqv:
    return ".eqv.";
  }
  return "";
}

static Value createInteger(fir::FirOpBuilder &builder, Location location,
                           Reduction reduction, IntegerType type) {
  unsigned width = type.getWidth();
  llvm::APInt value(width, 0);
  switch (reduction) {
  case Reduction::Product:
    value = llvm::APInt(width, 1);
    break;
  case Reduction::Max:
    value = llvm::APInt::getSignedMinValue(width);
    break;
  case Reduction::Min:
    value = llvm::APInt::getSignedMaxValue(width);
    break;
  case Reduction::And:
  case Reduction::Eqv:
    value = llvm::APInt::getAllOnes(width);
    break;
  case Reduction::Sum:
  case Reduction::Or:
  case Reduction::Xor:
    break;
  }
  return arith::ConstantOp::create(builder, location,
                                   IntegerAttr::get(type, value));
}

static Value createReal(fir::FirOpBuilder &builder, Location location,
                        Reduction reduction, FloatType type) {
  const llvm::fltSemantics &semantics = type.getFloatSemantics();
  llvm::APFloat value = llvm::APFloat::getZero(semantics);
  if (reduction == Reduction::Product)
    value = llvm::APFloat::getOne(semantics);
  if (reduction == Reduction::Max || reduction == Reduction::Min)
    value = llvm::APFloat::getInf(semantics, reduction == Reduction::Max);
  return builder.createRealConstant(location, type, value);
}

Value createIdentity(fir::FirOpBuilder &builder, Location location,
                     Reduction reduction, Type type) {
  if (auto real = dyn_cast<FloatType>(type))
    return createReal(builder, location, reduction, real);
  if (auto integer = dyn_cast<IntegerType>(type))
    return createInteger(builder, location, reduction, integer);
  if (auto complex = dyn_cast<ComplexType>(type)) {
    auto part = cast<FloatType>(complex.getElementType());
    return fir::factory::Complex(builder, location)
        .createComplex(type, createReal(builder, location, reduction, part),
                       createReal(builder, location, Reduction::Sum, part));
  }
  Value bit = createInteger(builder, location, reduction, builder.getI1Type());
  return builder.createConvert(location, type, bit);
}

/// The greater or the lesser, as the comparison in an IF would choose.
static Value createChoice(fir::FirOpBuilder &builder, Location location,
                          bool greater, Value a, Value b) {
  Value better;
  if (isa<FloatType>(a.getType()))
    better = arith::CmpFOp::create(
        builder, location,
        greater ? arith::CmpFPredicate::OGT : arith::CmpFPredicate::OLT, b, a);
  else
    better = arith::CmpIOp::create(
        builder, location,
        greater ? arith::CmpIPredicate::sgt : arith::CmpIPredicate::slt, b, a);
  return arith::SelectOp::create(builder, location, better, b, a);
}

template <typename Real, typename Integer, typename Complex>
static Value createArithmetic(fir::FirOpBuilder &builder, Location location,
                              Value a, Value b) {
  if (isa<FloatType>(a.getType()))
    return Real::create(builder, location, a, b);
  if (isa<ComplexType>(a.getType()))
    return Complex::create(builder, location, a, b);
  return Integer::create(builder, location, a, b);
}

Value createCombination(fir::FirOpBuilder &builder, Location location,
                        Reduction reduction, Value a, Value b) {
  Type type = a.getType();
  if (isa<fir::LogicalType>(type)) {
    a = builder.createConvert(location, builder.getI1Type(), a);
    b = builder.createConvert(location, builder.getI1Type(), b);
  }
  Value result;
  switch (reduction) {
  case Reduction::Sum:
    result = createArithmetic<arith::AddFOp, arith::AddIOp, fir::AddcOp>(
        builder, location, a, b);
    break;
  case Reduction::Product:
    result = createArithmetic<arith::MulFOp, arith::MulIOp, fir::MulcOp>(
        builder, location, a, b);
    break;
  case Reduction::Max:
  case Reduction::Min:
    result = createChoice(builder, location, reduction == Reduction::Max, a, b);
    break;
  case Reduction::And:
    result = arith::AndIOp::create(builder, location, a, b);
    break;
  case Reduction::Or:
    result = arith::OrIOp::create(builder, location, a, b);
    break;
  case Reduction::Xor:
    result = arith::XOrIOp::create(builder, location, a, b);
    break;
  case Reduction::Eqv:
    result = arith::CmpIOp::create(builder, location, arith::CmpIPredicate::eq,
                                   a, b);
    break;
  }
  return builder.createConvert(location, type, result);
}

} // namespace cufort::lower

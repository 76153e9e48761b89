//===- Conversions.cpp - numbers to integers in vector code ---------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/cpu/simd/Conversions.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace cufort::cpu {

static bool isSaturating(const IntrinsicInst &call) {
  return call.getIntrinsicID() == Intrinsic::fptosi_sat ||
         call.getIntrinsicID() == Intrinsic::fptoui_sat;
}

static void expand(IntrinsicInst &call) {
  Value *number = call.getArgOperand(0);
  Type *real = number->getType(), *integer = call.getType();
  const bool isSigned = call.getIntrinsicID() == Intrinsic::fptosi_sat;
  const unsigned bits = integer->getScalarSizeInBits();
  const fltSemantics &format = real->getScalarType()->getFltSemantics();
  const APInt least =
      isSigned ? APInt::getSignedMinValue(bits) : APInt::getMinValue(bits);
  const APInt most =
      isSigned ? APInt::getSignedMaxValue(bits) : APInt::getMaxValue(bits);
  // The nearest numbers between the bounds.
  APFloat low(format), high(format);
  low.convertFromAPInt(least, isSigned, APFloat::rmTowardZero);
  const bool isExact =
      high.convertFromAPInt(most, isSigned, APFloat::rmTowardZero) ==
      APFloat::opOK;

  IRBuilder<> b(&call);
  Constant *lowest = ConstantFP::get(real, low);
  Constant *highest = ConstantFP::get(real, high);
  // What is no number becomes the lowest one.
  Value *raised =
      b.CreateSelect(b.CreateFCmpOGT(number, lowest), number, lowest);
  Value *clamped =
      b.CreateSelect(b.CreateFCmpOLT(raised, highest), raised, highest);
  Value *result = isSigned ? b.CreateFPToSI(clamped, integer)
                           : b.CreateFPToUI(clamped, integer);
  if (!isExact)
    result = b.CreateSelect(b.CreateFCmpOGT(number, highest),
                            ConstantInt::get(integer, most), result);
  if (isSigned)
    result =
        b.CreateSelect(b.CreateFCmpUNO(number, Constant::getNullValue(real)),
                       Constant::getNullValue(integer), result);
  call.replaceAllUsesWith(result);
  call.eraseFromParent();
}

Error expandConversions(Module &module, const CpuOptions &) {
  for (Function &function : module)
    for (Instruction &instruction :
         make_early_inc_range(instructions(function)))
      if (auto *call = dyn_cast<IntrinsicInst>(&instruction);
          call && isSaturating(*call)) {
        Type *real = call->getArgOperand(0)->getType()->getScalarType();
        if ((real->isFloatTy() || real->isDoubleTy()) &&
            call->getType()->getScalarSizeInBits() <= 64)
          expand(*call);
      }
  return Error::success();
}

} // namespace cufort::cpu

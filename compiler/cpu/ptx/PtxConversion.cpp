//===- PtxConversion.cpp - PTX's conversions ------------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/cpu/ptx/PtxConversion.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace cufort::cpu {

Type *ptxType(IRBuilder<> &b, StringRef suffix) {
  return StringSwitch<Type *>(suffix)
      .Cases({"u8", "s8", "b8"}, b.getInt8Ty())
      .Cases({"u16", "s16", "b16"}, b.getInt16Ty())
      .Cases({"u32", "s32", "b32"}, b.getInt32Ty())
      .Cases({"u64", "s64", "b64"}, b.getInt64Ty())
      .Case("f16", b.getHalfTy())
      .Case("bf16", b.getBFloatTy())
      .Case("f16x2", FixedVectorType::get(b.getHalfTy(), 2))
      .Case("bf16x2", FixedVectorType::get(b.getBFloatTy(), 2))
      .Case("f32", b.getFloatTy())
      .Case("f64", b.getDoubleTy())
      .Case("pred", b.getInt1Ty())
      .Default(nullptr);
}

Value *ptxBits(IRBuilder<> &b, Value *value, Type *type) {
  Type *from = value->getType();
  if (from == type)
    return value;
  if (from->isPointerTy())
    return ptxBits(b, b.CreatePtrToInt(value, b.getInt64Ty()), type);
  if (type->isPointerTy())
    return b.CreateIntToPtr(ptxBits(b, value, b.getInt64Ty()), type);
  if (!from->isIntegerTy())
    return ptxBits(
        b, b.CreateBitCast(value, b.getIntNTy(from->getPrimitiveSizeInBits())),
        type);
  if (!type->isIntegerTy())
    return b.CreateBitCast(
        ptxBits(b, value, b.getIntNTy(type->getPrimitiveSizeInBits())), type);
  return b.CreateZExtOrTrunc(value, type);
}

Value *roundToBFloat(IRBuilder<> &b, Value *value) {
  Type *type = value->getType();
  Type *words = type->getWithNewType(b.getInt32Ty());
  auto constant = [&](uint32_t bits) { return ConstantInt::get(words, bits); };
  Value *bits = b.CreateBitCast(value, words);
  Value *odd = b.CreateAnd(b.CreateLShr(bits, constant(16)), constant(1));
  Value *nearest = b.CreateAdd(bits, b.CreateAdd(odd, constant(0x7fff)));
  Value *isNumber = b.CreateFCmpORD(value, value);
  // PTX has one value for what is not a number.
  Value *high = b.CreateSelect(isNumber, nearest, constant(0x7fff0000));
  return b.CreateTrunc(b.CreateLShr(high, constant(16)),
                       type->getWithNewType(b.getInt16Ty()));
}

/// Between kinds of real numbers.
static Value *realConversion(IRBuilder<> &b, Value *value, Type *to) {
  return value->getType()->getScalarType()->isFloatTy() &&
                 to->getScalarType()->isBFloatTy()
             ? roundToBFloat(b, value)
             : b.CreateFPCast(value, to);
}

/// To the nearest whole number, downwards, ...; null: nothing says how.
static Value *rounded(IRBuilder<> &b, ArrayRef<StringRef> words, Value *value) {
  if (is_contained(words, "rni"))
    return b.CreateUnaryIntrinsic(Intrinsic::roundeven, value);
  if (is_contained(words, "rmi"))
    return b.CreateUnaryIntrinsic(Intrinsic::floor, value);
  if (is_contained(words, "rpi"))
    return b.CreateUnaryIntrinsic(Intrinsic::ceil, value);
  if (is_contained(words, "rzi"))
    return b.CreateUnaryIntrinsic(Intrinsic::trunc, value);
  return nullptr;
}

static Value *saturatedInteger(IRBuilder<> &b, Value *value, Type *to,
                               bool fromSigned, bool toSigned) {
  unsigned fromBits = value->getType()->getIntegerBitWidth(),
           toBits = to->getIntegerBitWidth();
  Type *wide = b.getIntNTy(std::max(fromBits, toBits) + 1);
  value = b.CreateIntCast(value, wide, fromSigned);
  APInt least =
      toSigned ? APInt::getSignedMinValue(toBits) : APInt::getMinValue(toBits);
  APInt most =
      toSigned ? APInt::getSignedMaxValue(toBits) : APInt::getMaxValue(toBits);
  unsigned bits = wide->getIntegerBitWidth();
  value = b.CreateBinaryIntrinsic(
      Intrinsic::smax, value,
      b.getInt(toSigned ? least.sext(bits) : least.zext(bits)));
  value = b.CreateBinaryIntrinsic(
      Intrinsic::smin, value,
      b.getInt(toSigned ? most.sext(bits) : most.zext(bits)));
  return b.CreateTrunc(value, to);
}

Value *ptxConversion(IRBuilder<> &b, ArrayRef<StringRef> words,
                     ArrayRef<Value *> values) {
  StringRef toName = words[words.size() - 2], fromName = words.back();
  Type *to = ptxType(b, toName), *from = ptxType(b, fromName);
  if (!to || !from)
    return nullptr;
  // Directed rounding and other accuracies are not for here.
  for (StringRef word : {"rz", "rm", "rp", "rna", "relu", "satfinite", "rs"})
    if (is_contained(words, word))
      return nullptr;
  bool saturates = is_contained(words, "sat");
  if (values.size() == 2) {
    auto *pair = dyn_cast<FixedVectorType>(to);
    if (!pair || !from->isFloatTy() || saturates)
      return nullptr;
    Value *floats = PoisonValue::get(FixedVectorType::get(from, 2));
    for (unsigned i = 0; i < 2; ++i)
      floats = b.CreateInsertElement(floats, values[1 - i], i);
    return realConversion(b, floats, pair);
  }
  if (to->isVectorTy() || from->isVectorTy())
    return nullptr;
  Value *value = values.front();
  bool fromSigned = fromName.starts_with("s"),
       toSigned = toName.starts_with("s");
  if (from->isIntegerTy() && to->isIntegerTy())
    return saturates ? saturatedInteger(b, value, to, fromSigned, toSigned)
                     : b.CreateIntCast(value, to, fromSigned);
  if (from->isIntegerTy()) {
    // Larger integers would be rounded twice on their way to bfloat16.
    if (!is_contained(words, "rn") || saturates ||
        (to->isBFloatTy() && from->getIntegerBitWidth() > 16))
      return nullptr;
    Type *real = to->isBFloatTy() ? b.getFloatTy() : to;
    return realConversion(b,
                          fromSigned ? b.CreateSIToFP(value, real)
                                     : b.CreateUIToFP(value, real),
                          to);
  }
  Value *whole = rounded(b, words, value);
  if (to->isIntegerTy())
    return whole ? b.CreateIntrinsic(toSigned ? Intrinsic::fptosi_sat
                                              : Intrinsic::fptoui_sat,
                                     {to, from}, {whole})
                 : nullptr;
  value = realConversion(b, whole ? whole : value, to);
  if (saturates && to->isBFloatTy())
    return nullptr;
  if (saturates) {
    // What is not a number becomes zero.
    value = b.CreateBinaryIntrinsic(Intrinsic::maxnum, value,
                                    ConstantFP::get(to, 0));
    value = b.CreateBinaryIntrinsic(Intrinsic::minnum, value,
                                    ConstantFP::get(to, 1));
  }
  return value;
}

Value *ptxComparison(IRBuilder<> &b, StringRef how, bool isSigned, Value *x,
                     Value *y) {
  if (x->getType()->isFPOrFPVectorTy()) {
    auto predicate = StringSwitch<CmpInst::Predicate>(how)
                         .Case("eq", CmpInst::FCMP_OEQ)
                         .Case("ne", CmpInst::FCMP_ONE)
                         .Case("lt", CmpInst::FCMP_OLT)
                         .Case("le", CmpInst::FCMP_OLE)
                         .Case("gt", CmpInst::FCMP_OGT)
                         .Case("ge", CmpInst::FCMP_OGE)
                         .Case("equ", CmpInst::FCMP_UEQ)
                         .Case("neu", CmpInst::FCMP_UNE)
                         .Case("ltu", CmpInst::FCMP_ULT)
                         .Case("leu", CmpInst::FCMP_ULE)
                         .Case("gtu", CmpInst::FCMP_UGT)
                         .Case("geu", CmpInst::FCMP_UGE)
                         .Case("num", CmpInst::FCMP_ORD)
                         .Case("nan", CmpInst::FCMP_UNO)
                         .Default(CmpInst::BAD_FCMP_PREDICATE);
    return predicate == CmpInst::BAD_FCMP_PREDICATE
               ? nullptr
               : b.CreateFCmp(predicate, x, y);
  }
  auto predicate =
      StringSwitch<CmpInst::Predicate>(how)
          .Case("eq", CmpInst::ICMP_EQ)
          .Case("ne", CmpInst::ICMP_NE)
          .Case("lt", isSigned ? CmpInst::ICMP_SLT : CmpInst::ICMP_ULT)
          .Case("le", isSigned ? CmpInst::ICMP_SLE : CmpInst::ICMP_ULE)
          .Case("gt", isSigned ? CmpInst::ICMP_SGT : CmpInst::ICMP_UGT)
          .Case("ge", isSigned ? CmpInst::ICMP_SGE : CmpInst::ICMP_UGE)
          .Case("lo", CmpInst::ICMP_ULT)
          .Case("ls", CmpInst::ICMP_ULE)
          .Case("hi", CmpInst::ICMP_UGT)
          .Case("hs", CmpInst::ICMP_UGE)
          .Default(CmpInst::BAD_ICMP_PREDICATE);
  return predicate == CmpInst::BAD_ICMP_PREDICATE
             ? nullptr
             : b.CreateICmp(predicate, x, y);
}

} // namespace cufort::cpu

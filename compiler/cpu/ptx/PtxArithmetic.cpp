//===- PtxArithmetic.cpp - PTX's arithmetic as LLVM's ---------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/cpu/ptx/PtxArithmetic.h"
#include "compiler/cpu/ptx/PtxConversion.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace cufort::cpu {

bool isPtxShift(StringRef name) { return name == "shl" || name == "shr"; }

Value *ptxArithmetic(IRBuilder<> &b, ArrayRef<StringRef> words, Type *type,
                     ArrayRef<Value *> v) {
  StringRef name = words.front();
  bool isSigned = words.back().starts_with("s");
  bool isReal = type->isFPOrFPVectorTy();
  if (type->getScalarType()->isBFloatTy()) {
    Type *single = type->getWithNewType(b.getFloatTy());
    SmallVector<Value *> wide;
    for (Value *value : v)
      wide.push_back(value->getType() == type ? b.CreateFPExt(value, single)
                                              : value);
    Value *result = ptxArithmetic(b, words, single, wide);
    return result ? roundToBFloat(b, result) : nullptr;
  }
  // Carries, saturation and directed rounding are not for here.
  for (StringRef word : {"cc", "sat", "rz", "rm", "rp", "rd", "ru"})
    if (is_contained(words, word))
      return nullptr;
  switch (v.size()) {
  case 1:
    if (name == "mov" || name == "mov64")
      return v[0];
    if (name == "neg")
      return isReal ? b.CreateFNeg(v[0]) : b.CreateNeg(v[0]);
    if (name == "not")
      return b.CreateNot(v[0]);
    if (name == "abs")
      return isReal
                 ? b.CreateUnaryIntrinsic(Intrinsic::fabs, v[0])
                 : b.CreateBinaryIntrinsic(Intrinsic::abs, v[0], b.getFalse());
    if (name == "popc")
      return b.CreateZExtOrTrunc(b.CreateUnaryIntrinsic(Intrinsic::ctpop, v[0]),
                                 b.getInt32Ty());
    if (name == "clz")
      return b.CreateZExtOrTrunc(
          b.CreateBinaryIntrinsic(Intrinsic::ctlz, v[0], b.getFalse()),
          b.getInt32Ty());
    if (name == "brev")
      return b.CreateUnaryIntrinsic(Intrinsic::bitreverse, v[0]);
    if (name == "sqrt" && isReal)
      return b.CreateUnaryIntrinsic(Intrinsic::sqrt, v[0]);
    if (name == "rcp" && isReal)
      return b.CreateFDiv(ConstantFP::get(type, 1.0), v[0]);
    if (name == "rsqrt" && isReal)
      return b.CreateFDiv(ConstantFP::get(type, 1.0),
                          b.CreateUnaryIntrinsic(Intrinsic::sqrt, v[0]));
    if (name == "ex2" && isReal)
      return b.CreateUnaryIntrinsic(Intrinsic::exp2, v[0]);
    if (name == "lg2" && isReal)
      return b.CreateUnaryIntrinsic(Intrinsic::log2, v[0]);
    if (name == "sin" && isReal)
      return b.CreateUnaryIntrinsic(Intrinsic::sin, v[0]);
    if (name == "cos" && isReal)
      return b.CreateUnaryIntrinsic(Intrinsic::cos, v[0]);
    if (name == "tanh" && isReal)
      return b.CreateUnaryIntrinsic(Intrinsic::tanh, v[0]);
    return nullptr;
  case 2:
    if (name == "add")
      return isReal ? b.CreateFAdd(v[0], v[1]) : b.CreateAdd(v[0], v[1]);
    if (name == "sub")
      return isReal ? b.CreateFSub(v[0], v[1]) : b.CreateSub(v[0], v[1]);
    if (name == "mul" && isReal)
      return b.CreateFMul(v[0], v[1]);
    if (name == "mul" && is_contained(words, "lo"))
      return b.CreateMul(v[0], v[1]);
    if (name == "mul" &&
        (is_contained(words, "hi") || is_contained(words, "wide"))) {
      unsigned bits = type->getIntegerBitWidth();
      Type *wide = b.getIntNTy(2 * bits);
      Value *product = b.CreateMul(b.CreateIntCast(v[0], wide, isSigned),
                                   b.CreateIntCast(v[1], wide, isSigned));
      return is_contained(words, "wide")
                 ? product
                 : b.CreateTrunc(b.CreateLShr(product, bits), type);
    }
    if (name == "div")
      return isReal     ? b.CreateFDiv(v[0], v[1])
             : isSigned ? b.CreateSDiv(v[0], v[1])
                        : b.CreateUDiv(v[0], v[1]);
    if (name == "rem" && !isReal)
      return isSigned ? b.CreateSRem(v[0], v[1]) : b.CreateURem(v[0], v[1]);
    if (name == "min" || name == "max") {
      bool isMin = name == "min";
      return b.CreateBinaryIntrinsic(
          isReal     ? (isMin ? Intrinsic::minnum : Intrinsic::maxnum)
          : isSigned ? (isMin ? Intrinsic::smin : Intrinsic::smax)
                     : (isMin ? Intrinsic::umin : Intrinsic::umax),
          v[0], v[1]);
    }
    if (name == "and")
      return b.CreateAnd(v[0], v[1]);
    if (name == "or")
      return b.CreateOr(v[0], v[1]);
    if (name == "xor")
      return b.CreateXor(v[0], v[1]);
    if (isPtxShift(name)) {
      // A shift by the width or more is one by the width.
      unsigned bits = type->getIntegerBitWidth();
      Value *isLarge = b.CreateICmpUGE(v[1], b.getInt32(bits));
      Value *by = b.CreateZExtOrTrunc(
          b.CreateSelect(isLarge, b.getInt32(bits - 1), v[1]), type);
      if (name == "shr" && isSigned)
        return b.CreateAShr(v[0], by);
      Value *shifted =
          name == "shl" ? b.CreateShl(v[0], by) : b.CreateLShr(v[0], by);
      return b.CreateSelect(isLarge, ConstantInt::get(type, 0), shifted);
    }
    return nullptr;
  case 3:
    if ((name == "mad" || name == "fma") && isReal)
      return b.CreateIntrinsic(Intrinsic::fma, {type}, {v[0], v[1], v[2]});
    if (name == "mad" && is_contained(words, "lo"))
      return b.CreateAdd(b.CreateMul(v[0], v[1]), v[2]);
    if (name == "selp")
      return b.CreateSelect(v[2], v[0], v[1]);
    if (name == "sad") {
      Value *difference = b.CreateSub(
          b.CreateBinaryIntrinsic(isSigned ? Intrinsic::smax : Intrinsic::umax,
                                  v[0], v[1]),
          b.CreateBinaryIntrinsic(isSigned ? Intrinsic::smin : Intrinsic::umin,
                                  v[0], v[1]));
      return b.CreateAdd(difference, v[2]);
    }
    if (name == "dp4a") {
      auto *bytes = FixedVectorType::get(b.getInt8Ty(), 4);
      auto *wide = FixedVectorType::get(b.getInt32Ty(), 4);
      auto widen = [&](Value *value, StringRef as) {
        return b.CreateIntCast(b.CreateBitCast(value, bytes), wide,
                               as.starts_with("s"));
      };
      Value *products =
          b.CreateMul(widen(v[0], words[1]), widen(v[1], words.back()));
      return b.CreateAdd(b.CreateAddReduce(products), v[2]);
    }
    return nullptr;
  case 4:
    if (name == "lop3") {
      auto *table = dyn_cast<ConstantInt>(v[3]);
      if (!table)
        return nullptr;
      Value *result = ConstantInt::get(type, 0);
      for (unsigned row = 0; row < 8; ++row) {
        if (!(table->getZExtValue() >> row & 1))
          continue;
        Value *term = Constant::getAllOnesValue(type);
        for (unsigned input = 0; input < 3; ++input)
          term = b.CreateAnd(
              term, row >> (2 - input) & 1 ? v[input] : b.CreateNot(v[input]));
        result = b.CreateOr(result, term);
      }
      return result;
    }
    return nullptr;
  default:
    return nullptr;
  }
}

Value *ptxArithmeticOnParts(IRBuilder<> &b, ArrayRef<StringRef> words,
                            ArrayRef<Value *> v) {
  StringRef name = words.front().drop_front();
  unsigned count = name.consume_back("4") ? 4 : name.consume_back("2") ? 2 : 0;
  if (!count || words.size() < 3)
    return nullptr;
  Type *i32 = b.getInt32Ty();
  unsigned bits = 32 / count;
  auto *parts = FixedVectorType::get(b.getIntNTy(bits), count);
  auto *wide = FixedVectorType::get(i32, count);
  bool isSigned =
      name == "set" ? words[1].starts_with("s") : words[2].starts_with("s");
  auto widen = [&](Value *value) {
    return b.CreateIntCast(b.CreateBitCast(value, parts), wide, isSigned);
  };
  Value *x = widen(v[0]), *y = widen(v[1]);
  auto smaller = [&] { return b.CreateBinaryIntrinsic(Intrinsic::smin, x, y); };
  auto larger = [&] { return b.CreateBinaryIntrinsic(Intrinsic::smax, x, y); };
  Value *one = ConstantInt::get(wide, 1), *result = nullptr;
  if (name == "add")
    result = b.CreateAdd(x, y);
  else if (name == "sub")
    result = b.CreateSub(x, y);
  else if (name == "min")
    result = smaller();
  else if (name == "max")
    result = larger();
  else if (name == "absdiff")
    result = b.CreateSub(larger(), smaller());
  else if (name == "avrg") {
    // Halves are rounded away from zero.
    Value *sum = b.CreateAdd(x, y);
    Value *isPositive = b.CreateICmpSGE(sum, Constant::getNullValue(wide));
    result =
        b.CreateAShr(b.CreateAdd(sum, b.CreateZExt(isPositive, wide)), one);
  } else if (name == "set") {
    auto predicate = StringSwitch<CmpInst::Predicate>(words.back())
                         .Case("eq", CmpInst::ICMP_EQ)
                         .Case("ne", CmpInst::ICMP_NE)
                         .Case("lt", CmpInst::ICMP_SLT)
                         .Case("le", CmpInst::ICMP_SLE)
                         .Case("gt", CmpInst::ICMP_SGT)
                         .Case("ge", CmpInst::ICMP_SGE)
                         .Default(CmpInst::BAD_ICMP_PREDICATE);
    if (predicate == CmpInst::BAD_ICMP_PREDICATE)
      return nullptr;
    result = b.CreateZExt(b.CreateICmp(predicate, x, y), wide);
  }
  if (!result)
    return nullptr;
  if (words.back() == "add")
    return b.CreateAdd(b.CreateAddReduce(result), v[2]);
  if (words.back() == "sat") {
    int64_t least = isSigned ? -(int64_t(1) << (bits - 1)) : 0;
    int64_t most = (int64_t(1) << (isSigned ? bits - 1 : bits)) - 1;
    result = b.CreateBinaryIntrinsic(
        Intrinsic::smin,
        b.CreateBinaryIntrinsic(Intrinsic::smax, result,
                                ConstantInt::getSigned(wide, least)),
        ConstantInt::getSigned(wide, most));
  }
  return b.CreateBitCast(b.CreateTrunc(result, parts), i32);
}

} // namespace cufort::cpu

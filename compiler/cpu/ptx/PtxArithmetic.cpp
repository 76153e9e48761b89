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

namespace {

/// One instruction. Every function gives null for what it does not know.
class Arithmetic {
public:
  Arithmetic(IRBuilder<> &b, ArrayRef<StringRef> words, Type *type)
      : b(b), words(words), name(words.front()), type(type),
        isSigned(words.back().starts_with("s")),
        isReal(type->isFPOrFPVectorTy()) {}

  Value *of(ArrayRef<Value *> v) {
    switch (v.size()) {
    case 1:
      return ofOne(v[0]);
    case 2:
      return ofTwo(v[0], v[1]);
    case 3:
      return ofThree(v[0], v[1], v[2]);
    case 4:
      return name == "lop3" ? logic(v.take_front(3), v[3]) : nullptr;
    default:
      return nullptr;
    }
  }

private:
  bool has(StringRef word) const { return is_contained(words, word); }

  Value *ofOne(Value *x);
  Value *realFunction(Value *x);
  Value *ofTwo(Value *x, Value *y);
  Value *product(Value *x, Value *y);
  Value *leastOrMost(Value *x, Value *y);
  Value *shift(Value *x, Value *by);
  Value *ofThree(Value *x, Value *y, Value *z);
  Value *distance(Value *x, Value *y);
  Value *sumOfByteProducts(Value *x, Value *y);
  Value *logic(ArrayRef<Value *> inputs, Value *table);

  IRBuilder<> &b;
  ArrayRef<StringRef> words;
  StringRef name;
  Type *type;
  bool isSigned, isReal;
};

} // namespace

Value *Arithmetic::ofOne(Value *x) {
  if (name == "mov" || name == "mov64")
    return x;
  if (name == "neg")
    return isReal ? b.CreateFNeg(x) : b.CreateNeg(x);
  if (name == "not")
    return b.CreateNot(x);
  if (name == "abs")
    return isReal ? b.CreateUnaryIntrinsic(Intrinsic::fabs, x)
                  : b.CreateBinaryIntrinsic(Intrinsic::abs, x, b.getFalse());
  if (name == "popc")
    return b.CreateZExtOrTrunc(b.CreateUnaryIntrinsic(Intrinsic::ctpop, x),
                               b.getInt32Ty());
  if (name == "clz")
    return b.CreateZExtOrTrunc(
        b.CreateBinaryIntrinsic(Intrinsic::ctlz, x, b.getFalse()),
        b.getInt32Ty());
  if (name == "brev")
    return b.CreateUnaryIntrinsic(Intrinsic::bitreverse, x);
  return isReal ? realFunction(x) : nullptr;
}

Value *Arithmetic::realFunction(Value *x) {
  if (name == "sqrt")
    return b.CreateUnaryIntrinsic(Intrinsic::sqrt, x);
  if (name == "rcp")
    return b.CreateFDiv(ConstantFP::get(type, 1.0), x);
  if (name == "rsqrt")
    return b.CreateFDiv(ConstantFP::get(type, 1.0),
                        b.CreateUnaryIntrinsic(Intrinsic::sqrt, x));
  if (name == "ex2")
    return b.CreateUnaryIntrinsic(Intrinsic::exp2, x);
  if (name == "lg2")
    return b.CreateUnaryIntrinsic(Intrinsic::log2, x);
  if (name == "sin")
    return b.CreateUnaryIntrinsic(Intrinsic::sin, x);
  if (name == "cos")
    return b.CreateUnaryIntrinsic(Intrinsic::cos, x);
  if (name == "tanh")
    return b.CreateUnaryIntrinsic(Intrinsic::tanh, x);
  return nullptr;
}

Value *Arithmetic::ofTwo(Value *x, Value *y) {
  if (name == "add")
    return isReal ? b.CreateFAdd(x, y) : b.CreateAdd(x, y);
  if (name == "sub")
    return isReal ? b.CreateFSub(x, y) : b.CreateSub(x, y);
  if (name == "mul")
    return isReal ? b.CreateFMul(x, y) : product(x, y);
  if (name == "div")
    return isReal     ? b.CreateFDiv(x, y)
           : isSigned ? b.CreateSDiv(x, y)
                      : b.CreateUDiv(x, y);
  if (name == "rem" && !isReal)
    return isSigned ? b.CreateSRem(x, y) : b.CreateURem(x, y);
  if (name == "min" || name == "max")
    return leastOrMost(x, y);
  if (name == "and")
    return b.CreateAnd(x, y);
  if (name == "or")
    return b.CreateOr(x, y);
  if (name == "xor")
    return b.CreateXor(x, y);
  if (isPtxShift(name))
    return shift(x, y);
  return nullptr;
}

/// The low half of an integer product, the high one, or all of it.
Value *Arithmetic::product(Value *x, Value *y) {
  if (has("lo"))
    return b.CreateMul(x, y);
  if (!has("hi") && !has("wide"))
    return nullptr;
  unsigned bits = type->getIntegerBitWidth();
  Type *wide = b.getIntNTy(2 * bits);
  Value *whole = b.CreateMul(b.CreateIntCast(x, wide, isSigned),
                             b.CreateIntCast(y, wide, isSigned));
  return has("wide") ? whole : b.CreateTrunc(b.CreateLShr(whole, bits), type);
}

Value *Arithmetic::leastOrMost(Value *x, Value *y) {
  bool isMin = name == "min";
  return b.CreateBinaryIntrinsic(
      isReal     ? (isMin ? Intrinsic::minnum : Intrinsic::maxnum)
      : isSigned ? (isMin ? Intrinsic::smin : Intrinsic::smax)
                 : (isMin ? Intrinsic::umin : Intrinsic::umax),
      x, y);
}

/// A shift by the width or more is one by the width.
Value *Arithmetic::shift(Value *x, Value *by) {
  unsigned bits = type->getIntegerBitWidth();
  Value *isLarge = b.CreateICmpUGE(by, b.getInt32(bits));
  by = b.CreateZExtOrTrunc(b.CreateSelect(isLarge, b.getInt32(bits - 1), by),
                           type);
  if (name == "shr" && isSigned)
    return b.CreateAShr(x, by);
  Value *shifted = name == "shl" ? b.CreateShl(x, by) : b.CreateLShr(x, by);
  return b.CreateSelect(isLarge, ConstantInt::get(type, 0), shifted);
}

Value *Arithmetic::ofThree(Value *x, Value *y, Value *z) {
  if ((name == "mad" || name == "fma") && isReal)
    return b.CreateIntrinsic(Intrinsic::fma, {type}, {x, y, z});
  if (name == "mad" && has("lo"))
    return b.CreateAdd(b.CreateMul(x, y), z);
  if (name == "selp")
    return b.CreateSelect(z, x, y);
  if (name == "sad")
    return b.CreateAdd(distance(x, y), z);
  if (name == "dp4a")
    return b.CreateAdd(sumOfByteProducts(x, y), z);
  return nullptr;
}

Value *Arithmetic::distance(Value *x, Value *y) {
  return b.CreateSub(b.CreateBinaryIntrinsic(
                         isSigned ? Intrinsic::smax : Intrinsic::umax, x, y),
                     b.CreateBinaryIntrinsic(
                         isSigned ? Intrinsic::smin : Intrinsic::umin, x, y));
}

Value *Arithmetic::sumOfByteProducts(Value *x, Value *y) {
  auto *bytes = FixedVectorType::get(b.getInt8Ty(), 4);
  auto *wide = FixedVectorType::get(b.getInt32Ty(), 4);
  auto widen = [&](Value *value, StringRef as) {
    return b.CreateIntCast(b.CreateBitCast(value, bytes), wide,
                           as.starts_with("s"));
  };
  return b.CreateAddReduce(
      b.CreateMul(widen(x, words[1]), widen(y, words.back())));
}

/// Any function of the bits of three numbers; \p table has its values.
Value *Arithmetic::logic(ArrayRef<Value *> inputs, Value *table) {
  auto *values = dyn_cast<ConstantInt>(table);
  if (!values)
    return nullptr;
  Value *result = ConstantInt::get(type, 0);
  for (unsigned row = 0; row < 8; ++row) {
    if (!(values->getZExtValue() >> row & 1))
      continue;
    Value *term = Constant::getAllOnesValue(type);
    for (auto [i, input] : enumerate(inputs))
      term = b.CreateAnd(term, row >> (2 - i) & 1 ? input : b.CreateNot(input));
    result = b.CreateOr(result, term);
  }
  return result;
}

Value *ptxArithmetic(IRBuilder<> &b, ArrayRef<StringRef> words, Type *type,
                     ArrayRef<Value *> v) {
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
  return Arithmetic(b, words, type).of(v);
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

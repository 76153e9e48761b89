//===- PtxWords.cpp - PTX's operations on bits ----------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/cpu/ptx/PtxWords.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace cufort::cpu {
namespace {

Value *atMost(IRBuilder<> &b, Value *value, uint64_t limit) {
  return b.CreateBinaryIntrinsic(Intrinsic::umin, value,
                                 ConstantInt::get(value->getType(), limit));
}

/// The low \p length bits of a number twice as wide as what they are for, so
/// that a shift by the whole width is defined.
Value *lowBits(IRBuilder<> &b, Type *wide, Value *length) {
  Value *one = ConstantInt::get(wide, 1);
  return b.CreateSub(b.CreateShl(one, b.CreateZExtOrTrunc(length, wide)), one);
}

/// Starts and lengths of fields count modulo 256; what lies beyond the word is
/// zero, or its sign.
Value *extractField(IRBuilder<> &b, Type *type, bool isSigned,
                    ArrayRef<Value *> v) {
  unsigned bits = type->getIntegerBitWidth();
  Type *wide = b.getIntNTy(2 * bits);
  Value *start = atMost(b, b.CreateAnd(v[1], 255), bits);
  Value *length = atMost(b, b.CreateAnd(v[2], 255), bits);
  Value *shifted = b.CreateLShr(b.CreateIntCast(v[0], wide, isSigned),
                                b.CreateZExtOrTrunc(start, wide));
  Value *field = b.CreateAnd(shifted, lowBits(b, wide, length));
  if (isSigned) {
    // The sign is the field's last bit, or the word's where it ends before.
    Value *last = atMost(
        b, b.CreateAdd(start, b.CreateSub(length, b.getInt32(1))), bits - 1);
    Value *sign = b.CreateTrunc(
        b.CreateLShr(v[0], b.CreateZExtOrTrunc(last, type)), b.getInt1Ty());
    Value *filled = b.CreateOr(field, b.CreateNot(lowBits(b, wide, length)));
    Value *isEmpty = b.CreateIsNull(length);
    field =
        b.CreateSelect(b.CreateAnd(sign, b.CreateNot(isEmpty)), filled, field);
    // Of a field that begins beyond the word all bits are the sign.
    Value *beyond =
        b.CreateAnd(b.CreateICmpUGE(b.CreateAnd(v[1], 255), b.getInt32(bits)),
                    b.CreateNot(isEmpty));
    field = b.CreateSelect(beyond, b.CreateSExt(sign, wide), field);
  }
  return b.CreateTrunc(field, type);
}

Value *insertField(IRBuilder<> &b, Type *type, ArrayRef<Value *> v) {
  unsigned bits = type->getIntegerBitWidth();
  Type *wide = b.getIntNTy(2 * bits);
  Value *start =
      b.CreateZExtOrTrunc(atMost(b, b.CreateAnd(v[2], 255), bits), wide);
  Value *length = atMost(b, b.CreateAnd(v[3], 255), bits);
  Value *mask = b.CreateShl(lowBits(b, wide, length), start);
  Value *inserted = b.CreateShl(b.CreateZExt(v[0], wide), start);
  Value *kept = b.CreateAnd(b.CreateZExt(v[1], wide), b.CreateNot(mask));
  return b.CreateTrunc(b.CreateOr(b.CreateAnd(inserted, mask), kept), type);
}

/// Four bytes of eight, each by four bits of the selector; the last of them
/// says that the byte's sign is wanted.
Value *permuteBytes(IRBuilder<> &b, ArrayRef<Value *> v) {
  Type *i32 = b.getInt32Ty(), *i64 = b.getInt64Ty();
  Value *bytes = b.CreateOr(b.CreateZExt(v[0], i64),
                            b.CreateShl(b.CreateZExt(v[1], i64), 32));
  Value *result = b.getInt32(0);
  for (unsigned i = 0; i < 4; ++i) {
    Value *code = b.CreateAnd(b.CreateLShr(v[2], 4 * i), 15);
    Value *by = b.CreateShl(b.CreateAnd(code, 7), 3);
    Value *byte = b.CreateTrunc(b.CreateLShr(bytes, b.CreateZExt(by, i64)),
                                b.getInt8Ty());
    Value *sign = b.CreateAShr(byte, 7);
    Value *wantsSign = b.CreateICmpUGE(code, b.getInt32(8));
    Value *chosen = b.CreateZExt(b.CreateSelect(wantsSign, sign, byte), i32);
    result = b.CreateOr(result, b.CreateShl(chosen, 8 * i));
  }
  return result;
}

/// The number of the highest bit that differs from the sign, or how far left
/// it can be shifted; all ones where there is none.
Value *findBit(IRBuilder<> &b, bool isShift, bool isSigned, Value *x) {
  unsigned bits = x->getType()->getIntegerBitWidth();
  if (isSigned)
    x = b.CreateXor(x, b.CreateAShr(x, bits - 1));
  Value *zeros = b.CreateZExtOrTrunc(
      b.CreateBinaryIntrinsic(Intrinsic::ctlz, x, b.getFalse()),
      b.getInt32Ty());
  Value *found = isShift ? zeros : b.CreateSub(b.getInt32(bits - 1), zeros);
  return b.CreateSelect(b.CreateIsNull(x), b.getInt32(-1), found);
}

/// High or low half of a product of the types, or all of it.
Value *product(IRBuilder<> &b, ArrayRef<StringRef> words, Type *type,
               bool isSigned, Value *x, Value *y, bool &isWide) {
  unsigned bits = type->getIntegerBitWidth();
  Type *wide = b.getIntNTy(2 * bits);
  Value *whole = b.CreateMul(b.CreateIntCast(x, wide, isSigned),
                             b.CreateIntCast(y, wide, isSigned));
  isWide = is_contained(words, "wide");
  if (isWide)
    return whole;
  return b.CreateTrunc(
      is_contained(words, "hi") ? b.CreateLShr(whole, bits) : whole, type);
}

Value *product24(IRBuilder<> &b, ArrayRef<StringRef> words, bool isSigned,
                 Value *x, Value *y) {
  Type *wide = b.getInt64Ty();
  auto low24 = [&](Value *value) {
    Value *shifted = b.CreateShl(value, 8);
    return b.CreateIntCast(isSigned ? b.CreateAShr(shifted, 8)
                                    : b.CreateLShr(shifted, 8),
                           wide, isSigned);
  };
  Value *whole = b.CreateMul(low24(x), low24(y));
  return b.CreateTrunc(is_contained(words, "hi") ? b.CreateLShr(whole, 16)
                                                 : whole,
                       b.getInt32Ty());
}

} // namespace

bool isPtxCount(StringRef name, unsigned operand) {
  return ((name == "shl" || name == "shr") && operand == 1) ||
         (name == "bfe" && operand >= 1) || (name == "bfi" && operand >= 2) ||
         (name == "shf" && operand == 2);
}

Value *ptxWordOperation(IRBuilder<> &b, ArrayRef<StringRef> words, Type *type,
                        ArrayRef<Value *> v) {
  StringRef name = words.front();
  bool isSigned = words.back().starts_with("s");
  if (name == "copysign" && type->isFloatingPointTy() && v.size() == 2)
    return b.CreateBinaryIntrinsic(Intrinsic::copysign, v[1], v[0]);
  if (!type->isIntegerTy() || is_contained(words, "sat"))
    return nullptr;
  bool is32 = type->isIntegerTy(32);
  if (name == "prmt" && words.size() == 2 && is32 && v.size() == 3)
    return permuteBytes(b, v);
  if (name == "bfe" && v.size() == 3)
    return extractField(b, type, isSigned, v);
  if (name == "bfi" && v.size() == 4)
    return insertField(b, type, v);
  if (name == "bmsk" && words.size() == 3 && is32 && v.size() == 2) {
    const bool wraps = words[1] == "wrap";
    auto count = [&](Value *bits) {
      return b.CreateZExt(wraps ? b.CreateAnd(bits, 31) : atMost(b, bits, 32),
                          b.getInt64Ty());
    };
    Value *ones = b.CreateNot(b.CreateShl(b.getInt64(~0ull), count(v[1])));
    return b.CreateTrunc(b.CreateShl(ones, count(v[0])), type);
  }
  if (name == "bfind" && v.size() == 1)
    return findBit(b, is_contained(words, "shiftamt"), isSigned, v[0]);
  if (name == "shf" && is32 && v.size() == 3 && words.size() == 4) {
    bool isLeft = words[1] == "l";
    Value *by =
        words[2] == "wrap" ? b.CreateAnd(v[2], 31) : atMost(b, v[2], 32);
    Type *i64 = b.getInt64Ty();
    Value *both = b.CreateOr(b.CreateZExt(v[0], i64),
                             b.CreateShl(b.CreateZExt(v[1], i64), 32));
    by = b.CreateZExt(by, i64);
    return b.CreateTrunc(isLeft ? b.CreateLShr(b.CreateShl(both, by), 32)
                                : b.CreateLShr(both, by),
                         type);
  }
  bool isWide;
  if (name == "mul24" && is32 && v.size() == 2)
    return product24(b, words, isSigned, v[0], v[1]);
  if (name == "mad24" && is32 && v.size() == 3)
    return b.CreateAdd(product24(b, words, isSigned, v[0], v[1]), v[2]);
  if (name == "mad" && v.size() == 3 &&
      (is_contained(words, "hi") || is_contained(words, "wide"))) {
    Value *high = product(b, words, type, isSigned, v[0], v[1], isWide);
    return b.CreateAdd(high, b.CreateZExtOrTrunc(v[2], high->getType()));
  }
  if (name == "slct" && v.size() == 3 && words.size() == 3 &&
      words.back() == "s32")
    return b.CreateSelect(
        b.CreateICmpSGE(b.CreateTrunc(v[2], b.getInt32Ty()), b.getInt32(0)),
        v[0], v[1]);
  return nullptr;
}

Value *ptxWithCarry(IRBuilder<> &b, ArrayRef<StringRef> words, Type *type,
                    ArrayRef<Value *> v, Value *&carry) {
  StringRef name = words.front();
  bool reads = name == "addc" || name == "subc" || name == "madc";
  bool writes = is_contained(words, "cc");
  if ((!reads && !writes) || !type->isIntegerTy())
    return nullptr;
  StringRef plain = reads ? name.drop_back() : name;
  Type *wide = b.getIntNTy(2 * type->getIntegerBitWidth());
  Value *in = b.CreateZExt(reads && carry ? carry : b.getFalse(), wide);
  Value *x, *y;
  if (plain == "mad" && v.size() == 3) {
    bool isWide;
    x = product(b, words, type, words.back().starts_with("s"), v[0], v[1],
                isWide);
    if (isWide)
      return nullptr;
    y = v[2];
  } else if ((plain == "add" || plain == "sub") && v.size() == 2) {
    x = v[0];
    y = v[1];
  } else {
    return nullptr;
  }
  x = b.CreateZExt(x, wide);
  y = b.CreateZExt(y, wide);
  // The bits above the word are the carry, or the borrow.
  Value *result = plain == "sub" ? b.CreateSub(b.CreateSub(x, y), in)
                                 : b.CreateAdd(b.CreateAdd(x, y), in);
  if (writes)
    carry = b.CreateTrunc(b.CreateLShr(result, type->getIntegerBitWidth()),
                          b.getInt1Ty());
  return b.CreateTrunc(result, type);
}

} // namespace cufort::cpu

//===- PtxMatrices.cpp - tensor cores' instructions of PTX ----------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A warp's lanes are eight groups of four. Of a matrix a (m x k, in rows) lane
// l holds, in each register, neighbours in row l / 4: those that begin at
// column l % 4 times their number; further registers are eight rows below and
// then to the right. b (k x 8, in columns) is dealt out so with columns in the
// place of rows, and of c and d (m x 8) a lane has two neighbours in row l / 4
// and two eight rows below.
//
//===----------------------------------------------------------------------===//

#include "compiler/cpu/ptx/PtxMatrices.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace cufort::cpu {

/// PTX's: four lanes hold a row of a fragment.
static constexpr unsigned LanesOfGroup = 4;

Value *PtxMatrices::lane() {
  return b.CreateIntrinsic(Intrinsic::nvvm_read_ptx_sreg_laneid,
                           ArrayRef<Type *>(), ArrayRef<Value *>());
}

Value *PtxMatrices::shuffle(Value *value, Value *from) {
  Type *type = value->getType();
  Value *all = b.getInt32(~0u), *clamp = b.getInt32(31);
  if (type->getPrimitiveSizeInBits() == 64) {
    Type *i32 = b.getInt32Ty(), *i64 = b.getInt64Ty();
    FunctionCallee wide = call.getModule()->getOrInsertFunction(
        "__cufort_shfl_idx_i64", i64, i32, i64, i32, i32);
    cast<Function>(wide.getCallee())->setConvergent();
    return b.CreateBitCast(
        b.CreateCall(wide, {all, b.CreateBitCast(value, i64), from, clamp}),
        type);
  }
  return b.CreateIntrinsic(Intrinsic::nvvm_shfl_sync_idx_i32,
                           ArrayRef<Type *>(), {all, value, from, clamp});
}

PtxMatrices::Values PtxMatrices::listed(StringRef list, Type *type) {
  if (list.consume_front("{") && !list.consume_back("}"))
    return {};
  Values values;
  for (StringRef each : split(list)) {
    values.push_back(get(each, type));
    if (!values.back())
      return {};
  }
  return values;
}

//===----------------------------------------------------------------------===//
// Matrices of 8 x 8 elements of 16 bits, whose rows are in shared memory
//===----------------------------------------------------------------------===//

/// How many matrices, or none if it is not ldmatrix or stmatrix of 8 x 8.
static unsigned matrixCount(ArrayRef<StringRef> words) {
  if (!is_contained(words, "m8n8") || words.back() != "b16")
    return 0;
  return is_contained(words, "x4")   ? 4
         : is_contained(words, "x2") ? 2
         : is_contained(words, "x1") ? 1
                                     : 0;
}

Value *PtxMatrices::inRow(Value *row, Value *upper, unsigned matrix,
                          Value *number, Value *bytes) {
  // Lane 8 i + r has the address of row r of matrix i.
  row = b.CreatePtrToInt(row, upper ? b.getInt32Ty() : b.getInt64Ty());
  Value *begin = shuffle(row, b.CreateAdd(number, b.getInt32(8 * matrix)));
  Value *there = b.CreateAdd(begin, b.CreateZExt(bytes, row->getType()));
  if (upper)
    there = b.CreateOr(upper, b.CreateZExt(there, b.getInt64Ty()));
  return b.CreateIntToPtr(there, b.getPtrTy());
}

bool PtxMatrices::loadMatrices(ArrayRef<StringRef> words,
                               ArrayRef<StringRef> names) {
  const unsigned count = matrixCount(words);
  if (!count || names.size() != 2)
    return false;
  StringRef list = names[0];
  if (list.consume_front("{") && !list.consume_back("}"))
    return false;
  SmallVector<StringRef> results = split(list);
  Value *row = inBrackets(names[1]);
  if (!row || results.size() != count)
    return false;
  Type *half = b.getInt16Ty(), *word = b.getInt32Ty();
  Value *upperBits = upperSharedAddress();
  Value *group = b.CreateLShr(lane(), 2), *place = b.CreateAnd(lane(), 3);
  for (auto [matrix, name] : enumerate(results)) {
    Value *both;
    if (has(words, "trans")) {
      Value *upper = b.CreateShl(place, 1), *bytes = b.CreateShl(group, 1);
      Value *first = b.CreateAlignedLoad(
          half, inRow(row, upperBits, matrix, upper, bytes), Align(2));
      Value *second =
          b.CreateAlignedLoad(half,
                              inRow(row, upperBits, matrix,
                                    b.CreateAdd(upper, b.getInt32(1)), bytes),
                              Align(2));
      both = b.CreateOr(b.CreateZExt(first, word),
                        b.CreateShl(b.CreateZExt(second, word), 16));
    } else {
      both = b.CreateAlignedLoad(
          word, inRow(row, upperBits, matrix, group, b.CreateShl(place, 2)),
          Align(4));
    }
    if (!set(name, both))
      return false;
  }
  return true;
}

bool PtxMatrices::storeMatrices(ArrayRef<StringRef> words,
                                ArrayRef<StringRef> names) {
  const unsigned count = matrixCount(words);
  if (!count || names.size() != 2)
    return false;
  Value *row = inBrackets(names[0]);
  Values values = listed(names[1], b.getInt32Ty());
  if (!row || values.size() != count)
    return false;
  Value *upperBits = upperSharedAddress();
  Value *group = b.CreateLShr(lane(), 2), *place = b.CreateAnd(lane(), 3);
  for (auto [matrix, value] : enumerate(values)) {
    if (!has(words, "trans")) {
      b.CreateAlignedStore(
          value, inRow(row, upperBits, matrix, group, b.CreateShl(place, 2)),
          Align(4));
      continue;
    }
    Value *upper = b.CreateShl(place, 1), *bytes = b.CreateShl(group, 1);
    Value *first = inRow(row, upperBits, matrix, upper, bytes);
    Value *second =
        inRow(row, upperBits, matrix, b.CreateAdd(upper, b.getInt32(1)), bytes);
    b.CreateAlignedStore(b.CreateTrunc(value, b.getInt16Ty()), first, Align(2));
    b.CreateAlignedStore(b.CreateTrunc(b.CreateLShr(value, 16), b.getInt16Ty()),
                         second, Align(2));
  }
  return true;
}

bool PtxMatrices::transposeMatrix(ArrayRef<StringRef> words,
                                  ArrayRef<StringRef> names) {
  if (!has(words, "m8n8") || !has(words, "trans") || names.size() != 2)
    return false;
  Value *value = get(names[1], b.getInt32Ty());
  if (!value)
    return false;
  Value *column = b.CreateLShr(lane(), 2);
  Value *row = b.CreateShl(b.CreateAnd(lane(), 3), 1);
  Value *shift = b.CreateShl(b.CreateAnd(column, 1), 4);
  Value *halves[2];
  for (unsigned i = 0; i != 2; ++i) {
    Value *from = b.CreateAdd(b.CreateShl(b.CreateAdd(row, b.getInt32(i)), 2),
                              b.CreateLShr(column, 1));
    halves[i] = b.CreateAnd(b.CreateLShr(shuffle(value, from), shift), 0xffff);
  }
  return set(names[0], b.CreateOr(halves[0], b.CreateShl(halves[1], 16)));
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/// The bits of an element of a or b, 0 for what mma does not multiply.
static unsigned elementBits(StringRef type) {
  return StringSwitch<unsigned>(type)
      .Case("f64", 64)
      .Case("tf32", 32)
      .Cases({"f16", "bf16"}, 16)
      .Cases({"s8", "u8", "e4m3", "e5m2"}, 8)
      .Cases({"s4", "u4"}, 4)
      .Case("b1", 1)
      .Default(0);
}

std::optional<PtxMatrices::Product>
PtxMatrices::productOf(ArrayRef<StringRef> words) {
  // mma.sync.aligned.m16n8k16.row.col{.satfinite}.d.a.b.c{.xor.popc}
  if (words.size() < 10 || words[1] != "sync")
    return std::nullopt;
  Product product;
  if (words.back() == "popc") {
    product.isAnd = words[words.size() - 2] == "and";
    words = words.drop_back(2);
  }
  for (StringRef word : words)
    if (StringRef shape = word;
        shape.consume_front("m") && !shape.consumeInteger(10, product.m) &&
        shape.consume_front("n") && !shape.consumeInteger(10, product.n) &&
        shape.consume_front("k") && !shape.getAsInteger(10, product.k)) {
      product.saturates = has(words, "satfinite");
      ArrayRef<StringRef> types = words.take_back(4);
      product.typeD = types[0];
      product.typeA = types[1];
      product.typeB = types[2];
      product.typeC = types[3];
      const unsigned bits = elementBits(product.typeA);
      if (!bits || bits != elementBits(product.typeB) ||
          (product.m != 8 && product.m != 16) || product.n != 8)
        return std::nullopt;
      product.registerBits = std::max(32u, bits);
      product.elements = product.registerBits / bits;
      const bool isInteger = product.typeD == "s32";
      if (isInteger != (product.typeC == "s32") ||
          (product.typeD == "f64") != (product.typeA == "f64"))
        return std::nullopt;
      product.sumType = product.typeD == "f64" ? b.getDoubleTy()
                        : !isInteger           ? b.getFloatTy()
                        : product.saturates
                            ? static_cast<Type *>(b.getInt64Ty())
                            : b.getInt32Ty();
      return product;
    }
  return std::nullopt;
}

Value *PtxMatrices::element(Value *word, StringRef type, unsigned i) {
  if (type == "f64")
    return word;
  if (type == "tf32") // The instructions do not see the last bits.
    return b.CreateBitCast(b.CreateAnd(word, 0xffffe000), b.getFloatTy());
  if (type == "bf16")
    return b.CreateBitCast(i ? b.CreateAnd(word, 0xffff0000)
                             : b.CreateShl(word, 16),
                           b.getFloatTy());
  const unsigned bits = elementBits(type);
  if (type.starts_with("s"))
    return b.CreateAShr(b.CreateShl(word, 32 - bits * (i + 1)), 32 - bits);
  Value *only = b.CreateAnd(b.CreateLShr(word, bits * i), (1u << bits) - 1);
  if (type.starts_with("u"))
    return only;
  // Those of 8 bits are halves with a part of their bits; e4m3 has a smaller
  // exponent and no infinity.
  Value *halfBits = b.CreateTrunc(only, b.getInt16Ty());
  if (type == "e5m2")
    halfBits = b.CreateShl(halfBits, 8);
  if (type == "e4m3")
    halfBits = b.CreateOr(b.CreateShl(b.CreateAnd(halfBits, 0x80), 8),
                          b.CreateShl(b.CreateAnd(halfBits, 0x7f), 7));
  Value *number =
      b.CreateFPExt(b.CreateBitCast(halfBits, b.getHalfTy()), b.getFloatTy());
  if (type != "e4m3")
    return number;
  Value *isNumber = b.CreateICmpNE(b.CreateAnd(only, 0x7f), b.getInt32(0x7f));
  return b.CreateSelect(
      isNumber, b.CreateFMul(number, ConstantFP::get(b.getFloatTy(), 256)),
      ConstantFP::getNaN(b.getFloatTy()));
}

PtxMatrices::Values PtxMatrices::sumsOf(StringRef list, StringRef type,
                                        Type *sumType, unsigned count) {
  Values sums;
  if (type == "f16") {
    for (Value *pair : listed(list, b.getInt32Ty()))
      for (unsigned i = 0; i != 2; ++i)
        sums.push_back(element(pair, type, i));
  } else {
    sums = listed(list, typeOf(type));
    for (Value *&sum : sums)
      if (sumType->isIntegerTy())
        sum = b.CreateSExt(sum, sumType);
  }
  return sums.size() == count ? sums : Values();
}

Value *PtxMatrices::rounded(Value *sum, const Product &product) {
  if (product.typeD == "f16")
    return b.CreateFPTrunc(sum, b.getHalfTy());
  if (!product.sumType->isIntegerTy(64))
    return sum;
  sum = b.CreateBinaryIntrinsic(Intrinsic::smin, sum, b.getInt64(INT32_MAX));
  sum = b.CreateBinaryIntrinsic(
      Intrinsic::smax, sum, ConstantInt::getSigned(b.getInt64Ty(), INT32_MIN));
  return b.CreateTrunc(sum, b.getInt32Ty());
}

bool PtxMatrices::setSums(StringRef list, const Product &product,
                          ArrayRef<Value *> sums) {
  if (!list.consume_front("{") || !list.consume_back("}"))
    return false;
  SmallVector<StringRef> results = split(list);
  const bool arePairs = product.typeD == "f16";
  if (results.size() * (arePairs ? 2 : 1) != sums.size())
    return false;
  for (auto [i, name] : enumerate(results)) {
    Value *value;
    if (arePairs) {
      value = PoisonValue::get(FixedVectorType::get(b.getHalfTy(), 2));
      for (unsigned j = 0; j != 2; ++j)
        value =
            b.CreateInsertElement(value, rounded(sums[2 * i + j], product), j);
    } else {
      value = rounded(sums[i], product);
    }
    if (!set(name, value))
      return false;
  }
  return true;
}

static Value *plusProduct(IRBuilder<> &b, Value *sum, Value *x, Value *y) {
  if (sum->getType()->isFloatingPointTy())
    return b.CreateFAdd(sum, b.CreateFMul(x, y));
  return b.CreateAdd(sum, b.CreateSExt(b.CreateMul(x, y), sum->getType()));
}

/// Adds to the \p sums of two columns, first those of one row and then eight
/// rows below, what the registers \p a of these rows and those of the columns,
/// \p b0 and \p b1, give.
void PtxMatrices::addProducts(const Product &product, ArrayRef<Value *> a,
                              ArrayRef<Value *> b0, ArrayRef<Value *> b1,
                              Values &sums) {
  const unsigned rows = product.m / 8;
  for (unsigned part = 0; part != b0.size(); ++part) {
    if (product.typeA == "b1") {
      for (auto [i, sum] : enumerate(sums)) {
        Value *x = a[part * rows + i / 2], *y = i % 2 ? b1[part] : b0[part];
        Value *bits = product.isAnd ? b.CreateAnd(x, y) : b.CreateXor(x, y);
        Value *count = b.CreateUnaryIntrinsic(Intrinsic::ctpop, bits);
        sum = b.CreateAdd(sum, b.CreateZExt(count, sum->getType()));
      }
      continue;
    }
    for (unsigned e = 0; e != product.elements; ++e) {
      Value *factors[2] = {element(b0[part], product.typeB, e),
                           element(b1[part], product.typeB, e)};
      for (unsigned row = 0; row != rows; ++row) {
        Value *x = element(a[part * rows + row], product.typeA, e);
        for (unsigned i = 0; i != 2; ++i)
          sums[2 * row + i] = plusProduct(b, sums[2 * row + i], x, factors[i]);
      }
    }
  }
}

/// The sums of a lane after all products, in a loop of four iterations: code of
/// warps is long already. In each iteration the registers of a and b move on by
/// one lane within their group, so that every shuffle takes from the same lanes
/// in all iterations.
PtxMatrices::Values PtxMatrices::sumsOfRows(const Product &product, Values a,
                                            Values bs, Values sums) {
  Value *own = lane();
  Value *next = b.CreateOr(b.CreateAnd(own, ~3u),
                           b.CreateAnd(b.CreateAdd(own, b.getInt32(1)), 3));
  // Columns 2 t and 2 t + 1 are those of two groups.
  Value *place = b.CreateAnd(own, 3);
  Value *column = b.CreateMul(place, b.getInt32(2 * LanesOfGroup + 1));
  Value *second = b.CreateAdd(column, b.getInt32(LanesOfGroup));

  BasicBlock *before = b.GetInsertBlock();
  Instruction *rest = &*b.GetInsertPoint();
  BasicBlock *after = SplitBlock(before, rest);
  BasicBlock *loop = BasicBlock::Create(b.getContext(), "products",
                                        before->getParent(), after);
  before->getTerminator()->setSuccessor(0, loop);
  b.SetInsertPoint(loop);
  SmallVector<PHINode *> carried;
  const auto carry = [&](Values &values) {
    for (Value *&value : values) {
      PHINode *phi = b.CreatePHI(value->getType(), 2);
      phi->addIncoming(value, before);
      carried.push_back(phi);
      value = phi;
    }
  };
  PHINode *iteration = b.CreatePHI(b.getInt32Ty(), 2);
  iteration->addIncoming(b.getInt32(0), before);
  carry(a);
  carry(bs);
  carry(sums);
  Values b0, b1, moved;
  for (Value *value : bs) {
    b0.push_back(shuffle(value, column));
    b1.push_back(shuffle(value, second));
  }
  addProducts(product, a, b0, b1, sums);
  for (Value *value : a)
    moved.push_back(shuffle(value, next));
  for (Value *value : bs)
    moved.push_back(shuffle(value, next));
  moved.append(sums);
  Value *done = b.CreateAdd(iteration, b.getInt32(1));
  iteration->addIncoming(done, loop);
  for (auto [phi, value] : zip(carried, moved))
    phi->addIncoming(value, loop);
  b.CreateCondBr(b.CreateICmpULT(done, b.getInt32(LanesOfGroup)), loop, after);
  b.SetInsertPoint(rest);
  return sums;
}

/// m8n8k4 of f16, which four groups of eight lanes each do for themselves: a
/// group of four and the one 16 lanes further. Each lane holds four elements of
/// a and of b, in rows or columns, and eight of c and d.
bool PtxMatrices::multiplyOfQuads(const Product &product,
                                  ArrayRef<StringRef> words,
                                  ArrayRef<StringRef> names) {
  Values a = listed(names[1], b.getInt32Ty());
  Values bs = listed(names[2], b.getInt32Ty());
  if (a.size() != 2 || bs.size() != 2 || words.size() < 6)
    return false;
  Values old = sumsOf(names[3], product.typeC, product.sumType, 8);
  if (old.empty())
    return false;
  const auto shape = find(words, "m8n8k4");
  const bool rowsOfA = shape[1] == "row", rowsOfB = shape[2] == "row";
  Value *own = lane(), *upper = b.CreateAnd(own, 16);
  Value *quad = b.CreateAnd(own, 12);
  // c and d may differ in where elements are; the lane's row, and its column,
  // of element i.
  const bool isSingle = product.typeD == "f32";
  if (isSingle != (product.typeC == "f32"))
    return false;
  // From each lane once. a[row][k] is with the lane of that row, or with that
  // of column k; b[k][column] with the one of row k, or of that column, of
  // which those from 4 on are with the upper lanes.
  DenseMap<std::pair<Value *, uint32_t>, Value *> brought;
  const auto bring = [&](Value *pair, uint32_t key, Value *from) {
    Value *&value = brought[{pair, key}];
    return value = value ? value : shuffle(pair, from);
  };
  const auto taken = [&](ArrayRef<Value *> pairs, uint32_t key, Value *from,
                         Value *at) {
    from = b.CreateOr(quad, from);
    Value *word;
    if (auto *known = dyn_cast<ConstantInt>(at))
      word = bring(pairs[known->getZExtValue() / 2], key, from);
    else
      word = b.CreateSelect(b.CreateIsNotNull(b.CreateAnd(at, 2)),
                            bring(pairs[1], key, from),
                            bring(pairs[0], key, from));
    return element(b.CreateLShr(word, b.CreateShl(b.CreateAnd(at, 1), 4)),
                   "f16", 0);
  };
  const auto number = [&](unsigned n) -> Value * { return b.getInt32(n); };
  Values sums;
  for (unsigned i = 0; i != 8; ++i) {
    Value *row = isSingle ? b.CreateOr(b.CreateAnd(own, 1), number(i & 2))
                          : b.CreateAnd(own, 3);
    Value *column = isSingle ? b.CreateOr(b.CreateAnd(own, 2), number(i & 1))
                             : number(i & 3);
    Value *half = number(4 * (i & 4));
    Value *sum = old[i];
    for (unsigned k = 0; k != 4; ++k) {
      Value *x = rowsOfA ? taken(a, isSingle ? i & 2 : 0,
                                 b.CreateOr(upper, row), number(k))
                         : taken(a, k, b.CreateOr(upper, number(k)), row);
      Value *y = rowsOfB ? taken(bs, 8 * k + (i & 4),
                                 b.CreateOr(half, number(k)), column)
                         : taken(bs, i, b.CreateOr(half, column), number(k));
      sum = b.CreateFAdd(sum, b.CreateFMul(x, y));
    }
    sums.push_back(sum);
  }
  return setSums(names[0], product, sums);
}

bool PtxMatrices::multiply(ArrayRef<StringRef> words,
                           ArrayRef<StringRef> names) {
  std::optional<Product> product = productOf(words);
  if (!product || names.size() != 4)
    return false;
  if (product->k == 4 && product->typeA == "f16")
    return multiplyOfQuads(*product, words, names);
  const unsigned parts = product->k / (LanesOfGroup * product->elements);
  if (!parts || product->k % (LanesOfGroup * product->elements) ||
      !has(words, "row") || !has(words, "col"))
    return false;
  Type *type = product->registerBits == 64
                   ? b.getDoubleTy()
                   : static_cast<Type *>(b.getInt32Ty());
  Values a = listed(names[1], type), bs = listed(names[2], type);
  Values sums =
      sumsOf(names[3], product->typeC, product->sumType, product->m / 4);
  if (a.size() != parts * product->m / 8 || bs.size() != parts || sums.empty())
    return false;
  return setSums(names[0], *product, sumsOfRows(*product, a, bs, sums));
}

} // namespace cufort::cpu

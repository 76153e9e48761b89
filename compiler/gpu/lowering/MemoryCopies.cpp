//===- MemoryCopies.cpp - copies and fills of known length ----------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/gpu/lowering/MemoryCopies.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace {

/// Without a loop. A copy's bytes are all in registers at once.
constexpr uint64_t MostBytesCopied = 128;
constexpr uint64_t MostBytesFilled = 256;
constexpr uint64_t MostPieces = 16;
constexpr uint64_t WidestAccess = 16;
/// What is aligned to less stays with LLVM if it is long.
constexpr uint64_t LeastAccessOfLoops = 4;

/// A copy or a fill, which is a copy of the same byte.
class Expansion {
public:
  explicit Expansion(MemIntrinsic &operation)
      : operation(operation), copy(dyn_cast<MemCpyInst>(&operation)),
        to(operation.getDestAlign().valueOrOne()),
        from(copy ? copy->getSourceAlign().valueOrOne() : to),
        widest(std::min({WidestAccess, to.value(), from.value()})) {}

  /// Whether that needs a loop; nothing if there is nothing better than LLVM's.
  std::optional<bool> expand();

private:
  Type *pieceOf(uint64_t bytes) const;
  SmallVector<uint64_t> divide(uint64_t bytes) const;
  Value *load(IRBuilder<> &b, Type *piece, Value *offset, Align alignment);
  void store(IRBuilder<> &b, Value *value, Value *offset, Align alignment);
  void inLoop(uint64_t iterations);
  void inPieces(ArrayRef<uint64_t> pieces, uint64_t offset);

  MemIntrinsic &operation;
  MemCpyInst *copy;
  Align to, from;
  uint64_t widest;
};

/// Words, in vectors where there are several.
Type *Expansion::pieceOf(uint64_t bytes) const {
  LLVMContext &context = operation.getContext();
  if (bytes <= 4)
    return IntegerType::get(context, bytes * 8);
  return FixedVectorType::get(Type::getInt32Ty(context), bytes / 4);
}

/// Sizes of the pieces of \p bytes, all of them aligned.
SmallVector<uint64_t> Expansion::divide(uint64_t bytes) const {
  SmallVector<uint64_t> pieces;
  for (uint64_t rest = bytes; rest && pieces.size() <= MostPieces;) {
    uint64_t piece = std::min(widest, bit_floor(rest));
    pieces.push_back(piece);
    rest -= piece;
  }
  return pieces;
}

Value *Expansion::load(IRBuilder<> &b, Type *piece, Value *offset,
                       Align alignment) {
  if (!copy) {
    auto &fill = cast<MemSetInst>(operation);
    Value *word = b.CreateMul(b.CreateZExt(fill.getValue(), b.getInt32Ty()),
                              b.getInt32(0x01010101));
    if (auto *vector = dyn_cast<FixedVectorType>(piece))
      return b.CreateVectorSplat(vector->getNumElements(), word);
    return b.CreateTrunc(word, piece);
  }
  LoadInst *load = b.CreateAlignedLoad(
      piece, b.CreateInBoundsPtrAdd(copy->getSource(), offset), alignment);
  load->copyMetadata(operation,
                     {LLVMContext::MD_alias_scope, LLVMContext::MD_noalias});
  return load;
}

void Expansion::store(IRBuilder<> &b, Value *value, Value *offset,
                      Align alignment) {
  b.CreateAlignedStore(
       value, b.CreateInBoundsPtrAdd(operation.getDest(), offset), alignment)
      ->copyMetadata(operation,
                     {LLVMContext::MD_alias_scope, LLVMContext::MD_noalias});
}

void Expansion::inLoop(uint64_t iterations) {
  Type *index = operation.getLength()->getType();
  auto [body, iteration] = SplitBlockAndInsertSimpleForLoop(
      ConstantInt::get(index, iterations), operation.getIterator());
  IRBuilder<> b(body);
  Value *offset = b.CreateNUWMul(iteration, ConstantInt::get(index, widest));
  store(b, load(b, pieceOf(widest), offset, Align(widest)), offset,
        Align(widest));
}

void Expansion::inPieces(ArrayRef<uint64_t> pieces, uint64_t offset) {
  IRBuilder<> b(&operation);
  SmallVector<Value *> values;
  uint64_t next = offset;
  for (uint64_t bytes : pieces) {
    values.push_back(
        load(b, pieceOf(bytes), b.getInt64(next), commonAlignment(from, next)));
    next += bytes;
  }
  next = offset;
  for (auto [bytes, value] : zip_equal(pieces, values)) {
    store(b, value, b.getInt64(next), commonAlignment(to, next));
    next += bytes;
  }
}

std::optional<bool> Expansion::expand() {
  auto *length = dyn_cast<ConstantInt>(operation.getLength());
  if (!length || operation.isVolatile() || length->isZero())
    return std::nullopt;
  uint64_t bytes = length->getZExtValue();
  SmallVector<uint64_t> pieces = divide(bytes);
  bool isShort = bytes <= (copy ? MostBytesCopied : MostBytesFilled) &&
                 pieces.size() <= MostPieces;
  if (!isShort && widest < LeastAccessOfLoops)
    return std::nullopt;
  if (isShort) {
    inPieces(pieces, 0);
  } else {
    inLoop(bytes / widest);
    inPieces(divide(bytes % widest), bytes - bytes % widest);
  }
  operation.eraseFromParent();
  return !isShort;
}

} // namespace

PreservedAnalyses cufort::expandMemoryCopies(Function &function,
                                             FunctionAnalysisManager &) {
  SmallVector<MemIntrinsic *> operations;
  for (Instruction &instruction : instructions(function))
    if (isa<MemCpyInst, MemSetInst>(instruction))
      operations.push_back(cast<MemIntrinsic>(&instruction));
  bool changed = false, hasLoops = false;
  for (MemIntrinsic *operation : operations)
    if (std::optional<bool> inLoop = Expansion(*operation).expand()) {
      changed = true;
      hasLoops |= *inLoop;
    }
  if (!changed)
    return PreservedAnalyses::all();
  PreservedAnalyses preserved;
  if (!hasLoops)
    preserved.preserveSet<CFGAnalyses>();
  return preserved;
}

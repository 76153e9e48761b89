//===- SmallCopies.cpp - copies of a few words ----------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/gpu/SmallCopies.h"
#include "compiler/gpu/InstructionPass.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace {

constexpr uint64_t MostBytes = 128;
constexpr uint64_t MostPieces = 16;
constexpr uint64_t WidestAccess = 16;

/// What \p bytes are loaded as: words, in vectors where there are several.
Type *pieceOf(uint64_t bytes, LLVMContext &context) {
  if (bytes <= 4)
    return IntegerType::get(context, bytes * 8);
  return FixedVectorType::get(Type::getInt32Ty(context), bytes / 4);
}

/// Sizes of the pieces of \p bytes, all of them aligned; empty if there are too
/// many.
SmallVector<uint64_t> divide(uint64_t bytes, Align alignment) {
  SmallVector<uint64_t> pieces;
  uint64_t widest = std::min(WidestAccess, alignment.value());
  for (uint64_t rest = bytes; rest;) {
    uint64_t piece = std::min(widest, bit_floor(rest));
    pieces.push_back(piece);
    rest -= piece;
  }
  if (pieces.size() > MostPieces)
    pieces.clear();
  return pieces;
}

bool expand(Instruction &instruction) {
  auto *copy = dyn_cast<MemCpyInst>(&instruction);
  auto *length = copy ? dyn_cast<ConstantInt>(copy->getLength()) : nullptr;
  if (!length || copy->isVolatile() || length->isZero() ||
      length->getZExtValue() > MostBytes)
    return false;
  Align to = copy->getDestAlign().valueOrOne();
  Align from = copy->getSourceAlign().valueOrOne();
  SmallVector<uint64_t> pieces =
      divide(length->getZExtValue(), std::min(to, from));
  IRBuilder<> b(copy);
  auto keepAliasing = [&](Instruction *access) {
    access->copyMetadata(
        *copy, {LLVMContext::MD_alias_scope, LLVMContext::MD_noalias});
  };
  SmallVector<Value *> values;
  uint64_t offset = 0;
  for (uint64_t bytes : pieces) {
    LoadInst *load = b.CreateAlignedLoad(
        pieceOf(bytes, b.getContext()),
        b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), copy->getSource(), offset),
        commonAlignment(from, offset));
    keepAliasing(load);
    values.push_back(load);
    offset += bytes;
  }
  offset = 0;
  for (auto [bytes, value] : zip_equal(pieces, values)) {
    keepAliasing(b.CreateAlignedStore(
        value,
        b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), copy->getDest(), offset),
        commonAlignment(to, offset)));
    offset += bytes;
  }
  if (!pieces.empty())
    copy->eraseFromParent();
  return !pieces.empty();
}

} // namespace

void cufort::expandSmallCopies(PassBuilder &builder) {
  // What private variables could do without is gone by then, and loops have not
  // been unrolled.
  builder.registerVectorizerStartEPCallback(
      [](FunctionPassManager &passes, OptimizationLevel) {
        passes.addPass(InstructionPass<expand>());
      });
}

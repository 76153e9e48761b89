//===- PairedLoads.cpp - fields that lie beside each other ----------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/gpu/addressing/PairedLoads.h"
#include "compiler/gpu/GpuPass.h"
#include "compiler/gpu/analysis/LinearAddress.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/NVPTXAddrSpace.h"

using namespace llvm;
using namespace cufort;

namespace {

/// How far up the other half is looked for: through as many conditions, past as
/// many instructions.
constexpr unsigned MostBlocks = 4;
constexpr unsigned MostInstructions = 200;

/// Whether the program may look at the bits of \p object's address, or of one
/// within it.
bool isLookedAt(const Value &object) {
  SmallVector<const Value *> open = {&object};
  SmallPtrSet<const Value *, 16> seen;
  while (!open.empty()) {
    const Value *value = open.pop_back_val();
    if (!seen.insert(value).second)
      continue;
    if (seen.size() > MostInstructions)
      return true;
    for (const User *user : value->users()) {
      if (isa<PtrToIntOperator, PtrToAddrInst>(user))
        return true;
      if (isa<GEPOperator, AddrSpaceCastOperator, PHINode, SelectInst>(user))
        open.push_back(user);
    }
  }
  return false;
}

/// Whether \p pointer, which is a multiple of \p bytes under a condition, is
/// one always: a condition that knows more than the program does without it is
/// about an index, or about the address itself.
bool isAlignedAlways(Value &pointer, uint64_t bytes, const DataLayout &layout) {
  const AddressSum sum(&pointer, layout);
  auto *object = static_cast<const Value *>(sum.parts.front().first);
  return all_of(
             drop_begin(sum.parts),
             [bytes](const auto &part) { return part.second % bytes == 0; }) &&
         !isLookedAt(*object->stripPointerCasts());
}

/// A load of a field of four or eight bytes, and where from.
struct Field {
  LoadInst *load = nullptr;
  Value *base = nullptr;
  int64_t offset = 0;
  int64_t size = 0;

  explicit Field(Instruction &instruction) {
    auto *candidate = dyn_cast<LoadInst>(&instruction);
    if (!candidate || !candidate->isSimple() ||
        candidate->getPointerAddressSpace() != NVPTXAS::ADDRESS_SPACE_GLOBAL)
      return;
    const DataLayout &layout = candidate->getDataLayout();
    Type *type = candidate->getType();
    size = type->isSingleValueType() && !type->isVectorTy()
               ? int64_t(layout.getTypeStoreSize(type).getFixedValue())
               : 0;
    if (size != 4 && size != 8)
      return;
    APInt bytes(
        layout.getIndexTypeSizeInBits(candidate->getPointerOperandType()), 0);
    base = candidate->getPointerOperand()->stripAndAccumulateConstantOffsets(
        layout, bytes, /*AllowNonInbounds=*/true);
    offset = bytes.getSExtValue();
    load = candidate;
  }

  /// Whether this is one half of an aligned pair, and \p other, which is loaded
  /// in any case, the other one.
  bool isBeside(const Field &other) const {
    if (!load || !other.load || base != other.base || size != other.size ||
        std::abs(offset - other.offset) != size)
      return false;
    const Align pair(2 * size);
    return offset > other.offset
               ? other.load->getAlign() >= pair
               : load->getAlign() >= pair &&
                     isAlignedAlways(*load->getPointerOperand(), 2 * size,
                                     load->getDataLayout());
  }
};

/// The load before \p field, on the only path to it and with no write between
/// the two, of what lies beside it; null if there is none in other blocks, or
/// one in its own.
Instruction *findOtherHalf(const Field &field) {
  BasicBlock *block = field.load->getParent();
  auto place = field.load->getReverseIterator();
  unsigned blocks = 0, count = 0;
  while (true) {
    for (Instruction &each : make_range(std::next(place), block->rend())) {
      if (each.mayWriteToMemory() || ++count > MostInstructions)
        return nullptr;
      if (Field other(each); field.isBeside(other))
        return blocks ? &each : nullptr;
    }
    block = block->getSinglePredecessor();
    if (!block || ++blocks == MostBlocks)
      return nullptr;
    place = block->getTerminator()->getReverseIterator();
  }
}

/// Loads \p field right behind its other half, if there is one.
bool loadEarly(Instruction &instruction) {
  const Field field(instruction);
  if (!field.load)
    return false;
  Instruction *half = findOtherHalf(field);
  if (!half)
    return false;
  field.load->moveAfter(half);
  field.load->dropUBImplyingAttrsAndMetadata();
  IRBuilder<> builder(field.load);
  field.load->setOperand(
      LoadInst::getPointerOperandIndex(),
      builder.CreatePtrAdd(field.base, builder.getInt64(field.offset)));
  return true;
}

} // namespace

PreservedAnalyses cufort::hoistPairedLoads(Function &function,
                                           FunctionAnalysisManager &) {
  bool changed = false;
  for (BasicBlock *block : ReversePostOrderTraversal<Function *>(&function))
    for (Instruction &instruction : make_early_inc_range(*block))
      changed |= loadEarly(instruction);
  return afterInstructions(changed);
}

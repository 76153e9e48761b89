//===- BlockRows.cpp - blocks side by side as one wide block --------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/cpu/partition/BlockRows.h"
#include "compiler/cpu/analysis/Kernel.h"
#include "image/Image.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace cufort::cpu {
namespace {

/// How far memory may be apart that neighbours in x access, in bytes: elements
/// of arrays, or components of small records.
constexpr int64_t NearBytes = 64;

/// How often the thread's index in x is in a value (in a pointer: how many
/// bytes it moves it), and how often the block's times the extent of blocks.
struct Parts {
  int64_t thread = 0, block = 0;
  bool none() const { return !thread && !block; }
  /// A function of the index in the grid alone, or of nothing in x.
  bool whole() const { return thread == block; }
};

class GridIndex {
public:
  explicit GridIndex(Function &entry) : entry(entry) {}

  /// Whether nothing in the entry can tell the blocks of a row apart.
  bool isOnlyIndex();
  /// Whether all accesses go through memory in x.
  bool readsRows();
  void writeSums();

private:
  bool readsBlockIndex(const Value *value) const {
    return readsArgument(value, BlockArgument, 0);
  }
  bool readsExtent(const Value *value) const {
    return readsArgument(value, LaunchArgument,
                         offsetof(image::CpuLaunch, block));
  }
  bool readsArgument(const Value *value, EntryArgument argument,
                     uint64_t offset) const;
  /// blockIdx.x * blockDim.x, in 32 or 64 bits.
  bool isBlockStart(Value *value) const;
  bool countsStarts(Instruction &index) const;
  std::optional<Parts> combine(Instruction &instruction);
  Parts partsOf(Value *value) { return parts.lookup(value); }
  std::optional<int64_t> strideOf(Value *value, unsigned depth = 0);

  Function &entry;
  DenseMap<Value *, Parts> parts; ///< of values that are not whole
  /// What depends on the index in x at all.
  DenseSet<Value *> dependent;
};

} // namespace

bool GridIndex::readsArgument(const Value *value, EntryArgument argument,
                              uint64_t offset) const {
  auto *load = dyn_cast<LoadInst>(value);
  if (!load)
    return false;
  APInt at(64, 0);
  const Value *from =
      load->getPointerOperand()->stripAndAccumulateConstantOffsets(
          entry.getDataLayout(), at, /*AllowNonInbounds=*/true);
  return from == entry.getArg(argument) && at == offset;
}

bool GridIndex::isBlockStart(Value *value) const {
  Value *left, *right;
  auto plain = [](Value *operand) {
    Value *narrow;
    return match(operand, m_ZExtOrSExt(m_Value(narrow))) ? narrow : operand;
  };
  if (!match(value, m_Mul(m_Value(left), m_Value(right))))
    return false;
  left = plain(left);
  right = plain(right);
  return (readsBlockIndex(left) && readsExtent(right)) ||
         (readsBlockIndex(right) && readsExtent(left));
}

/// What \p instruction makes of operands that are parts; nothing if it could
/// tell the blocks of a row apart.
std::optional<Parts> GridIndex::combine(Instruction &instruction) {
  auto of = [&](unsigned operand) {
    return partsOf(instruction.getOperand(operand));
  };
  switch (instruction.getOpcode()) {
  case Instruction::Or:
    if (!cast<PossiblyDisjointInst>(instruction).isDisjoint())
      return std::nullopt;
    [[fallthrough]];
  case Instruction::Add:
    return Parts{of(0).thread + of(1).thread, of(0).block + of(1).block};
  case Instruction::Sub:
    return Parts{of(0).thread - of(1).thread, of(0).block - of(1).block};
  case Instruction::ZExt:
  case Instruction::SExt:
    // The launch sees to it that indices in the grid have 31 bits.
    return of(0);
  case Instruction::GetElementPtr: {
    // Bytes; the optimiser adds the parts of an index one after the other.
    Parts sum = of(0);
    for (auto step = gep_type_begin(instruction),
              end = gep_type_end(instruction);
         step != end; ++step) {
      if (step.isStruct())
        continue;
      const TypeSize size =
          step.getSequentialElementStride(entry.getDataLayout());
      const Parts index = partsOf(step.getOperand());
      if (size.isScalable())
        return std::nullopt;
      sum.thread += index.thread * int64_t(size.getFixedValue());
      sum.block += index.block * int64_t(size.getFixedValue());
    }
    return sum;
  }
  default:
    return std::nullopt;
  }
}

/// Whether \p index, the block's in x, serves for the starts of blocks alone.
bool GridIndex::countsStarts(Instruction &index) const {
  return all_of(index.users(), [&](User *user) {
    return isBlockStart(user) || (isa<ZExtInst, SExtInst>(user) &&
                                  all_of(user->users(), [&](User *product) {
                                    return isBlockStart(product);
                                  }));
  });
}

bool GridIndex::isOnlyIndex() {
  bool any = false;
  // There are no loops: operands come before their users.
  ReversePostOrderTraversal<Function *> order(&entry);
  for (BasicBlock *block : order)
    for (Instruction &instruction : *block) {
      if (threadIndexDimension(&instruction) > 2 ||
          (readsBlockIndex(&instruction) && !countsStarts(instruction)))
        return false;
      Parts made;
      if (threadIndexDimension(&instruction) == 0) {
        made.thread = 1;
      } else if (isBlockStart(&instruction)) {
        made.block = 1;
      } else if (any_of(instruction.operands(), [&](const Use &operand) {
                   return parts.contains(operand.get());
                 })) {
        std::optional<Parts> combined = combine(instruction);
        if (!combined)
          return false;
        made = *combined;
      } else {
        continue;
      }
      any = true;
      if (!made.whole())
        parts[&instruction] = made;
    }
  return any; // or all blocks of a row would do the same
}

/// How much \p value grows from a thread to its neighbour in x; nothing if that
/// is not a constant. Of pointers in bytes.
std::optional<int64_t> GridIndex::strideOf(Value *value, unsigned depth) {
  // Addresses of Fortran's arrays of rank seven have about twenty operations.
  constexpr unsigned MaxDepth = 32;
  if (threadIndexDimension(value) == 0)
    return 1;
  if (!dependent.contains(value))
    return 0;
  auto *instruction = dyn_cast<Instruction>(value);
  if (!instruction || depth > MaxDepth)
    return std::nullopt;
  auto of = [&](unsigned operand) {
    return strideOf(instruction->getOperand(operand), depth + 1);
  };
  Value *operand;
  const APInt *factor;
  if (match(value, m_ZExtOrSExtOrSelf(m_Value(operand))) && operand != value)
    return strideOf(operand, depth + 1);
  if (match(value, m_AddLike(m_Value(), m_Value()))) {
    std::optional<int64_t> left = of(0), right = of(1);
    return left && right ? std::optional(*left + *right) : std::nullopt;
  }
  if (match(value, m_Sub(m_Value(), m_Value()))) {
    std::optional<int64_t> left = of(0), right = of(1);
    return left && right ? std::optional(*left - *right) : std::nullopt;
  }
  if (match(value, m_Mul(m_Value(operand), m_APInt(factor))) ||
      match(value, m_Shl(m_Value(operand), m_APInt(factor)))) {
    std::optional<int64_t> one = strideOf(operand, depth + 1);
    if (!one || factor->getSignificantBits() > 32)
      return std::nullopt;
    return instruction->getOpcode() == Instruction::Mul
               ? *one * factor->getSExtValue()
               : *one << std::min<uint64_t>(factor->getZExtValue(), 32);
  }
  if (auto *address = dyn_cast<GetElementPtrInst>(instruction)) {
    std::optional<int64_t> sum = of(0);
    for (auto step = gep_type_begin(address), end = gep_type_end(address);
         sum && step != end; ++step) {
      if (step.isStruct())
        continue; // a constant
      std::optional<int64_t> one = strideOf(step.getOperand(), depth + 1);
      const TypeSize size =
          step.getSequentialElementStride(entry.getDataLayout());
      if (!one || size.isScalable())
        return std::nullopt;
      *sum += *one * int64_t(size.getFixedValue());
    }
    return sum;
  }
  return std::nullopt;
}

bool GridIndex::readsRows() {
  // No loops: operands stand before their users.
  ReversePostOrderTraversal<Function *> order(&entry);
  for (BasicBlock *block : order)
    for (Instruction &instruction : *block)
      if (threadIndexDimension(&instruction) == 0 ||
          any_of(instruction.operands(), [&](const Use &operand) {
            return dependent.contains(operand.get());
          }))
        dependent.insert(&instruction);
  for (Instruction &instruction : instructions(entry)) {
    Value *pointer = getLoadStorePointerOperand(&instruction);
    if (!pointer || isa<AllocaInst>(getUnderlyingObject(pointer)))
      continue;
    std::optional<int64_t> stride = strideOf(pointer);
    if (!stride || std::abs(*stride) > NearBytes)
      return false;
  }
  return true;
}

/// In a wide block the thread's index has more bits than the disjunction
/// counted on.
void GridIndex::writeSums() {
  SmallVector<Instruction *> disjunctions;
  for (Instruction &instruction : instructions(entry))
    if (instruction.getOpcode() == Instruction::Or &&
        (!partsOf(instruction.getOperand(0)).none() ||
         !partsOf(instruction.getOperand(1)).none()))
      disjunctions.push_back(&instruction);
  for (Instruction *instruction : disjunctions) {
    IRBuilder<> b(instruction);
    Value *sum =
        b.CreateAdd(instruction->getOperand(0), instruction->getOperand(1));
    sum->takeName(instruction);
    instruction->replaceAllUsesWith(sum);
    instruction->eraseFromParent();
  }
}

/// Whether a thread of \p entry does nothing but read and write the memory of
/// the program's arrays, and its own.
static bool minesItsOwn(Function &entry) {
  SmallVector<std::pair<const BasicBlock *, const BasicBlock *>> backEdges;
  FindFunctionBackedges(entry, backEdges);
  if (!backEdges.empty() || !entry.getArg(FurtherArgument)->use_empty() ||
      !entry.getArg(WorkspaceArgument)->use_empty())
    return false;
  for (Instruction &instruction : instructions(entry)) {
    if (instruction.isAtomic() || instruction.isVolatile())
      return false;
    auto *call = dyn_cast<CallBase>(&instruction);
    if (call && threadIndexDimension(call) < 0 && !isa<IntrinsicInst>(call) &&
        !call->doesNotAccessMemory())
      return false;
    if (call && call->isConvergent())
      return false;
  }
  return true;
}

Error joinBlockRows(Module &module, const CpuOptions &options) {
  for (Function *entry : entries(module, "block")) {
    if (entry->hasFnAttribute(ShapeAttribute) || !minesItsOwn(*entry))
      continue;
    GridIndex index(*entry);
    if (!index.isOnlyIndex() || !index.readsRows())
      continue;
    index.writeSums();
    entry->addFnAttr(BlockRowsAttribute);
  }
  return Error::success();
}

} // namespace cufort::cpu

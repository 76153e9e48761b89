//===- BaseAddresses.cpp - neighbours have one address --------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The sum that an address is (LinearAddress.h) is known to be one of the access
// whose address others are computed from only where it has taken place before
// them.
//
//===----------------------------------------------------------------------===//

#include "compiler/gpu/addressing/BaseAddresses.h"
#include "compiler/gpu/GpuPass.h"
#include "compiler/gpu/analysis/LinearAddress.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"
#include <map>

using namespace llvm;
using namespace cufort;

namespace {

/// What an access takes besides its address.
constexpr unsigned BitsOfDistance = 24;
constexpr unsigned MostNested = AddressSum::MostNested;

/// A pointer with one index of 32 bits that is not negative. Of two of those
/// whose sums are the same modulo 2^32 but for a constant, the distance is
/// known however the sums have been put together: neither index has 2^31
/// elements. LLVM forgets of `(i + 1) * 1024` that it does not overflow.
class NarrowAddress {
public:
  NarrowAddress(Value *pointer, const DataLayout &layout) {
    auto *element = dyn_cast<GetElementPtrInst>(pointer);
    if (!element || element->getNumIndices() != 1 ||
        element->getType()->isVectorTy())
      return;
    auto *index = dyn_cast<CastInst>(element->getOperand(1));
    if (!index || !index->getType()->isIntegerTy(64) ||
        !index->getSrcTy()->isIntegerTy(32) ||
        !(isa<ZExtInst>(index) && index->hasNonNeg()))
      return;
    TypeSize size = layout.getTypeAllocSize(element->getSourceElementType());
    if (size.isScalable())
      return;
    stride = size.getFixedValue();
    add(index->getOperand(0), 1, 0);
    parts.emplace_back(element->getPointerOperand(), stride);
    for (const auto &[value, factor] : terms)
      if (factor)
        parts.emplace_back(value, factor);
    std::sort(parts.begin() + 1, parts.end());
  }

  bool hasIndex() const {
    return parts.size() > 1 && parts.size() < AddressSum::MostTerms;
  }

  int64_t distanceFrom(uint32_t other) const {
    return static_cast<int64_t>(static_cast<int32_t>(constant - other)) *
           static_cast<int64_t>(stride);
  }

  AddressSum::Parts parts;
  uint32_t constant = 0;

private:
  void add(Value *value, uint32_t factor, unsigned depth) {
    using namespace PatternMatch;
    Value *left, *right;
    const APInt *number;
    if (depth == MostNested) {
      terms[value] += factor;
      return;
    }
    if (match(value, m_APInt(number)))
      constant += factor * static_cast<uint32_t>(number->getZExtValue());
    else if (match(value, m_AddLike(m_Value(left), m_Value(right)))) {
      add(left, factor, depth + 1);
      add(right, factor, depth + 1);
    } else if (match(value, m_Sub(m_Value(left), m_Value(right)))) {
      add(left, factor, depth + 1);
      add(right, -factor, depth + 1);
    } else if (match(value, m_Mul(m_Value(left), m_APInt(number))))
      add(left, factor * static_cast<uint32_t>(number->getZExtValue()),
          depth + 1);
    else if (match(value, m_Shl(m_Value(left), m_APInt(number))) &&
             number->ult(32))
      add(left, factor << number->getZExtValue(), depth + 1);
    else
      terms[value] += factor;
  }

  uint64_t stride = 0;
  DenseMap<Value *, uint32_t> terms;
};

/// An access whose address others may take.
struct First {
  Instruction *access;
  Value *pointer;
  uint64_t constant;
};

struct SharedAddresses {
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &manager) {
    auto &dominators = manager.getResult<DominatorTreeAnalysis>(function);
    auto &loops = manager.getResult<LoopAnalysis>(function);
    const DataLayout &layout = function.getDataLayout();

    bool changed = false;
    std::map<AddressSum::Parts, SmallVector<First>> known, narrowlyKnown;
    SmallVector<WeakTrackingVH> unused;
    // Whether there is one among the alike, which access then may share.
    auto shareWith = [&](SmallVector<First> &alike, Instruction &access,
                         Value *pointer, uint64_t constant, auto distance) {
      const First *first = find_if(alike, [&](const First &each) {
        return loops.getLoopFor(each.access->getParent()) ==
                   loops.getLoopFor(access.getParent()) &&
               isInt<BitsOfDistance>(distance(each)) &&
               dominators.dominates(each.access, &access);
      });
      if (first == alike.end()) {
        alike.push_back({&access, pointer, constant});
        return false;
      }
      if (hasSameBase(pointer, first->pointer, layout))
        return true;
      IRBuilder<> builder(&access);
      access.replaceUsesOfWith(
          pointer, builder.CreatePtrAdd(first->pointer,
                                        builder.getInt64(distance(*first))));
      unused.push_back(pointer);
      changed = true;
      return true;
    };
    for (BasicBlock *block : ReversePostOrderTraversal<Function *>(&function))
      for (Instruction &access : *block) {
        Value *pointer = getLoadStorePointerOperand(&access);
        if (!pointer || !isa<GetElementPtrInst>(pointer))
          continue;
        AddressSum address(pointer, layout);
        if (!address.hasIndex())
          continue;
        const bool isWholeSum = shareWith(
            known[address.parts], access, pointer, address.constant,
            [&](const First &each) {
              return static_cast<int64_t>(address.constant - each.constant);
            });
        if (isWholeSum)
          continue;
        NarrowAddress narrow(pointer, layout);
        if (narrow.hasIndex())
          shareWith(narrowlyKnown[narrow.parts], access, pointer,
                    narrow.constant, [&](const First &each) {
                      return narrow.distanceFrom(
                          static_cast<uint32_t>(each.constant));
                    });
      }
    RecursivelyDeleteTriviallyDeadInstructionsPermissive(unused);
    return afterInstructions(changed);
  }

private:
  /// Whether \p one and \p other are already at constant distances from one
  /// address.
  static bool hasSameBase(Value *one, Value *other, const DataLayout &layout) {
    auto base = [&](Value *pointer) {
      APInt distance(layout.getIndexTypeSizeInBits(pointer->getType()), 0);
      return pointer->stripAndAccumulateConstantOffsets(
          layout, distance, /*AllowNonInbounds=*/true);
    };
    return base(one) == base(other);
  }
};

} // namespace

PreservedAnalyses cufort::shareBaseAddresses(Function &function,
                                             FunctionAnalysisManager &manager) {
  return SharedAddresses().run(function, manager);
}

//===- SharedAddresses.cpp - neighbours have one address ------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An address is a pointer and a sum of multiples of values, modulo 2^64. Within
// an index of 32 bits the sum is exact as well: where it would not be, the
// program's arithmetic would have overflowed, which an access behind it says
// that it has not. That holds for the access whose address others are computed
// from only where it has taken place before them.
//
//===----------------------------------------------------------------------===//

#include "compiler/gpu/SharedAddresses.h"
#include "compiler/gpu/InstructionPass.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"
#include <map>

using namespace llvm;
using namespace cufort;

namespace {

/// What an access takes besides its address.
constexpr unsigned BitsOfDistance = 24;
constexpr unsigned MostTerms = 8;
constexpr unsigned MostNested = 16;

/// How a value becomes 64 bits wide.
enum class Wide : bool { Unsigned, Signed };

class Address {
public:
  Address(Value *pointer, const DataLayout &layout) : layout(layout) {
    while (auto *element = dyn_cast<GEPOperator>(pointer)) {
      if (!addElement(*element))
        break;
      pointer = element->getPointerOperand();
    }
    parts.emplace_back(pointer, 0);
    for (const auto &[value, factor] : terms)
      if (factor)
        parts.emplace_back(value.getOpaqueValue(), factor);
    // The pointer remains first.
    std::sort(parts.begin() + 1, parts.end());
  }

  bool hasIndex() const { return parts.size() > 1 && parts.size() < MostTerms; }

  /// All but the constant.
  std::vector<std::pair<const void *, uint64_t>> parts;
  uint64_t constant = 0;

private:
  bool addElement(const GEPOperator &element) {
    if (element.getType()->isVectorTy() ||
        layout.getIndexTypeSizeInBits(element.getType()) != 64)
      return false;
    for (auto type = gep_type_begin(element), end = gep_type_end(element);
         type != end; ++type)
      if (!type.getStructTypeOrNull() &&
          type.getSequentialElementStride(layout).isScalable())
        return false;
    for (auto type = gep_type_begin(element), end = gep_type_end(element);
         type != end; ++type) {
      Value *index = type.getOperand();
      if (StructType *structure = type.getStructTypeOrNull())
        constant += layout.getStructLayout(structure)->getElementOffset(
            cast<ConstantInt>(index)->getZExtValue());
      else
        add(index, type.getSequentialElementStride(layout).getFixedValue(),
            Wide::Signed, false, 0);
    }
    return true;
  }

  /// Adds \p factor times \p value, which becomes wide as \p wide says, and
  /// would be poison if it were negative in spite of \p positive.
  void add(Value *value, uint64_t factor, Wide wide, bool positive,
           unsigned depth) {
    const unsigned width = value->getType()->getIntegerBitWidth();
    positive |= isKnownNonNegative(value, layout);
    if (positive)
      wide = Wide::Signed;
    if (auto *number = dyn_cast<ConstantInt>(value); number && width <= 64) {
      constant += factor * (wide == Wide::Signed
                                ? static_cast<uint64_t>(number->getSExtValue())
                                : number->getZExtValue());
      return;
    }
    auto *operation = dyn_cast<Instruction>(value);
    if (operation && depth < MostNested && width <= 64 &&
        addOperation(*operation, factor, wide, positive, depth + 1))
      return;
    terms[{value, wide == Wide::Signed}] += factor;
  }

  bool addOperation(Instruction &operation, uint64_t factor, Wide wide,
                    bool positive, unsigned depth) {
    if (auto *extension = dyn_cast<ZExtInst>(&operation)) {
      add(extension->getOperand(0), factor,
          extension->hasNonNeg() ? Wide::Signed : Wide::Unsigned,
          extension->hasNonNeg(), depth);
      return true;
    }
    if (isa<SExtInst>(operation)) {
      if (wide == Wide::Unsigned)
        return false;
      add(operation.getOperand(0), factor, Wide::Signed, positive, depth);
      return true;
    }
    if (!isExact(operation, wide, positive))
      return false;
    Value *left = operation.getOperand(0), *right = operation.getOperand(1);
    auto *number = dyn_cast<ConstantInt>(right);
    switch (operation.getOpcode()) {
    case Instruction::Add:
      add(left, factor, wide, false, depth);
      add(right, factor, wide, false, depth);
      return true;
    case Instruction::Sub:
      add(left, factor, wide, false, depth);
      add(right, -factor, wide, false, depth);
      return true;
    case Instruction::Mul:
      if (!number)
        return false;
      add(left,
          factor * (wide == Wide::Signed
                        ? static_cast<uint64_t>(number->getSExtValue())
                        : number->getZExtValue()),
          wide, false, depth);
      return true;
    case Instruction::Shl:
      // With the sign's own place it is no multiplication.
      if (!number ||
          number->getValue().uge(operation.getType()->getIntegerBitWidth() - 1))
        return false;
      add(left, factor << number->getZExtValue(), wide, false, depth);
      return true;
    default:
      return false;
    }
  }

  /// Whether the result of \p operation is that of whole numbers, or modulo
  /// 2^64. A sum that is not negative is if one of the two is a number that is
  /// not: from the least numbers it would have led to negative ones.
  static bool isExact(const Instruction &operation, Wide wide, bool positive) {
    if (operation.getType()->isIntegerTy(64))
      return isa<BinaryOperator>(operation);
    if (positive && operation.getOpcode() == Instruction::Add)
      if (auto *number = dyn_cast<ConstantInt>(operation.getOperand(1));
          number && !number->isNegative())
        return true;
    auto *arithmetic = dyn_cast<OverflowingBinaryOperator>(&operation);
    return arithmetic &&
           (wide == Wide::Signed ? arithmetic->hasNoSignedWrap()
                                 : arithmetic->hasNoUnsignedWrap());
  }

  const DataLayout &layout;
  DenseMap<PointerIntPair<Value *, 1, bool>, uint64_t> terms;
};

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

  bool hasIndex() const { return parts.size() > 1 && parts.size() < MostTerms; }

  int64_t distanceFrom(uint32_t other) const {
    return static_cast<int64_t>(static_cast<int32_t>(constant - other)) *
           static_cast<int64_t>(stride);
  }

  std::vector<std::pair<const void *, uint64_t>> parts;
  uint32_t constant = 0;

private:
  void add(Value *value, uint32_t factor, unsigned depth) {
    using namespace PatternMatch;
    Value *left, *right;
    const APInt *number;
    if (match(value, m_APInt(number)))
      constant += factor * static_cast<uint32_t>(number->getZExtValue());
    else if (depth == MostNested)
      terms[value] += factor;
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

struct SharedAddresses : PassInfoMixin<SharedAddresses> {
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &manager) {
    auto &dominators = manager.getResult<DominatorTreeAnalysis>(function);
    auto &loops = manager.getResult<LoopAnalysis>(function);
    const DataLayout &layout = function.getDataLayout();

    bool changed = false;
    std::map<std::vector<std::pair<const void *, uint64_t>>, SmallVector<First>>
        known, narrowlyKnown;
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
        Address address(pointer, layout);
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

void cufort::shareAddresses(PassBuilder &builder) {
  runLast<SharedAddresses>(builder);
}

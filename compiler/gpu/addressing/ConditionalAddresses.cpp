//===- ConditionalAddresses.cpp - one address before conditions -----------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/gpu/addressing/ConditionalAddresses.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Pass.h"
#include "llvm/Support/NVPTXAddrSpace.h"
#include "llvm/Transforms/Utils/Local.h"
#include <map>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

/// What an access takes besides its address.
constexpr unsigned BitsOfDistance = 24;
constexpr unsigned FewestConditional = 3;
constexpr unsigned MostNested = 8;
constexpr unsigned MostTerms = 4;

using Term = std::pair<Value *, uint64_t>;

/// An address as the size of an element times a sum, and a distance in bytes.
/// LinearAddress.h is not used here: it takes a sum of 32 bits apart into terms
/// of 64, each of which this pass would have to multiply again before the
/// conditions, where one extension and one multiplication do.
struct Address {
  Value *base = nullptr;
  uint64_t size = 0;
  /// The sum without its constant; of a wide pointer one term, which is
  /// extended with its sign.
  SmallVector<Term, MostTerms> terms;
  int64_t distance = 0;
};

/// Adds \p factor times \p value, modulo 2^32.
void addTerms(Value *value, uint32_t factor, unsigned depth,
              MapVector<Value *, uint32_t> &terms, uint32_t &constant) {
  Value *left, *right;
  const APInt *number;
  if (match(value, m_APInt(number)))
    constant += factor * static_cast<uint32_t>(number->getZExtValue());
  else if (depth < MostNested &&
           match(value, m_AddLike(m_Value(left), m_Value(right)))) {
    addTerms(left, factor, depth + 1, terms, constant);
    addTerms(right, factor, depth + 1, terms, constant);
  } else if (depth < MostNested &&
             match(value, m_Sub(m_Value(left), m_APInt(number)))) {
    constant -= factor * static_cast<uint32_t>(number->getZExtValue());
    addTerms(left, factor, depth + 1, terms, constant);
  } else
    terms[value] += factor;
}

/// The element's address of a pointer that has 32 bits, so has the sum.
bool splitNarrow(Value *index, Address &address) {
  if (!index->getType()->isIntegerTy(32))
    return false;
  MapVector<Value *, uint32_t> terms;
  uint32_t constant = 0;
  addTerms(index, 1, 0, terms, constant);
  for (const auto &[value, factor] : terms)
    if (factor)
      address.terms.emplace_back(value, factor);
  address.distance +=
      static_cast<int32_t>(constant * static_cast<uint32_t>(address.size));
  return address.terms.size() <= MostTerms;
}

/// Adds \p factor times \p sum, a product that is not negative and has not
/// overflowed. Nor have its parts, then: (i | 2) * 3 is i * 3 and six.
void splitProduct(Value *sum, uint64_t factor, Address &address) {
  Value *left;
  const APInt *number;
  if (match(sum, m_AddLike(m_Value(left), m_APInt(number))) &&
      !number->isNegative()) {
    address.distance +=
        number->getSExtValue() * static_cast<int64_t>(factor * address.size);
    sum = left;
  }
  address.terms.emplace_back(sum, factor);
}

/// The same of one that has 64 bits, the index 32. A sum that is not negative
/// has not overflowed if one of the two is a number that is not: from the
/// least numbers it would have led to negative ones.
bool splitWide(Value *index, Address &address) {
  auto *wide = dyn_cast<CastInst>(index);
  if (!wide || !wide->getSrcTy()->isIntegerTy(32))
    return false;
  bool positive = isa<ZExtInst>(wide) && wide->hasNonNeg();
  if (!positive && !isa<SExtInst>(wide))
    return false;
  Value *value = wide->getOperand(0), *left;
  const APInt *number;
  if (positive && match(value, m_NSWMul(m_Value(left), m_APInt(number))) &&
      number->isStrictlyPositive()) {
    splitProduct(left, number->getZExtValue(), address);
    return true;
  }
  while (match(value, m_AddLike(m_Value(left), m_APInt(number)))) {
    auto *sum = dyn_cast<OverflowingBinaryOperator>(value);
    if (sum && !sum->hasNoSignedWrap() && !(positive && !number->isNegative()))
      break;
    address.distance +=
        number->getSExtValue() * static_cast<int64_t>(address.size);
    value = left;
    positive = false;
  }
  address.terms.emplace_back(value, 1);
  return true;
}

std::optional<Address> split(Value *pointer, const DataLayout &layout) {
  Address address;
  GetElementPtrInst *element;
  while ((element = dyn_cast<GetElementPtrInst>(pointer)) &&
         element->hasAllConstantIndices()) {
    APInt offset(layout.getIndexTypeSizeInBits(element->getType()), 0);
    if (element->getType()->isVectorTy() ||
        !element->accumulateConstantOffset(layout, offset))
      return std::nullopt;
    address.distance += offset.getSExtValue();
    pointer = element->getPointerOperand();
  }
  if (!element || element->getNumIndices() != 1 ||
      element->getType()->isVectorTy())
    return std::nullopt;
  TypeSize size = layout.getTypeAllocSize(element->getSourceElementType());
  if (size.isScalable())
    return std::nullopt;
  address.base = element->getPointerOperand();
  address.size = size.getFixedValue();
  Value *index = element->getOperand(1);
  const unsigned bits = layout.getPointerTypeSizeInBits(element->getType());
  if (!(bits == 32 ? splitNarrow(index, address) : splitWide(index, address)) ||
      !isInt<BitsOfDistance>(address.distance) || address.terms.empty())
    return std::nullopt;
  return address;
}

struct Access {
  Instruction *instruction;
  int64_t distance;
};

class ConditionalAddresses : public FunctionPass {
public:
  static char id;
  ConditionalAddresses() : FunctionPass(id) {}

  bool runOnFunction(Function &function) override {
    if (skipFunction(function))
      return false;
    DominatorTree dominators(function);
    LoopInfo loops(dominators);
    const DataLayout &layout = function.getDataLayout();
    // By the loop as well: what only an inner loop needs stays in it.
    using Key = std::tuple<const Loop *, Value *, uint64_t, std::vector<Term>>;
    std::map<Key, unsigned> numbers;
    DenseMap<Value *, size_t> order;
    SmallVector<std::pair<Address, SmallVector<Access>>> groups;
    for (BasicBlock *block : ReversePostOrderTraversal<Function *>(&function))
      for (Instruction &access : *block) {
        Value *pointer = getLoadStorePointerOperand(&access);
        auto address = pointer ? split(pointer, layout) : std::nullopt;
        if (!address)
          continue;
        // In an order that two sums of the same have in common.
        for (const Term &term : address->terms)
          order.try_emplace(term.first, order.size());
        sort(address->terms, [&](const Term &one, const Term &other) {
          return order[one.first] < order[other.first];
        });
        auto [place, isNew] = numbers.try_emplace(
            Key(loops.getLoopFor(block), address->base, address->size,
                std::vector<Term>(address->terms.begin(),
                                  address->terms.end())),
            groups.size());
        if (isNew)
          groups.emplace_back(*address, SmallVector<Access>());
        groups[place->second].second.push_back({&access, address->distance});
      }
    bool changed = false;
    for (auto &[address, accesses] : groups)
      changed |= computeBefore(address, accesses, dominators, loops);
    return changed;
  }

  void getAnalysisUsage(AnalysisUsage &usage) const override {
    usage.setPreservesCFG();
  }

private:
  static bool computeBefore(const Address &address, ArrayRef<Access> accesses,
                            const DominatorTree &dominators,
                            const LoopInfo &loops) {
    SmallPtrSet<const BasicBlock *, 8> blocks;
    BasicBlock *common = accesses.front().instruction->getParent();
    for (const Access &each : accesses) {
      BasicBlock *block = each.instruction->getParent();
      blocks.insert(block);
      common = dominators.findNearestCommonDominator(common, block);
    }
    if (blocks.contains(common) || blocks.size() < FewestConditional)
      return false;
    // What is the same in all iterations is computed before the loop anyway.
    const Loop *loop =
        loops.getLoopFor(accesses.front().instruction->getParent());
    auto isSame = [&](const Term &term) {
      return loop->isLoopInvariant(term.first);
    };
    if (loop && loop->isLoopInvariant(address.base) &&
        all_of(address.terms, isSame))
      return false;
    Instruction *place = common->getTerminator();
    if (!dominators.dominates(address.base, place) ||
        any_of(address.terms, [&](const Term &term) {
          return !dominators.dominates(term.first, place);
        }))
      return false;

    IRBuilder<> b(place);
    Value *index = nullptr;
    for (const auto &[value, factor] : address.terms) {
      Value *term =
          factor == 1 ? value : b.CreateMul(value, b.getInt32(factor));
      index = index ? b.CreateAdd(index, term) : term;
    }
    const unsigned bits =
        place->getDataLayout().getIndexTypeSizeInBits(address.base->getType());
    index = b.CreateSExt(index, b.getIntNTy(bits));
    index = b.CreateMul(index, b.getIntN(bits, address.size));
    Value *first = b.CreatePtrAdd(address.base, index);
    for (const Access &each : accesses) {
      Instruction &access = *each.instruction;
      Value *pointer = getLoadStorePointerOperand(&access);
      IRBuilder<> here(&access);
      access.replaceUsesOfWith(
          pointer, here.CreatePtrAdd(first, here.getIntN(bits, each.distance)));
      RecursivelyDeleteTriviallyDeadInstructions(pointer);
    }
    return true;
  }
};

char ConditionalAddresses::id;

} // namespace

FunctionPass *cufort::createConditionalAddressesPass() {
  return new ConditionalAddresses;
}

//===- RowAddresses.cpp - one row's address after the other ---------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/gpu/addressing/RowAddresses.h"
#include "compiler/gpu/GpuPass.h"
#include "compiler/gpu/analysis/LinearAddress.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/NVPTXAddrSpace.h"
#include "llvm/Transforms/Utils/Local.h"
#include <map>

using namespace llvm;
using namespace cufort;

namespace {

/// What an access takes besides its address.
constexpr unsigned BitsOfDistance = 24;
/// That follow one address.
constexpr unsigned FewRows = 2;

/// What leads from one address of a block to another: a product of 32 bits and
/// a constant.
struct Step {
  unsigned before;
  AddressSum::Term term;
  int64_t factor;
  int64_t distance;
};

/// An address that is computed in a block, without constants, and what uses it
/// there.
struct Place {
  GetElementPtrInst *element;
  uint64_t constant;
  SmallVector<std::pair<Instruction *, APInt>> accesses;
  std::optional<Step> step;
  /// Of the places that one leads to.
  unsigned first;
};

/// A place, without one of the values of its sum, or with all of them.
struct Row {
  unsigned place;
  AddressSum::Term term;
  uint64_t factor;
};

class BlockRows {
public:
  BlockRows(BasicBlock &block, const Loop *loop)
      : block(block), loop(loop), layout(block.getDataLayout()) {}

  bool run() {
    DenseMap<const Value *, unsigned> numbers;
    for (Instruction &access : block) {
      Value *pointer = getLoadStorePointerOperand(&access);
      if (!pointer || !isGlobal(*pointer))
        continue;
      APInt distance(64, 0);
      auto *element = dyn_cast<GetElementPtrInst>(
          pointer->stripAndAccumulateConstantOffsets(
              layout, distance, /*AllowNonInbounds=*/true));
      // What is computed elsewhere costs nothing here.
      if (!element || element->getParent() != &block)
        continue;
      auto [number, isNew] = numbers.insert({element, places.size()});
      if (isNew)
        insert(*element);
      places[number->second].accesses.emplace_back(&access, distance);
    }
    DenseMap<unsigned, unsigned> following;
    for (const Place &place : places)
      following[place.first] += place.step.has_value();
    for (Place &place : places)
      if (place.step && following[place.first] > FewRows)
        chain(place);
    RecursivelyDeleteTriviallyDeadInstructionsPermissive(unused);
    return !unused.empty();
  }

private:
  bool isGlobal(const Value &pointer) const {
    const unsigned space = pointer.getType()->getPointerAddressSpace();
    return (space == NVPTXAS::ADDRESS_SPACE_GENERIC ||
            space == NVPTXAS::ADDRESS_SPACE_GLOBAL) &&
           layout.getIndexTypeSizeInBits(pointer.getType()) == 64;
  }

  void insert(GetElementPtrInst &element) {
    const unsigned number = places.size();
    AddressSum sum(&element, layout);
    Place &place =
        places.emplace_back(Place{&element, sum.constant, {}, {}, number});
    if (!sum.hasIndex())
      return;
    const bool mayFollow = isSum(element);
    forEachRow(sum, number, [&](const AddressSum::Parts &rest, const Row &row) {
      SmallVector<Row> &alike = rows[rest];
      for (const Row &before : mayFollow ? ArrayRef(alike) : ArrayRef<Row>())
        if (std::optional<Step> step = stepFrom(before, row);
            step && (!place.step || isNearer(*step, *place.step)))
          place.step = step;
      alike.push_back(row);
    });
    if (place.step)
      place.first = places[place.step->before].first;
  }

  /// Whether the index of \p element is added up, which a product with the
  /// address before saves.
  static bool isSum(const GetElementPtrInst &element) {
    using namespace PatternMatch;
    const Value *index = element.getOperand(1);
    match(index, m_ZExtOrSExt(m_Value(index)));
    return element.getNumIndices() == 1 &&
           match(index, m_CombineOr(m_AddLike(m_Value(), m_Value()),
                                    m_Sub(m_Value(), m_Value())));
  }

  /// Calls \p action with all of \p sum, and with it without each of its
  /// values.
  template <typename Action>
  static void forEachRow(const AddressSum &sum, unsigned place, Action action) {
    action(sum.parts, Row{place, {}, 0});
    for (unsigned i = 1; i < sum.parts.size(); ++i) {
      AddressSum::Parts rest = sum.parts;
      rest.erase(rest.begin() + i);
      action(rest, Row{place,
                       AddressSum::Term::getFromOpaqueValue(
                           const_cast<void *>(sum.parts[i].first)),
                       sum.parts[i].second});
    }
  }

  std::optional<Step> stepFrom(const Row &before, const Row &row) const {
    const bool isMore = row.term.getPointer();
    Step step{before.place, isMore ? row.term : before.term,
              static_cast<int64_t>(row.factor - before.factor),
              static_cast<int64_t>(places[row.place].constant -
                                   places[before.place].constant)};
    const Value *value = step.term.getPointer();
    // What a loop does not change is multiplied before it.
    if (!value || !value->getType()->isIntegerTy(32) ||
        (isMore && before.term.getPointer() && before.term != row.term) ||
        (loop && loop->isLoopInvariant(value)) || step.factor == 0 ||
        !isInt<32>(step.factor) || !isInt<BitsOfDistance>(step.distance))
      return std::nullopt;
    return step;
  }

  /// Fewer steps, or else fewer addresses in between.
  static bool isNearer(const Step &one, const Step &other) {
    const uint64_t steps = std::abs(one.factor),
                   otherSteps = std::abs(other.factor);
    return steps != otherSteps ? steps < otherSteps : one.before > other.before;
  }

  /// Lets the accesses of \p place take the address that its step leads to.
  void chain(Place &place) {
    const Step &step = *place.step;
    IRBuilder<> b(place.accesses[0].first);
    Value *&product = products[{step.term.getOpaqueValue(), step.factor}];
    if (!product) {
      Value *value = step.term.getPointer();
      Value *wide = step.term.getInt() ? b.CreateSExt(value, b.getInt64Ty())
                                       : b.CreateZExt(value, b.getInt64Ty());
      product = b.CreateMul(wide, b.getInt64(step.factor));
    }
    Value *before = places[step.before].element;
    auto *address = cast<GetElementPtrInst>(b.CreatePtrAdd(before, product));
    if (step.distance)
      address = cast<GetElementPtrInst>(
          b.CreatePtrAdd(address, b.getInt64(step.distance)));
    for (const auto &[access, distance] : place.accesses) {
      b.SetInsertPoint(access);
      unused.push_back(getLoadStorePointerOperand(access));
      access->replaceUsesOfWith(
          unused.back(), distance.isZero()
                             ? address
                             : b.CreatePtrAdd(address, b.getInt(distance)));
    }
    place.element = address;
  }

  BasicBlock &block;
  const Loop *loop;
  const DataLayout &layout;
  SmallVector<Place> places;
  /// By the sum without the row's term.
  std::map<AddressSum::Parts, SmallVector<Row>> rows;
  std::map<std::pair<void *, int64_t>, Value *> products;
  SmallVector<WeakTrackingVH> unused;
};

} // namespace

PreservedAnalyses cufort::chainRowAddresses(Function &function,
                                            FunctionAnalysisManager &manager) {
  auto &loops = manager.getResult<LoopAnalysis>(function);
  bool changed = false;
  for (BasicBlock &block : function)
    changed |= BlockRows(block, loops.getLoopFor(&block)).run();
  return afterInstructions(changed);
}

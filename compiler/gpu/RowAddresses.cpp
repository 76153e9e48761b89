//===- RowAddresses.cpp - one row's address after the other ---------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/gpu/RowAddresses.h"
#include "compiler/gpu/AddressSum.h"
#include "compiler/gpu/InstructionPass.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Support/NVPTXAddrSpace.h"
#include "llvm/Transforms/Utils/Local.h"
#include <map>

using namespace llvm;
using namespace cufort;

namespace {

/// What an access takes besides its address.
constexpr unsigned BitsOfDistance = 24;

/// Of the addresses of a block that have one sum without \c row.
struct Row {
  Value *address;
  /// One of the values of the sum, or null, and how often the sum has it.
  AddressSum::Term row;
  uint64_t factor;
  uint64_t constant;
  /// Of the addresses in their order.
  unsigned number;
};

class BlockRows {
public:
  explicit BlockRows(BasicBlock &block)
      : block(block), layout(block.getDataLayout()) {}

  bool run() {
    for (Instruction &access : block) {
      Value *pointer = getLoadStorePointerOperand(&access);
      if (!pointer || !isGlobal(*pointer))
        continue;
      APInt distance(64, 0);
      Value *place = pointer->stripAndAccumulateConstantOffsets(
          layout, distance, /*AllowNonInbounds=*/true);
      // What is computed elsewhere costs nothing here.
      auto *element = dyn_cast<GetElementPtrInst>(place);
      if (!element || element->getParent() != &block)
        continue;
      auto [known, isNew] = places.insert({place, nullptr});
      if (isNew)
        known->second = chain(*place, access);
      if (!known->second)
        continue;
      IRBuilder<> b(&access);
      Value *chained = known->second;
      if (!distance.isZero())
        chained = b.CreatePtrAdd(chained, b.getInt(distance));
      access.replaceUsesOfWith(pointer, chained);
      unused.push_back(pointer);
    }
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

  /// \p place as a multiple of one value away from a place before it, or null;
  /// the places after \p access may be so from \p place.
  Value *chain(Value &place, Instruction &access) {
    AddressSum sum(&place, layout);
    if (!sum.hasIndex())
      return nullptr;
    Row whole{&place, {}, 0, sum.constant, ++number};
    std::optional<std::pair<Row, Row>> last;
    forEachRow(sum, whole, [&](const AddressSum::Parts &rest, const Row &row) {
      for (const Row &before : rows[rest])
        if ((!last || last->first.number < before.number) &&
            isStep(before, row))
          last = {before, row};
    });
    Value *chained =
        last ? stepFrom(last->first, last->second, access) : nullptr;
    if (chained)
      whole.address = chained;
    forEachRow(sum, whole, [&](const AddressSum::Parts &rest, const Row &row) {
      rows[rest].push_back(row);
    });
    return chained;
  }

  /// Calls \p action with all of \p sum, and with it without each of its
  /// values.
  template <typename Action>
  static void forEachRow(const AddressSum &sum, Row row, Action action) {
    action(sum.parts, row);
    for (unsigned i = 1; i < sum.parts.size(); ++i) {
      AddressSum::Parts rest = sum.parts;
      rest.erase(rest.begin() + i);
      row.row = AddressSum::Term::getFromOpaqueValue(
          const_cast<void *>(sum.parts[i].first));
      row.factor = sum.parts[i].second;
      action(rest, row);
    }
  }

  /// Whether the way from \p before to \p row is a product of 32 bits.
  static bool isStep(const Row &before, const Row &row) {
    const AddressSum::Term term = termOf(before, row);
    const auto steps = static_cast<int64_t>(row.factor - before.factor);
    return term.getPointer() && term.getPointer()->getType()->isIntegerTy(32) &&
           (!row.row.getPointer() || row.row == term) && isInt<32>(steps) &&
           (!before.row.getPointer() || before.row == term) && steps != 0 &&
           isInt<BitsOfDistance>(
               static_cast<int64_t>(row.constant - before.constant));
  }

  static AddressSum::Term termOf(const Row &before, const Row &row) {
    return row.row.getPointer() ? row.row : before.row;
  }

  /// The address of \p row from that of \p before, for \p access.
  Value *stepFrom(const Row &before, const Row &row, Instruction &access) {
    const AddressSum::Term term = termOf(before, row);
    const auto steps = static_cast<int64_t>(row.factor - before.factor);
    const auto distance = static_cast<int64_t>(row.constant - before.constant);
    IRBuilder<> b(&access);
    Value *&step = products[{term.getOpaqueValue(), steps}];
    if (!step) {
      Value *wide = term.getInt()
                        ? b.CreateSExt(term.getPointer(), b.getInt64Ty())
                        : b.CreateZExt(term.getPointer(), b.getInt64Ty());
      step = b.CreateMul(wide, b.getInt64(steps));
    }
    Value *address = b.CreatePtrAdd(before.address, step);
    return distance ? b.CreatePtrAdd(address, b.getInt64(distance)) : address;
  }

  BasicBlock &block;
  unsigned number = 0;
  const DataLayout &layout;
  std::map<AddressSum::Parts, SmallVector<Row>> rows;
  /// What the addresses of the block have become, or null.
  DenseMap<Value *, Value *> places;
  std::map<std::pair<void *, int64_t>, Value *> products;
  SmallVector<WeakTrackingVH> unused;
};

struct RowAddresses : PassInfoMixin<RowAddresses> {
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &) {
    bool changed = false;
    for (BasicBlock &block : function)
      changed |= BlockRows(block).run();
    return afterInstructions(changed);
  }
};

} // namespace

void cufort::chainRowAddresses(PassBuilder &builder) {
  runLast<RowAddresses>(builder);
}

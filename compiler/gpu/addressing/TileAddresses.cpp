//===- TileAddresses.cpp - accesses to a tile have one address ------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Shared memory has less than 2^31 bytes, so how far an access is from where a
// variable begins is known from its 32 lower bits, and those are the same in
// whatever width a sum has been added up and whether it has overflowed there.
// An address that is computed from them in 32 bits needs no access before it.
//
//===----------------------------------------------------------------------===//

#include "compiler/gpu/addressing/TileAddresses.h"
#include "compiler/gpu/GpuPass.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/NVPTXAddrSpace.h"
#include "llvm/Transforms/Utils/Local.h"
#include <map>

using namespace llvm;
using namespace cufort;

namespace {

/// Of a linear address: indices of thread and block in three dimensions.
constexpr unsigned MostTerms = 6;
/// How far the operands of a sum are followed: twice the operations that the
/// index of an array of rank three has.
constexpr unsigned MostNested = 16;
/// What an access takes besides its address.
constexpr unsigned BitsOfDistance = 22;

/// Modulo 2^32.
class TileAddress {
public:
  using Parts = std::vector<std::pair<Value *, uint32_t>>;

  TileAddress(Value *pointer, const DataLayout &layout) : layout(layout) {
    while (auto *element = dyn_cast<GEPOperator>(pointer)) {
      if (!addElement(*element))
        break;
      pointer = element->getPointerOperand();
    }
    variable = pointer;
    for (const auto &[value, factor] : terms)
      if (factor)
        parts.emplace_back(value, factor);
  }

  Value *variable;
  /// Integers of 32 bits or more, and how often the distance has each.
  Parts parts;
  uint32_t constant = 0;

private:
  bool addElement(const GEPOperator &element) {
    if (element.getType()->isVectorTy())
      return false;
    for (auto type = gep_type_begin(element), end = gep_type_end(element);
         type != end; ++type)
      if (!type.getStructTypeOrNull() &&
          (type.getSequentialElementStride(layout).isScalable() ||
           type.getOperand()->getType()->getIntegerBitWidth() < 32))
        return false;
    for (auto type = gep_type_begin(element), end = gep_type_end(element);
         type != end; ++type) {
      Value *index = type.getOperand();
      if (StructType *structure = type.getStructTypeOrNull())
        constant += static_cast<uint32_t>(
            layout.getStructLayout(structure)->getElementOffset(
                cast<ConstantInt>(index)->getZExtValue()));
      else
        add(index,
            static_cast<uint32_t>(
                type.getSequentialElementStride(layout).getFixedValue()),
            0);
    }
    return true;
  }

  static uint32_t lowBits(const APInt &number) {
    return static_cast<uint32_t>(number.extractBitsAsZExtValue(32, 0));
  }

  /// Adds \p factor times \p value, which has 32 bits or more.
  void add(Value *value, uint32_t factor, unsigned depth) {
    using namespace PatternMatch;
    Value *left, *right;
    const APInt *number;
    if (depth == MostNested) {
      terms[value] += factor;
      return;
    }
    if (match(value, m_APInt(number)))
      constant += factor * lowBits(*number);
    else if ((match(value, m_ZExtOrSExt(m_Value(left))) &&
              left->getType()->getIntegerBitWidth() >= 32) ||
             match(value, m_Trunc(m_Value(left))))
      add(left, factor, depth + 1);
    else if (match(value, m_AddLike(m_Value(left), m_Value(right)))) {
      add(left, factor, depth + 1);
      add(right, factor, depth + 1);
    } else if (match(value, m_Sub(m_Value(left), m_Value(right)))) {
      add(left, factor, depth + 1);
      add(right, -factor, depth + 1);
    } else if (match(value, m_Mul(m_Value(left), m_APInt(number))))
      add(left, factor * lowBits(*number), depth + 1);
    else if (match(value, m_Shl(m_Value(left), m_APInt(number))) &&
             number->ult(32))
      add(left, factor << number->getZExtValue(), depth + 1);
    else if (match(value, m_Not(m_Value(left)))) {
      constant -= factor;
      add(left, -factor, depth + 1);
    } else
      terms[value] += factor;
  }

  const DataLayout &layout;
  MapVector<Value *, uint32_t> terms;
};

struct Access {
  Instruction *instruction;
  int32_t constant;
  /// The address without constants, as it is computed now.
  Value *address;
};

/// Of one variable and one sum, in one loop.
struct Tile {
  Value *variable = nullptr;
  const Loop *loop = nullptr;
  TileAddress::Parts parts;
  SmallVector<Access> accesses;
};

class Tiles {
public:
  Tiles(Function &function, const LoopInfo &loops,
        const DominatorTree &dominators)
      : loops(loops), dominators(dominators), layout(function.getDataLayout()) {
    for (Instruction &access : instructions(function))
      if (Value *pointer = getLoadStorePointerOperand(&access);
          pointer &&
          pointer->getType()->getPointerAddressSpace() ==
              NVPTXAS::ADDRESS_SPACE_SHARED &&
          dominators.isReachableFromEntry(access.getParent()))
        insert(access, *pointer);
  }

  bool share() {
    for (auto &[key, tile] : tiles)
      if (hasSeveralAddresses(tile))
        share(tile);
    RecursivelyDeleteTriviallyDeadInstructionsPermissive(unused);
    return !unused.empty();
  }

private:
  void insert(Instruction &access, Value &pointer) {
    TileAddress address(&pointer, layout);
    const auto constant = static_cast<int32_t>(address.constant);
    if (address.parts.empty() || address.parts.size() > MostTerms ||
        !isInt<BitsOfDistance>(constant))
      return;
    APInt distance(layout.getIndexTypeSizeInBits(pointer.getType()), 0);
    Value *computed = pointer.stripAndAccumulateConstantOffsets(
        layout, distance, /*AllowNonInbounds=*/true);
    // What has been computed before the loop costs nothing in it.
    const Loop *loop = loops.getLoopFor(access.getParent());
    if (loop && loop->isLoopInvariant(computed))
      return;
    TileAddress::Parts sorted = address.parts;
    llvm::sort(sorted);
    Tile &tile = tiles[{address.variable, loop, sorted}];
    if (tile.accesses.empty()) {
      tile.variable = address.variable;
      tile.loop = loop;
      tile.parts = address.parts;
    }
    tile.accesses.push_back({&access, constant, computed});
  }

  static bool hasSeveralAddresses(const Tile &tile) {
    SmallPtrSet<Value *, 8> addresses;
    for (const Access &access : tile.accesses)
      addresses.insert(access.address);
    return addresses.size() > 1;
  }

  void share(Tile &tile) {
    Instruction *place = placeOf(tile);
    if (!place)
      return;
    IRBuilder<> b(place);
    Value *sum = sumOf(tile, b);
    Value *address =
        b.CreatePtrAdd(tile.variable, b.CreateSExt(sum, b.getInt64Ty()));
    Align alignment = tile.variable->getPointerAlignment(layout);
    for (const auto &[value, factor] : tile.parts)
      alignment = commonAlignment(alignment, factor);
    for (const auto &[access, constant, computed] : tile.accesses) {
      unused.push_back(getLoadStorePointerOperand(access));
      b.SetInsertPoint(access);
      access->replaceUsesOfWith(unused.back(),
                                b.CreatePtrAdd(address, b.getInt64(constant)));
      const Align known = commonAlignment(alignment, constant);
      if (auto *load = dyn_cast<LoadInst>(access))
        load->setAlignment(std::max(load->getAlign(), known));
      else if (auto *store = dyn_cast<StoreInst>(access))
        store->setAlignment(std::max(store->getAlign(), known));
    }
  }

  /// Where all of \p tile comes behind, in the same loop; null if the values
  /// of its sum do not come before that.
  Instruction *placeOf(const Tile &tile) const {
    BasicBlock *block = tile.accesses[0].instruction->getParent();
    for (const Access &access : tile.accesses)
      block = dominators.findNearestCommonDominator(
          block, access.instruction->getParent());
    while (loops.getLoopFor(block) != tile.loop)
      block = dominators.getNode(block)->getIDom()->getBlock();
    // The accesses are in the order of the blocks' instructions.
    const Access *first = find_if(tile.accesses, [&](const Access &access) {
      return access.instruction->getParent() == block;
    });
    Instruction *place = first == tile.accesses.end() ? block->getTerminator()
                                                      : first->instruction;
    return isBefore(*tile.variable, *place) &&
                   all_of(tile.parts,
                          [&](const auto &part) {
                            return isBefore(*part.first, *place);
                          })
               ? place
               : nullptr;
  }

  bool isBefore(const Value &value, const Instruction &place) const {
    auto *instruction = dyn_cast<Instruction>(&value);
    return !instruction || dominators.dominates(instruction, &place);
  }

  /// The distance of \p tile from its variable, but for the constants.
  static Value *sumOf(const Tile &tile, IRBuilder<> &b) {
    Value *sum = nullptr;
    for (const auto &[value, factor] : tile.parts) {
      Value *part = b.CreateZExtOrTrunc(value, b.getInt32Ty());
      const bool isTaken = sum && isPowerOf2_32(-factor);
      const uint32_t times = isTaken ? -factor : factor;
      part = isPowerOf2_32(times) ? b.CreateShl(part, Log2_32(times))
                                  : b.CreateMul(part, b.getInt32(times));
      if (!sum)
        sum = part;
      else
        sum = isTaken ? b.CreateSub(sum, part) : b.CreateAdd(sum, part);
    }
    return sum;
  }

  const LoopInfo &loops;
  const DominatorTree &dominators;
  const DataLayout &layout;
  using Key = std::tuple<const Value *, const Loop *, TileAddress::Parts>;
  MapVector<Key, Tile, std::map<Key, unsigned>> tiles;
  SmallVector<WeakTrackingVH> unused;
};

} // namespace

PreservedAnalyses cufort::shareTileAddresses(Function &function,
                                             FunctionAnalysisManager &manager) {
  Tiles tiles(function, manager.getResult<LoopAnalysis>(function),
              manager.getResult<DominatorTreeAnalysis>(function));
  return afterInstructions(tiles.share());
}

//===- ContiguousArrays.cpp - code for arrays without gaps ----------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/cpu/partition/ContiguousArrays.h"
#include "compiler/cpu/analysis/Kernel.h"
#include "compiler/cpu/import/Tidy.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace cufort::cpu {
namespace {

/// Of Flang's descriptors: the address, what is known of the elements, and for
/// each dimension the lower bound, the extent and the distance in bytes.
constexpr unsigned DimensionsField = 7, DistanceInDimension = 2;
/// The code of a larger kernel is not worth having twice.
constexpr unsigned MostInstructions = 4096;

class Separation {
public:
  explicit Separation(Function &kernel)
      : kernel(kernel), layout(kernel.getDataLayout()) {}

  bool run() {
    if (!canBeCopied())
      return false;
    for (Argument &argument : kernel.args())
      if (std::optional<uint64_t> offset = distanceOffset(argument))
        if (uint64_t size = elementSize(argument))
          findDistances(argument, *offset, size);
    if (distances.empty())
      return false;
    copyBody();
    return true;
  }

private:
  struct Distance {
    uint64_t offset, size; ///< where it stands; of an element
    SmallVector<LoadInst *> loads;
  };

  /// All threads of a grid go to the same body, so that barriers and warp
  /// operations are copied like anything else.
  bool canBeCopied() const {
    return kernel.getInstructionCount() <= MostInstructions;
  }

  /// Where a descriptor that is passed by value has the distance of elements
  /// along the first dimension.
  std::optional<uint64_t> distanceOffset(const Argument &argument) const {
    if (!argument.hasByValAttr())
      return std::nullopt;
    auto *type = dyn_cast<StructType>(argument.getParamByValType());
    if (!type || type->getNumElements() <= DimensionsField ||
        !type->getElementType(0)->isPointerTy())
      return std::nullopt;
    auto *dimensions =
        dyn_cast<ArrayType>(type->getElementType(DimensionsField));
    auto *dimension = dimensions
                          ? dyn_cast<ArrayType>(dimensions->getElementType())
                          : nullptr;
    if (!dimension || !dimension->getElementType()->isIntegerTy(64) ||
        dimension->getNumElements() <= DistanceInDimension)
      return std::nullopt;
    return layout.getStructLayout(type)->getElementOffset(DimensionsField) +
           DistanceInDimension * sizeof(uint64_t);
  }

  /// Calls \p visit with what is loaded from \p offset of \p argument.
  template <typename Visitor>
  void forLoads(Argument &argument, uint64_t offset, Visitor visit) const {
    for (Instruction &instruction : instructions(kernel)) {
      auto *load = dyn_cast<LoadInst>(&instruction);
      if (!load || load->isVolatile())
        continue;
      APInt at(64, 0);
      const Value *from =
          load->getPointerOperand()->stripAndAccumulateConstantOffsets(
              layout, at, /*AllowNonInbounds=*/true);
      if (from == &argument && at == offset)
        visit(*load);
    }
  }

  /// The size of what is accessed at the addresses made of the array's; 0 if it
  /// is not one size. It is only what a distance is compared with.
  uint64_t elementSize(Argument &argument) const {
    SmallPtrSet<Value *, 16> seen;
    SmallVector<Value *> work;
    forLoads(argument, 0, [&](LoadInst &load) {
      if (load.getType()->isPointerTy())
        work.push_back(&load);
    });
    uint64_t size = 0;
    while (!work.empty()) {
      Value *address = work.pop_back_val();
      if (!seen.insert(address).second)
        continue;
      for (User *user : address->users()) {
        if (isa<GetElementPtrInst>(user) &&
            cast<GetElementPtrInst>(user)->getPointerOperand() == address)
          work.push_back(user);
        if (!isa<LoadInst, StoreInst>(user) ||
            getLoadStorePointerOperand(user) != address)
          continue;
        uint64_t accessed =
            layout.getTypeAllocSize(getLoadStoreType(user)).getFixedValue();
        if (size && size != accessed)
          return 0;
        size = accessed;
      }
    }
    return size;
  }

  void findDistances(Argument &argument, uint64_t offset, uint64_t size) {
    forLoads(argument, offset, [&](LoadInst &load) {
      if (!load.getType()->isIntegerTy(64))
        return;
      Distance &distance = distances[&argument];
      distance.offset = offset;
      distance.size = size;
      distance.loads.push_back(&load);
    });
  }

  void copyBody() {
    BasicBlock &entry = kernel.getEntryBlock();
    SmallVector<AllocaInst *> variables;
    for (Instruction &instruction : entry)
      if (auto *variable = dyn_cast<AllocaInst>(&instruction);
          variable && variable->isStaticAlloca())
        variables.push_back(variable);
    for (AllocaInst *variable : reverse(variables))
      variable->moveBefore(entry, entry.begin());
    auto first = entry.begin();
    while (isa<AllocaInst>(*first))
      ++first;
    BasicBlock *general = entry.splitBasicBlock(first, "general");
    ValueToValueMapTy map;
    cpu::copyBody(kernel, ".contiguous", map);

    IRBuilder<> b(entry.getTerminator());
    Value *contiguous = b.getTrue();
    for (auto &[argument, distance] : distances) {
      Value *place = b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), argument,
                                                  distance.offset);
      Value *is = b.CreateICmpEQ(b.CreateLoad(b.getInt64Ty(), place),
                                 b.getInt64(distance.size));
      contiguous = b.CreateAnd(contiguous, is, "contiguous");
    }
    b.CreateCondBr(contiguous, cast<BasicBlock>(map[general]), general);
    entry.getTerminator()->eraseFromParent();

    for (auto &[argument, distance] : distances)
      for (LoadInst *load : distance.loads)
        cast<LoadInst>(map[load])->replaceAllUsesWith(
            b.getInt64(distance.size));
  }

  Function &kernel;
  const DataLayout &layout;
  MapVector<Argument *, Distance> distances;
};

} // namespace

Error separateContiguous(Module &module, const CpuOptions &options) {
  if (options.optLevel == 0)
    return Error::success();
  SmallVector<Function *> changed;
  for (Function *kernel : kernels(module))
    if (Separation(*kernel).run())
      changed.push_back(kernel);
  tidy(module, changed);
  return Error::success();
}

} // namespace cufort::cpu

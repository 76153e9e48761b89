//===- PrivateArrays.cpp - private arrays that outlive a barrier ----------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/cpu/fission/PrivateArrays.h"
#include "compiler/cpu/analysis/Kernel.h"
#include "compiler/cpu/block/Arena.h"
#include "compiler/cpu/block/ThreadEntries.h"
#include "compiler/cpu/fission/Barriers.h"
#include "compiler/cpu/simd/WarpOperations.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace cufort::cpu {
namespace {

/// Finds whether every access to a private array is a load or store of one size
/// at a multiple of that size.
class Accesses {
public:
  explicit Accesses(AllocaInst &array)
      : layout(array.getModule()->getDataLayout()) {
    elementwise = visit(array) && elementSize != 0;
    for (uint64_t stride : strides)
      elementwise &= stride % std::max<uint64_t>(elementSize, 1) == 0;
  }

  bool elementwise = false;
  uint64_t elementSize = 0;
  SmallVector<Instruction *> loadsAndStores;

private:
  bool visit(Value &pointer) {
    for (Use &use : pointer.uses()) {
      auto *user = cast<Instruction>(use.getUser());
      if (auto *gep = dyn_cast<GetElementPtrInst>(user)) {
        SmallMapVector<Value *, APInt, 4> variable;
        APInt constant(64, 0);
        if (gep->getType()->isVectorTy() ||
            !gep->collectOffset(layout, 64, variable, constant))
          return false;
        strides.push_back(constant.abs().getZExtValue());
        for (auto &[value, stride] : variable)
          strides.push_back(stride.abs().getZExtValue());
        if (!visit(*gep))
          return false;
      } else if (isa<LoadInst>(user) ||
                 (isa<StoreInst>(user) && use.getOperandNo() == 1)) {
        Type *type = getLoadStoreType(user);
        uint64_t size = layout.getTypeStoreSize(type);
        if (user->isAtomic() || user->isVolatile() || type->isIntegerTy(1) ||
            size != layout.getTypeAllocSize(type) ||
            (elementSize && elementSize != size))
          return false;
        elementSize = size;
        loadsAndStores.push_back(user);
      } else if (!isa<LifetimeIntrinsic>(user)) {
        return false;
      }
    }
    return true;
  }

  const DataLayout &layout;
  SmallVector<uint64_t> strides;
};

/// The distance in bytes from \p array to \p pointer, computed before \p at.
Value *offsetOf(IRBuilder<> &b, Value *pointer, AllocaInst *array,
                const DataLayout &layout) {
  Value *offset = b.getInt64(0);
  while (pointer != array) {
    auto *gep = cast<GetElementPtrInst>(pointer);
    SmallMapVector<Value *, APInt, 4> variable;
    APInt constant(64, 0);
    gep->collectOffset(layout, 64, variable, constant);
    offset = b.CreateNSWAdd(offset, b.getInt64(constant.getSExtValue()));
    for (auto &[value, stride] : variable)
      offset = b.CreateNSWAdd(
          offset, b.CreateNSWMul(b.CreateSExtOrTrunc(value, b.getInt64Ty()),
                                 b.getInt64(stride.getSExtValue())));
    pointer = gep->getPointerOperand();
  }
  return offset;
}

void eraseTree(Instruction *root) {
  for (User *user : make_early_inc_range(root->users()))
    eraseTree(cast<Instruction>(user));
  root->eraseFromParent();
}

void dropLifetimes(Instruction *pointer) {
  for (User *user : make_early_inc_range(pointer->users()))
    if (auto *lifetime = dyn_cast<LifetimeIntrinsic>(user))
      lifetime->eraseFromParent();
}

/// Where the arrays of many threads lie.
struct Place {
  /// Space for the number of bytes per thread.
  function_ref<Value *(uint64_t)> reserve;
  Value *threads;           ///< i64: how many threads there is space for
  FunctionCallee number;    ///< i64(): of the thread among them
  Instruction *firstAccess; ///< before any
};

/// Needs an array without lifetimes: the first access may stand behind one.
void place(AllocaInst &array, const Place &where) {
  Function &function = *array.getFunction();
  const DataLayout &layout = function.getDataLayout();
  uint64_t size = array.getAllocationSize(layout)->getFixedValue();

  Accesses accesses(array);
  if (accesses.elementwise && size % accesses.elementSize == 0) {
    Value *base = where.reserve(size);
    for (Instruction *access : accesses.loadsAndStores) {
      IRBuilder<> b(access);
      Value *offset =
          offsetOf(b, getLoadStorePointerOperand(access), &array, layout);
      Value *number = b.CreateCall(where.number);
      Value *address = b.CreateInBoundsGEP(
          b.getInt8Ty(), base,
          b.CreateNSWAdd(
              b.CreateNSWMul(offset, where.threads),
              b.CreateNSWMul(number, b.getInt64(accesses.elementSize))));
      access->setOperand(isa<LoadInst>(access) ? 0 : 1, address);
      Align alignment(accesses.elementSize & -accesses.elementSize);
      if (auto *load = dyn_cast<LoadInst>(access))
        load->setAlignment(std::min(alignment, load->getAlign()));
      else
        cast<StoreInst>(access)->setAlignment(
            std::min(alignment, cast<StoreInst>(access)->getAlign()));
    }
    eraseTree(&array);
    return;
  }
  uint64_t stride = alignTo(size, array.getAlign());
  Value *base = where.reserve(stride);
  IRBuilder<> b(where.firstAccess);
  Value *number = b.CreateCall(where.number);
  Value *address = b.CreateInBoundsGEP(
      b.getInt8Ty(), base, b.CreateNSWMul(number, b.getInt64(stride)));
  address->takeName(&array);
  array.replaceAllUsesWith(address);
  array.eraseFromParent();
}

/// Of a worker's stack, for the arrays of one strip.
constexpr uint64_t MostStripBytes = 16384;

/// Whether the arrays of a whole warp, whose lanes go through their work
/// together, are more than a strip may have on the stack.
bool exceedWarp(Function &entry, ArrayRef<AllocaInst *> arrays) {
  if (none_of(instructions(entry), [](const Instruction &instruction) {
        return isWarpOperation(instruction) || instruction.isVolatile();
      }))
    return false;
  uint64_t bytes = 0;
  for (AllocaInst *array : arrays)
    bytes += array->getAllocationSize(entry.getDataLayout())->getFixedValue();
  return bytes * WarpSize > MostStripBytes;
}

} // namespace

AllocaInst *placePrivateArraysOf(Function &entry) {
  SmallVector<AllocaInst *> arrays;
  for (Instruction &instruction : instructions(entry))
    if (auto *alloca = dyn_cast<AllocaInst>(&instruction))
      arrays.push_back(alloca);
  auto variable = find_if(arrays, [&](AllocaInst *array) {
    return !array->getAllocationSize(entry.getDataLayout());
  });
  if (variable != arrays.end())
    return *variable;
  for (AllocaInst *array : arrays)
    array->moveBefore(endOfPrologue(entry)->getIterator());
  if (arrays.empty() ||
      (barriersOf(entry).empty() && !exceedWarp(entry, arrays)))
    return nullptr;
  BlockShape shape(entry);
  Arena arena(entry, shape);
  for (AllocaInst *array : arrays) {
    std::string name = array->getName().str();
    dropLifetimes(array);
    place(*array,
          {[&](uint64_t bytes) { return arena.reserve(bytes, name); },
           shape.roundedThreads, threadRankMark(*entry.getParent()),
           &*entry.getEntryBlock().getNextNode()->getFirstInsertionPt()});
  }
  return nullptr;
}

Error placePrivateArrays(Module &module, const CpuOptions &) {
  for (Function *entry : entries(module, "block"))
    if (!entry->hasFnAttribute(FibersAttribute))
      if (AllocaInst *variable = placePrivateArraysOf(*entry))
        if (Error error = runOnFibers(*entry, variable,
                                      "a private array of variable size"))
          return error;
  eraseBlocksOnFibers(module);
  return Error::success();
}

void placeInStrip(Function &body, unsigned lanes) {
  const DataLayout &layout = body.getDataLayout();
  SmallVector<AllocaInst *> arrays;
  uint64_t total = 0;
  for (Instruction &instruction : instructions(body))
    if (auto *array = dyn_cast<AllocaInst>(&instruction)) {
      std::optional<TypeSize> size = array->getAllocationSize(layout);
      total += size ? size->getFixedValue() * lanes : MostStripBytes + 1;
      arrays.push_back(array);
    }
  if (total > MostStripBytes)
    return;
  BasicBlock &start = body.getEntryBlock();
  for (AllocaInst *array : arrays) {
    IRBuilder<> b(&start, start.begin());
    Align alignment = std::max(array->getAlign(), Align(64));
    array->moveBefore(start.begin());
    dropLifetimes(array);
    auto reserve = [&](uint64_t bytes) {
      AllocaInst *all = b.CreateAlloca(
          ArrayType::get(b.getInt8Ty(), bytes * lanes), nullptr, "private");
      all->setAlignment(alignment);
      all->setMetadata(StripArrayMetadata, MDNode::get(body.getContext(), {}));
      return all;
    };
    place(*array, {reserve, b.getInt64(lanes), laneMark(*body.getParent()),
                   array->getNextNode()});
  }
}

} // namespace cufort::cpu

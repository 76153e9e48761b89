//===- LaneMemory.cpp - loads and stores of many threads ------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/cpu/optimise/MemoryScopes.h"
#include "compiler/cpu/simd/LaneCode.h"
#include "image/Image.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace cufort::cpu {

/// What a copy of a memory access keeps of what is known about it.
static void copyKnowledge(Instruction *to, const Instruction &from) {
  to->copyMetadata(from, {LLVMContext::MD_tbaa, LLVMContext::MD_alias_scope,
                          LLVMContext::MD_noalias});
}

Value *LaneCode::emitLoad(LoadInst &load, unsigned row) {
  Value *address = load.getPointerOperand();
  Type *type = load.getType();
  std::optional<int64_t> step = shapes.stride(address);
  int64_t size = layout.getTypeAllocSize(type);
  bool isWhole = layout.typeSizeEqualsStoreSize(type) &&
                 layout.getTypeStoreSize(type) == TypeSize::getFixed(size);
  if (step == 0)
    return splat(cloneScalar(load, row));
  if (step == size && isWhole) {
    if (mask)
      return emitMaskedLoad(load, scalar(address, row));
    Instruction *made =
        b.CreateAlignedLoad(vectorType(type), scalar(address, row),
                            load.getAlign(), load.isVolatile());
    copyKnowledge(made, load);
    return made;
  }
  if (shapes.bound(address) == size && isWhole && !load.isVolatile())
    return emitBoundedLoad(load, row);
  return emitGather(load, row);
}

/// Whether \p load reads a worker's shared memory or arena.
bool LaneCode::isOfWorkspace(const LoadInst &load) const {
  auto *origin =
      dyn_cast<Argument>(getUnderlyingObject(load.getPointerOperand(), 0));
  std::optional<Memory> memory =
      origin ? memoryAt(body.liveIns[origin->getArgNo()]) : std::nullopt;
  return memory == Memory::Shared || memory == Memory::Arena;
}

/// A load of neighbours from \p first, as JoinedLoads.h wants it. Some lane
/// comes along, and around its element the workspace has margins: what is read
/// for the others does not matter.
Value *LaneCode::emitMaskedLoad(LoadInst &load, Value *first) {
  const uint64_t bytes = lanes * layout.getTypeAllocSize(load.getType());
  if (!load.isVolatile() && bytes <= image::WorkspaceMargin &&
      isOfWorkspace(load))
    return b.CreateFreeze(b.CreateAlignedLoad(vectorType(load.getType()), first,
                                              load.getAlign()));
  Instruction *made = b.CreateMaskedLoad(vectorType(load.getType()), first,
                                         load.getAlign(), mask);
  copyKnowledge(made, load);
  return b.CreateFreeze(made);
}

/// A load of neighbours where no index is cut off: then the last lane's element
/// is as far from the first as there are lanes.
Value *LaneCode::emitBoundedLoad(LoadInst &load, unsigned row) {
  Type *type = vectorType(load.getType());
  Value *addresses = vector(load.getPointerOperand(), row);
  auto block = [&](const Twine &name) {
    return BasicBlock::Create(into.getContext(), name, &into, after);
  };
  BasicBlock *inside = block("load.inside"), *cut = block("load.cut"),
             *done = block("load.done");
  Value *first = b.CreateExtractElement(addresses, uint64_t(0));
  Value *last = b.CreateExtractElement(addresses, lanes - 1);
  uint64_t size = layout.getTypeAllocSize(load.getType());
  Value *distance = b.CreateSub(b.CreatePtrToInt(last, b.getInt64Ty()),
                                b.CreatePtrToInt(first, b.getInt64Ty()));
  b.CreateCondBr(b.CreateICmpEQ(distance, b.getInt64(size * (lanes - 1))),
                 inside, cut);
  b.SetInsertPoint(inside);
  Value *whole;
  if (mask) {
    whole = emitMaskedLoad(load, first);
  } else {
    Instruction *made = b.CreateAlignedLoad(type, first, load.getAlign());
    copyKnowledge(made, load);
    whole = made;
  }
  b.CreateBr(done);
  b.SetInsertPoint(cut);
  Value *gathered = emitGather(load, row);
  BasicBlock *gatheredAt = b.GetInsertBlock();
  b.CreateBr(done);
  b.SetInsertPoint(done);
  PHINode *result = b.CreatePHI(type, 2);
  result->addIncoming(whole, inside);
  result->addIncoming(gathered, gatheredAt);
  return result;
}

/// A load from anywhere.
Value *LaneCode::emitGather(LoadInst &load, unsigned row) {
  Value *address = load.getPointerOperand();
  Type *type = load.getType();
  std::optional<int64_t> step = shapes.stride(address);
  bool isWhole = layout.typeSizeEqualsStoreSize(type) &&
                 layout.getTypeStoreSize(type) == layout.getTypeAllocSize(type);
  if ((mask || !hasLaneCopies) && isWhole) {
    Instruction *made =
        b.CreateMaskedGather(vectorType(type), vector(address, row),
                             load.getAlign(), mask ? mask : allLanes());
    copyKnowledge(made, load);
    return made;
  }
  if (mask)
    return emitLaneByLane(load, row);
  // Gather instructions are slower than this on most processors.
  Value *result = PoisonValue::get(vectorType(type));
  for (unsigned lane = 0; lane < lanes; ++lane) {
    Value *place =
        step ? b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), scalar(address, row),
                                            static_cast<uint64_t>(lane * *step))
             : b.CreateExtractElement(vector(address, row), lane);
    LoadInst *element =
        b.CreateAlignedLoad(type, place, load.getAlign(), load.isVolatile());
    copyKnowledge(element, load);
    result = b.CreateInsertElement(result, element, lane);
  }
  return result;
}

/// The value in the last lane that comes along.
Value *LaneCode::lastLaneOf(Value *values) {
  if (!mask)
    return b.CreateExtractElement(values, lanes - 1);
  Type *bits = b.getIntNTy(lanes);
  Value *above = b.CreateIntrinsic(Intrinsic::ctlz, {bits},
                                   {b.CreateBitCast(mask, bits), b.getTrue()});
  return b.CreateExtractElement(
      values, b.CreateSub(ConstantInt::get(bits, lanes - 1), above));
}

void LaneCode::emitStore(StoreInst &store, unsigned row) {
  Value *address = store.getPointerOperand(), *value = store.getValueOperand();
  Type *type = value->getType();
  std::optional<int64_t> step = shapes.stride(address);
  int64_t size = layout.getTypeAllocSize(type);
  bool isWhole = layout.typeSizeEqualsStoreSize(type) &&
                 layout.getTypeStoreSize(type) == TypeSize::getFixed(size);
  if (step == 0) {
    Value *last = shapes.stride(value) == 0 ? scalar(value, row)
                                            : lastLaneOf(vector(value, row));
    copyKnowledge(b.CreateAlignedStore(last, scalar(address, row),
                                       store.getAlign(), store.isVolatile()),
                  store);
    return;
  }
  Value *values = vector(value, row);
  if (step == size && isWhole) {
    Instruction *made;
    if (mask)
      made = b.CreateMaskedStore(values, scalar(address, row), store.getAlign(),
                                 mask);
    else
      made = b.CreateAlignedStore(values, scalar(address, row),
                                  store.getAlign(), store.isVolatile());
    copyKnowledge(made, store);
    return;
  }
  if ((mask || !hasLaneCopies) && isWhole) {
    copyKnowledge(b.CreateMaskedScatter(values, vector(address, row),
                                        store.getAlign(),
                                        mask ? mask : allLanes()),
                  store);
    return;
  }
  if (mask) {
    emitLaneByLane(store, row);
    return;
  }
  for (unsigned lane = 0; lane < lanes; ++lane) {
    Value *place =
        step ? b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), scalar(address, row),
                                            static_cast<uint64_t>(lane * *step))
             : b.CreateExtractElement(vector(address, row), lane);
    copyKnowledge(b.CreateAlignedStore(b.CreateExtractElement(values, lane),
                                       place, store.getAlign(),
                                       store.isVolatile()),
                  store);
  }
}

} // namespace cufort::cpu

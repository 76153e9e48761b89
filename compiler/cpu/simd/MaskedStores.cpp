//===- MaskedStores.cpp - stores under masks, by how many lanes -----------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/cpu/simd/MaskedStores.h"
#include "compiler/cpu/analysis/Kernel.h"
#include "compiler/cpu/optimise/HostTarget.h"
#include "compiler/cpu/optimise/MemoryScopes.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/bit.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace cufort::cpu {
namespace {

/// Of an entry; code with more of them gains less than it grows.
constexpr unsigned MostStores = 48;
constexpr unsigned RegisterBits = 256;

/// A masked store, and what its pieces have of it.
class MaskedStore {
public:
  explicit MaskedStore(IntrinsicInst &call)
      : call(call), vector(call.getArgOperand(0)),
        address(call.getArgOperand(1)), mask(call.getArgOperand(2)),
        alignment(call.getParamAlign(1).valueOrOne()),
        type(cast<FixedVectorType>(vector->getType())),
        isOfBlock(isInWorkspace(address)), b(&call) {}

  void byLanes();
  void inRuns(const Constant &lanes);

private:
  /// Stores \p count lanes from \p first on, under \p mask if there is one, of
  /// which one lane at least comes along.
  void store(unsigned first, unsigned count, Value *mask = nullptr);

  IntrinsicInst &call;
  Value *vector, *address, *mask;
  Align alignment;
  FixedVectorType *type;
  const bool isOfBlock;
  IRBuilder<> b;
};

void MaskedStore::store(unsigned first, unsigned count, Value *mask) {
  Type *element = type->getElementType();
  bool isWhole = count == type->getNumElements();
  auto lanes = to_vector(seq<int>(first, first + count));
  Value *value = isWhole ? vector : b.CreateShuffleVector(vector, lanes);
  Value *place =
      first ? b.CreateConstInBoundsGEP1_64(element, address, first) : address;
  Align aligned =
      commonAlignment(alignment, first * type->getScalarSizeInBits() / 8);
  if (mask && isOfBlock) {
    storeByBlending(b, value, place, aligned, mask);
    return;
  }
  Instruction *made;
  if (mask)
    made = b.CreateMaskedStore(value, place, aligned, mask);
  else
    made = b.CreateAlignedStore(value, place, aligned);
  made->copyMetadata(call, {LLVMContext::MD_tbaa, LLVMContext::MD_alias_scope,
                            LLVMContext::MD_noalias});
}

void MaskedStore::byLanes() {
  unsigned lanes = type->getNumElements();
  unsigned lanesOfOne = RegisterBits / type->getScalarSizeInBits();
  Value *coming = b.CreateBitCast(mask, b.getIntNTy(lanes));
  Value *all =
      b.CreateICmpEQ(coming, Constant::getAllOnesValue(coming->getType()));
  Instruction *whole, *parts;
  SplitBlockAndInsertIfThenElse(all, &call, &whole, &parts);
  b.SetInsertPoint(whole);
  store(0, lanes);
  for (unsigned first = 0; first < lanes; first += lanesOfOne) {
    b.SetInsertPoint(parts);
    auto ofOne = to_vector(seq<int>(first, first + lanesOfOne));
    Value *partMask = b.CreateShuffleVector(mask, ofOne);
    Value *some =
        b.CreateIsNotNull(b.CreateBitCast(partMask, b.getIntNTy(lanesOfOne)));
    b.SetInsertPoint(SplitBlockAndInsertIfThen(some, parts, false));
    store(first, lanesOfOne, partMask);
  }
  call.eraseFromParent();
}

/// Lanes side by side, as many at once as have a plain store.
void MaskedStore::inRuns(const Constant &lanes) {
  unsigned count = type->getNumElements();
  auto stays = [&](unsigned lane) {
    const Constant *one = lanes.getAggregateElement(lane);
    return one && !one->isZeroValue();
  };
  for (unsigned first = 0; first < count;) {
    unsigned past = first;
    while (past < count && stays(past))
      ++past;
    unsigned size = past == first ? 1 : bit_floor(past - first);
    if (past > first)
      store(first, size);
    first += size;
  }
  call.eraseFromParent();
}

/// Whether \p call is a store of whole registers.
bool isOfRegisters(const IntrinsicInst &call) {
  if (call.getIntrinsicID() != Intrinsic::masked_store)
    return false;
  auto *type = dyn_cast<FixedVectorType>(call.getArgOperand(0)->getType());
  if (!type)
    return false;
  unsigned bits = type->getScalarSizeInBits();
  return (bits == 32 || bits == 64) && !type->getElementType()->isPointerTy() &&
         type->getNumElements() * bits % RegisterBits == 0;
}

} // namespace

bool isInWorkspace(const Value *address) {
  std::optional<Memory> memory = memoryAt(address);
  return memory == Memory::Shared || memory == Memory::Arena;
}

/// The workspace is long enough for all lanes, before its start and behind its
/// end. No type or scope is named: one of them may lie in another variable.
void storeByBlending(IRBuilderBase &b, Value *value, Value *address,
                     Align alignment, Value *mask) {
  Value *before = b.CreateAlignedLoad(value->getType(), address, alignment);
  b.CreateAlignedStore(b.CreateSelect(mask, value, b.CreateFreeze(before)),
                       address, alignment);
}

Error storeByLanes(Module &module, const CpuOptions &options) {
  if (options.optLevel == 0)
    return Error::success();
  // The entries say themselves which processor they are for.
  auto machine = makeHostMachine(cpuOfLevel(0));
  for (Function *entry : kernels(module)) {
    const MCSubtargetInfo &processor = *machine->getSubtargetImpl(*entry);
    if (!processor.checkFeatures("+avx2") ||
        processor.checkFeatures("+avx512f"))
      continue;
    SmallVector<IntrinsicInst *> stores, known;
    for (Instruction &instruction : instructions(*entry))
      if (auto *call = dyn_cast<IntrinsicInst>(&instruction);
          call && isOfRegisters(*call))
        (isa<Constant>(call->getArgOperand(2)) ? known : stores)
            .push_back(call);
    for (IntrinsicInst *call : known)
      MaskedStore(*call).inRuns(*cast<Constant>(call->getArgOperand(2)));
    if (stores.size() > MostStores)
      continue;
    for (IntrinsicInst *call : stores)
      MaskedStore(*call).byLanes();
  }
  return Error::success();
}

} // namespace cufort::cpu

//===- MaskedAccesses.cpp - what a processor has no instruction for -------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/cpu/MaskedAccesses.h"
#include "compiler/cpu/HostTarget.h"
#include "compiler/cpu/Kernel.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace cufort::cpu {
namespace {

/// How many lanes of an entry LLVM may take apart.
constexpr unsigned MostLanes = 128;

/// A masked access in the terms of all four kinds.
struct Access {
  IntrinsicInst *call;
  bool isStore;
  bool isApart; ///< each lane has an address of its own
  Value *address, *mask;
  Value *value; ///< to be stored, or of the lanes that do not come along
  Align alignment;
  FixedVectorType *type;
};

std::optional<Access> asAccess(Instruction &instruction) {
  auto *call = dyn_cast<IntrinsicInst>(&instruction);
  if (!call)
    return std::nullopt;
  Access access = {};
  access.call = call;
  switch (call->getIntrinsicID()) {
  case Intrinsic::masked_scatter:
    access.isApart = true;
    [[fallthrough]];
  case Intrinsic::masked_store:
    access.isStore = true;
    break;
  case Intrinsic::masked_gather:
    access.isApart = true;
    break;
  case Intrinsic::masked_load:
    break;
  default:
    return std::nullopt;
  }
  unsigned place = access.isStore ? 1 : 0;
  access.address = call->getArgOperand(place);
  access.mask = call->getArgOperand(place + 1);
  access.value = call->getArgOperand(access.isStore ? 0 : 2);
  access.alignment = call->getParamAlign(place).valueOrOne();
  access.type = dyn_cast<FixedVectorType>(access.value->getType());
  // A constant mask makes no conditions.
  if (!access.type || isa<Constant>(access.mask))
    return std::nullopt;
  return access;
}

bool hasInstruction(const Access &access, const TargetTransformInfo &target) {
  Type *element = access.type->getElementType();
  unsigned space = 0;
  switch (access.call->getIntrinsicID()) {
  case Intrinsic::masked_scatter:
    return target.isLegalMaskedScatter(access.type, access.alignment) &&
           !target.forceScalarizeMaskedScatter(access.type, access.alignment);
  case Intrinsic::masked_gather:
    return target.isLegalMaskedGather(access.type, access.alignment) &&
           !target.forceScalarizeMaskedGather(access.type, access.alignment);
  case Intrinsic::masked_store:
    return target.isLegalMaskedStore(element, access.alignment, space);
  default:
    return target.isLegalMaskedLoad(element, access.alignment, space);
  }
}

class LaneLoops {
public:
  explicit LaneLoops(Function &entry) : entry(entry) {}

  void replace(const Access &access) {
    IRBuilder<> b(access.call);
    unsigned lanes = access.type->getNumElements();
    Type *element = access.type->getElementType();
    Type *bits = b.getIntNTy(lanes);
    AllocaInst *addresses = nullptr,
               *values = placeFor(valuePlaces, access.type, "values");
    if (access.isApart) {
      addresses =
          placeFor(addressPlaces, access.address->getType(), "addresses");
      b.CreateStore(access.address, addresses);
    }
    if (!isa<UndefValue>(access.value))
      b.CreateStore(access.value, values);
    Value *coming = b.CreateBitCast(access.mask, bits);
    Value *some = b.CreateIsNotNull(coming);

    BasicBlock *before = access.call->getParent();
    Instruction *turnEnd =
        SplitBlockAndInsertIfThen(some, access.call, /*Unreachable=*/false);
    BasicBlock *turn = turnEnd->getParent(), *after = access.call->getParent();
    turn->setName("masked.lane");
    b.SetInsertPoint(turnEnd);
    b.SetCurrentDebugLocation(access.call->getDebugLoc());
    PHINode *rest = b.CreatePHI(bits, 2);
    rest->addIncoming(coming, before);
    Value *lane = b.CreateZExtOrTrunc(
        b.CreateBinaryIntrinsic(Intrinsic::cttz, rest, b.getTrue()),
        b.getInt64Ty());
    Value *place =
        access.isApart
            ? b.CreateLoad(b.getPtrTy(),
                           b.CreateInBoundsGEP(b.getPtrTy(), addresses, lane))
            : b.CreateInBoundsGEP(element, access.address, lane);
    Value *slot = b.CreateInBoundsGEP(element, values, lane);
    Instruction *made;
    if (access.isStore) {
      made = b.CreateAlignedStore(b.CreateLoad(element, slot), place,
                                  access.alignment);
    } else {
      made = b.CreateAlignedLoad(element, place, access.alignment);
      b.CreateStore(made, slot);
    }
    made->copyMetadata(*access.call,
                       {LLVMContext::MD_tbaa, LLVMContext::MD_alias_scope,
                        LLVMContext::MD_noalias});
    Value *left =
        b.CreateAnd(rest, b.CreateSub(rest, ConstantInt::get(bits, 1)));
    rest->addIncoming(left, turn);
    b.CreateCondBr(b.CreateIsNotNull(left), turn, after);
    turnEnd->eraseFromParent();

    b.SetInsertPoint(access.call);
    if (!access.isStore) {
      Value *result = b.CreateLoad(access.type, values);
      access.call->replaceAllUsesWith(result);
    }
    access.call->eraseFromParent();
  }

private:
  using Places = DenseMap<Type *, AllocaInst *>;

  /// One place for all accesses of a type: none is needed any longer when the
  /// next begins.
  AllocaInst *placeFor(Places &places, Type *type, const Twine &name) {
    AllocaInst *&place = places[type];
    if (!place) {
      IRBuilder<> b(&entry.getEntryBlock(), entry.getEntryBlock().begin());
      place = b.CreateAlloca(type, nullptr, name);
    }
    return place;
  }

  Function &entry;
  Places valuePlaces, addressPlaces; ///< apart: values may be addresses
};

} // namespace

Error loopOverMaskedLanes(Module &module, const CpuOptions &options) {
  if (options.optLevel == 0)
    return Error::success();
  // The entries say themselves which processor they are for.
  auto machine = makeHostMachine(cpuOfLevel(0));
  for (Function *entry : kernels(module)) {
    TargetTransformInfo target = machine->getTargetTransformInfo(*entry);
    SmallVector<IntrinsicInst *> found;
    unsigned lanes = 0;
    for (Instruction &instruction : instructions(*entry))
      if (std::optional<Access> access = asAccess(instruction);
          access && !hasInstruction(*access, target)) {
        found.push_back(access->call);
        lanes += access->type->getNumElements();
      }
    if (lanes <= MostLanes)
      continue;
    LaneLoops loops(*entry);
    // The result of one may be an operand of the next.
    for (IntrinsicInst *call : found)
      loops.replace(*asAccess(*call));
  }
  return Error::success();
}

} // namespace cufort::cpu

//===- MaskedAccesses.cpp - what a processor has no instruction for -------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/cpu/simd/MaskedAccesses.h"
#include "compiler/cpu/analysis/Kernel.h"
#include "compiler/cpu/optimise/HostTarget.h"
#include "compiler/cpu/simd/MaskedStores.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/VectorUtils.h"
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
  // A constant mask makes no conditions; what all lanes have apart is long all
  // the same.
  if (!access.type)
    return std::nullopt;
  if (auto *constant = dyn_cast<Constant>(access.mask);
      constant && !(access.isApart && constant->isAllOnesValue()))
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

/// Loads that can be made together, lane by lane: they follow each other with
/// nothing but arithmetic between. What is computed of the ones stands behind
/// all of them afterwards.
class Group {
public:
  explicit Group(const Access &first) : accesses{first} {
    made.insert(first.call);
  }

  bool join(const Access &access) {
    const Access &last = accesses.back();
    if (access.isStore || last.isStore || access.mask != last.mask ||
        access.type->getNumElements() != last.type->getNumElements() ||
        access.call->getParent() != last.call->getParent())
      return false;
    SmallVector<Instruction *> computed;
    SmallPtrSet<Value *, 8> known = made;
    auto isComputed = [&](Instruction &instruction) {
      return any_of(instruction.operands(),
                    [&](Value *operand) { return known.contains(operand); });
    };
    for (Instruction &between : make_range(std::next(last.call->getIterator()),
                                           access.call->getIterator())) {
      if (between.mayWriteToMemory() || between.mayHaveSideEffects())
        return false;
      if (!isComputed(between))
        continue;
      if (between.mayReadFromMemory())
        return false;
      known.insert(&between);
      computed.push_back(&between);
    }
    if (isComputed(*access.call))
      return false;
    known.insert(access.call);
    made = std::move(known);
    append_range(later, computed);
    accesses.push_back(access);
    return true;
  }

  /// Leaves all accesses next to each other, as far as that matters.
  ArrayRef<Access> gather() {
    auto behind = std::next(accesses.back().call->getIterator());
    for (Instruction *instruction : later)
      instruction->moveBefore(behind);
    return accesses;
  }

private:
  SmallVector<Access> accesses;
  SmallPtrSet<Value *, 8> made; ///< and what is computed of that
  SmallVector<Instruction *> later;
};

/// The operation that makes \p vector, if a lane can make its element of it as
/// it uses it: an address of an index, an index of a narrower one. So 32 lanes
/// keep 32 indices of 32 bits, and not as many addresses, which processors
/// without instructions for the accesses have eight or sixteen vectors for.
Instruction *ofLane(Value *vector) {
  return isa<GetElementPtrInst, ZExtInst, SExtInst>(vector)
             ? cast<Instruction>(vector)
             : nullptr;
}

/// Drops \p vector and what it is made of, as far as only lanes used that.
void eraseUnused(Value *vector) {
  Instruction *made = ofLane(vector);
  if (!made || !made->use_empty())
    return;
  const SmallVector<Value *> operands(made->operands());
  made->eraseFromParent();
  for (Value *operand : operands)
    eraseUnused(operand);
}

/// Vectors that lie in memory while a loop is over their lanes.
using KeptVectors = DenseMap<Value *, AllocaInst *>;

/// The element of \p value in \p lane.
Value *elementOf(IRBuilder<> &b, Value *value, const KeptVectors &kept,
                 Value *lane) {
  if (!value->getType()->isVectorTy())
    return value;
  if (Value *splat = getSplatValue(value))
    return splat;
  Type *type = value->getType()->getScalarType();
  Instruction *made = ofLane(value);
  if (!made)
    return b.CreateLoad(type,
                        b.CreateInBoundsGEP(type, kept.lookup(value), lane));
  SmallVector<Value *> operands;
  for (Value *operand : made->operands())
    operands.push_back(elementOf(b, operand, kept, lane));
  if (auto *address = dyn_cast<GetElementPtrInst>(made))
    return b.CreateGEP(address->getSourceElementType(), operands.front(),
                       ArrayRef(operands).drop_front(), "",
                       address->getNoWrapFlags());
  Value *wide =
      b.CreateCast(cast<CastInst>(made)->getOpcode(), operands.front(), type);
  if (auto *cast = dyn_cast<Instruction>(wide))
    cast->copyIRFlags(made);
  return wide;
}

class LaneLoops {
public:
  explicit LaneLoops(Function &entry) : entry(entry) {}

  /// One loop in place of \p accesses, where the last one stands.
  void replace(ArrayRef<Access> accesses) {
    Instruction *last = accesses.back().call;
    Value *mask = accesses.back().mask;
    unsigned lanes = accesses.back().type->getNumElements();
    IRBuilder<> b(last);
    Type *bits = b.getIntNTy(lanes);
    DenseMap<Type *, unsigned> used;
    auto placeFor = [&](Type *type) { return place(type, used[type]++); };
    SmallVector<AllocaInst *> places;
    KeptVectors kept;
    const auto keep = [&](auto &&self, Value *value) -> void {
      if (!value->getType()->isVectorTy() || getSplatValue(value))
        return;
      if (Instruction *made = ofLane(value)) {
        for (Value *operand : made->operands())
          self(self, operand);
      } else if (AllocaInst *&memory = kept[value]; !memory) {
        memory = placeFor(value->getType());
        b.CreateStore(value, memory);
      }
    };
    for (const Access &access : accesses) {
      AllocaInst *values = placeFor(access.type);
      keep(keep, access.address);
      if (!isa<UndefValue>(access.value))
        b.CreateStore(access.value, values);
      places.push_back(values);
    }
    // A call may become a loop yet.
    Value *coming = isa<CallInst>(mask) ? b.CreateBitCast(mask, bits)
                                        : integerOf(mask, bits);
    Value *some = b.CreateIsNotNull(coming);

    BasicBlock *before = last->getParent();
    Instruction *iterationEnd =
        SplitBlockAndInsertIfThen(some, last, /*Unreachable=*/false);
    BasicBlock *iteration = iterationEnd->getParent(),
               *after = last->getParent();
    iteration->setName("masked.lane");
    b.SetInsertPoint(iterationEnd);
    b.SetCurrentDebugLocation(last->getDebugLoc());
    PHINode *rest = b.CreatePHI(bits, 2);
    rest->addIncoming(coming, before);
    Value *lane = b.CreateZExtOrTrunc(
        b.CreateBinaryIntrinsic(Intrinsic::cttz, rest, b.getTrue()),
        b.getInt64Ty());
    for (auto [access, memory] : zip(accesses, places))
      accessInLane(b, access, kept, memory, lane);
    Value *left =
        b.CreateAnd(rest, b.CreateSub(rest, ConstantInt::get(bits, 1)));
    rest->addIncoming(left, iteration);
    b.CreateCondBr(b.CreateIsNotNull(left), iteration, after);
    iterationEnd->eraseFromParent();

    b.SetInsertPoint(last);
    for (auto [access, memory] : zip(accesses, places))
      if (!access.isStore)
        access.call->replaceAllUsesWith(b.CreateLoad(access.type, memory));
    for (const Access &access : accesses) {
      access.call->eraseFromParent();
      eraseUnused(access.address);
    }
  }

private:
  static void accessInLane(IRBuilder<> &b, const Access &access,
                           const KeptVectors &kept, AllocaInst *values,
                           Value *lane) {
    Type *element = access.type->getElementType();
    Value *place = access.isApart
                       ? elementOf(b, access.address, kept, lane)
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
  }

  /// The bits of \p mask, made once for all loops, where it is made.
  Value *integerOf(Value *mask, Type *bits) {
    Value *&made = integers[mask];
    if (made)
      return made;
    BasicBlock &first = entry.getEntryBlock();
    BasicBlock::iterator behind = first.getFirstNonPHIOrDbgOrAlloca();
    if (auto *instruction = dyn_cast<Instruction>(mask))
      if (auto found = instruction->getInsertionPointAfterDef())
        behind = *found;
    return made = IRBuilder<>(behind->getParent(), behind)
                      .CreateBitCast(mask, bits);
  }

  /// A place for the vectors of a type in all loops: none is needed any longer
  /// when the next begins.
  AllocaInst *place(Type *type, unsigned number) {
    AllocaInst *&found = places[{type, number}];
    if (!found) {
      IRBuilder<> b(&entry.getEntryBlock(), entry.getEntryBlock().begin());
      found = b.CreateAlloca(type, nullptr, "lanes");
    }
    return found;
  }

  Function &entry;
  DenseMap<std::pair<Type *, unsigned>, AllocaInst *> places;
  DenseMap<Value *, Value *> integers; ///< of masks
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
    llvm::erase_if(found, [](IntrinsicInst *call) {
      std::optional<Access> access = asAccess(*call);
      if (!access->isStore || access->isApart ||
          !isInWorkspace(access->address))
        return false;
      IRBuilder<> b(call);
      storeByBlending(b, access->value, access->address, access->alignment,
                      access->mask);
      call->eraseFromParent();
      return true;
    });
    // The result of one may be an operand of the next.
    for (size_t n = 0; n < found.size();) {
      Group group(*asAccess(*found[n]));
      ++n;
      while (n < found.size() && group.join(*asAccess(*found[n])))
        ++n;
      loops.replace(group.gather());
    }
  }
  return Error::success();
}

} // namespace cufort::cpu

//===- AccessKinds.cpp - what an access is -------------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/check/AccessKinds.h"
#include "compiler/check/Instrument.h"
#include "compiler/check/Names.h"
#include "image/Check.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

namespace cufort::check {

/// Whether what is loaded is written back, but for some bits: those of a bit
/// field beside the others.
static bool isWrittenBack(const LoadInst &load) {
  return load.isSimple() && !load.use_empty() &&
         all_of(load.users(), [&](const User *user) {
           auto *kept = dyn_cast<BinaryOperator>(user);
           return kept && kept->getOpcode() == Instruction::And &&
                  isa<ConstantInt>(kept->getOperand(1)) && kept->hasOneUse() &&
                  all_of(kept->users(), [&](const User *next) {
                    auto *all = dyn_cast<BinaryOperator>(next);
                    auto *store = all && all->hasOneUse()
                                      ? dyn_cast<StoreInst>(*all->user_begin())
                                      : nullptr;
                    return store && all->getOpcode() == Instruction::Or &&
                           store->getValueOperand() == all &&
                           store->getPointerOperand() ==
                               load.getPointerOperand();
                  });
         });
}

bool isCopy(const LoadInst &load) {
  if (isWrittenBack(load))
    return true;
  return (load.getType()->isIntegerTy(8) || !load.getDebugLoc()) &&
         load.isSimple() && !load.use_empty() &&
         all_of(load.users(), [&](const User *user) {
           auto *store = dyn_cast<StoreInst>(user);
           return store && store->getValueOperand() == &load;
         });
}

bool isHarmless(const Value *address, uint64_t bytes,
                const DataLayout &layout) {
  const Value *root = rootOf(address);
  uint64_t size = 0;
  if (auto *local = dyn_cast<AllocaInst>(root)) {
    auto all = local->getAllocationSize(layout);
    size = all && !all->isScalable() ? all->getFixedValue() : 0;
  } else if (auto *global = dyn_cast<GlobalVariable>(root);
             global && global->isConstant()) {
    size = layout.getTypeAllocSize(global->getValueType());
  } else if (auto *argument = dyn_cast<Argument>(root)) {
    return argument->hasByValAttr();
  }
  if (!size)
    return false;
  APInt offset(64, 0);
  return address->stripAndAccumulateConstantOffsets(
             layout, offset, /*AllowNonInbounds=*/true) == root &&
         offset.getSExtValue() >= 0 && offset.getSExtValue() + bytes <= size;
}

void findCompared(const AtomicCmpXchgInst &exchange,
                  SmallPtrSetImpl<const Instruction *> &reads) {
  SmallPtrSet<const Value *, 16> seen;
  SmallVector<const Value *> work{exchange.getCompareOperand()};
  while (!work.empty()) {
    const Value *value = work.pop_back_val();
    const auto *made = dyn_cast<Instruction>(value);
    if (!made || !seen.insert(value).second)
      continue;
    if (auto *load = dyn_cast<LoadInst>(made)) {
      const Value *place = load->getPointerOperand()->stripPointerCasts();
      if (!isa<AllocaInst>(place)) {
        reads.insert(load);
        continue;
      }
      // A scalar of the thread: whatever was put there.
      for (const User *user : place->users())
        if (auto *store = dyn_cast<StoreInst>(user);
            store && store->getPointerOperand() == place)
          work.push_back(store->getValueOperand());
    } else if (isa<CastInst, PHINode, SelectInst, FreezeInst>(made)) {
      work.append(made->value_op_begin(), made->value_op_end());
    }
  }
}

/// Whether nothing but loads and stores use \p place.
static bool isPlain(const AllocaInst &place) {
  return all_of(place.users(), [&](const User *user) {
    auto *store = dyn_cast<StoreInst>(user);
    return isa<LoadInst>(user) ||
           (store && store->getPointerOperand() == &place) ||
           cast<Instruction>(user)->isLifetimeStartOrEnd();
  });
}

/// What was stored last where \p load reads a variable of the thread, in the
/// same block of code; null: not known.
static const Value *storedBefore(const LoadInst &load) {
  auto *place = dyn_cast<AllocaInst>(load.getPointerOperand());
  if (!place || !isPlain(*place))
    return nullptr;
  for (const Instruction *before = load.getPrevNode(); before;
       before = before->getPrevNode())
    if (auto *store = dyn_cast<StoreInst>(before);
        store && store->getPointerOperand() == place)
      return store->getValueOperand();
  return nullptr;
}

/// The number that \p value is, also by way of the parameters of inlined
/// procedures; null: not known.
static const ConstantInt *numberOf(const Value *value) {
  while (auto *load = dyn_cast_or_null<LoadInst>(value))
    value = storedBefore(*load);
  return dyn_cast_or_null<ConstantInt>(value);
}

bool mayTakeLock(const AtomicCmpXchgInst &exchange) {
  const ConstantInt *expected = numberOf(exchange.getCompareOperand());
  return expected && expected != numberOf(exchange.getNewValOperand()) &&
         expected->getBitWidth() <= 64;
}

uint32_t orderingFlags(const Instruction &instruction) {
  uint32_t flags = 0;
  if (instruction.isVolatile())
    flags |= image::SiteVolatile | image::SiteAtomic;
  if (instruction.getMetadata(PastCacheMetadata))
    flags |= image::SiteAtomic;
  if (!instruction.isAtomic())
    return flags;
  flags |= image::SiteAtomic;
  AtomicOrdering ordering = AtomicOrdering::Monotonic;
  if (auto *load = dyn_cast<LoadInst>(&instruction))
    ordering = load->getOrdering();
  else if (auto *store = dyn_cast<StoreInst>(&instruction))
    ordering = store->getOrdering();
  else if (auto *update = dyn_cast<AtomicRMWInst>(&instruction))
    ordering = update->getOrdering();
  else if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction))
    ordering = exchange->getSuccessOrdering();
  // Flang writes all atomics so, those of CUDA Fortran order nothing.
  const AtomicOrdering flangs = isa<AtomicCmpXchgInst>(instruction)
                                    ? AtomicOrdering::AcquireRelease
                                    : AtomicOrdering::SequentiallyConsistent;
  if (ordering == flangs && isFortran(*instruction.getFunction()))
    return flags;
  if (isReleaseOrStronger(ordering))
    flags |= image::SiteReleases;
  if (isAcquireOrStronger(ordering))
    flags |= image::SiteAcquires;
  return flags;
}

Value *bitsOf(IRBuilderBase &b, Value *value) {
  Type *type = value->getType();
  if (type->isPointerTy())
    return b.CreatePtrToInt(value, b.getInt64Ty());
  const unsigned width = type->getPrimitiveSizeInBits();
  if (width == 0 || width > 64 || (width & 7) || type->isVectorTy())
    return nullptr;
  return b.CreateZExt(b.CreateBitCast(value, b.getIntNTy(width)),
                      b.getInt64Ty());
}

Value *isFirstThread(IRBuilderBase &b) {
  Value *all = nullptr;
  for (Intrinsic::ID id : {Intrinsic::nvvm_read_ptx_sreg_tid_x,
                           Intrinsic::nvvm_read_ptx_sreg_tid_y,
                           Intrinsic::nvvm_read_ptx_sreg_tid_z}) {
    Value *index = b.CreateIntrinsic(id, {});
    all = all ? b.CreateOr(all, index) : index;
  }
  return b.CreateICmpEQ(all, b.getInt32(0));
}

void moveAccess(Instruction &access, unsigned operand, Value *place) {
  Value *address = access.getOperand(operand);
  if (place == address)
    return;
  BasicBlock *block = access.getParent();
  if (auto *made = cast<Instruction>(place); made->getParent() != block) {
    auto *either = PHINode::Create(place->getType(), 2, "", block->begin());
    for (BasicBlock *from : predecessors(block))
      either->addIncoming(from == made->getParent() ? place : address, from);
    place = either;
  }
  access.setOperand(operand, place);
}

} // namespace cufort::check

//===- AtomicOrderings.cpp - orders and scopes of atomics -----------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/gpu/lowering/AtomicOrderings.h"
#include "compiler/common/AtomicScope.h"
#include "compiler/gpu/GpuPass.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/Support/NVPTXAddrSpace.h"

using namespace llvm;

/// PTX's word and kind of number for \p update; none for what it does not have,
/// which LLVM makes of other atomic instructions.
static std::pair<StringRef, char> operationOf(const AtomicRMWInst &update) {
  bool isInteger = update.getType()->isIntegerTy();
  unsigned bits = update.getType()->getPrimitiveSizeInBits();
  if (bits != 32 && bits != 64)
    return {};
  switch (update.getOperation()) {
  case AtomicRMWInst::Xchg:
    return {"exch", 'b'};
  case AtomicRMWInst::Add:
  case AtomicRMWInst::Sub:
    return {"add", 'u'};
  case AtomicRMWInst::FAdd:
    return update.getType()->isVectorTy() ? std::pair<StringRef, char>()
                                          : std::pair(StringRef("add"), 'f');
  case AtomicRMWInst::And:
    return {"and", 'b'};
  case AtomicRMWInst::Or:
    return {"or", 'b'};
  case AtomicRMWInst::Xor:
    return {"xor", 'b'};
  case AtomicRMWInst::Max:
    return {"max", 's'};
  case AtomicRMWInst::Min:
    return {"min", 's'};
  case AtomicRMWInst::UMax:
    return {"max", 'u'};
  case AtomicRMWInst::UMin:
    return {"min", 'u'};
  case AtomicRMWInst::UIncWrap:
    return isInteger && bits == 32 ? std::pair(StringRef("inc"), 'u')
                                   : std::pair<StringRef, char>();
  case AtomicRMWInst::UDecWrap:
    return isInteger && bits == 32 ? std::pair(StringRef("dec"), 'u')
                                   : std::pair<StringRef, char>();
  default:
    return {};
  }
}

/// Puts fences around \p update in place of its order.
static void replaceOrder(AtomicRMWInst &update) {
  AtomicOrdering order = update.getOrdering();
  SyncScope::ID scope = update.getSyncScopeID();
  IRBuilder<> b(&update);
  if (isReleaseOrStronger(order))
    b.CreateFence(order == AtomicOrdering::SequentiallyConsistent
                      ? order
                      : AtomicOrdering::AcquireRelease,
                  scope);
  update.setOrdering(AtomicOrdering::Monotonic);
  if (!isAcquireOrStronger(order))
    return;
  b.SetInsertPoint(update.getNextNode());
  b.CreateFence(AtomicOrdering::AcquireRelease, scope);
}

/// Makes an instruction of \p update that also the host and other devices see
/// as one.
static bool widen(AtomicRMWInst &update) {
  unsigned space = update.getPointerAddressSpace();
  bool isGlobal = space == NVPTXAS::ADDRESS_SPACE_GLOBAL;
  auto [word, kind] = operationOf(update);
  if (update.getSyncScopeID() != SyncScope::System || word.empty() ||
      (!isGlobal && space != NVPTXAS::ADDRESS_SPACE_GENERIC))
    return false;
  Type *type = update.getType();
  unsigned bits = type->getPrimitiveSizeInBits();
  std::string text = (Twine("atom.relaxed.sys.") + (isGlobal ? "global." : "") +
                      word + "." + Twine(kind) + Twine(bits) + " $0, [$1], $2;")
                         .str();
  char letter = type->isIntegerTy() || type->isPointerTy()
                    ? (bits == 32 ? 'r' : 'l')
                    : (bits == 32 ? 'f' : 'd');
  std::string registers =
      (Twine("=") + Twine(letter) + ",l," + Twine(letter) + ",~{memory}").str();
  IRBuilder<> b(&update);
  Value *operand = update.getOperation() == AtomicRMWInst::Sub
                       ? b.CreateNeg(update.getValOperand())
                       : update.getValOperand();
  auto *wide = InlineAsm::get(
      FunctionType::get(type, {update.getPointerOperand()->getType(), type},
                        false),
      text, registers, /*hasSideEffects=*/true);
  CallInst *call = b.CreateCall(wide, {update.getPointerOperand(), operand});
  call->addFnAttr(Attribute::NoUnwind);
  call->takeName(&update);
  update.replaceAllUsesWith(call);
  update.eraseFromParent();
  return true;
}

/// Makes of what only the compiler orders what the GPU has.
static bool relax(Instruction &instruction) {
  LLVMContext &context = instruction.getContext();
  auto scope = getAtomicSyncScopeID(&instruction);
  if (!scope || *scope != context.getOrInsertSyncScopeID(cufort::RelaxedScope))
    return false;
  setAtomicSyncScopeID(&instruction, context.getOrInsertSyncScopeID("device"));
  if (auto *update = dyn_cast<AtomicRMWInst>(&instruction)) {
    update->setOrdering(AtomicOrdering::Monotonic);
  } else if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction)) {
    exchange->setSuccessOrdering(AtomicOrdering::Monotonic);
    exchange->setFailureOrdering(AtomicOrdering::Monotonic);
  }
  return true;
}

static bool order(Instruction &instruction) {
  if (relax(instruction))
    return true;
  auto *update = dyn_cast<AtomicRMWInst>(&instruction);
  if (!update)
    return false;
  bool isOrdered = isStrongerThanMonotonic(update->getOrdering());
  if (isOrdered)
    replaceOrder(*update);
  return widen(*update) || isOrdered;
}

PreservedAnalyses cufort::lowerAtomicOrderings(Function &function,
                                               FunctionAnalysisManager &) {
  return changeInstructions(function, order);
}

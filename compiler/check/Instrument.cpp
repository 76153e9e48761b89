//===- Instrument.cpp - device code that tells what it does ---------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/check/Instrument.h"
#include "compiler/check/AccessKinds.h"
#include "compiler/check/Calls.h"
#include "compiler/check/Describer.h"
#include "compiler/check/Names.h"
#include "compiler/check/PrivateCopies.h"
#include "compiler/check/Proofs.h"
#include "compiler/check/Sites.h"
#include "image/Check.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace cufort::check {

void setBlockScope(Instruction &instruction) {
  instruction.setMetadata(BlockScopeMetadata,
                          MDNode::get(instruction.getContext(), {}));
}

void noteScope(Instruction &instruction) {
  std::optional<SyncScope::ID> scope = getAtomicSyncScopeID(&instruction);
  if (!scope)
    return;
  SmallVector<StringRef> names;
  instruction.getContext().getSyncScopeNames(names);
  if (*scope < names.size() &&
      (names[*scope] == "block" || names[*scope] == "workgroup"))
    setBlockScope(instruction);
}

namespace {

class Instrumenter {
  Module &module;
  LLVMContext &context;
  Sites sites;
  Type *pointer, *i64;
  /// What compare-and-swap operations of the function work on.
  StringSet<> exchanged;
  /// Reads of what they compare.
  SmallPtrSet<const Instruction *, 4> compared;
  Beginning beginning;
  /// Accesses, by which operand, and where they are to be made instead.
  SmallVector<std::tuple<Instruction *, unsigned, Value *>> moved, movedRanges;
  /// Bytes of the launch, by the number of an access: true, it needs no check.
  Value *proved = nullptr;

public:
  Instrumenter(Module &module, StringRef ownFolder)
      : module(module), context(module.getContext()),
        sites(module, ownFolder.str()), pointer(PointerType::get(context, 0)),
        i64(Type::getInt64Ty(context)) {}

  void visit(Function &function, bool init,
             function_ref<Wait(Instruction &)> waits) {
    if (init)
      followCopies(function, sites);
    SmallVector<Instruction *> all;
    SmallSetVector<GlobalVariable *, 8> shared;
    for (Instruction &instruction : instructions(function))
      all.push_back(&instruction);
    exchanged.clear();
    compared.clear();
    beginning.clear();
    proved = nullptr;
    if (function.hasFnAttribute(CheckedKernelAttribute)) {
      beginning.insert(&function.getEntryBlock());
      // What needs no check in this launch.
      IRBuilder<> b(&function.getEntryBlock(),
                    function.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
      proved = b.CreateCall(module.getOrInsertFunction(
          (image::CheckPrefix + Twine("proved")).str(),
          FunctionType::get(pointer, {}, /*isVarArg=*/false)));
    }
    for (Instruction *instruction : all)
      if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(instruction)) {
        findCompared(*exchange, compared);
        if (std::string name =
                variableName(*exchange, exchange->getPointerOperand());
            !name.empty())
          exchanged.insert(name);
      }
    for (Instruction *instruction : all) {
      noteShared(*instruction, shared);
      switch (waits(*instruction)) {
      case Wait::Barrier:
        wait(*instruction, image::SiteBarrier);
        continue;
      case Wait::BarrierAnywhere:
        wait(*instruction, image::SiteBarrier | image::SiteAnyStatement);
        continue;
      case Wait::Warp:
        wait(*instruction, image::SiteWarp);
        continue;
      case Wait::Other:
      case Wait::No:
        break;
      }
      visit(*instruction);
    }
    declareShared(function, shared.getArrayRef());
    for (auto &[instruction, operand, place] : moved)
      moveAccess(*instruction, operand, place);
    for (auto &[instruction, operand, place] : movedRanges)
      instruction->setOperand(operand, place);
    moved.clear();
    movedRanges.clear();
  }

  void finish(uint32_t checks) { sites.writeTable(checks); }

private:
  static bool isShared(const GlobalVariable &variable) {
    return variable.getAttributes()
               .getAttribute("cufort-variable")
               .getValueAsString() == "shared";
  }

  /// The shared variables among what \p instruction uses.
  void noteShared(const Instruction &instruction,
                  SmallSetVector<GlobalVariable *, 8> &shared) {
    SmallVector<const Value *> work(instruction.value_op_begin(),
                                    instruction.value_op_end());
    while (!work.empty()) {
      const Value *value = work.pop_back_val();
      if (auto *global = dyn_cast<GlobalVariable>(value)) {
        if (isShared(*global))
          shared.insert(const_cast<GlobalVariable *>(global));
      } else if (auto *constant = dyn_cast<ConstantExpr>(value)) {
        work.append(constant->value_op_begin(), constant->value_op_end());
      }
    }
  }

  /// Where they are differs from block to block.
  void declareShared(Function &function, ArrayRef<GlobalVariable *> shared) {
    BasicBlock &entry = function.getEntryBlock();
    IRBuilder<> b(&entry, entry.getFirstNonPHIOrDbgOrAlloca());
    for (GlobalVariable *variable : shared)
      call(b, "shared", {variable, sites.variable(*variable)});
  }

  void wait(Instruction &instruction, uint32_t flags) {
    IRBuilder<> b(&instruction);
    call(b, "wait", {sites.at(instruction, nullptr, 0, 1, flags)});
  }

  void visit(Instruction &instruction) {
    if (instruction.getMetadata(LLVMContext::MD_nosanitize))
      return; // what passes have made
    if (auto *load = dyn_cast<LoadInst>(&instruction); load && isCopy(*load)) {
      const uint64_t bytes =
          module.getDataLayout().getTypeStoreSize(load->getType());
      range(instruction, 0, ConstantInt::get(i64, bytes), 0, load->getAlign());
    } else if (load) {
      const uint32_t copies = isComponentCopy(*load) ? image::SiteCopies : 0;
      const bool isExchanged = compared.contains(load) ||
                               (!exchanged.empty() && !load->isAtomic() &&
                                exchanged.contains(variableName(
                                    instruction, load->getPointerOperand())));
      access(instruction, load->getPointerOperand(), load->getType(),
             load->getAlign(),
             copies | (isExchanged ? image::SiteBeforeExchange : 0), nullptr);
    } else if (auto *store = dyn_cast<StoreInst>(&instruction)) {
      access(instruction, store->getPointerOperand(),
             store->getValueOperand()->getType(), store->getAlign(),
             image::SiteWrites, store->getValueOperand());
    } else if (auto *update = dyn_cast<AtomicRMWInst>(&instruction)) {
      access(instruction, update->getPointerOperand(),
             update->getValOperand()->getType(), update->getAlign(),
             image::SiteWrites | (update->getOperation() == AtomicRMWInst::Xchg
                                      ? 0
                                      : image::SiteUpdates),
             nullptr);
    } else if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction)) {
      access(instruction, exchange->getPointerOperand(),
             exchange->getNewValOperand()->getType(), exchange->getAlign(),
             image::SiteWrites | image::SiteExchange | image::SiteUpdates,
             nullptr);
    } else if (isa<FenceInst>(instruction)) {
      IRBuilder<> b(&instruction);
      const bool isForBlock = instruction.getMetadata(BlockScopeMetadata);
      call(b, "fence", {b.getInt32(isForBlock)});
    } else if (auto *set = dyn_cast<MemSetInst>(&instruction)) {
      range(instruction, 0, set->getLength(), image::SiteWrites,
            set->getDestAlign());
    } else if (auto *copy = dyn_cast<MemTransferInst>(&instruction)) {
      range(instruction, 1, copy->getLength(), 0, copy->getSourceAlign());
      range(instruction, 0, copy->getLength(), image::SiteWrites,
            copy->getDestAlign());
    } else if (auto *called = dyn_cast<CallInst>(&instruction)) {
      visitCall(*called);
    }
  }

  void visitCall(CallInst &called) {
    Function *callee = called.getCalledFunction();
    StringRef name = callee ? callee->getName() : "";
    if (name.consume_front(image::CheckPrefix)) {
      expandMark(called, name, sites, beginning);
      return;
    }
    if (name == "malloc" && called.arg_size() == 1) {
      IRBuilder<> b(called.getNextNode());
      call(b, "heap",
           {&called, b.CreateZExtOrTrunc(called.getArgOperand(0), i64),
            sites.at(called, nullptr, 0, 1, 0)});
      return;
    }
    if (name == "free" && called.arg_size() == 1) {
      // The runtime frees it, later.
      Value *block = called.getArgOperand(0);
      IRBuilder<> b(&called);
      call(b, "release",
           {block,
            sites.at(called, nullptr, 0, 1, 0, variableName(called, block))});
      called.eraseFromParent();
      return;
    }
    if (called.arg_size() != 3 ||
        !called.getArgOperand(2)->getType()->isIntegerTy(64))
      return;
    if (name == "memcpy" || name == "memmove") {
      range(called, 1, called.getArgOperand(2), 0);
      range(called, 0, called.getArgOperand(2), image::SiteWrites);
    } else if (name == "memset") {
      range(called, 0, called.getArgOperand(2), image::SiteWrites);
    }
  }

  /// Where to check \p access: only in launches in which it needs that.
  Instruction *whereToCheck(Instruction &access) {
    MDNode *number = access.getMetadata(NumberMetadata);
    if (!number || !proved)
      return &access;
    IRBuilder<> b(&access);
    auto *n = mdconst::extract<ConstantInt>(number->getOperand(0));
    LoadInst *isProved = b.CreateLoad(
        b.getInt8Ty(),
        b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), proved, n->getZExtValue()));
    isProved->setMetadata(LLVMContext::MD_invariant_load,
                          MDNode::get(context, {}));
    isProved->setMetadata(LLVMContext::MD_nosanitize, MDNode::get(context, {}));
    return only(b.CreateICmpNE(isProved, b.getInt8(image::NeedsNothing)),
                access, beginning);
  }

  /// The bytes of the variable \p root; 0: not known.
  uint64_t sizeOf(const Value *root) const {
    const DataLayout &layout = module.getDataLayout();
    if (root->getType() != pointer)
      return 0;
    if (auto *local = dyn_cast<AllocaInst>(root)) {
      auto all = local->getAllocationSize(layout);
      return all && !all->isScalable() ? all->getFixedValue() : 0;
    }
    auto *global = dyn_cast<GlobalVariable>(root);
    return global && !global->isDeclaration()
               ? layout.getTypeAllocSize(global->getValueType())
               : 0;
  }

  /// Compares an access to \p bytes with the bounds of the variable \p root
  /// that it names. Returns where it is to be made.
  Value *compareBounds(IRBuilder<> &b, Value *address, Value *root,
                       uint64_t bytes, Constant *site) {
    const uint64_t size = sizeOf(root);
    if (!size)
      return address;
    // The runtime is called where it is outside: optimisers find out that many
    // indices never are.
    Value *isOutside = b.getTrue();
    if (bytes <= size)
      isOutside = b.CreateICmpUGT(b.CreateSub(b.CreatePtrToInt(address, i64),
                                              b.CreatePtrToInt(root, i64)),
                                  b.getInt64(size - bytes));
    if (auto *known = dyn_cast<ConstantInt>(isOutside);
        known && known->isZero())
      return address;
    Instruction *at = &*b.GetInsertPoint();
    Instruction *then = only(isOutside, *at, beginning, /*likely=*/false);
    IRBuilder<> outside(then);
    outside.SetCurrentDebugLocation(b.getCurrentDebugLocation());
    Value *instead = call(outside, "within",
                          {address, root, b.getInt64(size), site}, pointer);
    b.SetInsertPoint(at->getParent(), at->getParent()->begin());
    PHINode *place = b.CreatePHI(pointer, 2);
    for (BasicBlock *from : predecessors(at->getParent()))
      place->addIncoming(from == then->getParent() ? instead : address, from);
    b.SetInsertPoint(at);
    return place;
  }

  /// Whether \p bytes at \p address are known to be in the variable \p root.
  bool isWithin(const Value *address, const Value *root, uint64_t bytes) const {
    APInt offset(64, 0);
    return address->stripAndAccumulateConstantOffsets(
               module.getDataLayout(), offset, /*AllowNonInbounds=*/true) ==
               root &&
           !offset.isNegative() &&
           offset.getZExtValue() + bytes <= sizeOf(root);
  }

  void access(Instruction &instruction, Value *address, Type *type,
              Align alignment, uint32_t flags, Value *value) {
    const uint64_t bytes = module.getDataLayout().getTypeStoreSize(type);
    if (bytes == 0 || isHarmless(address, bytes, module.getDataLayout()))
      return;
    flags |= orderingFlags(instruction);
    if (instruction.getMetadata(BlockScopeMetadata))
      flags |= image::SiteBlockScope;
    // To compare is as quick as to ask whether that is needed.
    const bool isOwn = isa<AllocaInst>(rootOf(address));
    IRBuilder<> b(isOwn ? &instruction : whereToCheck(instruction));
    Value *bits = value ? bitsOf(b, value) : nullptr;
    if (!bits)
      flags |= image::SiteNoValue;
    // A GPU asks for the alignment of what is accessed; that of the variable
    // may be larger.
    Constant *site =
        sites.at(instruction, address, bytes,
                 std::min(alignment.value(), bit_floor(bytes)), flags);
    instruction.setMetadata(NumberMetadata, nullptr);
    auto *root = const_cast<Value *>(rootOf(address));
    Value *place = compareBounds(b, address, root, bytes, site);
    if (!isOwn && flags & image::SiteWrites)
      place =
          call(b, "write", {place, site, bits ? bits : b.getInt64(0)}, pointer);
    else if (!isOwn)
      place = call(b, "read", {place, site}, pointer);
    // Names of what comes behind are found by what it is now.
    moved.push_back({&instruction, isa<StoreInst>(instruction), place});
    if (isOwn || !(flags & image::SiteAtomic))
      return;
    // What others have published is known once the access has been made.
    b.SetInsertPoint(instruction.getNextNode());
    if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction);
        exchange && mayTakeLock(*exchange) && !(flags & image::SiteAcquires))
      call(b, "exchanged",
           {address, site,
            b.CreateZExt(b.CreateExtractValue(exchange, 1), b.getInt32Ty()),
            bitsOf(b, exchange->getCompareOperand())});
    else
      call(b, "after", {address, site});
  }

  /// A copy or fill of \p length bytes at its operand \p operand.
  void range(Instruction &instruction, unsigned operand, Value *length,
             uint32_t flags, MaybeAlign alignment = {}) {
    Value *address = instruction.getOperand(operand);
    const uint64_t bytes = isa<ConstantInt>(length)
                               ? cast<ConstantInt>(length)->getZExtValue()
                               : 0;
    if (isHarmless(address, std::max<uint64_t>(bytes, 1),
                   module.getDataLayout()))
      return;
    IRBuilder<> b(&instruction);
    Constant *site =
        sites.at(instruction, address, 1, alignment.valueOrOne().value(),
                 flags | image::SiteNoValue | image::SiteRange);
    auto *root = const_cast<Value *>(rootOf(address));
    length = b.CreateZExtOrTrunc(length, i64);
    if (!bytes || !isWithin(address, root, bytes)) {
      // Its first byte and its last, if it has any.
      compareBounds(b, address, root, 1, site);
      Value *last = b.CreateSub(
          length, b.CreateZExt(b.CreateIsNotNull(length), b.getInt64Ty()));
      compareBounds(b, b.CreatePtrAdd(address, last), root, 1, site);
    }
    if (isa<AllocaInst>(root))
      return;
    Value *place = call(b, "range", {address, length, site}, pointer);
    movedRanges.push_back({&instruction, operand, place});
  }
};

uint32_t bitsOf(const CheckOptions &checks) {
  return (checks.memory ? image::CheckMemory : 0) |
         (checks.race ? image::CheckRace : 0) |
         (checks.init ? image::CheckInit : 0) |
         (checks.sync ? image::CheckSync : 0) |
         (checks.sameValue ? image::CheckSameValue : 0);
}

/// The optimiser may not believe that pointers do not overlap.
void forgetAliasPromises(Function &function) {
  for (Argument &argument : function.args())
    argument.removeAttr(Attribute::NoAlias);
  for (Instruction &instruction : instructions(function)) {
    if (instruction.getMetadata(LLVMContext::MD_nosanitize))
      continue; // what passes have made
    for (unsigned kind :
         {LLVMContext::MD_tbaa, LLVMContext::MD_noalias,
          LLVMContext::MD_alias_scope, LLVMContext::MD_invariant_load})
      instruction.setMetadata(kind, nullptr);
  }
}

} // namespace

void instrument(Module &module, ArrayRef<Function *> functions,
                const CheckOptions &checks, StringRef ownFolder,
                function_ref<Wait(Instruction &)> waits) {
  Instrumenter instrumenter(module, ownFolder);
  for (Function *function : functions) {
    instrumenter.visit(*function, checks.init, waits);
    forgetAliasPromises(*function);
  }
  instrumenter.finish(bitsOf(checks));
}

} // namespace cufort::check

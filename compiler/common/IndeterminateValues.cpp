//===- IndeterminateValues.cpp - variables read before set ----------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/common/IndeterminateValues.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/CallingConv.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

/// Takes back that parameters, results and loads are always defined.
static void forgetDefined(Function &function) {
  const bool isKernel = function.getCallingConv() == CallingConv::PTX_Kernel;
  function.removeRetAttr(Attribute::NoUndef);
  for (Argument &argument : function.args())
    if (!isKernel)
      argument.removeAttr(Attribute::NoUndef);
  for (Instruction &instruction : instructions(function)) {
    if (isa<LoadInst>(instruction))
      instruction.setMetadata(LLVMContext::MD_noundef, nullptr);
    auto *call = dyn_cast<CallBase>(&instruction);
    if (!call)
      continue;
    call->removeRetAttr(Attribute::NoUndef);
    for (unsigned n = 0; n != call->arg_size(); ++n)
      call->removeParamAttr(n, Attribute::NoUndef);
  }
}

/// Whether \p user sets all of \p variable.
static bool sets(const User *user, const AllocaInst &variable) {
  auto *store = dyn_cast<StoreInst>(user);
  return store && store->getPointerOperand() == &variable;
}

/// Whether \p variable is one number or address that is stored and loaded as a
/// whole.
static bool isScalar(const AllocaInst &variable) {
  Type *type = variable.getAllocatedType();
  return type->isSingleValueType() && !variable.isArrayAllocation() &&
         all_of(variable.users(), [&](const User *user) {
           if (auto *load = dyn_cast<LoadInst>(user))
             return load->getType() == type && !load->isVolatile();
           if (sets(user, variable))
             return cast<StoreInst>(user)->getValueOperand()->getType() == type;
           return isa<LifetimeIntrinsic>(user);
         });
}

/// The loads of \p variable to which a path leads on which it has not been set.
static SmallVector<LoadInst *> loadsBeforeSet(AllocaInst &variable) {
  SmallPtrSet<BasicBlock *, 8> withAccess;
  bool hasStart = false;
  for (User *user : variable.users()) {
    withAccess.insert(cast<Instruction>(user)->getParent());
    hasStart |= isa<LifetimeIntrinsic>(user) &&
                cast<LifetimeIntrinsic>(user)->getIntrinsicID() ==
                    Intrinsic::lifetime_start;
  }
  SmallVector<LoadInst *> loads;
  SmallVector<BasicBlock *> work;
  SmallPtrSet<BasicBlock *, 16> seen;
  // Goes on from an instruction with the variable not set.
  auto follow = [&](BasicBlock &block, BasicBlock::iterator from) {
    if (withAccess.contains(&block))
      for (Instruction &each : make_range(from, block.end())) {
        if (auto *load = dyn_cast<LoadInst>(&each);
            load && load->getPointerOperand() == &variable)
          loads.push_back(load);
        if (sets(&each, variable))
          return;
      }
    for (BasicBlock *next : successors(&block))
      if (seen.insert(next).second)
        work.push_back(next);
  };
  if (hasStart) {
    for (User *user : variable.users())
      if (auto *start = dyn_cast<LifetimeIntrinsic>(user);
          start && start->getIntrinsicID() == Intrinsic::lifetime_start)
        follow(*start->getParent(), std::next(start->getIterator()));
  } else {
    follow(*variable.getParent(), std::next(variable.getIterator()));
  }
  while (!work.empty()) {
    BasicBlock *block = work.pop_back_val();
    follow(*block, block->begin());
  }
  return loads;
}

namespace {
/// What a value of a variable goes on to.
struct Uses {
  bool decide = false;  ///< what is executed
  bool address = false; ///< memory
  bool divide = false;  ///< something else
};
} // namespace

/// Of values that one is looked at for; beyond it may be used in any way.
static constexpr size_t MostValues = 1000;

/// Adds to \p uses what is done with \p use itself.
static void look(const Use &use, Uses &uses) {
  const User *user = use.getUser();
  if (auto *operation = dyn_cast<BinaryOperator>(user))
    uses.divide |= operation->isIntDivRem() && use.getOperandNo() == 1;
  uses.decide |= isa<BranchInst, SwitchInst>(user);
  uses.address |=
      isa<GetElementPtrInst>(user) || use.get() == getPointerOperand(user);
}

/// What all that is computed of \p load goes on to, through other variables,
/// into functions and out of them.
static Uses usesOf(LoadInst &load) {
  Uses uses;
  SmallVector<Value *> work = {&load};
  SmallPtrSet<Value *, 16> seen = {&load};
  auto follow = [&](Value *value) {
    if (!value->getType()->isVoidTy() && seen.insert(value).second)
      work.push_back(value);
  };
  while (!work.empty() && seen.size() <= MostValues)
    for (const Use &use : work.pop_back_val()->uses()) {
      User *user = use.getUser();
      look(use, uses);
      if (auto *store = dyn_cast<StoreInst>(user)) {
        auto *variable = dyn_cast<AllocaInst>(store->getPointerOperand());
        if (variable && store->getValueOperand() == use.get())
          for (User *other : variable->users())
            if (isa<LoadInst>(other))
              follow(other);
      } else if (auto *end = dyn_cast<ReturnInst>(user)) {
        for (User *call : end->getFunction()->users())
          if (isa<CallBase>(call))
            follow(call);
      } else {
        auto *call = dyn_cast<CallBase>(user);
        Function *callee = call ? call->getCalledFunction() : nullptr;
        const bool isArgument = call && call->isArgOperand(&use);
        if (callee && !callee->isDeclaration() && isArgument &&
            call->getArgOperandNo(&use) < callee->arg_size())
          follow(callee->getArg(call->getArgOperandNo(&use)));
        else if (isa<Instruction>(user))
          follow(user);
      }
    }
  if (seen.size() > MostValues)
    uses = {true, true, true};
  return uses;
}

/// Stores into \p variable, where it begins to exist, what \p uses can bear.
/// LLVM infers as much from a division by zero and from an access to address
/// zero as from values that are not defined.
static void setAtStart(AllocaInst &variable, const Uses &uses) {
  Type *type = variable.getAllocatedType();
  Constant *value = uses.divide && type->isIntOrIntVectorTy()
                        ? ConstantInt::get(type, 1)
                        : Constant::getNullValue(type);
  if (uses.address)
    variable.getFunction()->addFnAttr(Attribute::NullPointerIsValid);
  SmallVector<Instruction *> starts;
  for (User *user : variable.users())
    if (auto *start = dyn_cast<LifetimeIntrinsic>(user);
        start && start->getIntrinsicID() == Intrinsic::lifetime_start)
      starts.push_back(start);
  if (starts.empty())
    starts.push_back(&variable);
  for (Instruction *start : starts)
    new StoreInst(value, &variable, /*isVolatile=*/false, variable.getAlign(),
                  std::next(start->getIterator()));
}

static void setUnset(Function &function) {
  SmallVector<AllocaInst *> variables;
  for (Instruction &instruction : instructions(function))
    if (auto *variable = dyn_cast<AllocaInst>(&instruction);
        variable && isScalar(*variable))
      variables.push_back(variable);
  for (AllocaInst *variable : variables) {
    Uses uses;
    for (LoadInst *load : loadsBeforeSet(*variable)) {
      const Uses more = usesOf(*load);
      uses.decide |= more.decide;
      uses.address |= more.address;
      uses.divide |= more.divide;
    }
    if (uses.decide || uses.address || uses.divide)
      setAtStart(*variable, uses);
  }
}

void cufort::settleIndeterminateValues(Module &device) {
  for (Function &function : device) {
    if (function.isIntrinsic())
      continue;
    forgetDefined(function);
    setUnset(function);
  }
}

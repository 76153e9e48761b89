//===- ThreadState.cpp - variables of a thread ----------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/link/ThreadState.h"
#include "compiler/common/SymbolName.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace cufort {
namespace {

class StatePlacer {
public:
  explicit StatePlacer(Module &device, Function &state)
      : device(device), state(state) {}
  Error run();

private:
  Error collect();
  void addParameter(Function &function);
  void passOn(Function &function);

  Module &device;
  Function &state;
  SetVector<Function *>
      reaching; ///< calls of the state, at last through others
  DenseMap<Function *, Function *> changed; ///< to what has the parameter
};

Error StatePlacer::collect() {
  SmallVector<Function *> work{&state};
  while (!work.empty()) {
    Function *callee = work.pop_back_val();
    for (User *user : callee->users()) {
      auto *call = dyn_cast<CallInst>(user);
      if (!call || call->getCalledOperand() != callee)
        return createStringError(
            "random numbers are not possible in the device procedure '" +
            userName(callee->getName()) +
            "', which is called through a pointer: only procedures that are "
            "called by name have the state of the thread's generator");
      if (reaching.insert(call->getFunction()))
        work.push_back(call->getFunction());
    }
  }
  return Error::success();
}

/// Makes a copy of \p function with the state as its last parameter.
void StatePlacer::addParameter(Function &function) {
  SmallVector<Type *> types(function.getFunctionType()->params());
  types.push_back(PointerType::get(device.getContext(), 0));
  Function *copy = Function::Create(
      FunctionType::get(function.getReturnType(), types, function.isVarArg()),
      function.getLinkage(), function.getAddressSpace(), "", &device);
  copy->copyAttributesFrom(&function);
  copy->setComdat(function.getComdat());
  copy->takeName(&function);
  copy->splice(copy->begin(), &function);
  for (auto [old, now] : zip(function.args(), copy->args())) {
    now.takeName(&old);
    old.replaceAllUsesWith(&now);
  }
  copy->copyMetadata(&function, 0);
  function.clearMetadata();
  changed[&function] = copy;
}

/// Gives the calls in \p function the state.
void StatePlacer::passOn(Function &function) {
  Value *own = nullptr;
  if (function.getCallingConv() == CallingConv::PTX_Kernel) {
    IRBuilder<> b(&function.getEntryBlock(), function.getEntryBlock().begin());
    Type *bytes = ArrayType::get(b.getInt64Ty(), RandomStateBytes / 8);
    AllocaInst *variable = b.CreateAlloca(bytes, nullptr, "random.state");
    variable->setAlignment(Align(8));
    b.CreateStore(Constant::getNullValue(bytes), variable);
    own = variable;
    if (variable->getAddressSpace() != 0)
      own = b.CreateAddrSpaceCast(variable, b.getPtrTy());
  } else {
    own = function.getArg(function.arg_size() - 1);
  }
  for (Instruction &instruction :
       make_early_inc_range(instructions(function))) {
    auto *call = dyn_cast<CallInst>(&instruction);
    Function *callee = call ? call->getCalledFunction() : nullptr;
    if (!callee)
      continue;
    if (callee == &state) {
      call->replaceAllUsesWith(own);
      call->eraseFromParent();
      continue;
    }
    Function *target = changed.lookup(callee);
    if (!target)
      continue;
    SmallVector<Value *> arguments(call->args());
    arguments.push_back(own);
    CallInst *now =
        CallInst::Create(target, arguments, "", call->getIterator());
    now->setCallingConv(call->getCallingConv());
    now->setAttributes(call->getAttributes());
    now->copyMetadata(*call);
    now->takeName(call);
    call->replaceAllUsesWith(now);
    call->eraseFromParent();
  }
}

Error StatePlacer::run() {
  if (Error failure = collect())
    return failure;
  SmallVector<Function *> final;
  for (Function *function : reaching) {
    if (function->getCallingConv() == CallingConv::PTX_Kernel) {
      final.push_back(function);
      continue;
    }
    addParameter(*function);
    final.push_back(changed[function]);
  }
  for (Function *function : final)
    passOn(*function);
  for (auto [old, now] : changed)
    old->eraseFromParent();
  state.eraseFromParent();
  return Error::success();
}

} // namespace

Error placeThreadState(Module &device) {
  Function *state = device.getFunction(RandomState);
  if (!state)
    return Error::success();
  if (state->use_empty()) {
    state->eraseFromParent();
    return Error::success();
  }
  return StatePlacer(device, *state).run();
}

} // namespace cufort

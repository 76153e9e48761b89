//===- CProcedures.cpp - what CUDA C++ calls of its system ----------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/cpu/import/CProcedures.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

namespace cufort::cpu {

/// What a function of the runtime does to memory that a kernel can see: it
/// reads what its arguments point to.
static void setReadsOnly(Function &function) {
  function.setDoesNotThrow();
  function.setMemoryEffects(MemoryEffects::readOnly() |
                            MemoryEffects::inaccessibleMemOnly());
}

/// Adds the indices of block and thread to a call of __assertfail.
static void replaceAssertion(CallInst &call) {
  Module &module = *call.getModule();
  IRBuilder<> b(&call);
  SmallVector<Value *> arguments(call.arg_begin(), call.arg_begin() + 4);
  for (Intrinsic::ID id : {Intrinsic::nvvm_read_ptx_sreg_ctaid_x,
                           Intrinsic::nvvm_read_ptx_sreg_ctaid_y,
                           Intrinsic::nvvm_read_ptx_sreg_ctaid_z,
                           Intrinsic::nvvm_read_ptx_sreg_tid_x,
                           Intrinsic::nvvm_read_ptx_sreg_tid_y,
                           Intrinsic::nvvm_read_ptx_sreg_tid_z})
    arguments.push_back(
        b.CreateIntrinsic(id, ArrayRef<Type *>(), ArrayRef<Value *>()));
  SmallVector<Type *> types;
  for (Value *argument : arguments)
    types.push_back(argument->getType());
  FunctionCallee callee = module.getOrInsertFunction(
      "__cufort_cpu_assertfail",
      FunctionType::get(b.getVoidTy(), types, /*isVarArg=*/false));
  setReadsOnly(*cast<Function>(callee.getCallee()));
  b.CreateCall(callee, arguments);
  call.eraseFromParent();
}

/// cudaGraphSetConditional(handle, value): on the CPU the handle is the
/// condition's address.
static void replaceSetting(CallInst &call) {
  IRBuilder<> b(&call);
  StoreInst *store = b.CreateAlignedStore(
      call.getArgOperand(1),
      b.CreateIntToPtr(call.getArgOperand(0), b.getPtrTy()), Align(4));
  store->setAtomic(AtomicOrdering::Monotonic);
  call.eraseFromParent();
}

void takeCProceduresFromRuntime(Module &module) {
  if (Function *set = module.getFunction("cudaGraphSetConditional"))
    for (User *user : make_early_inc_range(set->users()))
      if (auto *call = dyn_cast<CallInst>(user);
          call && call->getCalledFunction() == set && call->arg_size() == 2)
        replaceSetting(*call);

  if (Function *print = module.getFunction("vprintf")) {
    print->setName("__cufort_cpu_vprintf");
    setReadsOnly(*print);
  }
  if (Function *fail = module.getFunction("__assertfail"))
    for (User *user : make_early_inc_range(fail->users()))
      if (auto *call = dyn_cast<CallInst>(user);
          call && call->getCalledFunction() == fail && call->arg_size() == 5)
        replaceAssertion(*call);
}

} // namespace cufort::cpu

//===- DeviceLaunches.cpp - kernels that launch kernels -------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/link/DeviceLaunches.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/CallingConv.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;
using namespace cufort;

/// Puts the name of \p kernel where code or a variable's value has its address.
static void putNameInPlace(Function &kernel) {
  // Of no code: LLVM's own lists of what is used.
  const auto isAddress = [](const Use &use) {
    return isa<Instruction>(use.getUser()) ||
           (isa<GlobalVariable>(use.getUser()) &&
            !cast<GlobalVariable>(use.getUser())
                 ->getName()
                 .starts_with("llvm."));
  };
  if (none_of(kernel.uses(), isAddress))
    return;
  constexpr unsigned GlobalSpace = 1;
  Module &module = *kernel.getParent();
  LLVMContext &context = module.getContext();
  // Who reads it from outside the device must know how long it is.
  Constant *length =
      ConstantInt::get(Type::getInt64Ty(context), kernel.getName().size());
  Constant *text = ConstantDataArray::getString(context, kernel.getName());
  Constant *both = ConstantStruct::getAnon({length, text});
  auto *name = new GlobalVariable(module, both->getType(), /*isConstant=*/true,
                                  GlobalValue::PrivateLinkage, both,
                                  "__cufort_kernel_name", nullptr,
                                  GlobalValue::NotThreadLocal, GlobalSpace);
  Constant *beginning = ConstantExpr::getInBoundsGetElementPtr(
      Type::getInt64Ty(context), name,
      ConstantInt::get(Type::getInt64Ty(context), 1));
  kernel.replaceUsesWithIf(
      ConstantExpr::getAddrSpaceCast(beginning, kernel.getType()),
      [&](Use &use) { return isAddress(use); });
}

/// The three numbers of a dim3, which comes as the address of a copy.
static void addShape(IRBuilder<> &b, Value *shape,
                     SmallVectorImpl<Value *> &arguments) {
  for (unsigned i = 0; i < 3; ++i)
    arguments.push_back(b.CreateAlignedLoad(
        b.getInt32Ty(), b.CreateConstInBoundsGEP1_32(b.getInt32Ty(), shape, i),
        Align(4)));
}

void cufort::nameLaunchedKernels(Module &device) {
  Function *launch = device.getFunction("cudaLaunchDevice");
  if (!launch || launch->arg_size() != 6)
    return;
  for (Function &function : device)
    if (function.getCallingConv() == CallingConv::PTX_Kernel)
      putNameInPlace(function);
  for (User *user : make_early_inc_range(launch->users())) {
    auto *call = dyn_cast<CallInst>(user);
    if (!call || call->getCalledFunction() != launch)
      continue;
    IRBuilder<> b(call);
    SmallVector<Value *> arguments{call->getArgOperand(0),
                                   call->getArgOperand(1)};
    addShape(b, call->getArgOperand(2), arguments);
    addShape(b, call->getArgOperand(3), arguments);
    arguments.append({call->getArgOperand(4), call->getArgOperand(5)});
    SmallVector<Type *> types;
    for (Value *argument : arguments)
      types.push_back(argument->getType());
    FunctionCallee callee = device.getOrInsertFunction(
        "__cufort_launch",
        FunctionType::get(b.getInt32Ty(), types, /*isVarArg=*/false));
    call->replaceAllUsesWith(b.CreateCall(callee, arguments));
    call->eraseFromParent();
  }
}

bool cufort::launchesKernels(const Function &kernel) {
  const Module &device = *kernel.getParent();
  SmallVector<const Function *> known{&kernel};
  SmallPtrSet<const Function *, 32> visited{&kernel};
  while (!known.empty()) {
    const Function *function = known.pop_back_val();
    if (function->getName() == "__cufort_launch" ||
        function->getName() == "__cufort_launch_copy")
      return true;
    for (const Instruction &instruction : instructions(*function))
      if (const auto *call = dyn_cast<CallBase>(&instruction)) {
        const Function *callee = call->getCalledFunction();
        // Behind a pointer may be any procedure.
        if (!callee)
          return device.getFunction("__cufort_launch");
        if (visited.insert(callee).second)
          known.push_back(callee);
      }
  }
  return false;
}

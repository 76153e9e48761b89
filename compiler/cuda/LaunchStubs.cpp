//===- LaunchStubs.cpp - kernels of C by the names that Fortran knows -----===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/cuda/LaunchStubs.h"
#include "llvm/Frontend/Offloading/Utility.h"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;

namespace {

/// Fills \p stub, a declaration: what Clang makes of a kernel's host function,
/// but that the kernel is known by another address.
void defineStub(Function &stub, GlobalObject &kernel) {
  Module &module = *stub.getParent();
  LLVMContext &context = module.getContext();
  stub.setLinkage(GlobalValue::WeakAnyLinkage);
  IRBuilder<> b(BasicBlock::Create(context, "", &stub));
  Type *i32 = b.getInt32Ty(), *i64 = b.getInt64Ty(), *pointer = b.getPtrTy();
  // dim3 is twelve bytes; it travels as eight and four.
  Type *extent = ArrayType::get(i32, 3);
  AllocaInst *grid = b.CreateAlloca(extent), *block = b.CreateAlloca(extent),
             *bytes = b.CreateAlloca(i64), *stream = b.CreateAlloca(pointer);
  grid->setAlignment(Align(8));
  block->setAlignment(Align(8));
  AllocaInst *parameters =
      b.CreateAlloca(ArrayType::get(pointer, stub.arg_size() + 1));
  for (Argument &argument : stub.args()) {
    AllocaInst *slot = b.CreateAlloca(argument.getType());
    b.CreateStore(&argument, slot);
    b.CreateStore(
        argument.hasByValAttr() ? static_cast<Value *>(&argument) : slot,
        b.CreateConstInBoundsGEP1_32(pointer, parameters, argument.getArgNo()));
  }
  FunctionCallee pop = module.getOrInsertFunction(
      "__cudaPopCallConfiguration", i32, pointer, pointer, pointer, pointer);
  b.CreateCall(pop, {grid, block, bytes, stream});
  auto part = [&](AllocaInst *from, bool last) {
    return last ? b.CreateLoad(i32, b.CreateConstInBoundsGEP1_32(i32, from, 2))
                : b.CreateLoad(i64, from);
  };
  FunctionCallee launch =
      module.getOrInsertFunction("cudaLaunchKernel", i32, pointer, i64, i32,
                                 i64, i32, pointer, i64, pointer);
  b.CreateCall(launch,
               {&kernel, part(grid, false), part(grid, true),
                part(block, false), part(block, true), parameters,
                b.CreateLoad(i64, bytes), b.CreateLoad(pointer, stream)});
  b.CreateRetVoid();
}

} // namespace

void cufort::cuda::joinLaunchStubs(Module &host) {
  for (Function &stub : make_early_inc_range(host)) {
    StringRef name = stub.getName();
    if (!name.consume_front("__device_stub__") || stub.hasLocalLinkage())
      continue;
    GlobalValue *known = host.getNamedValue(name);
    if (!stub.isDeclaration()) {
      if (!known)
        GlobalAlias::create(stub.getValueType(), 0, GlobalValue::WeakAnyLinkage,
                            name, &stub, &host);
      continue;
    }
    if (known || stub.use_empty())
      continue;
    auto *kernel = Function::Create(
        FunctionType::get(Type::getVoidTy(host.getContext()), false),
        GlobalValue::ExternalWeakLinkage, name, host);
    // That of a declaration is none for a definition.
    stub.setSubprogram(nullptr);
    defineStub(stub, *kernel);
    // The runtime is asked about the kernel by this address, too. Who defines
    // the kernel has an entry with the usual name.
    offloading::emitOffloadingEntry(host, object::OFK_Cuda, &stub, name,
                                    /*Size=*/0, offloading::OffloadGlobalEntry,
                                    /*Data=*/0)
        ->setName(".offloading.entry." + stub.getName());
  }
}

//===- BooleanArguments.cpp - bool of C, logical of Fortran ---------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/link/BooleanArguments.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;
using namespace cufort;

static bool isSameOrBoolean(Type *one, Type *other) {
  return one == other || (one->isIntegerTy(1) && other->isIntegerTy(8)) ||
         (one->isIntegerTy(8) && other->isIntegerTy(1));
}

bool cufort::differsInBooleans(const FunctionType *one,
                               const FunctionType *other) {
  return one && other && !one->isVarArg() && !other->isVarArg() &&
         isSameOrBoolean(one->getReturnType(), other->getReturnType()) &&
         equal(one->params(), other->params(), isSameOrBoolean);
}

static Value *convert(IRBuilder<> &b, Value *value, Type *type) {
  if (value->getType() == type)
    return value;
  return type->isIntegerTy(1) ? b.CreateIsNotNull(value)
                              : b.CreateZExt(value, type);
}

void cufort::passBooleansAs(Function &function, FunctionType *type) {
  const std::string name = function.getName().str();
  function.setName(name + ".booleans");
  Function *shared = Function::Create(type, GlobalValue::ExternalLinkage, name,
                                      function.getParent());
  shared->setAttributes(AttributeList::get(
      function.getContext(), function.getAttributes().getFnAttrs(), {}, {}));
  Function &caller = function.isDeclaration() ? function : *shared;
  Function &callee = function.isDeclaration() ? *shared : function;
  caller.removeFnAttr(Attribute::NoInline);
  caller.removeFnAttr(Attribute::OptimizeNone);
  IRBuilder<> b(BasicBlock::Create(function.getContext(), "", &caller));
  SmallVector<Value *> arguments;
  for (auto [argument, wanted] :
       zip_equal(caller.args(), callee.getFunctionType()->params()))
    arguments.push_back(convert(b, &argument, wanted));
  CallInst *call = b.CreateCall(&callee, arguments);
  if (call->getType()->isVoidTy())
    b.CreateRetVoid();
  else
    b.CreateRet(convert(b, call, caller.getReturnType()));
  function.setComdat(nullptr);
  function.setLinkage(GlobalValue::InternalLinkage);
}

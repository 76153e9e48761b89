//===- CallForms.cpp - how two languages pass the same values -------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/link/CallForms.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;
using namespace cufort;

CallForm cufort::callForm(const GlobalValue &value) {
  auto *function = dyn_cast<Function>(&value);
  return function
             ? CallForm{function->getFunctionType(), function->getAttributes()}
             : CallForm();
}

/// A character of Fortran is an array of one byte, one of C a number.
static Type *withoutArray(Type *type) {
  auto *array = dyn_cast<ArrayType>(type);
  return array && array->getNumElements() == 1
             ? withoutArray(array->getElementType())
             : type;
}

/// Whether \p one and \p other are made of the same parts, which \p isSame
/// says.
static bool hasSameParts(Type *one, Type *other,
                         bool (*isSame)(Type *, Type *)) {
  if (one == other)
    return true;
  auto *first = dyn_cast<StructType>(one),
       *second = dyn_cast<StructType>(other);
  if (first && second && first->isPacked() == second->isPacked())
    return equal(first->elements(), second->elements(), isSame);
  auto *many = dyn_cast<ArrayType>(one), *others = dyn_cast<ArrayType>(other);
  return many && others && many->getNumElements() == others->getNumElements() &&
         isSame(many->getElementType(), others->getElementType());
}

/// The same bytes in the same places.
static bool isSameLayout(Type *one, Type *other) {
  return hasSameParts(withoutArray(one), withoutArray(other), isSameLayout);
}

/// Structures of two front ends have names of their own; the linker makes one
/// type of them, but not of one with a name and one without.
static bool isSameForLinker(Type *one, Type *other) {
  auto *first = dyn_cast<StructType>(one),
       *second = dyn_cast<StructType>(other);
  return (!first || !second || first->isLiteral() == second->isLiteral()) &&
         hasSameParts(one, other, isSameForLinker);
}

bool cufort::isSameForm(const CallForm &one, const CallForm &other) {
  if (one.type == other.type)
    return true;
  return one.type && other.type &&
         one.type->isVarArg() == other.type->isVarArg() &&
         isSameForLinker(one.type->getReturnType(),
                         other.type->getReturnType()) &&
         equal(one.type->params(), other.type->params(), isSameForLinker);
}

/// The type of the value that \p form passes as parameter \p index.
static Type *valueType(const CallForm &form, unsigned index) {
  Type *copied = form.attributes.getParamByValType(index);
  return copied ? copied : form.type->getParamType(index);
}

static bool isSameValue(Type *one, Type *other) {
  return isSameLayout(one, other) ||
         (one->isIntegerTy(1) && other->isIntegerTy(8)) ||
         (one->isIntegerTy(8) && other->isIntegerTy(1));
}

bool cufort::canConvert(const CallForm &one, const CallForm &other) {
  if (!one.type || !other.type || one.type->isVarArg() ||
      other.type->isVarArg() ||
      one.type->getNumParams() != other.type->getNumParams())
    return false;
  for (unsigned i = 0; i < one.type->getNumParams(); ++i)
    if (!isSameValue(valueType(one, i), valueType(other, i)))
      return false;
  return isSameValue(one.type->getReturnType(), other.type->getReturnType());
}

/// Memory of \p b's function, in whose first block \p b is.
static Value *copyOf(IRBuilder<> &b, Value *value, MaybeAlign alignment) {
  AllocaInst *copy = b.CreateAlloca(value->getType());
  if (alignment)
    copy->setAlignment(std::max(copy->getAlign(), *alignment));
  b.CreateStore(value, copy);
  return copy;
}

static Value *convert(IRBuilder<> &b, Value *value, Type *type) {
  if (value->getType() == type)
    return value;
  if (type->isIntegerTy() && value->getType()->isIntegerTy())
    return type->isIntegerTy(1) ? b.CreateIsNotNull(value)
                                : b.CreateZExt(value, type);
  return b.CreateLoad(type, copyOf(b, value, {}));
}

void cufort::convertTo(Function &function, const CallForm &form) {
  const std::string name = function.getName().str();
  function.setName(name + ".own");
  Function *shared = Function::Create(form.type, GlobalValue::ExternalLinkage,
                                      name, function.getParent());
  AttributeList attributes = function.getAttributes();
  SmallVector<AttributeSet> parameters;
  for (unsigned i = 0; i < form.type->getNumParams(); ++i)
    parameters.push_back(form.attributes.getParamAttrs(i));
  shared->setAttributes(AttributeList::get(function.getContext(),
                                           attributes.getFnAttrs(),
                                           AttributeSet(), parameters));
  Function &caller = function.isDeclaration() ? function : *shared;
  Function &callee = function.isDeclaration() ? *shared : function;
  caller.setSubprogram(nullptr); // a declaration's
  caller.removeFnAttr(Attribute::NoInline);
  caller.removeFnAttr(Attribute::OptimizeNone);
  const CallForm from = callForm(caller), to = callForm(callee);
  IRBuilder<> b(BasicBlock::Create(function.getContext(), "", &caller));
  SmallVector<Value *> arguments;
  for (auto [i, argument] : enumerate(caller.args())) {
    Value *value = &argument;
    if (from.attributes.getParamByValType(i))
      value = b.CreateLoad(valueType(from, i), value);
    value = convert(b, value, valueType(to, i));
    if (to.attributes.getParamByValType(i))
      value = copyOf(b, value, to.attributes.getParamAlignment(i));
    arguments.push_back(value);
  }
  CallInst *call = b.CreateCall(&callee, arguments);
  call->setAttributes(to.attributes);
  if (call->getType()->isVoidTy())
    b.CreateRetVoid();
  else
    b.CreateRet(convert(b, call, caller.getReturnType()));
  function.setComdat(nullptr);
  function.setLinkage(GlobalValue::InternalLinkage);
}

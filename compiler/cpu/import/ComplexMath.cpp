//===- ComplexMath.cpp - complex functions as the host has them -----------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/cpu/import/ComplexMath.h"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;

namespace cufort::cpu {
namespace {

constexpr StringRef InBoth[] = {"cacos",  "cacosh", "casin", "casinh", "catan",
                                "catanh", "cpow",   "ctan",  "ctanh"};
/// Those of single precision are in device/cpu/functions.c.
constexpr StringRef InDouble[] = {"ccos", "ccosh", "cexp", "csin", "csinh"};

/// libm's function \p name. A complex number of double precision is passed and
/// returned in two registers. One of single precision is in one, which is
/// written as a number of double precision with the bits of both: so there is
/// no vector in the code, which could not become an element of others.
Function *fromLibm(Module &module, const Twine &name, Type *part,
                   unsigned parts) {
  LLVMContext &context = module.getContext();
  Type *number = Type::getDoubleTy(context);
  const bool isSingle = part->isFloatTy();
  FunctionType *type = FunctionType::get(
      isSingle ? number : StructType::get(number, number),
      SmallVector<Type *>(isSingle ? parts / 2 : parts, number), false);
  std::string symbol = name.str();
  Function *known = module.getFunction(symbol);
  if (known && known->getFunctionType() == type)
    return known;
  // Flang's calls give pairs to a function of that name.
  if (known)
    known->setName("cufort." + symbol);
  Function *function =
      Function::Create(type, GlobalValue::ExternalLinkage, symbol, module);
  function->setDoesNotAccessMemory();
  function->setDoesNotThrow();
  function->setWillReturn();
  return function;
}

/// The bits of \p first and \p second in one number.
Value *pack(IRBuilder<> &b, Value *first, Value *second) {
  Type *i32 = b.getInt32Ty(), *i64 = b.getInt64Ty();
  Value *low = b.CreateZExt(b.CreateBitCast(first, i32), i64);
  Value *high = b.CreateZExt(b.CreateBitCast(second, i32), i64);
  return b.CreateBitCast(b.CreateOr(low, b.CreateShl(high, 32)),
                         b.getDoubleTy());
}

Value *unpack(IRBuilder<> &b, Value *packed, Type *pair) {
  Value *bits = b.CreateBitCast(packed, b.getInt64Ty());
  auto part = [&](Value *value) {
    return b.CreateBitCast(b.CreateTrunc(value, b.getInt32Ty()),
                           b.getFloatTy());
  };
  Value *first = b.CreateInsertValue(PoisonValue::get(pair), part(bits), 0);
  return b.CreateInsertValue(first, part(b.CreateLShr(bits, 32)), 1);
}

/// Whether \p function takes parts of complex numbers and returns a pair.
bool takesParts(const Function &function) {
  auto *pair = dyn_cast<StructType>(function.getReturnType());
  return pair && pair->getNumElements() == 2 && function.arg_size() % 2 == 0 &&
         all_of(function.args(), [&](const Argument &argument) {
           return argument.getType() == pair->getElementType(0);
         });
}

/// A builder at the end of the new, empty body of \p function.
IRBuilder<> replaceBody(Function &function) {
  function.deleteBody();
  function.setLinkage(GlobalValue::InternalLinkage);
  function.removeFnAttr(Attribute::NoInline);
  return IRBuilder<>(BasicBlock::Create(function.getContext(), "", &function));
}

void callLibm(Function &function, StringRef name) {
  Module &module = *function.getParent();
  Type *pair = function.getReturnType();
  Type *part = pair->getStructElementType(0);
  const bool isSingle = part->isFloatTy();
  Function *callee =
      fromLibm(module, name + (isSingle ? "f" : ""), part, function.arg_size());
  IRBuilder<> b = replaceBody(function);
  SmallVector<Value *> arguments;
  if (isSingle)
    for (unsigned i = 0; i < function.arg_size(); i += 2)
      arguments.push_back(pack(b, function.getArg(i), function.getArg(i + 1)));
  else
    for (Argument &argument : function.args())
      arguments.push_back(&argument);
  Value *result = b.CreateCall(callee, arguments);
  b.CreateRet(isSingle ? unpack(b, result, pair) : result);
}

} // namespace

void takeComplexFunctionsFromLibm(Module &module, bool fastMath) {
  auto take = [&](StringRef name, StringRef precision) {
    Function *function =
        module.getFunction(("cufort_" + name + precision).str());
    if (function && !function->isDeclaration() && takesParts(*function))
      callLibm(*function, name);
  };
  for (StringRef name : InBoth)
    take(name, "");
  for (StringRef name : InBoth)
    take(name, "f");
  for (StringRef name : InDouble)
    if (name != "cexp" || !fastMath)
      take(name, "");
}

} // namespace cufort::cpu

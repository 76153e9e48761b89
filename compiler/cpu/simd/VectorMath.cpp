//===- VectorMath.cpp - vector functions of libmvec -----------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/cpu/simd/VectorMath.h"
#include "image/Image.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/VFABIDemangler.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace cufort::cpu {
namespace {

/// Of a function made by vectorMathMark: the name in libm of what it computes.
constexpr char VectorOfAttribute[] = "cufort-vector-of";

/// The name in libm of what \p call computes, without the f of single
/// precision; empty if libmvec has no vector of it.
StringRef nameInLibm(const CallInst &call) {
  static const StringSet<> inLibmvec = {
      "acos", "acosh", "asin",  "asinh", "atan",  "atanh", "atan2",
      "cbrt", "cos",   "cosh",  "erf",   "erfc",  "exp",   "exp10",
      "exp2", "expm1", "hypot", "log",   "log10", "log1p", "log2",
      "pow",  "sin",   "sinh",  "tan",   "tanh"};
  const Function *callee = call.getCalledFunction();
  if (!callee)
    return "";
  if (callee->hasFnAttribute(VectorOfAttribute))
    return callee->getFnAttribute(VectorOfAttribute).getValueAsString();
  if (!callee->doesNotAccessMemory())
    return "";
  StringRef name = callee->getName();
  if (name.consume_front("llvm."))
    name = name.split('.').first;
  else if (call.getType()->isFloatTy())
    name.consume_back("f");
  return inLibmvec.contains(name) ? name : "";
}

struct Form {
  char letter; ///< the instruction set in the vector ABI's names
  unsigned bytes;
  unsigned level;
};
constexpr Form Forms[] = {{'b', 16, image::X86_64_V2},
                          {'d', 32, image::X86_64_V3},
                          {'e', 64, image::X86_64_V4}};

/// libmvec's function \p name for as many elements of \p type as \p form has.
Function *vectorFunction(Module &module, const Form &form, StringRef name,
                         Type *type, unsigned parameters,
                         const Function &like) {
  unsigned lanes = form.bytes / (type->isFloatTy() ? 4 : 8);
  std::string symbol;
  raw_string_ostream(symbol)
      << "_ZGV" << form.letter << 'N' << lanes << std::string(parameters, 'v')
      << '_' << name << (type->isFloatTy() ? "f" : "");
  if (Function *known = module.getFunction(symbol))
    return known;
  auto *vector = FixedVectorType::get(type, lanes);
  SmallVector<Type *> types(parameters, vector);
  Function *function =
      Function::Create(FunctionType::get(vector, types, false),
                       GlobalValue::ExternalLinkage, symbol, module);
  function->copyAttributesFrom(&like);
  function->removeFnAttr(VectorOfAttribute);
  function->setVisibility(GlobalValue::DefaultVisibility);
  return function;
}

} // namespace

void nameVectorFunctions(Function &entry, unsigned level) {
  Module &module = *entry.getParent();
  for (Instruction &instruction : instructions(entry)) {
    auto *call = dyn_cast<CallInst>(&instruction);
    if (!call)
      continue;
    StringRef name = nameInLibm(*call);
    Type *type = call->getType();
    if (name.empty() || !(type->isFloatTy() || type->isDoubleTy()))
      continue;
    std::string scalar = call->getCalledFunction()->getName().str();
    SmallVector<std::string> variants;
    for (const Form &form : Forms) {
      if (form.level > level)
        continue;
      Function *function =
          vectorFunction(module, form, name, type, call->arg_size(),
                         *call->getCalledFunction());
      // The vectorisers look it up by name: it must not go before them.
      appendToCompilerUsed(module, {function});
      std::string variant;
      raw_string_ostream(variant)
          << "_ZGV_LLVM_N" << form.bytes / (type->isFloatTy() ? 4 : 8)
          << std::string(call->arg_size(), 'v') << '_' << scalar << '('
          << function->getName() << ')';
      variants.push_back(variant);
    }
    VFABI::setVectorVariantNames(call, variants);
  }
}

bool isVectorMath(const CallInst &call) {
  return (call.getType()->isFloatTy() || call.getType()->isDoubleTy()) &&
         !nameInLibm(call).empty();
}

Function *vectorMathMark(const CallInst &call, unsigned lanes, Module &module) {
  StringRef name = nameInLibm(call);
  Type *type = call.getType();
  std::string symbol = ("cufort.vector." + name + "." + Twine(lanes) +
                        (type->isFloatTy() ? "f" : "d"))
                           .str();
  if (Function *known = module.getFunction(symbol))
    return known;
  auto *vector = FixedVectorType::get(type, lanes);
  SmallVector<Type *> types(call.arg_size(), vector);
  Function *function =
      Function::Create(FunctionType::get(vector, types, false),
                       GlobalValue::ExternalLinkage, symbol, module);
  function->setDoesNotAccessMemory();
  function->setDoesNotThrow();
  function->setWillReturn();
  function->addFnAttr(VectorOfAttribute, name);
  return function;
}

void lowerVectorMath(Function &entry, unsigned level) {
  for (Instruction &instruction : make_early_inc_range(instructions(entry))) {
    auto *call = dyn_cast<CallInst>(&instruction);
    auto *type = dyn_cast<FixedVectorType>(instruction.getType());
    if (!call || !type ||
        !(type->getElementType()->isFloatTy() ||
          type->getElementType()->isDoubleTy()))
      continue;
    StringRef name = nameInLibm(*call);
    if (name.empty())
      continue;
    // The widest vectors of the level, and narrower ones for what is left.
    IRBuilder<> b(call);
    unsigned size = type->getElementType()->isFloatTy() ? 4 : 8;
    unsigned lanes = type->getNumElements();
    Value *result = PoisonValue::get(type);
    for (unsigned done = 0; done < lanes;) {
      const Form *form = &Forms[level];
      while (form != Forms && form->bytes / size > lanes - done)
        --form;
      unsigned width = form->bytes / size;
      Function *function = vectorFunction(
          *entry.getParent(), *form, name, type->getElementType(),
          call->arg_size(), *call->getCalledFunction());
      SmallVector<Value *> arguments;
      for (Value *argument : call->args()) {
        SmallVector<int> part;
        for (unsigned i = 0; i < width; ++i)
          part.push_back(done + i < lanes ? done + i : lanes - 1);
        arguments.push_back(b.CreateShuffleVector(argument, part));
      }
      Value *piece = b.CreateCall(function, arguments);
      SmallVector<int> spread, placed;
      for (unsigned i = 0; i < lanes; ++i) {
        bool isHere = i >= done && i < done + width;
        spread.push_back(isHere ? i - done : PoisonMaskElem);
        placed.push_back(isHere ? lanes + i : i);
      }
      result = b.CreateShuffleVector(
          result, b.CreateShuffleVector(piece, spread), placed);
      done += width;
    }
    call->replaceAllUsesWith(result);
    call->eraseFromParent();
  }
}

void dropVectorFunctions(Module &module) {
  if (GlobalVariable *used = module.getNamedGlobal("llvm.compiler.used"))
    used->eraseFromParent();
  for (Function &function : make_early_inc_range(module))
    if (function.isDeclaration() && function.use_empty())
      function.eraseFromParent();
}

} // namespace cufort::cpu

//===- VectorMath.cpp - vector functions of libmvec -----------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/cpu/VectorMath.h"
#include "image/Image.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/VFABIDemangler.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace cufort::cpu {
namespace {

/// The name in libm of what \p call computes, without the f of single
/// precision; empty if libmvec has no vector of it.
StringRef nameInLibm(const CallInst &call) {
  static const StringSet<> inLibmvec = {
      "acos", "acosh", "asin",  "asinh", "atan",  "atanh", "atan2",
      "cbrt", "cos",   "cosh",  "erf",   "erfc",  "exp",   "exp10",
      "exp2", "expm1", "hypot", "log",   "log10", "log1p", "log2",
      "pow",  "sin",   "sinh",  "tan",   "tanh"};
  const Function *callee = call.getCalledFunction();
  if (!callee || !callee->doesNotAccessMemory())
    return "";
  StringRef name = callee->getName();
  if (name.consume_front("llvm."))
    name = name.split('.').first;
  else if (call.getType()->isFloatTy())
    name.consume_back("f");
  return inLibmvec.contains(name) ? name : "";
}

} // namespace

void nameVectorFunctions(Function &entry, unsigned level) {
  struct Form {
    char letter; ///< the instruction set in the vector ABI's names
    unsigned bytes;
    unsigned level;
  };
  static constexpr Form forms[] = {{'b', 16, image::X86_64_V2},
                                   {'d', 32, image::X86_64_V3},
                                   {'e', 64, image::X86_64_V4}};
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
    std::string parameters(call->arg_size(), 'v');
    SmallVector<std::string> variants;
    for (const Form &form : forms) {
      if (form.level > level)
        continue;
      unsigned lanes = form.bytes / (type->isFloatTy() ? 4 : 8);
      std::string vector, variant;
      raw_string_ostream(vector)
          << "_ZGV" << form.letter << 'N' << lanes << parameters << '_' << name
          << (type->isFloatTy() ? "f" : "");
      raw_string_ostream(variant) << "_ZGV_LLVM_N" << lanes << parameters << '_'
                                  << scalar << '(' << vector << ')';
      variants.push_back(variant);
      if (module.getFunction(vector))
        continue;
      auto *vectorType = FixedVectorType::get(type, lanes);
      SmallVector<Type *> vectorParameters(call->arg_size(), vectorType);
      Function *function = Function::Create(
          FunctionType::get(vectorType, vectorParameters, false),
          GlobalValue::ExternalLinkage, vector, module);
      function->copyAttributesFrom(call->getCalledFunction());
      function->setVisibility(GlobalValue::DefaultVisibility);
      // The vectorisers look it up by name: it must not go before them.
      appendToCompilerUsed(module, {function});
    }
    VFABI::setVectorVariantNames(call, variants);
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

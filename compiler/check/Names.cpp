//===- Names.cpp - what the source calls a variable -----------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/check/Names.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace cufort::check {

const Value *rootOf(const Value *pointer) {
  const Value *root = getUnderlyingObject(pointer, /*MaxLookup=*/0);
  // Flang keeps the address of a character in a pair with the length.
  while (auto *part = dyn_cast<ExtractValueInst>(root)) {
    const Value *whole = FindInsertedValue(
        const_cast<Value *>(part->getAggregateOperand()), part->getIndices());
    if (!whole || !whole->getType()->isPointerTy())
      break;
    root = getUnderlyingObject(whole, /*MaxLookup=*/0);
  }
  return root;
}

bool isFortran(const Function &function) {
  // Clang's modules say in which language a file is; ours of Flang do not.
  if (const DISubprogram *program = function.getSubprogram())
    if (const DICompileUnit *unit = program->getUnit())
      return !unit->getProducer().contains("clang");
  return function.getName().starts_with("_Q");
}

/// _QMmodFprocEname, _QMmodPproc.name.shared and the like.
static std::string fortranName(StringRef symbol) {
  if (symbol.consume_back(".shared"))
    return symbol.rsplit('.').second.str();
  for (size_t at = symbol.find('E'); at != StringRef::npos;
       at = symbol.find('E', at + 1))
    if (at + 1 < symbol.size() && !isUpper(symbol[at + 1]))
      return symbol.substr(at + 1).split('.').first.str();
  return "";
}

/// Clang names an alloca as the source does, with endings of its own, of the
/// inliner ("p.addr.i") and of LLVM where there are several ("p12").
static std::string clangName(StringRef value) {
  const auto [name, ending] = value.split('.');
  if (ending.starts_with("tmp") || ending.starts_with("temp") ||
      !all_of(name, [](char c) { return isAlnum(c) || c == '_'; }) ||
      name == "retval" || name == "saved_stack" || name.starts_with("__") ||
      name.starts_with("cleanup"))
    return "";
  return name.str();
}

std::string nameOf(const Value &variable) {
  if (auto *global = dyn_cast<GlobalVariable>(&variable)) {
    SmallVector<DIGlobalVariableExpression *> described;
    global->getDebugInfo(described);
    if (!described.empty())
      return described.front()->getVariable()->getName().str();
    StringRef symbol = global->getName();
    if (symbol.starts_with("_Q"))
      return fortranName(symbol);
    if (!symbol.starts_with("_Z"))
      return symbol.starts_with(".") ? "" : symbol.str();
    std::string whole = demangle(symbol);
    return StringRef(whole).rsplit("::").second.empty()
               ? whole
               : StringRef(whole).rsplit("::").second.str();
  }
  if (auto *local = dyn_cast<AllocaInst>(&variable))
    for (DbgVariableRecord *record :
         findDVRDeclares(const_cast<AllocaInst *>(local)))
      return record->getVariable()->getName().str();
  if (isa<AllocaInst>(variable))
    return clangName(variable.getName());
  return "";
}

/// Flang's nodes for alias analysis: "dummy arg data/_QMmFprocEname".
static std::string nameFromAliases(const Instruction &instruction) {
  const MDNode *tag = instruction.getMetadata(LLVMContext::MD_tbaa);
  if (!tag || tag->getNumOperands() < 2)
    return "";
  auto *access = dyn_cast_or_null<MDNode>(tag->getOperand(1));
  if (!access || !access->getNumOperands())
    return "";
  auto *text = dyn_cast_or_null<MDString>(access->getOperand(0));
  if (!text)
    return "";
  StringRef name = text->getString();
  size_t symbol = name.rfind("_Q");
  return symbol == StringRef::npos ? "" : fortranName(name.substr(symbol));
}

std::string variableName(const Instruction &instruction, const Value *pointer) {
  const Value *root = rootOf(pointer);
  // A pointer in a variable is called as that is.
  while (auto *load = dyn_cast<LoadInst>(root)) {
    const Value *holder = rootOf(load->getPointerOperand());
    if (!isa<AllocaInst, GlobalVariable, LoadInst, Argument>(holder))
      break;
    root = holder;
  }
  if (std::string name = nameOf(*root); !name.empty())
    return name;
  return nameFromAliases(instruction);
}

} // namespace cufort::check

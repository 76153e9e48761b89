//===- ManagedVariables.cpp - variables that both sides use ---------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/cuda/ManagedVariables.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Mangle.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Frontend/CompilerInstance.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/ReplaceConstant.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace {

/// The text of include/crt/host_defines.h.
constexpr StringLiteral Annotation = "cufort.managed";

bool isOurs(const Value *text) {
  const auto *variable = dyn_cast<GlobalVariable>(text->stripPointerCasts());
  const auto *data =
      variable && variable->hasInitializer()
          ? dyn_cast<ConstantDataSequential>(variable->getInitializer())
          : nullptr;
  return data && data->isCString() && data->getAsCString() == Annotation;
}

/// Takes our annotations out of the module; the variables that had one.
SetVector<GlobalVariable *> takeAnnotated(Module &module) {
  SetVector<GlobalVariable *> managed;
  GlobalVariable *list = module.getNamedGlobal("llvm.global.annotations");
  auto *rows = list ? dyn_cast<ConstantArray>(list->getInitializer()) : nullptr;
  if (!rows)
    return managed;
  SmallVector<Constant *> kept;
  for (Use &row : rows->operands()) {
    auto *entry = cast<Constant>(row.get());
    auto *variable = dyn_cast<GlobalVariable>(
        entry->getAggregateElement(0u)->stripPointerCasts());
    if (variable && isOurs(entry->getAggregateElement(1u)))
      managed.insert(variable);
    else
      kept.push_back(entry);
  }
  if (managed.empty())
    return managed;
  if (!kept.empty()) {
    auto *type = ArrayType::get(kept.front()->getType(), kept.size());
    auto *fewer = new GlobalVariable(module, type, false, list->getLinkage(),
                                     ConstantArray::get(type, kept));
    fewer->setSection(list->getSection());
    fewer->takeName(list);
  }
  list->eraseFromParent();
  return managed;
}

/// Finds the managed variables that a source declares and does not define.
class Declarations : public clang::RecursiveASTVisitor<Declarations> {
public:
  explicit Declarations(clang::ASTContext &context) : names(context) {}

  // Statements may declare such variables, but types and attributes do not.
  bool TraverseTypeLoc(clang::TypeLoc, bool = true) { return true; }
  bool TraverseAttr(clang::Attr *) { return true; }

  bool VisitVarDecl(clang::VarDecl *variable) {
    const auto *text = variable->getAttr<clang::AnnotateAttr>();
    if (text && text->getAnnotation() == Annotation &&
        variable->hasExternalStorage() && !variable->getDefinition())
      symbols.insert(names.getName(variable));
    return true;
  }

  StringSet<> symbols;

private:
  clang::ASTNameGenerator names;
};

/// ptr(): where \p variable is; asked once.
Function *makeGetter(GlobalVariable &variable) {
  Module &module = *variable.getParent();
  LLVMContext &context = module.getContext();
  Type *pointer = PointerType::getUnqual(context);
  auto *known = new GlobalVariable(
      module, pointer, false, GlobalValue::InternalLinkage,
      Constant::getNullValue(pointer), variable.getName() + ".managed");
  Function *getter = Function::Create(FunctionType::get(pointer, false),
                                      GlobalValue::InternalLinkage,
                                      variable.getName() + ".where", module);
  BasicBlock *entry = BasicBlock::Create(context, "", getter),
             *ask = BasicBlock::Create(context, "ask", getter),
             *done = BasicBlock::Create(context, "done", getter);
  IRBuilder<> b(entry);
  Value *address = b.CreateLoad(pointer, known);
  b.CreateCondBr(b.CreateIsNull(address), ask, done);
  b.SetInsertPoint(ask);
  FunctionCallee function =
      module.getOrInsertFunction("__cufort_managed_variable", pointer, pointer);
  Value *answer = b.CreateCall(function, {&variable});
  b.CreateStore(answer, known);
  b.CreateBr(done);
  b.SetInsertPoint(done);
  PHINode *result = b.CreatePHI(pointer, 2);
  result->addIncoming(address, entry);
  result->addIncoming(answer, ask);
  b.CreateRet(result);
  return getter;
}

/// Whether \p user is part of the tables by which variables are registered, or
/// by which Clang keeps those of other files.
bool isRegistration(const User *user) {
  if (const auto *variable = dyn_cast<GlobalVariable>(user))
    return variable->getSection() == "llvm_offload_entries" ||
           variable->getName().starts_with("llvm.") ||
           variable->getName() == "__clang_gpu_used_external";
  return isa<Constant>(user) && !user->user_empty() &&
         all_of(user->users(), isRegistration);
}

bool replace(GlobalVariable &variable) {
  convertUsersOfConstantsToInstructions({&variable});
  MapVector<Function *, SmallVector<Instruction *>> uses;
  for (User *user : variable.users()) {
    if (auto *instruction = dyn_cast<Instruction>(user)) {
      uses[instruction->getFunction()].push_back(instruction);
    } else if (!isRegistration(user)) {
      errs() << "cufort: error: the address of the managed variable '"
             << variable.getName()
             << "' is the initial value of a host variable, but it is known "
                "only when the program runs: assign it in a function\n";
      return false;
    }
  }
  if (uses.empty())
    return true;
  Function *getter = makeGetter(variable);
  for (auto &[function, instructions] : uses) {
    IRBuilder<> b(&*function->getEntryBlock().getFirstInsertionPt());
    CallInst *address = b.CreateCall(getter);
    for (Instruction *instruction : instructions)
      instruction->replaceUsesOfWith(&variable, address);
  }
  return true;
}

} // namespace

void cufort::cuda::markManagedVariables(Module &device) {
  LLVMContext &context = device.getContext();
  for (GlobalVariable *variable : takeAnnotated(device)) {
    Metadata *annotation[] = {ConstantAsMetadata::get(variable),
                              MDString::get(context, "managed"),
                              ConstantAsMetadata::get(ConstantInt::get(
                                  Type::getInt32Ty(context), 1))};
    device.getOrInsertNamedMetadata("nvvm.annotations")
        ->addOperand(MDNode::get(context, annotation));
  }
}

StringSet<> cufort::cuda::managedElsewhere(clang::CompilerInstance &instance) {
  Declarations declarations(instance.getASTContext());
  declarations.TraverseDecl(instance.getASTContext().getTranslationUnitDecl());
  return std::move(declarations.symbols);
}

bool cufort::cuda::useManagedVariables(Module &host,
                                       const StringSet<> &elsewhere) {
  SetVector<GlobalVariable *> managed = takeAnnotated(host);
  for (GlobalVariable &variable : host.globals())
    if (variable.isDeclaration() && elsewhere.contains(variable.getName()))
      managed.insert(&variable);
  bool ok = true;
  for (GlobalVariable *variable : managed)
    ok &= replace(*variable);
  return ok;
}

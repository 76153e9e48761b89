//===- MemoryScopes.cpp - memories that do not overlap --------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/cpu/optimise/MemoryScopes.h"
#include "compiler/cpu/analysis/Kernel.h"
#include "image/Image.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/MDBuilder.h"

using namespace llvm;

namespace cufort::cpu {
/// In which memory \p object lies, which is a pointer's origin.
static std::optional<Memory> memoryOf(const Value *object) {
  auto *load = dyn_cast<LoadInst>(object);
  if (!load)
    return std::nullopt;
  APInt offset(64, 0);
  auto *argument = dyn_cast<Argument>(
      load->getPointerOperand()->stripAndAccumulateConstantOffsets(
          load->getDataLayout(), offset, true));
  if (!argument)
    return std::nullopt;
  if (argument->getArgNo() == ArgumentsArgument)
    return Memory::Parameter;
  if (argument->getArgNo() != WorkspaceArgument)
    return std::nullopt;
  if (offset == offsetof(image::CpuWorkspace, shared))
    return Memory::Shared;
  if (offset == offsetof(image::CpuWorkspace, arena))
    return Memory::Arena;
  return std::nullopt;
}

std::optional<Memory> memoryAt(const Value *address) {
  SmallVector<const Value *, 4> objects;
  getUnderlyingObjects(address, objects, nullptr, 0);
  std::optional<Memory> all;
  for (const Value *object : objects) {
    std::optional<Memory> one = memoryOf(object);
    if (!one || (all && *all != *one))
      return std::nullopt;
    all = one;
  }
  return all;
}

static void separateIn(Function &entry) {
  LLVMContext &context = entry.getContext();
  MDBuilder metadata(context);
  MDNode *domain = metadata.createAnonymousAliasScopeDomain("workspace");
  MDNode *shared = MDNode::get(
             context, metadata.createAnonymousAliasScope(domain, "shared")),
         *arena = MDNode::get(
             context, metadata.createAnonymousAliasScope(domain, "arena"));
  MDNode *both = MDNode::concatenate(shared, arena);
  auto add = [](Instruction &access, unsigned kind, MDNode *scopes) {
    access.setMetadata(kind,
                       MDNode::concatenate(access.getMetadata(kind), scopes));
  };
  for (Instruction &access : instructions(entry)) {
    const Value *address = getLoadStorePointerOperand(&access);
    std::optional<Memory> memory = address ? memoryAt(address) : std::nullopt;
    if (!memory)
      continue;
    switch (*memory) {
    case Memory::Shared:
      add(access, LLVMContext::MD_alias_scope, shared);
      add(access, LLVMContext::MD_noalias, arena);
      break;
    case Memory::Arena:
      add(access, LLVMContext::MD_alias_scope, arena);
      add(access, LLVMContext::MD_noalias, shared);
      break;
    case Memory::Parameter:
      add(access, LLVMContext::MD_noalias, both);
      break;
    }
  }
}

Error separateMemories(Module &module, const CpuOptions &options) {
  if (options.optLevel > 0)
    for (Function *entry : entries(module, "block"))
      separateIn(*entry);
  return Error::success();
}

} // namespace cufort::cpu

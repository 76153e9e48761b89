//===- RecursiveCalls.cpp - procedures that call themselves ---------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/link/RecursiveCalls.h"
#include "compiler/common/SourceLocation.h"
#include "compiler/common/SymbolName.h"
#include "llvm/ADT/DepthFirstIterator.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/Analysis/CallGraph.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/Object/ObjectFile.h"

using namespace llvm;
using namespace cufort;

/// Whether the program calls what sets the size of stacks. The runtime, which
/// defines it, is among the objects.
static bool setsStackSize(const HostObjects &host) {
  for (const HostObject &object : host.taken())
    for (const object::SymbolRef &symbol : object.object->symbols()) {
      auto name = symbol.getName();
      auto flags = symbol.getFlags();
      if (!flags) {
        consumeError(flags.takeError());
        continue;
      }
      if (name && !(*flags & object::SymbolRef::SF_Undefined))
        continue;
      if (!name)
        consumeError(name.takeError());
      else if (*name == "cudaDeviceSetLimit" || *name == "cuCtxSetLimit")
        return true;
    }
  return false;
}

/// The location of a call by which \p members call each other, or "".
static std::string locationOfCall(ArrayRef<CallGraphNode *> members) {
  for (CallGraphNode *caller : members)
    for (const Instruction &instruction : instructions(caller->getFunction())) {
      auto *call = dyn_cast<CallBase>(&instruction);
      const Function *callee = call ? call->getCalledFunction() : nullptr;
      if (callee && instruction.getDebugLoc() &&
          any_of(members, [&](CallGraphNode *member) {
            return member->getFunction() == callee;
          }))
        return locationOf(instruction);
    }
  return "";
}

std::vector<std::string> cufort::describeRecursion(Module &device,
                                                   const HostObjects &host) {
  CallGraph graph(device);
  df_iterator_default_set<CallGraphNode *, 32> reached;
  for (Function &function : device)
    if (!function.isDeclaration() &&
        function.getCallingConv() == CallingConv::PTX_Kernel)
      for (CallGraphNode *node : depth_first_ext(graph[&function], reached))
        (void)node;
  std::vector<std::string> messages;
  for (auto group = scc_begin(&graph); !group.isAtEnd(); ++group) {
    if (!group.hasCycle() || !reached.contains(group->front()) ||
        any_of(*group, [](CallGraphNode *node) {
          return !node->getFunction() || node->getFunction()->isDeclaration();
        }))
      continue;
    std::string text = locationOfCall(*group) + "'" +
                       userName(group->front()->getFunction()->getName()) +
                       "' calls itself";
    for (CallGraphNode *other : ArrayRef(*group).drop_front())
      text += (other == (*group)[1] ? " through '" : "', '") +
              userName(other->getFunction()->getName());
    if (group->size() > 1)
      text += "'";
    messages.push_back(
        text + ": on a GPU a thread has a stack of 1024 bytes unless the "
               "program calls cudaDeviceSetLimit(cudaLimitStackSize, bytes) "
               "before it launches kernels");
  }
  return messages.empty() || setsStackSize(host) ? std::vector<std::string>()
                                                 : messages;
}

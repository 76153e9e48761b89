//===- Describer.h - what a kernel accesses, in the making ------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CHECK_DESCRIBER_H
#define CUFORT_COMPILER_CHECK_DESCRIBER_H

#include "compiler/check/Accesses.h"
#include "compiler/check/Forms.h"
#include "compiler/check/Instrument.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/PostDominators.h"

namespace cufort::check {

/// The number of an access, in instrumented code and in the description.
inline constexpr char NumberMetadata[] = "cufort.check.number";

/// Describes a kernel whose scalars are no longer in memory.
class Describer {
public:
  Describer(llvm::Function &kernel, llvm::Function &code,
            llvm::function_ref<Wait(llvm::Instruction &)> waits)
      : kernel(kernel), module(*kernel.getParent()), waits(waits), tree(kernel),
        postTree(kernel), loops(tree), forms(kernel, code, tree, loops) {}

  /// Returns the bits of image::CheckProofGap: 0 if all could be said.
  uint32_t run();
  /// After that: whether LoopsAttribute holds; \p asks: with that value.
  bool canRunAsLoops(bool &asks);
  /// Makes the constant.
  llvm::Constant *write(llvm::Function &code);

private:
  void visit(llvm::Instruction &instruction);
  void visitCall(llvm::CallInst &call);
  void visitBounds(llvm::CallInst &mark);
  void visitRange(const llvm::Value *place, uint32_t gap);
  void access(llvm::Instruction &at, llvm::Value *pointer, llvm::Type *type,
              llvm::Align alignment, uint32_t flags);
  bool describe(Access &made, llvm::Value *pointer);
  std::vector<Edge> chainTo(llvm::BasicBlock *block, bool &whole);
  void findIntervals();
  void findCovers();
  template <typename Visit>
  void untilBarrier(llvm::Instruction *start, Visit visit);

  uint32_t numberOf(llvm::Value *value);
  void put(const Form &form);
  void put(llvm::ArrayRef<Condition> all);
  bool isConstantInInterval(const Forms::Symbol &symbol);
  void putSymbols();
  void putLimits();
  void putAccesses(llvm::ArrayRef<std::vector<Condition>> conditionsOfEach);
  void putCovers();
  void putNumbers();
  void storeValues(llvm::Function &code);

  llvm::Function &kernel;
  llvm::Module &module;
  llvm::function_ref<Wait(llvm::Instruction &)> waits;
  llvm::DominatorTree tree;
  llvm::PostDominatorTree postTree;
  llvm::LoopInfo loops;
  Forms forms;
  std::vector<Access> accesses;
  std::vector<std::pair<Form, llvm::BasicBlock *>> bounds;
  llvm::MapVector<llvm::GlobalVariable *, unsigned> shared;
  std::vector<std::pair<unsigned, unsigned>> pairs;
  struct Cover {
    unsigned write;
    bool own;
    std::vector<Condition> conditions;
  };
  std::vector<std::vector<Cover>> covers; ///< by access
  std::vector<Condition> warps; ///< in which the threads of a warp agree
  llvm::MapVector<llvm::Value *, uint32_t> values;
  std::vector<uint32_t> words;
  uint32_t gaps = 0;
  bool warpsPart = false; ///< each as a whole
};

/// Calls \p visit for what a thread may execute from \p start on without a
/// barrier; blocks are visited once, the first also up to \p start again.
template <typename Visit>
void Describer::untilBarrier(llvm::Instruction *start, Visit visit) {
  llvm::SmallVector<llvm::Instruction *> work{start};
  llvm::SmallPtrSet<llvm::BasicBlock *, 16> seen;
  while (!work.empty()) {
    llvm::Instruction *at = work.pop_back_val();
    for (; at; at = at->getNextNode()) {
      visit(*at);
      if (waits(*at) == Wait::Barrier)
        break;
      if (!at->isTerminator())
        continue;
      for (llvm::BasicBlock *next : llvm::successors(at->getParent()))
        if (seen.insert(next).second)
          work.push_back(&next->front());
    }
  }
}

} // namespace cufort::check

#endif // CUFORT_COMPILER_CHECK_DESCRIBER_H

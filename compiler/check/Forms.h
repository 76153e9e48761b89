//===- Forms.h - indices as sums over threads and loops ---------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Most kernels compute their addresses as sums: of the thread's and the block's
// index, of how often a loop has been gone through, each times a number that is
// the same for the whole launch, and of one more such number. What is said of
// all threads follows from these numbers, without a thread having run.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CHECK_FORMS_H
#define CUFORT_COMPILER_CHECK_FORMS_H

#include "image/Check.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include <memory>
#include <optional>
#include <vector>

namespace cufort::check {

/// A sum of numbers times symbols, which are numbers of Forms::symbols. The
/// numbers are 64-bit values of the function that a launch calls.
struct Form {
  llvm::Value *constant;
  llvm::SmallVector<std::pair<unsigned, llvm::Value *>, 4> terms;
  unsigned comparison = 0; ///< of a condition: see Forms::Limit
};

/// A condition that holds at some place: the form is not negative.
using Condition = Form;

class Forms {
public:
  struct Symbol {
    image::CheckSymbolKind kind;
    const llvm::Loop *loop = nullptr;  ///< whose iterations or variable it is
    std::optional<Form> low, high;     ///< of one that lies between
    llvm::Instruction *load = nullptr; ///< of one that is read from memory
  };
  /// The forms hold only if the value \p form has fits into \p bits: in all
  /// iterations of the loop that \p symbol counts, if it is one, and one
  /// iteration later. Where \p comparison is not 0 only conditions with that
  /// number depend on it.
  struct Limit {
    Form form;
    unsigned bits;
    std::optional<unsigned> symbol;
    llvm::Value *step;
    std::vector<Condition> conditions;
    unsigned inner = 0; ///< the last of them are those of the loop itself
    unsigned comparison = 0;
  };

  /// Of the values of \p kernel, whose scalars are no longer in memory. What is
  /// the same for the whole launch is computed at the end of \p code, from its
  /// arguments: the packed arguments of the kernel and the image::CpuLaunch.
  Forms(llvm::Function &kernel, llvm::Function &code,
        const llvm::DominatorTree &tree, const llvm::LoopInfo &loops);

  /// \p value as a form: a sum, or a symbol of its own.
  std::optional<Form> of(llvm::Value *value);
  /// The distance of \p pointer from what it points into, in bytes, and that.
  std::optional<Form> offsetOf(llvm::Value *pointer, llvm::Value *&root);
  /// What \p value is for the whole launch, in \c code; null: it differs.
  llvm::Value *launchValue(llvm::Value *value);
  /// The same as 64 bits with its sign.
  llvm::Value *launchNumber(llvm::Value *value);

  Form add(const Form &a, const Form &b, int64_t factor);
  Form plus(const Form &a, int64_t number);

  /// What must be true where \p block is executed.
  const std::vector<Condition> &conditionsOf(llvm::BasicBlock *block);
  /// What is true because \p condition is \p truth on the paths to \p to;
  /// false: not all of it could be said.
  bool add(llvm::Value *condition, bool truth, const llvm::BasicBlock *to,
           std::vector<Condition> &all);
  /// Completes symbols and limits, once nothing more will be asked.
  void finish();

  std::vector<Symbol> symbols;
  std::vector<Limit> limits;
  llvm::IRBuilder<> b;

private:
  std::optional<Form> compute(llvm::Value *value);
  std::optional<Form> unknown(llvm::Value *value);
  std::optional<Form> divided(llvm::Instruction &division);
  std::optional<Form> extreme(llvm::Instruction &at, llvm::Value *x,
                              llvm::Value *y, image::CheckSymbolKind kind);
  std::optional<Form> converted(llvm::Instruction &conversion,
                                const Form &form);
  std::optional<Form> binary(llvm::Instruction &operation, const Form &left);
  std::optional<Form> either(llvm::ArrayRef<llvm::Value *> values);
  bool isUnknown(const Form &form) const;
  bool isFromData(const Form &form) const;
  bool isBare(const Form &form) const;
  llvm::Value *computeLaunchValue(llvm::Value *value);
  std::optional<Form> ofPhi(llvm::PHINode &phi);
  std::optional<Form> between(const Form &low, const Form &high,
                              const llvm::Loop *loop,
                              image::CheckSymbolKind kind);
  Form symbol(image::CheckSymbolKind kind, const llvm::Loop *loop);
  Form scaled(const Form &form, llvm::Value *factor);
  void limit(const Form &form, unsigned bits, llvm::Instruction &at);
  bool iterationsWithin(llvm::Value *left, std::optional<Form> &more,
                        std::optional<Form> &less);
  void iterationsBelow(llvm::Value *bound, llvm::Value *counter,
                       std::vector<Condition> &all);
  /// A comparison that is true on the paths to a block.
  struct Comparison {
    llvm::Instruction &at;
    const llvm::BasicBlock *to;
    bool decides; ///< alone: on the other edge it is false
  };
  void compare(llvm::CmpInst::Predicate predicate, llvm::Value *left,
               llvm::Value *right, const Comparison &comparison,
               std::vector<Condition> &all, bool &whole);
  void resolve(const Form &form, unsigned bits, llvm::Instruction &at);

  llvm::Function &kernel;
  llvm::Value *arguments, *launch;
  const llvm::DominatorTree &tree;
  const llvm::LoopInfo &loops;
  llvm::DenseMap<llvm::Value *, llvm::Value *> launchValues;
  llvm::DenseMap<llvm::Value *, std::optional<Form>> known;
  llvm::DenseMap<llvm::BasicBlock *, std::unique_ptr<std::vector<Condition>>>
      conditions;
  llvm::DenseMap<std::pair<const llvm::Loop *, unsigned>, unsigned> made;
  struct Pending {
    Form form;
    unsigned bits;
    llvm::Instruction *at;
  };
  std::vector<Pending> pending; ///< limits
  unsigned comparisons = 0;
  uint64_t splitBy = 0; ///< what the index in x is divided by
};

} // namespace cufort::check

#endif // CUFORT_COMPILER_CHECK_FORMS_H

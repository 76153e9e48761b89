//===- PtxFlow.h - labels and branches of inline PTX ------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CPU_PTX_PTXFLOW_H
#define CUFORT_COMPILER_CPU_PTX_PTXFLOW_H

#include "compiler/cpu/ptx/PtxOperands.h"

namespace cufort::cpu {

/// An inline assembly that may have labels, branches and ends (exit). Registers
/// and outputs are values within a basic block; from block to block they go
/// through variables, which become values again at the end.
class PtxFlow : public PtxOperands {
public:
  using PtxOperands::PtxOperands;

protected:
  /// Looks for labels and ends among the \p statements and, if there are any,
  /// makes the variables of what their .reg directives declare.
  bool prepareFlow(ArrayRef<StringRef> statements);
  bool hasLabels() const { return !labels.empty(); }
  /// Takes "name:" off \p statement and begins its block.
  void takeLabels(StringRef &statement);
  /// bra \p label, if \p condition is null or holds.
  bool branch(StringRef label, Value *condition);
  /// The thread ends, if \p condition is null or holds.
  bool exit(Value *condition);
  /// After finish(): variables become values.
  void endFlow(llvm::Function &function);

  /// The carry of the last instruction that has written it.
  Value *carry = nullptr;

private:
  struct Variable {
    llvm::AllocaInst *place;
    Value *loaded;
  };
  bool declare(StringRef directive);
  llvm::AllocaInst *createVariable(Type *type);
  void store(Variable &variable, Value *value);
  void storeAll();
  void loadAll();
  llvm::BasicBlock *beginBlock();

  llvm::StringMap<llvm::BasicBlock *> labels;
  llvm::StringMap<Variable> variables;
  SmallVector<Variable> outputVariables;
  Variable carryVariable = {nullptr, nullptr};
};

} // namespace cufort::cpu

#endif // CUFORT_COMPILER_CPU_PTX_PTXFLOW_H

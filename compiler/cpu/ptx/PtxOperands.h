//===- PtxOperands.h - operands and registers of inline PTX -----*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CPU_PTX_PTXOPERANDS_H
#define CUFORT_COMPILER_CPU_PTX_PTXOPERANDS_H

#include "compiler/cpu/ptx/PtxConversion.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"

namespace cufort::cpu {

using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::StringRef;
using llvm::Type;
using llvm::Value;

/// The operands of one inline assembly, the registers it declares and what
/// they hold at the place that has been reached. Functions that return false
/// or null have met something unknown.
class PtxOperands {
public:
  explicit PtxOperands(llvm::CallInst &call)
      : call(call),
        assembly(*llvm::cast<llvm::InlineAsm>(call.getCalledOperand())),
        b(&call) {}

protected:
  bool takeOperands();
  Type *outputType(unsigned output) const;
  void finish();
  Type *typeOf(StringRef suffix);
  Value *cast(Value *value, Type *type);
  /// The address whose low 32 bits are \p value: programs keep addresses of
  /// shared memory so. Null if it cannot be told.
  Value *wholeAddress(Value *value);
  /// What all addresses of shared memory have in their upper half, which is
  /// that of any shared variable of the kernel: no block's shared memory
  /// crosses a multiple of 4 GB (runtime/cpu/launches/Participant). Null if the
  /// kernel has no such variable.
  Value *upperSharedAddress();
  /// Where an access goes.
  Value *address(StringRef name);
  /// An operand, register or number as a \p type; null: as it is.
  Value *get(StringRef name, Type *type);
  bool set(StringRef name, Value *value);
  static SmallVector<StringRef> split(StringRef text);
  /// "[address+bytes]"
  Value *inBrackets(StringRef place);

  llvm::CallInst &call;
  const llvm::InlineAsm &assembly;
  llvm::IRBuilder<> b;
  /// By number: outputs, whose value comes during the translation, and inputs.
  SmallVector<Value *> operands;
  SmallVector<unsigned> outputs;
  llvm::StringMap<Value *> registers;
};

} // namespace cufort::cpu

#endif // CUFORT_COMPILER_CPU_PTX_PTXOPERANDS_H

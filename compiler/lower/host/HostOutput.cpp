//===- HostOutput.cpp - functions in output statements of the host --------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `print *, f()`: where f waits for a kernel that prints, the kernel's output
// would come within the statement, which Fortran's runtime refuses as
// recursive.
//
//===----------------------------------------------------------------------===//

#include "compiler/lower/DeviceData.h"
#include "compiler/lower/Passes.h"
#include "flang/Optimizer/HLFIR/HLFIRDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;
using namespace cufort::lower;

namespace {

StringRef calleeName(Operation *op) {
  auto call = dyn_cast<fir::CallOp>(op);
  return call && call.getCallee()
             ? call.getCallee()->getRootReference().getValue()
             : StringRef();
}

bool isOutputCall(Operation *op) {
  return calleeName(op).starts_with("_FortranAio");
}

bool isBegin(Operation *op) {
  StringRef name = calleeName(op);
  return name.starts_with("_FortranAioBeginExternal") &&
         name.ends_with("Output");
}

/// Whether \p op calls a procedure of the program.
bool callsProcedure(Operation *op) {
  return op
      ->walk([](Operation *inner) {
        bool isRuntime = isa<fir::CallOp>(inner) &&
                         calleeName(inner).starts_with("_FortranA");
        return isa<fir::CallOp, fir::DispatchOp>(inner) && !isRuntime
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Whether \p op ends the life of what one of \p readers reads in memory.
bool endsLife(Operation *op, ArrayRef<Operation *> readers) {
  if (!isa<hlfir::DestroyOp, hlfir::EndAssociateOp, hlfir::CopyOutOp,
           fir::FreeMemOp>(op))
    return false;
  llvm::SmallPtrSet<Operation *, 16> read;
  SmallVector<Operation *> pending(readers);
  while (!pending.empty())
    for (Value operand : pending.pop_back_val()->getOperands())
      // Scalars have been read already.
      if (Operation *before = operand.getDefiningOp();
          before && !fir::isa_trivial(operand.getType()) &&
          read.insert(before).second)
        pending.push_back(before);
  return llvm::any_of(op->getOperands(), [&](Value operand) {
    return operand.getDefiningOp() && read.contains(operand.getDefiningOp());
  });
}

/// Begins the statement after its last call of a function, with the items
/// before that one. \p begin and all that uses its result lie in one block,
/// unless items depend on each other's success or are in a loop: then the
/// statement stays as it is.
void beginLater(Operation *begin) {
  Block *block = begin->getBlock();
  Operation *end = nullptr;
  for (Operation *user : begin->getUsers()) {
    if (user->getBlock() != block || !isOutputCall(user))
      return;
    if (calleeName(user) == "_FortranAioEndIoStatement")
      end = user;
  }
  if (!end)
    return;
  Operation *last = nullptr;
  for (Operation *op = begin; op != end; op = op->getNextNode())
    if (callsProcedure(op))
      last = op;
  if (!last)
    return;
  SmallVector<Operation *> early{begin};
  for (Operation *op = begin->getNextNode(); op != last;
       op = op->getNextNode()) {
    if (isOutputCall(op)) {
      if (!op->use_empty())
        return;
      early.push_back(op);
    } else if (endsLife(op, early)) {
      return;
    }
  }
  for (Operation *op : llvm::reverse(early))
    op->moveAfter(last);
}

struct HostOutput : public PassWrapper<HostOutput, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(HostOutput)
  StringRef getArgument() const override { return "lower-host-output"; }
  StringRef getDescription() const override {
    return "Call functions before the output statements that print their "
           "values";
  }
  void runOnOperation() override {
    SmallVector<Operation *> statements;
    getOperation().walk([&](fir::CallOp call) {
      if (isBegin(call) && isHostCode(call))
        statements.push_back(call);
    });
    for (Operation *begin : statements)
      beginLater(begin);
  }
};

} // namespace

std::unique_ptr<Pass> cufort::lower::createHostOutput() {
  return std::make_unique<HostOutput>();
}

//===- RepairConstructors.cpp - constructors without the runtime ----------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/lower/Passes.h"
#include "flang/Optimizer/Dialect/CUF/CUFOps.h"
#include "flang/Optimizer/Dialect/FIROps.h"
#include "flang/Optimizer/Dialect/FIRType.h"
#include "flang/Optimizer/HLFIR/HLFIROps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;

namespace {

struct RepairConstructors
    : public PassWrapper<RepairConstructors, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(RepairConstructors)
  StringRef getArgument() const override { return "lower-repair-constructors"; }
  StringRef getDescription() const override {
    return "Initialise structure constructors without the host's runtime";
  }

  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    SmallVector<fir::CallOp> superfluous;
    getOperation().walk([&](fir::CallOp call) {
      auto callee = call.getCallee();
      if (callee && callee->getRootReference() == "_FortranAInitialize" &&
          isSuperfluous(call.getArgs().front(), symbols))
        superfluous.push_back(call);
    });
    for (fir::CallOp call : superfluous)
      call.erase();
    leaveSharedAlone();
  }

  /// Each thread would set the components' default values anew, over what
  /// others have stored (guide, 2.5.3: shared data is not initialised).
  void leaveSharedAlone() {
    SmallVector<std::pair<Operation *, Operation *>> initialisations;
    getOperation().walk([&](Operation *op) {
      Value object;
      if (auto copy = dyn_cast<fir::CopyOp>(op)) {
        auto values = copy.getSource().getDefiningOp<fir::AddrOfOp>();
        if (values &&
            values.getSymbol().getRootReference().getValue().ends_with(
                ".DerivedInit"))
          object = copy.getDestination();
      } else if (auto call = dyn_cast<fir::CallOp>(op)) {
        if (call.getCallee() &&
            call.getCallee()->getRootReference() == "_FortranAInitialize")
          object = call.getArgs().front();
      }
      if (Operation *variable = object ? sharedVariable(object) : nullptr)
        initialisations.push_back({op, variable});
    });
    for (auto [op, variable] : initialisations) {
      emitWarning(variable->getLoc())
          << "the type of this shared variable has default values for its "
             "components, which shared variables do not get: assign the values "
             "in the kernel";
      op->erase();
    }
  }

  static Operation *sharedVariable(Value object) {
    while (Operation *op = object.getDefiningOp()) {
      if (isa<cuf::SharedMemoryOp>(op))
        return op;
      if (!isa<fir::ConvertOp, fir::EmboxOp, hlfir::DeclareOp>(op))
        break;
      object = op->getOperand(0);
    }
    return nullptr;
  }

  /// Whether everything that the initialisation sets is either nothing or
  /// assigned right after it.
  static bool isSuperfluous(Value box, const SymbolTable &symbols) {
    while (auto convert = box.getDefiningOp<fir::ConvertOp>())
      box = convert.getValue();
    auto record = dyn_cast<fir::RecordType>(fir::unwrapSequenceType(
        fir::unwrapPassByRefType(fir::dyn_cast_ptrOrBoxEleTy(box.getType()))));
    if (!record)
      return false;
    auto info = symbols.lookup<fir::TypeInfoOp>(record.getName());
    if (info && info.getNoInit())
      return true;
    // A constructor has a value for every component that is not allocatable.
    auto embox = box.getDefiningOp<fir::EmboxOp>();
    auto variable =
        embox ? embox.getMemref().getDefiningOp<hlfir::DeclareOp>() : nullptr;
    return variable && variable.getUniqName() == "ctor.temp" &&
           !fir::isRecordWithAllocatableMember(record);
  }
};

} // namespace

std::unique_ptr<Pass> cufort::lower::createRepairConstructors() {
  return std::make_unique<RepairConstructors>();
}

//===- RepairConstructors.cpp - constructors without the runtime ----------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/lower/Passes.h"
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
  StringRef getArgument() const override {
    return "cufort-repair-constructors";
  }
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

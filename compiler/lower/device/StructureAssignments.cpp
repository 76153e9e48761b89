//===- StructureAssignments.cpp - arrays of structures --------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/lower/device/StructureAssignments.h"
#include "compiler/lower/DeviceAttributes.h"
#include "flang/Optimizer/Builder/FIRBuilder.h"
#include "flang/Optimizer/Dialect/FIROps.h"

using namespace mlir;
using namespace cufort::lower;

/// In device/transforms.c.
static constexpr char PlainFunction[] = "__cufort_assign_plain";

/// Whether a copy of all its bytes is what an assignment of a component of
/// \p type does.
static bool isPlain(ModuleOp module, Type type, bool isComponent) {
  if (auto box = dyn_cast<fir::BaseBoxType>(type))
    return isa<fir::PointerType>(box.getEleTy());
  auto record = dyn_cast<fir::RecordType>(fir::unwrapSequenceType(type));
  if (!record)
    return true;
  // Among its bound procedures may be an assignment.
  auto info = module.lookupSymbol<fir::TypeInfoOp>(record.getName());
  if (isComponent && (!info || !info.getDispatchTable().empty()))
    return false;
  return llvm::all_of(record.getTypeList(), [&](auto &component) {
    return isPlain(module, component.second, true);
  });
}

/// The type of the elements that \p descriptor, an argument of the library, is
/// of; null where that is known at run time only.
static fir::RecordType structure(Value descriptor) {
  while (auto convert = descriptor.getDefiningOp<fir::ConvertOp>())
    descriptor = convert.getValue();
  auto box = dyn_cast<fir::BoxType>(fir::unwrapRefType(descriptor.getType()));
  return box ? dyn_cast<fir::RecordType>(
                   fir::unwrapSequenceType(box.unwrapInnerType()))
             : fir::RecordType();
}

void cufort::lower::copyPlainStructures(ModuleOp module) {
  SmallVector<fir::CallOp> calls;
  module.walk([&](fir::CallOp call) {
    auto func = call->getParentOfType<func::FuncOp>();
    StringRef name =
        call.getCallee() ? call.getCallee()->getRootReference().getValue() : "";
    if (!func || !runsOnDevice(func) ||
        (name != "_FortranAAssign" && name != "_FortranAAssignTemporary"))
      return;
    fir::RecordType to = structure(call.getOperand(0));
    if (to && structure(call.getOperand(1)) == to && isPlain(module, to, false))
      calls.push_back(call);
  });
  fir::FirOpBuilder builder(module, fir::getKindMapping(module));
  for (fir::CallOp call : calls) {
    builder.setInsertionPoint(call);
    func::FuncOp function = builder.createFunction(
        call.getLoc(), PlainFunction,
        builder.getFunctionType(call.getOperandTypes(), {}));
    call.setCalleeAttr(SymbolRefAttr::get(function));
  }
}

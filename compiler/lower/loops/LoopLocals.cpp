//===- LoopLocals.cpp - LOCAL and LOCAL_INIT of kernel loops --------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A variable that is LOCAL becomes one that is declared in the body, as by a
// BLOCK, under the same name.
//
//===----------------------------------------------------------------------===//

#include "compiler/lower/loops/KernelLoops.h"
#include "flang/Optimizer/Builder/HLFIRTools.h"
#include "flang/Optimizer/Dialect/Support/KindMapping.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;

namespace cufort::lower {

/// The variables from outside that the body of \p loop uses, by name.
static llvm::MapVector<StringRef, hlfir::DeclareOp>
outerVariables(cuf::KernelOp loop) {
  llvm::MapVector<StringRef, hlfir::DeclareOp> variables;
  loop.getRegion().walk([&](Operation *op) {
    for (Value operand : op->getOperands())
      if (auto declare = operand.getDefiningOp<hlfir::DeclareOp>();
          declare && !loop->isProperAncestor(declare))
        variables.insert({variableName(declare), declare});
  });
  return variables;
}

static LogicalResult check(cuf::KernelOp loop, hlfir::DeclareOp variable) {
  Type type = fir::unwrapRefType(variable.getMemref().getType());
  Type element = fir::unwrapSequenceType(type);
  auto array = dyn_cast<fir::SequenceType>(type);
  auto text = dyn_cast<fir::CharacterType>(element);
  if (isa<fir::BaseBoxType, fir::BoxCharType>(type) ||
      (array && array.hasDynamicExtents()) || (text && !text.hasConstantLen()))
    return emitError(loop.getLoc())
           << "'" << variableName(variable)
           << "' cannot be local to the iterations of a kernel loop, as its "
              "size is not known before the program runs: give it constant "
              "extents, and neither ALLOCATABLE nor POINTER";
  if (fir::isRecordWithAllocatableMember(element))
    return emitError(loop.getLoc())
           << "'" << variableName(variable)
           << "' cannot be local to the iterations of a kernel loop, as its "
              "type has allocatable components: declare a variable in a BLOCK "
              "within the loop";
  return success();
}

static void replace(cuf::KernelOp loop, hlfir::DeclareOp variable,
                    bool hasValue) {
  Location location = loop.getLoc();
  fir::FirOpBuilder builder(
      loop, fir::getKindMapping(loop->getParentOfType<ModuleOp>()));
  auto func = loop->getParentOfType<func::FuncOp>();
  builder.setInsertionPointToStart(&func.getBody().front());
  Value memory = fir::AllocaOp::create(
      builder, location, fir::unwrapRefType(variable.getMemref().getType()));
  builder.setInsertionPointToStart(&loop.getRegion().front());
  auto local = hlfir::DeclareOp::create(
      builder, location, variable.getResult(0).getType(),
      variable.getResult(1).getType(),
      builder.createConvert(location, variable.getMemref().getType(), memory),
      variable.getShape(), variable.getTypeparams(), /*dummy_scope=*/Value(),
      /*storage=*/Value(), /*storage_offset=*/0, variable.getUniqNameAttr(),
      fir::FortranVariableFlagsAttr(), cuf::DataAttributeAttr(), UnitAttr(),
      IntegerAttr());
  for (unsigned index = 0; index < 2; ++index)
    variable.getResult(index).replaceUsesWithIf(
        local.getResult(index),
        [&](OpOperand &use) { return loop->isProperAncestor(use.getOwner()); });
  if (hasValue)
    hlfir::AssignOp::create(
        builder, location,
        hlfir::loadTrivialScalar(location, builder,
                                 hlfir::Entity{variable.getBase()}),
        local.getBase());
}

LogicalResult makeLocals(cuf::KernelOp loop) {
  auto locals = loop->getAttrOfType<DictionaryAttr>(LoopLocalsAttribute);
  if (!locals)
    return success();
  llvm::MapVector<StringRef, hlfir::DeclareOp> variables = outerVariables(loop);
  for (NamedAttribute local : locals) {
    auto variable = variables.find(local.getName().getValue());
    if (variable == variables.end())
      continue; // The body does not use it.
    if (failed(check(loop, variable->second)))
      return failure();
    replace(loop, variable->second,
            cast<BoolAttr>(local.getValue()).getValue());
  }
  loop->removeAttr(LoopLocalsAttribute);
  return success();
}

} // namespace cufort::lower

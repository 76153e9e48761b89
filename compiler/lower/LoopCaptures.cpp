//===- LoopCaptures.cpp - the variables of a kernel loop ------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/lower/DeviceAttributes.h"
#include "compiler/lower/LoopOutliner.h"

using namespace mlir;
using namespace cufort::lower;

//===----------------------------------------------------------------------===//
// Components of the host's objects
//===----------------------------------------------------------------------===//

namespace {

/// Reads before the loop what the body reads of objects of derived type in host
/// memory with an unchanging place: the descriptor of a(k)%x, of p%x, and
/// scalars. What is read is then a value like any other from outside.
class HoistComponents {
public:
  HoistComponents(cuf::KernelOp loop, OpBuilder &host,
                  function_ref<bool(hlfir::DeclareOp)> changes)
      : loop(loop), host(host), changes(changes) {}

  void run() {
    SmallVector<fir::LoadOp> loads;
    loop.getRegion().walk([&](fir::LoadOp load) {
      if (isComponent(load) && isInvariant(load, 0))
        loads.push_back(load);
    });
    IRMapping hoisted;
    for (fir::LoadOp load : loads) {
      load.replaceAllUsesWith(hoist(load.getResult(), hoisted));
      removeUnused(load);
    }
  }

private:
  bool isInside(Operation *op) {
    return loop.getRegion().isAncestor(op->getParentRegion());
  }

  bool isComponent(fir::LoadOp load) {
    Type type = load.getType();
    if (!fir::isa_trivial(type) && !isa<fir::BaseBoxType>(type))
      return false;
    auto part = load.getMemref().getDefiningOp<hlfir::DesignateOp>();
    if (!part || !part.getComponent())
      return false;
    hlfir::DeclareOp object = root(part.getMemref());
    // An object that is no element and no target goes by value as a whole.
    return object && !isInDeviceMemory(object) &&
           !isa<fir::RecordType>(
               fir::unwrapRefType(object.getMemref().getType()));
  }

  /// The variable outside the loop that \p address is part of.
  hlfir::DeclareOp root(Value address) {
    while (Operation *op = address.getDefiningOp()) {
      if (auto declare = dyn_cast<hlfir::DeclareOp>(op))
        return isInside(declare) ? hlfir::DeclareOp() : declare;
      if (!isa<hlfir::DesignateOp, fir::LoadOp, fir::BoxAddrOp>(op))
        return {};
      address = op->getOperand(0);
    }
    return {};
  }

  bool isInvariant(Operation *op, unsigned depth) {
    if (!isInside(op))
      return true;
    if (depth > 50 || op->getNumRegions() != 0 ||
        !(isMemoryEffectFree(op) || isa<fir::LoadOp>(op)))
      return false;
    if (auto load = dyn_cast<fir::LoadOp>(op)) {
      hlfir::DeclareOp variable = root(load.getMemref());
      if (!variable || changes(variable) || isInDeviceMemory(variable))
        return false;
    }
    return llvm::all_of(op->getOperands(), [&](Value operand) {
      Operation *before = operand.getDefiningOp();
      return before ? isInvariant(before, depth + 1)
                    : !loop.getRegion().isAncestor(operand.getParentRegion());
    });
  }

  Value hoist(Value value, IRMapping &hoisted) {
    Operation *op = value.getDefiningOp();
    if (!op || !isInside(op))
      return value;
    if (!hoisted.contains(value)) {
      for (Value operand : op->getOperands())
        hoisted.map(operand, hoist(operand, hoisted));
      host.clone(*op, hoisted);
    }
    return hoisted.lookup(value);
  }

  /// The way to what is read before the loop is in it no more.
  void removeUnused(Operation *op) {
    if (!isInside(op) || !op->use_empty())
      return;
    SmallVector<Value> operands(op->getOperands());
    op->erase();
    for (Value operand : operands)
      if (auto part = operand.getDefiningOp<hlfir::DesignateOp>())
        removeUnused(part);
      else if (auto load = operand.getDefiningOp<fir::LoadOp>())
        removeUnused(load);
  }

  cuf::KernelOp loop;
  OpBuilder &host;
  function_ref<bool(hlfir::DeclareOp)> changes;
};

} // namespace

//===----------------------------------------------------------------------===//
// Variables
//===----------------------------------------------------------------------===//

LogicalResult LoopOutliner::bringVariables() {
  HoistComponents(loop, host, [&](hlfir::DeclareOp declare) {
    return isLoopVariable(declare) || variables.contains(declare);
  }).run();
  limitRepeatedLoops();
  SetVector<Value> used;
  loop.getRegion().walk([&](Operation *op) {
    for (Value operand : op->getOperands())
      if (operand.getParentRegion()->isProperAncestor(&loop.getRegion()) ||
          operand.getParentRegion() == loop->getParentRegion())
        used.insert(operand);
  });
  for (Value value : used)
    if (failed(bring(value)))
      return failure();
  // A reduce clause may name a variable that the body does not mention.
  for (auto &[declare, variable] : variables)
    if (variable.role == LoopVariable::Reduced && failed(bring(declare)))
      return failure();
  return success();
}

LogicalResult LoopOutliner::bring(Value value) {
  if (map.contains(value))
    return success();
  Operation *op = value.getDefiningOp();
  if (auto declare = dyn_cast_or_null<hlfir::DeclareOp>(op))
    return bringVariable(declare);
  if (op && isRepeatable(op)) {
    for (Value operand : op->getOperands())
      if (failed(bring(operand)))
        return failure();
    device.clone(*op, map);
    return success();
  }
  return bringValue(value);
}

bool LoopOutliner::isRepeatable(Operation *op) {
  if (auto address = dyn_cast<fir::AddrOfOp>(op))
    return isOnDevice(address);
  if (auto convert = dyn_cast<fir::ConvertOp>(op))
    return constantValue(convert.getResult()).has_value();
  return op->hasTrait<OpTrait::ConstantLike>() ||
         isa<fir::ShapeOp, fir::ShapeShiftOp, fir::ShiftOp, fir::UndefOp,
             fir::AbsentOp, fir::ZeroOp, fir::AllocaOp>(op);
}

bool LoopOutliner::isOnDevice(fir::AddrOfOp address) {
  auto global =
      address->getParentOfType<ModuleOp>().lookupSymbol<fir::GlobalOp>(
          address.getSymbol().getRootReference());
  if (!global)
    return false;
  bool isDescriptor = isa<fir::BaseBoxType>(global.getType());
  return (isDeviceVariable(global) && !isDescriptor) ||
         (global.getConstant() && !isDescriptor);
}

LogicalResult LoopOutliner::bringValue(Value value) {
  Type type = value.getType();
  if (type.isIndex()) {
    Value wide = host.createConvert(location, host.getI64Type(), value);
    map.map(value,
            device.createConvert(location, type, kernel.addParameter(wide)));
    return success();
  }
  if (type.isInteger(1)) {
    Type byte = host.getIntegerType(8);
    Value wide = host.createConvert(location, byte, value);
    map.map(value,
            device.createConvert(location, type, kernel.addParameter(wide)));
    return success();
  }
  if (fir::isa_trivial(type)) {
    map.map(value, kernel.addParameter(value));
    return success();
  }
  if (fir::isa_ref_type(type) || isa<fir::BaseBoxType>(type)) {
    map.map(value, kernel.addParameter(value, /*isDeviceData=*/true));
    return success();
  }
  return emitError(location)
         << "a value of type " << type << " cannot be used in a kernel loop";
}

LogicalResult LoopOutliner::bringVariable(hlfir::DeclareOp declare) {
  Type type = fir::unwrapRefType(declare.getMemref().getType());
  auto it = variables.find(declare);
  bool isPrivate =
      it != variables.end() && it->second.role != LoopVariable::Shared;
  if (isPrivate || isLoopVariable(declare))
    return bringPrivate(declare, type, isPrivate ? it->second : LoopVariable());
  auto address = declare.getMemref().getDefiningOp<fir::AddrOfOp>();
  if (isInDeviceMemory(declare) || (address && isOnDevice(address)))
    return bringDeviceData(declare);
  if (isa<fir::RecordType>(type)) {
    Value parameter = kernel.addParameter(declare.getMemref());
    redeclare(declare, parameter);
    return success();
  }
  if (fir::isa_trivial(type)) {
    LoopVariable constant;
    constant.needsValue = true;
    return bringPrivate(declare, type, constant);
  }
  return reportHostData(declare);
}

LogicalResult LoopOutliner::reportHostData(hlfir::DeclareOp declare) {
  Operation *use = nullptr;
  for (Operation *user : declare->getUsers())
    if (!use && loop->isProperAncestor(user))
      use = user;
  Location location = use ? use->getLoc() : this->location;
  if (isa<fir::RecordType>(fir::getFortranElementType(
          fir::unwrapRefType(declare.getMemref().getType()))))
    return emitError(location)
           << "'" << variableName(declare)
           << "' is in host memory: of its elements a kernel loop can use the "
              "device components only, with subscripts that the loop does not "
              "change; move the loop over the elements outside the directive, "
              "or give '"
           << variableName(declare) << "' the attribute MANAGED";
  return emitError(location)
         << "'" << variableName(declare)
         << "' is in host memory and cannot be used in a kernel loop; "
            "arrays need the DEVICE, MANAGED or CONSTANT attribute";
}

LogicalResult LoopOutliner::bringDeviceData(hlfir::DeclareOp declare) {
  for (Value operand : declare->getOperands()) {
    if (operand == declare.getDummyScope())
      continue;
    if (operand == declare.getMemref() &&
        !operand.getDefiningOp<fir::AddrOfOp>())
      map.map(operand, kernel.addParameter(operand, /*isDeviceData=*/true));
    else if (failed(bring(operand)))
      return failure();
    if (operand == declare.getMemref() && !map.contains(operand))
      return failure();
  }
  redeclare(declare, map.lookup(declare.getMemref()));
  return success();
}

void LoopOutliner::redeclare(hlfir::DeclareOp declare, Value address) {
  auto copy = hlfir::DeclareOp::create(
      device, location, declare.getResult(0).getType(),
      declare.getResult(1).getType(), address,
      declare.getShape() ? map.lookup(declare.getShape()) : Value(),
      mapAll(declare.getTypeparams()), /*dummy_scope=*/Value(),
      /*storage=*/Value(), /*storage_offset=*/0, declare.getUniqNameAttr(),
      declare.getFortranAttrsAttr(), declare.getDataAttrAttr(),
      declare.getSkipReboxAttr(), /*dummy_arg_no=*/IntegerAttr());
  for (unsigned index = 0; index < 2; ++index)
    map.map(declare.getResult(index), copy.getResult(index));
}

SmallVector<Value> LoopOutliner::mapAll(ValueRange values) {
  SmallVector<Value> mapped;
  for (Value value : values)
    mapped.push_back(map.lookup(value));
  return mapped;
}

LogicalResult LoopOutliner::bringPrivate(hlfir::DeclareOp declare, Type type,
                                         LoopVariable variable) {
  if (!fir::isa_trivial(type) && !isa<fir::RecordType>(type))
    return reportHostData(declare);
  Value local =
      fir::AllocaOp::create(device, location, type, variableName(declare));
  if (variable.role == LoopVariable::Reduced) {
    fir::StoreOp::create(
        device, location,
        createIdentity(device, location, variable.reduction, type), local);
    reductions.push_back({declare, variable, type, local});
  } else if (variable.needsValue) {
    if (isa<fir::RecordType>(type)) {
      Value parameter = kernel.addParameter(declare.getMemref());
      Value bytes = fir::LoadOp::create(device, location, parameter);
      fir::StoreOp::create(device, location, bytes, local);
    } else {
      Value value = fir::LoadOp::create(host, location, declare.getMemref());
      fir::StoreOp::create(device, location, kernel.addParameter(value), local);
    }
  }
  auto copy = hlfir::DeclareOp::create(
      device, location, declare.getResult(0).getType(),
      declare.getResult(1).getType(), local, Value(), ValueRange{}, Value(),
      Value(), 0, declare.getUniqNameAttr(), fir::FortranVariableFlagsAttr(),
      cuf::DataAttributeAttr(), UnitAttr(), IntegerAttr());
  for (unsigned index = 0; index < 2; ++index)
    map.map(declare.getResult(index), copy.getResult(index));
  return success();
}

//===- LoopCaptures.cpp - the variables of a kernel loop ------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/lower/DeviceAttributes.h"
#include "compiler/lower/loops/LoopComponents.h"
#include "compiler/lower/loops/LoopOutliner.h"

using namespace mlir;
using namespace cufort::lower;

//===----------------------------------------------------------------------===//
// Variables
//===----------------------------------------------------------------------===//

LogicalResult LoopOutliner::bringVariables() {
  hoistComponents(loop, host, [&](hlfir::DeclareOp declare) {
    return isLoopVariable(declare) || variables.contains(declare);
  });
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
  for (const RealLimits &limits : reals)
    if (limits.lower &&
        (failed(bring(limits.lower)) || failed(bring(limits.step))))
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
    if (mayBeOnHost(value))
      noteHostArgument(value, Components::userName(value));
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
  // A name of ASSOCIATE for a component that is an array.
  auto part = declare.getMemref().getDefiningOp<hlfir::DesignateOp>();
  auto array = dyn_cast<fir::SequenceType>(type);
  if (part && part.getComponent() && array && !array.hasDynamicExtents() &&
      fir::isa_trivial(array.getEleTy()))
    return bringDeviceData(declare);
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
           << "' is in host memory: a kernel loop can use only the device "
              "components of its elements, with subscripts that do not change "
              "in the loop; move the loop over the elements outside the "
              "directive, or give '"
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
        !operand.getDefiningOp<fir::AddrOfOp>()) {
      map.map(operand, kernel.addParameter(operand, /*isDeviceData=*/true));
      if (!Components::isOnDevice(declare) && mayBeOnHost(operand))
        noteHostArgument(declare.getResult(0), variableName(declare));
    } else if (failed(bring(operand)))
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
  const Type address = declare.getMemref().getType();
  const bool sharesStorage = isa<fir::PointerType>(address);
  if (fir::isa_volatile_type(address) ||
      (sharesStorage && variables.contains(declare)))
    return emitError(location)
           << "'" << variableName(declare) << "' "
           << (sharesStorage ? "shares its storage with others (EQUIVALENCE)"
                             : "is VOLATILE")
           << ", but each thread of a kernel loop has a copy: use a variable "
              "that is not";
  Value local =
      fir::AllocaOp::create(device, location, type, variableName(declare));
  if (variable.role == LoopVariable::Reduced) {
    fir::StoreOp::create(
        device, location,
        createIdentity(device, location, variable.reduction, type), local);
    reductions.push_back({declare, variable, type, local});
  } else if (variable.needsValue) {
    Value value;
    if (isa<fir::RecordType>(type)) {
      Value parameter = kernel.addParameter(declare.getMemref());
      value = fir::LoadOp::create(device, location, parameter);
    } else {
      auto load = fir::LoadOp::create(host, location, declare.getMemref());
      if (variables.contains(declare))
        load->setAttr(PrivateValueAttribute, host.getUnitAttr());
      value = kernel.addParameter(load);
    }
    fir::StoreOp::create(device, location, value, local);
    // A thread runs several iterations.
    if (variables.contains(declare))
      firstValues.push_back({value, local});
  }
  if (sharesStorage)
    local = fir::ConvertOp::create(device, location, address, local);
  auto copy = hlfir::DeclareOp::create(
      device, location, declare.getResult(0).getType(),
      declare.getResult(1).getType(), local, Value(), ValueRange{}, Value(),
      Value(), 0, declare.getUniqNameAttr(), fir::FortranVariableFlagsAttr(),
      cuf::DataAttributeAttr(), UnitAttr(), IntegerAttr());
  for (unsigned index = 0; index < 2; ++index)
    map.map(declare.getResult(index), copy.getResult(index));
  return success();
}

//===- HostCopies.cpp - copies of device data on the host -----------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/lower/host/HostCopies.h"
#include "compiler/lower/DeviceData.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

namespace cufort::lower {

HostCopy copyToHost(fir::FirOpBuilder &builder, Location location,
                    hlfir::Entity original, bool filled) {
  HostCopy copy;
  SmallVector<Value> lengths;
  hlfir::genLengthParameters(location, builder, original, lengths);
  Type type = hlfir::getFortranElementOrSequenceType(original.getType());
  Value shape;
  if (original.isArray()) {
    auto extents = hlfir::genExtentsVector(location, builder, original);
    copy.memory = builder.createHeapTemporary(location, type, ".host_copy",
                                              extents, lengths);
    if (original.mayHaveNonDefaultLowerBounds()) {
      SmallVector<Value> bounds;
      for (auto [i, extent] : llvm::enumerate(extents)) {
        bounds.push_back(hlfir::genLBound(location, builder, original, i));
        bounds.push_back(extent);
      }
      shape = fir::ShapeShiftOp::create(
          builder, location,
          fir::ShapeShiftType::get(builder.getContext(), extents.size()),
          bounds);
    } else {
      shape = builder.genShape(location, extents);
    }
  } else {
    copy.memory = builder.createHeapTemporary(location, type, ".host_copy",
                                              /*shape=*/{}, lengths);
  }
  copy.variable = hlfir::DeclareOp::create(builder, location, copy.memory,
                                           ".host_copy", shape, lengths)
                      .getBase();
  if (filled) {
    SmallVector<Value> arguments = {
        descriptorOf(builder, location, copy.variable),
        descriptorOf(builder, location, original)};
    addSourceLine(builder, location, arguments);
    callRuntime(builder, location, "__cufort_to_host", {}, arguments);
  }
  return copy;
}

void copyToDevice(fir::FirOpBuilder &builder, Location location,
                  hlfir::Entity original, const HostCopy &copy) {
  SmallVector<Value> arguments = {
      descriptorOf(builder, location, original),
      descriptorOf(builder, location, copy.variable)};
  addSourceLine(builder, location, arguments);
  callRuntime(builder, location, "__cufort_to_device", {}, arguments);
}

/// The last operation of \p user's block that uses its value or one that is
/// computed from it later.
static Operation *lastUse(Operation *user) {
  Operation *last = user;
  SmallVector<Operation *> pending{user};
  while (!pending.empty())
    for (Operation *next : pending.pop_back_val()->getUsers()) {
      Operation *here = user->getBlock()->findAncestorOpInBlock(*next);
      if (!here)
        continue;
      if (last->isBeforeInBlock(here))
        last = here;
      const bool isValue =
          llvm::any_of(here->getResultTypes(), llvm::IsaPred<hlfir::ExprType>);
      if (isValue || isa<hlfir::AssociateOp, hlfir::DeclareOp>(here))
        pending.push_back(here);
    }
  return last;
}

void freeAfterUse(fir::FirOpBuilder &builder, Operation *user,
                  const HostCopy &copy) {
  builder.setInsertionPointAfter(user);
  if (user->getNumResults() == 1 &&
      isa<hlfir::ExprType>(user->getResult(0).getType())) {
    auto end = llvm::find_if(user->getResult(0).getUsers(),
                             llvm::IsaPred<hlfir::DestroyOp>);
    builder.setInsertionPointAfter(
        end == user->getResult(0).getUsers().end() ? lastUse(user) : *end);
  }
  fir::FreeMemOp::create(builder, user->getLoc(), copy.memory);
}

Value asType(fir::FirOpBuilder &builder, Location location,
             const HostCopy &copy, Type type) {
  hlfir::Entity variable{copy.variable};
  if (variable.getType() == type)
    return variable;
  if (!isa<fir::BaseBoxType>(type))
    return builder.createConvert(
        location, type,
        hlfir::genVariableRawAddress(location, builder, variable));
  return builder.createConvert(
      location, type, hlfir::genVariableBox(location, builder, variable));
}

Value callRuntime(fir::FirOpBuilder &builder, Location location, StringRef name,
                  TypeRange results, ValueRange arguments) {
  func::FuncOp function = builder.getNamedFunction(name);
  if (!function)
    function = builder.createFunction(
        location, name,
        FunctionType::get(builder.getContext(), arguments.getTypes(), results));
  auto call = fir::CallOp::create(builder, location, function, arguments);
  return results.empty() ? Value() : call.getResult(0);
}

Value descriptorOf(fir::FirOpBuilder &builder, Location location,
                   Value variable) {
  return builder.createConvert(
      location, fir::BoxType::get(builder.getNoneType()),
      hlfir::genVariableBox(location, builder, hlfir::Entity{variable}));
}

Value rawAddress(fir::FirOpBuilder &builder, Location location, Value address) {
  return builder.createConvert(
      location, fir::LLVMPointerType::get(builder.getI8Type()), address);
}

void addSourceLine(fir::FirOpBuilder &builder, Location location,
                   SmallVectorImpl<Value> &arguments) {
  arguments.push_back(rawAddress(
      builder, location, fir::factory::locationToFilename(builder, location)));
  arguments.push_back(
      fir::factory::locationToLineNo(builder, location, builder.getI32Type()));
}

void setAllocator(fir::FirOpBuilder &builder, Location location, Value place,
                  cuf::DataAttribute memory) {
  Value descriptor = builder.createConvert(
      location, builder.getRefType(fir::BoxType::get(builder.getNoneType())),
      place);
  auto record = dyn_cast<fir::RecordType>(
      hlfir::getFortranElementType(fir::unwrapRefType(place.getType())));
  Type pointer = fir::LLVMPointerType::get(builder.getI8Type());
  Value type = record ? builder.createConvert(
                            location, pointer,
                            fir::TypeDescOp::create(builder, location,
                                                    TypeAttr::get(record)))
                      : builder.createNullConstant(location, pointer);
  callRuntime(builder, location, "_FortranACUFSetAllocator", {},
              {descriptor,
               builder.createIntegerConstant(location, builder.getI32Type(),
                                             allocatorOf(memory)),
               type});
}

} // namespace cufort::lower

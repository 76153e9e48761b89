//===- DeviceData.cpp - where the data of an HLFIR value lies -------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/lower/DeviceData.h"
#include "flang/Runtime/CUDA/common.h"
#include "flang/Runtime/allocator-registry-consts.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;

namespace cufort::lower {

/// The memory attribute of the component that \p component designates.
static std::optional<cuf::DataAttribute>
memoryOfComponent(hlfir::DesignateOp component) {
  auto module = component->getParentOfType<ModuleOp>();
  auto known =
      module ? module->getAttrOfType<DictionaryAttr>(DeviceComponentsAttribute)
             : DictionaryAttr();
  if (!known)
    return std::nullopt;
  auto record = dyn_cast<fir::RecordType>(hlfir::getFortranElementType(
      fir::unwrapRefType(component.getMemref().getType())));
  if (!record)
    return std::nullopt;
  std::string key =
      (record.getName() + "." + component.getComponent()->getValue()).str();
  if (auto attribute = known.getAs<cuf::DataAttributeAttr>(key))
    return attribute.getValue();
  return std::nullopt;
}

/// The memory attribute of the function's result whose descriptor is saved in
/// \p place; none where it is something else that lies there.
static std::optional<cuf::DataAttribute> memoryOfResult(Operation *place) {
  auto module = place->getParentOfType<ModuleOp>();
  auto known =
      module ? module->getAttrOfType<DictionaryAttr>(DeviceResultsAttribute)
             : DictionaryAttr();
  if (!known)
    return std::nullopt;
  for (Operation *user : place->getUsers())
    if (auto save = dyn_cast<fir::SaveResultOp>(user))
      if (auto call = save.getValue().getDefiningOp<fir::CallOp>();
          call && call.getCallee())
        if (auto attribute = known.getAs<cuf::DataAttributeAttr>(
                call.getCallee()->getRootReference()))
          return attribute.getValue();
  return std::nullopt;
}

/// What memoryOf does. \p isDescribed: whether a descriptor has been read on
/// the way, so that what matters is what it describes and not where it lies.
static std::optional<cuf::DataAttribute> trace(Value value, bool isDescribed) {
  while (Operation *op = value.getDefiningOp()) {
    if (auto declare = dyn_cast<hlfir::DeclareOp>(op)) {
      // The front end declares its own copies with the attributes of their
      // originals. Names of ASSOCIATE have those of their selectors.
      Operation *place = declare.getMemref().getDefiningOp();
      if (isa_and_nonnull<hlfir::DeclareOp>(place) ||
          (!declare.getDataAttr() &&
           isa_and_nonnull<hlfir::DesignateOp, fir::LoadOp, fir::ConvertOp,
                           fir::BoxAddrOp, fir::ReboxOp, fir::EmboxOp>(
               place))) {
        value = declare.getMemref();
        continue;
      }
      if (isa_and_nonnull<fir::AllocaOp, fir::AllocMemOp>(place))
        return isDescribed ? memoryOfResult(place) : std::nullopt;
      if (fir::isBoxAddress(value.getType()) && !isDescribed)
        return std::nullopt;
      return declare.getDataAttr();
    }
    if (auto designate = dyn_cast<hlfir::DesignateOp>(op)) {
      if (designate.getComponent() && fir::isBoxAddress(value.getType()) &&
          isDescribed)
        return memoryOfComponent(designate);
      value = designate.getMemref();
      continue;
    }
    if (auto load = dyn_cast<fir::LoadOp>(op)) {
      if (!fir::isBoxAddress(load.getMemref().getType()))
        return std::nullopt;
      isDescribed = true;
      value = load.getMemref();
      continue;
    }
    if (isa<fir::AllocaOp>(op))
      return isDescribed ? memoryOfResult(op) : std::nullopt;
    if (auto branch = dyn_cast<fir::IfOp>(op)) {
      // The same in both branches, or the host may not touch it.
      unsigned number = cast<OpResult>(value).getResultNumber();
      for (Region *region : {&branch.getThenRegion(), &branch.getElseRegion()})
        if (!region->empty())
          if (auto memory =
                  trace(region->front().getTerminator()->getOperand(number),
                        isDescribed))
            return memory;
      return std::nullopt;
    }
    if (!isa<fir::ConvertOp, fir::BoxAddrOp, fir::ReboxOp, fir::EmboxOp,
             fir::VolatileCastOp, fir::EmboxCharOp, fir::UnboxCharOp,
             hlfir::NoReassocOp, hlfir::ParentComponentOp>(op))
      return std::nullopt;
    // LOC: an address as a number is the host's.
    if (isa<fir::ConvertOp>(op) && isa<IntegerType>(value.getType()))
      return std::nullopt;
    value = op->getOperand(0);
  }
  return std::nullopt;
}

std::optional<cuf::DataAttribute> memoryOf(Value value) {
  return trace(value, /*isDescribed=*/false);
}

std::optional<cuf::DataAttribute> memoryDescribedBy(Value address) {
  return trace(address, /*isDescribed=*/true);
}

bool describesDeviceData(Value address) {
  if (!fir::isBoxAddress(address.getType()))
    return false;
  auto memory = memoryDescribedBy(address);
  return memory && *memory == cuf::DataAttribute::Device;
}

static bool hasDeviceComponents(DictionaryAttr known, fir::RecordType record,
                                SmallPtrSetImpl<Type> &seen) {
  if (!seen.insert(record).second)
    return false;
  for (const auto &[name, type] : record.getTypeList()) {
    if (isa<fir::BaseBoxType>(type) &&
        known.contains((record.getName() + "." + name).str()))
      return true;
    // What a pointer points to is not the record's.
    if (auto box = dyn_cast<fir::BaseBoxType>(type);
        box && isa<fir::PointerType>(box.getEleTy()))
      continue;
    if (isa<fir::ClassType>(type))
      return true;
    if (auto inner =
            dyn_cast<fir::RecordType>(hlfir::getFortranElementType(type));
        inner && hasDeviceComponents(known, inner, seen))
      return true;
  }
  return false;
}

bool hasDeviceComponents(Operation *user, Type type) {
  auto known = user->getParentOfType<ModuleOp>()->getAttrOfType<DictionaryAttr>(
      DeviceComponentsAttribute);
  if (!known)
    return false;
  if (isa<fir::ClassType>(fir::unwrapRefType(type)))
    return true;
  auto record = dyn_cast<fir::RecordType>(
      hlfir::getFortranElementType(fir::unwrapRefType(type)));
  SmallPtrSet<Type, 8> seen;
  return record && hasDeviceComponents(known, record, seen);
}

bool isDeviceData(Value value) {
  auto memory = memoryOf(value);
  return memory && (*memory == cuf::DataAttribute::Device ||
                    *memory == cuf::DataAttribute::Constant);
}

bool isReachedByKernels(Value value) {
  auto memory = memoryOf(value);
  return memory && (*memory == cuf::DataAttribute::Device ||
                    *memory == cuf::DataAttribute::Managed ||
                    *memory == cuf::DataAttribute::Unified);
}

unsigned allocatorOf(cuf::DataAttribute memory) {
  switch (memory) {
  case cuf::DataAttribute::Pinned:
    return kPinnedAllocatorPos;
  case cuf::DataAttribute::Managed:
    return kManagedAllocatorPos;
  case cuf::DataAttribute::Unified:
    return kUnifiedAllocatorPos;
  default:
    return kDeviceAllocatorPos;
  }
}

unsigned memoryType(cuf::DataAttribute memory) {
  switch (memory) {
  case cuf::DataAttribute::Pinned:
    return kMemTypePinned;
  case cuf::DataAttribute::Managed:
    return kMemTypeManaged;
  case cuf::DataAttribute::Unified:
    return kMemTypeUnified;
  default:
    return kMemTypeDevice;
  }
}

} // namespace cufort::lower

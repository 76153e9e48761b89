//===- StructureMemory.cpp - objects with allocatable components ----------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/lower/device/StructureMemory.h"
#include "compiler/lower/DeviceAttributes.h"
#include "compiler/lower/device/DeviceTypes.h"
#include "flang/Optimizer/Builder/FIRBuilder.h"
#include "flang/Optimizer/Dialect/CUF/CUFOps.h"
#include "flang/Optimizer/Support/InternalNames.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace cufort::lower;

namespace {

/// What flang's library is asked for.
enum class Request {
  None,
  Assign,
  AssignTemporary,
  Destroy,
  AllocateSource,
  Deallocate,
  MoveAlloc,
  Initialize,
  Push,    ///< of a value onto those of an array constructor
  Inquiry, ///< or a change of descriptors, which no memory hangs on
  Other
};

Request requestOf(StringRef function) {
  if (!function.consume_front("_FortranA"))
    return Request::None;
  return llvm::StringSwitch<Request>(function)
      .Cases({"Assign", "AssignPolymorphic"}, Request::Assign)
      .Case("AssignTemporary", Request::AssignTemporary)
      .Cases({"Destroy", "DestroyWithoutFinalization"}, Request::Destroy)
      .Cases({"AllocatableAllocateSource", "PointerAllocateSource"},
             Request::AllocateSource)
      .Cases({"AllocatableDeallocate", "PointerDeallocate"},
             Request::Deallocate)
      .Case("MoveAlloc", Request::MoveAlloc)
      .Case("Initialize", Request::Initialize)
      .Case("PushArrayConstructorValue", Request::Push)
      .Cases({"AllocatableAllocate", "AllocatableSetBounds",
              "AllocatableApplyMold", "PointerAllocate", "PointerSetBounds",
              "PointerApplyMold", "PointerNullifyDerived"},
             Request::Inquiry)
      .Cases({"PointerIsAssociated", "PointerIsAssociatedWith",
              "PointerAssociate", "PointerAssociateLowerBounds",
              "PointerAssociateRemapping", "PointerAssociateScalar"},
             Request::Inquiry)
      .Cases({"ClassIs", "SameTypeAs", "ExtendsTypeOf", "Size", "SizeDim",
              "LboundDim", "Shape", "Ubound", "Lbound"},
             Request::Inquiry)
      .Cases({"IsContiguous", "IsContiguousUpTo", "CopyAndUpdateDescriptor",
              "CUFSyncGlobalDescriptor", "InitArrayConstructorVector"},
             Request::Inquiry)
      .Default(Request::Other);
}

/// The derived type of what the descriptor \p value, an argument of the library
/// or its address, is of.
fir::RecordType structure(Value value, bool &isPolymorphic) {
  while (auto convert = value.getDefiningOp<fir::ConvertOp>())
    value = convert.getValue();
  auto box = dyn_cast<fir::BaseBoxType>(fir::unwrapRefType(value.getType()));
  isPolymorphic = isa_and_nonnull<fir::ClassType>(box);
  // Of what has no type of its own, nothing is known.
  Type inner = box ? box.unwrapInnerType() : Type();
  return inner ? dyn_cast<fir::RecordType>(fir::unwrapSequenceType(inner))
               : fir::RecordType();
}

class StructureMemory {
public:
  explicit StructureMemory(ModuleOp module)
      : module(module), builder(module, fir::getKindMapping(module)) {}

  bool run() {
    SmallVector<Operation *> operations;
    module.walk([&](Operation *op) {
      auto func = op->getParentOfType<func::FuncOp>();
      if (isa<fir::CallOp, cuf::AllocateOp, cuf::DeallocateOp>(op) && func &&
          runsOnDevice(func))
        operations.push_back(op);
    });
    bool isDone = true;
    for (Operation *op : operations) {
      builder.setInsertionPoint(op);
      // Perhaps only the host calls it; the device link knows.
      isForBoth = procedureAttribute(op->getParentOfType<func::FuncOp>()) ==
                  cuf::ProcAttribute::HostDevice;
      if (auto allocate = dyn_cast<cuf::AllocateOp>(op))
        isDone &= allocateSource(allocate) || isForBoth;
      else if (auto deallocate = dyn_cast<cuf::DeallocateOp>(op))
        isDone &= this->deallocate(deallocate) || isForBoth;
      else
        isDone &= call(cast<fir::CallOp>(op)) || isForBoth;
    }
    return isDone;
  }

private:
  /// Why the library here cannot treat an object of \p type, and what to do;
  /// empty if it can.
  std::string problem(fir::RecordType type, bool isAssigned) {
    llvm::StringSet<> seen;
    return problem(type, seen, /*isWhole=*/true, isAssigned);
  }

  std::string problem(fir::RecordType type, llvm::StringSet<> &seen,
                      bool isWhole, bool isAssigned) {
    if (!seen.insert(type.getName()).second)
      return "";
    auto name = fir::NameUniquer::deconstruct(type.getName()).second.name;
    auto info = module.lookupSymbol<fir::TypeInfoOp>(type.getName());
    if (info && !info.getNoFinal() && hasSpecial(type))
      return "type '" + name +
             "' has a FINAL procedure; use a type without one in device code";
    // An assignment of the whole object would have become a call of it.
    if (isAssigned && !isWhole && hasSpecial(type))
      return "type '" + name +
             "' of a component has an assignment of its own; assign the "
             "components one by one";
    for (auto &[component, componentType] : type.getTypeList()) {
      auto box = dyn_cast<fir::BaseBoxType>(componentType);
      if (box && isa<fir::PointerType>(box.getEleTy()))
        continue;
      if (isa_and_nonnull<fir::ClassType>(box))
        return "component '" + component + "' of type '" + name +
               "' is polymorphic (CLASS); declare it with TYPE";
      Type inner = box ? box.unwrapInnerType() : componentType;
      if (auto nested =
              dyn_cast<fir::RecordType>(fir::unwrapSequenceType(inner)))
        if (std::string why = problem(nested, seen, false, isAssigned);
            !why.empty())
          return why;
    }
    return "";
  }

  /// Whether Flang has a table of the procedures that the library calls by
  /// itself: assignments and final procedures.
  bool hasSpecial(fir::RecordType type) {
    std::string name = descriptorName(type);
    const StringRef mark = fir::kTypeDescriptorSeparator;
    const size_t at = name.find(mark);
    if (at == std::string::npos)
      return false;
    name.replace(at, mark.size(), ".s.");
    return module.lookupSymbol(name) != nullptr;
  }

  bool isRefused(Location loc, StringRef what, fir::RecordType type,
                 bool isPolymorphic, bool isAssigned) {
    std::string why = problem(type, isAssigned);
    if (why.empty() && isPolymorphic)
      why = "the object is polymorphic (CLASS); declare it with TYPE";
    if (why.empty())
      return false;
    refuse(loc, what.str() + " is not possible in device code: " + why);
    return true;
  }

  /// Several variables may be released at the end of one procedure.
  void refuse(Location loc, const std::string &text) {
    if (!isForBoth && refused.insert({loc, builder.getStringAttr(text)}).second)
      emitError(loc) << text;
  }

  Value typeAddress(Location loc, fir::RecordType type) {
    return fir::AddrOfOp::create(
        builder, loc, builder.getRefType(builder.getI8Type()),
        builder.getSymbolRefAttr(descriptorName(type)));
  }

  /// A call of the device library's \p name.
  fir::CallOp create(Location loc, StringRef name, ValueRange arguments,
                     TypeRange results) {
    func::FuncOp function = builder.createFunction(
        loc, name, builder.getFunctionType(TypeRange(arguments), results));
    return fir::CallOp::create(builder, loc, function, arguments);
  }

  bool call(fir::CallOp call) {
    const Request request =
        call.getCallee()
            ? requestOf(call.getCallee()->getRootReference().getValue())
            : Request::None;
    if (request == Request::None || request == Request::Inquiry)
      return true;
    bool isPolymorphic = false;
    fir::RecordType type;
    for (Value operand : call.getOperands()) {
      bool isClass = false;
      if (fir::RecordType found = structure(operand, isClass)) {
        isPolymorphic |= isClass;
        // A parent object is what a part of a child is assigned to.
        type = type ? type : found;
      }
    }
    if (!type)
      return true;
    Location loc = call.getLoc();
    SmallVector<Value> operands(call.getOperands());
    const bool owns = ownsMemory(type);
    switch (request) {
    case Request::Assign:
    case Request::AssignTemporary:
      if (!owns && isPolymorphic)
        return true;
      if (isRefused(loc, "assignment of objects with allocatable components",
                    type, isPolymorphic, true))
        return false;
      operands.insert(operands.begin() + 2, typeAddress(loc, type));
      return replace(call,
                     request == Request::Assign ? "__cufort_assign"
                                                : "__cufort_assign_temporary",
                     operands);
    case Request::AllocateSource:
      if (isRefused(loc, "ALLOCATE with SOURCE= of an object", type,
                    isPolymorphic, true))
        return false;
      operands.insert(operands.begin() + 2, typeAddress(loc, type));
      operands.insert(
          operands.begin() + 3,
          builder.createBool(
              loc, call.getCallee()->getRootReference().getValue().contains(
                       "Pointer")));
      return replace(call, "__cufort_allocate_source", operands);
    case Request::Destroy:
      if (isRefused(loc,
                    "the release of an object, which frees its components,",
                    type, isPolymorphic, false))
        return false;
      operands.push_back(typeAddress(loc, type));
      return replace(call, "__cufort_destroy", operands);
    case Request::Initialize:
      if (!isPolymorphic)
        return true;
      refuse(loc,
             "a polymorphic (CLASS) object cannot get the initial values of "
             "its components in device code: declare the dummy argument with "
             "TYPE, or INTENT(INOUT)");
      return false;
    case Request::Deallocate:
      if (!owns && !isPolymorphic)
        return true;
      if (isRefused(loc, "DEALLOCATE of an object", type, isPolymorphic, false))
        return false;
      operands.insert(operands.begin() + 1, typeAddress(loc, type));
      return replace(call, "__cufort_deallocate", operands);
    case Request::MoveAlloc:
      if (!owns)
        return true;
      if (isRefused(loc, "MOVE_ALLOC of an object", type, isPolymorphic, false))
        return false;
      create(loc, "__cufort_destroy", {operands[0], typeAddress(loc, type)},
             {});
      return true;
    case Request::Push:
      if (!owns)
        return true;
      if (isRefused(loc, "a constructor of an array of objects", type,
                    isPolymorphic, true))
        return false;
      operands.push_back(typeAddress(loc, type));
      return replace(call, "__cufort_push", operands);
    default:
      if (!owns)
        return true;
      refuse(loc, "this operation on objects with allocatable components is "
                  "not possible in device code; write a loop over the "
                  "elements, or treat the components one by one");
      return false;
    }
  }

  bool replace(fir::CallOp call, StringRef name, ArrayRef<Value> operands) {
    auto by = create(call.getLoc(), name, operands, call.getResultTypes());
    call.replaceAllUsesWith(by);
    call.erase();
    return true;
  }

  Value box(Location loc, Value value) {
    Type none = fir::BoxType::get(builder.getNoneType());
    if (!value)
      return fir::AbsentOp::create(builder, loc, none);
    if (isa<fir::BaseBoxType>(fir::unwrapRefType(value.getType())) &&
        fir::isa_ref_type(value.getType()))
      value = fir::LoadOp::create(builder, loc, value);
    return builder.createConvert(loc, none, value);
  }

  /// The operands that end each call: STAT= or not, the message, the place.
  void addEnd(SmallVector<Value> &operands, Location loc, bool hasStat,
              Value message) {
    operands.push_back(builder.createBool(loc, hasStat));
    operands.push_back(box(loc, message));
    operands.push_back(
        builder.createConvert(loc, builder.getRefType(builder.getI8Type()),
                              fir::factory::locationToFilename(builder, loc)));
    operands.push_back(
        fir::factory::locationToLineNo(builder, loc, builder.getI32Type()));
  }

  Value descriptor(Location loc, Value address) {
    return builder.createConvert(
        loc, builder.getRefType(fir::BoxType::get(builder.getNoneType())),
        address);
  }

  bool allocateSource(cuf::AllocateOp op) {
    bool isPolymorphic = false;
    fir::RecordType type = structure(op.getBox(), isPolymorphic);
    if (!op.getSource() || !type)
      return true;
    Location loc = op.getLoc();
    if (isRefused(loc, "ALLOCATE with SOURCE= of an object", type,
                  isPolymorphic, true))
      return false;
    SmallVector<Value> operands{
        descriptor(loc, op.getBox()), box(loc, op.getSource()),
        typeAddress(loc, type), builder.createBool(loc, op.getPointer())};
    addEnd(operands, loc, op.getHasStat(), op.getErrmsg());
    op.replaceAllUsesWith(create(loc, "__cufort_allocate_source", operands,
                                 op->getResultTypes()));
    op.erase();
    return true;
  }

  bool deallocate(cuf::DeallocateOp op) {
    bool isPolymorphic = false;
    fir::RecordType type = structure(op.getBox(), isPolymorphic);
    if (!type || !ownsMemory(type))
      return true;
    Location loc = op.getLoc();
    if (isRefused(loc, "DEALLOCATE of an object", type, isPolymorphic, false))
      return false;
    SmallVector<Value> operands{descriptor(loc, op.getBox()),
                                typeAddress(loc, type)};
    addEnd(operands, loc, op.getHasStat(), op.getErrmsg());
    op.replaceAllUsesWith(
        create(loc, "__cufort_deallocate", operands, op->getResultTypes()));
    op.erase();
    return true;
  }

  ModuleOp module;
  fir::FirOpBuilder builder;
  bool isForBoth = false;
  llvm::DenseSet<std::pair<Location, StringAttr>> refused;
};

} // namespace

bool cufort::lower::callStructureMemory(ModuleOp module) {
  return StructureMemory(module).run();
}

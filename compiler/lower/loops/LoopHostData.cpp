//===- LoopHostData.cpp - kernel loops and records in host memory ---------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Arrays of a kernel loop must be where kernels reach them. Of components in
// host memory that is known here, of records behind dummy arguments and
// pointers when the program runs: the launch asks the runtime for each, which
// copies what the loop only reads.
//
//===----------------------------------------------------------------------===//

#include "compiler/lower/DeviceAttributes.h"
#include "compiler/lower/DeviceData.h"
#include "compiler/lower/loops/LoopComponents.h"
#include "compiler/lower/loops/LoopOutliner.h"
#include "flang/Optimizer/Builder/HLFIRTools.h"

using namespace mlir;
using namespace cufort::lower;

static constexpr char ReachFunction[] = "_FortranACUFLoopReach";
static constexpr char ReleaseFunction[] = "_FortranACUFLoopRelease";

/// The operation that \p op gets its address or descriptor from.
static Value leadingTo(Operation *op) {
  if (isa<hlfir::DesignateOp, hlfir::DeclareOp, fir::LoadOp, fir::BoxAddrOp,
          fir::ConvertOp, fir::ReboxOp, fir::EmboxOp, fir::CoordinateOp,
          hlfir::ParentComponentOp>(op))
    return op->getOperand(0);
  return {};
}

static bool isRecord(Type type) {
  return isa<fir::RecordType>(
      hlfir::getFortranElementType(fir::unwrapRefType(type)));
}

//===----------------------------------------------------------------------===//
// What is known before the program runs
//===----------------------------------------------------------------------===//

namespace {

class HostComponents : public Components {
public:
  explicit HostComponents(cuf::KernelOp loop) : Components(loop) {}

  LogicalResult run() {
    WalkResult result = loop.getRegion().walk([&](Operation *op) {
      if (auto part = dyn_cast<hlfir::DesignateOp>(op))
        return check(part);
      if (auto assign = dyn_cast<hlfir::AssignOp>(op))
        return check(assign);
      return WalkResult::advance();
    });
    return failure(result.wasInterrupted());
  }

private:
  /// An allocatable or pointer component lies where its attribute says.
  WalkResult check(hlfir::DesignateOp part) {
    if (!part.getComponent() || !fir::isBoxAddress(part.getType()) ||
        isRecord(part.getType()) || !usesElements(part))
      return WalkResult::advance();
    auto memory = memoryDescribedBy(part);
    hlfir::DeclareOp object = root(part.getMemref());
    if ((memory && *memory != cuf::DataAttribute::Pinned) || !object ||
        isOnDevice(object))
      return WalkResult::advance();
    emitError(part.getLoc())
        << "'" << userName(part)
        << "' is in host memory and cannot be used in a kernel loop; give the "
           "component '"
        << part.getComponent()->getValue()
        << "' the DEVICE or MANAGED attribute, or assign it to a device array "
           "before the loop";
    return WalkResult::interrupt();
  }

  /// A record of the host goes to the kernel by value.
  WalkResult check(hlfir::AssignOp assign) {
    hlfir::DesignateOp part = component(assign.getLhs());
    if (!part || !part.getComponentShape() || part.getComplexPart())
      return WalkResult::advance();
    hlfir::DeclareOp object = root(part.getMemref());
    if (!object || isInDeviceMemory(object))
      return WalkResult::advance();
    emitError(assign.getLoc())
        << "'" << userName(part)
        << "' is an array in host memory and cannot be assigned in a kernel "
           "loop; give '"
        << variableName(object)
        << "' the MANAGED attribute, or assign a device array";
    return WalkResult::interrupt();
  }

  /// Whether anything but the descriptor is looked at.
  static bool usesElements(hlfir::DesignateOp part) {
    for (Operation *user : part->getUsers()) {
      if (!isa<fir::LoadOp>(user))
        return true;
      if (!llvm::all_of(user->getUsers(), [](Operation *use) {
            return isa<fir::BoxDimsOp, fir::BoxEleSizeOp, fir::BoxRankOp>(use);
          }))
        return true;
    }
    return false;
  }
};

} // namespace

LogicalResult cufort::lower::checkHostComponents(cuf::KernelOp loop) {
  return HostComponents(loop).run();
}

//===----------------------------------------------------------------------===//
// What the launch has to ask
//===----------------------------------------------------------------------===//

/// Whether \p value is part of what has been declared as device data.
static bool isPartOfDeviceData(Value value) {
  while (Operation *op = value ? value.getDefiningOp() : nullptr) {
    if (auto declare = dyn_cast<hlfir::DeclareOp>(op);
        declare && Components::isOnDevice(declare))
      return true;
    value = leadingTo(op);
  }
  return false;
}

bool cufort::lower::mayBeOnHost(Value value) {
  if (isPartOfDeviceData(value))
    return false;
  Operation *op = value.getDefiningOp();
  if (!op)
    return isRecord(value.getType());
  if (auto part = dyn_cast<hlfir::DesignateOp>(op))
    return part.getComponent() ? !fir::isBoxAddress(part.getType())
                               : mayBeOnHost(part.getMemref());
  if (auto load = dyn_cast<fir::LoadOp>(op)) {
    if (!fir::isBoxAddress(load.getMemref().getType()))
      return false;
    auto part = load.getMemref().getDefiningOp<hlfir::DesignateOp>();
    return part && part.getComponent() ? !memoryDescribedBy(part)
                                       : isRecord(load.getType());
  }
  if (isa<fir::AllocaOp, cuf::AllocOp, fir::AddrOfOp>(op)) {
    auto box = dyn_cast<fir::BaseBoxType>(fir::unwrapRefType(value.getType()));
    return box && isa<fir::PointerType>(box.getEleTy()) && isRecord(box);
  }
  Value before = leadingTo(op);
  return before && mayBeOnHost(before);
}

bool cufort::lower::assigns(cuf::KernelOp loop, Value value) {
  auto declare = value.getDefiningOp<hlfir::DeclareOp>();
  auto leadsHere = [&](Value address) {
    while (true) {
      Operation *op = address.getDefiningOp();
      if (address == value || (declare && op == declare))
        return true;
      Value before = op ? leadingTo(op) : Value();
      // What the descriptor in a component leads to is no part of the record.
      auto part = before ? before.getDefiningOp<hlfir::DesignateOp>()
                         : hlfir::DesignateOp();
      if (!before || (isa<fir::LoadOp>(op) && before != value && part &&
                      part.getComponent()))
        return false;
      address = before;
    }
  };
  return loop.getRegion()
      .walk([&](Operation *op) {
        bool found = false;
        if (auto assign = dyn_cast<hlfir::AssignOp>(op))
          found = leadsHere(assign.getLhs());
        else if (auto store = dyn_cast<fir::StoreOp>(op))
          found = leadsHere(store.getMemref());
        else if (auto call = dyn_cast<fir::CallOp>(op))
          found = llvm::any_of(call.getArgs(), [&](Value argument) {
            return !fir::isa_trivial(argument.getType()) && leadsHere(argument);
          });
        return found ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

void LoopOutliner::noteHostArgument(Value value, StringRef name) {
  // The parameter that has just been added.
  hostArguments.push_back({static_cast<unsigned>(kernel.arguments.size() - 1),
                           assigns(loop, value), name.str()});
}

SmallVector<Value> LoopOutliner::reachHostArguments() {
  SmallVector<Value> copies;
  for (const HostArgument &host : hostArguments)
    copies.push_back(reach(host));
  return copies;
}

Value LoopOutliner::reach(const HostArgument &asked) {
  Value &argument = kernel.arguments[asked.argument];
  Type type = argument.getType();
  Value box = argument;
  if (fir::isBoxAddress(type)) {
    box = fir::LoadOp::create(host, location, argument);
  } else if (!isa<fir::BaseBoxType>(type)) {
    Type element = fir::unwrapRefType(type);
    Value shape;
    if (auto array = dyn_cast<fir::SequenceType>(element)) {
      SmallVector<Value> extents;
      for (int64_t extent : array.getShape())
        extents.push_back(
            host.createIntegerConstant(location, host.getIndexType(), extent));
      shape = host.genShape(location, extents);
    }
    box = fir::EmboxOp::create(host, location, fir::BoxType::get(element),
                               argument, shape);
  }
  Value descriptor = host.createTemporary(location, box.getType());
  fir::StoreOp::create(host, location, box, descriptor);
  Value name = fir::getBase(
      fir::factory::createStringLiteral(host, location, asked.name + '\0'));
  Value copy = call(
      ReachFunction,
      {pointer(descriptor),
       host.createIntegerConstant(location, host.getI32Type(), asked.assigned),
       streamPointer(), pointer(name), filePointer(), lineNumber()},
      {LLVM::LLVMPointerType::get(host.getContext())});
  Value reached = fir::LoadOp::create(host, location, descriptor);
  if (fir::isBoxAddress(type))
    argument = host.createConvert(location, type, descriptor);
  else if (isa<fir::BaseBoxType>(type))
    argument = reached;
  else
    argument = host.createConvert(
        location, type,
        fir::BoxAddrOp::create(
            host, location,
            fir::boxMemRefType(cast<fir::BaseBoxType>(reached.getType())),
            reached));
  return copy;
}

void LoopOutliner::releaseHostArguments(ArrayRef<Value> copies) {
  for (Value copy : copies)
    call(ReleaseFunction, {copy, streamPointer(), filePointer(), lineNumber()},
         {});
}

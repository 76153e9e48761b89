//===- LoopComponents.cpp - components of records in kernel loops ---------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A record that a pointer or a dummy argument leads to may lie anywhere, also
// where its type says managed: the front end gives that attribute to every
// object with device components, but elements of other objects, results of
// functions and the like are ordinary memory. What a loop reads of such records
// and does not change is therefore read before it.
//
//===----------------------------------------------------------------------===//

#include "compiler/lower/DeviceAttributes.h"
#include "compiler/lower/KernelLoops.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace cufort::lower {

namespace {

/// What both transformations ask of the body of a loop.
class Components {
public:
  explicit Components(cuf::KernelOp loop) : loop(loop) {}

  bool isInside(Operation *op) {
    return loop.getRegion().isAncestor(op->getParentRegion());
  }

  /// The variable outside the loop that \p address is part of.
  hlfir::DeclareOp root(Value address) {
    while (Operation *op = address.getDefiningOp()) {
      if (auto declare = dyn_cast<hlfir::DeclareOp>(op)) {
        Operation *place = declare.getMemref().getDefiningOp();
        // A name of ASSOCIATE, or a variable of the procedure around this one,
        // which nothing leads to here.
        if (!isInside(declare) && !declare.getDataAttr() &&
            isa_and_nonnull<hlfir::DeclareOp, hlfir::DesignateOp, fir::LoadOp,
                            fir::BoxAddrOp>(place))
          if (hlfir::DeclareOp selector = root(declare.getMemref()))
            return selector;
        return isInside(declare) ? hlfir::DeclareOp() : declare;
      }
      if (!isa<hlfir::DesignateOp, fir::LoadOp, fir::BoxAddrOp, fir::ConvertOp>(
              op))
        return {};
      address = op->getOperand(0);
    }
    return {};
  }

  /// The component that \p address is, or is an element of.
  static hlfir::DesignateOp component(Value address) {
    while (auto part = address.getDefiningOp<hlfir::DesignateOp>()) {
      if (part.getComponent())
        return part;
      address = part.getMemref();
    }
    return {};
  }

  /// "type.component"
  static std::string key(hlfir::DesignateOp part) {
    auto record = dyn_cast<fir::RecordType>(hlfir::getFortranElementType(
        fir::unwrapRefType(part.getMemref().getType())));
    return ((record ? record.getName() : StringRef()) + "." +
            part.getComponent()->getValue())
        .str();
  }

  static std::string recordName(Type type) {
    auto record = dyn_cast<fir::RecordType>(
        hlfir::getFortranElementType(fir::unwrapRefType(type)));
    return record ? record.getName().str() : std::string();
  }

  /// Memory that is on the device for certain, where nothing can be read
  /// before the loop.
  static bool isOnDevice(hlfir::DeclareOp object) {
    auto memory = object.getDataAttr();
    return memory && *memory != cuf::DataAttribute::Pinned &&
           *memory != cuf::DataAttribute::Managed &&
           *memory != cuf::DataAttribute::Unified;
  }

  static bool isManaged(hlfir::DeclareOp object) {
    auto memory = object.getDataAttr();
    return memory && (*memory == cuf::DataAttribute::Managed ||
                      *memory == cuf::DataAttribute::Unified);
  }

  cuf::KernelOp loop;
};

//===----------------------------------------------------------------------===//
// What the loop assigns
//===----------------------------------------------------------------------===//

/// Components and records that the body assigns or hands to procedures.
class Assigned : public Components {
public:
  explicit Assigned(cuf::KernelOp loop) : Components(loop) {
    loop.getRegion().walk([&](Operation *op) {
      if (auto assign = dyn_cast<hlfir::AssignOp>(op))
        note(assign.getLhs());
      else if (auto store = dyn_cast<fir::StoreOp>(op))
        note(store.getMemref());
      else if (auto call = dyn_cast<fir::CallOp>(op))
        for (Value argument : call.getArgs())
          note(argument);
    });
  }

  bool contains(hlfir::DesignateOp part) const {
    return components.contains(key(part)) ||
           records.contains(recordName(part.getMemref().getType()));
  }

private:
  void note(Value address) {
    if (hlfir::DesignateOp part = component(address))
      components.insert(key(part));
    if (std::string record = recordName(address.getType()); !record.empty())
      records.insert(record);
  }

  llvm::StringSet<> components, records;
};

//===----------------------------------------------------------------------===//
// Scalars that are read and assigned
//===----------------------------------------------------------------------===//

class Separate : public Components {
public:
  explicit Separate(cuf::KernelOp loop)
      : Components(loop),
        host(loop, fir::getKindMapping(loop->getParentOfType<ModuleOp>())) {}

  void run() {
    SmallVector<hlfir::DesignateOp> parts;
    loop.getRegion().walk([&](hlfir::DesignateOp part) {
      if (part.getComponent() && isScalar(part))
        parts.push_back(part);
    });
    SmallVector<bool> done(parts.size());
    for (unsigned first = 0; first < parts.size(); ++first) {
      if (done[first])
        continue;
      SmallVector<hlfir::DesignateOp> same;
      bool others = false;
      for (unsigned i = first; i < parts.size(); ++i)
        if (sameValue(parts[i], parts[first])) {
          same.push_back(parts[i]);
          done[i] = true;
        } else {
          others |= key(parts[i]) == key(parts[first]);
        }
      if (!others && isReadAndAssigned(same) && isInvariant(parts[first], 0))
        separate(same);
    }
  }

private:
  static bool isScalar(hlfir::DesignateOp part) {
    return part.getIndices().empty() && !part.getComplexPart() &&
           fir::isa_trivial(fir::unwrapRefType(part.getType()));
  }

  static bool sameValue(Value a, Value b) {
    if (a == b)
      return true;
    Operation *first = a.getDefiningOp(), *second = b.getDefiningOp();
    if (!first || !second || first->getName() != second->getName() ||
        first->getNumOperands() != second->getNumOperands() ||
        first->getNumRegions() || first->getAttrs() != second->getAttrs() ||
        cast<OpResult>(a).getResultNumber() !=
            cast<OpResult>(b).getResultNumber() ||
        !isa<hlfir::DesignateOp, fir::LoadOp, fir::BoxAddrOp, fir::ConvertOp,
             arith::ConstantOp>(first))
      return false;
    for (auto [x, y] : llvm::zip(first->getOperands(), second->getOperands()))
      if (!sameValue(x, y))
        return false;
    return true;
  }

  static bool isReadAndAssigned(ArrayRef<hlfir::DesignateOp> parts) {
    bool read = false, assigned = false;
    for (hlfir::DesignateOp part : parts)
      for (OpOperand &use : part->getUses()) {
        auto assign = dyn_cast<hlfir::AssignOp>(use.getOwner());
        if (assign && use.getOperandNumber() == 1)
          assigned = true;
        else if (assign || isa<fir::LoadOp>(use.getOwner()))
          read = true;
        else
          return false;
      }
    return read && assigned;
  }

  /// Whether the loop does not change what leads to the component.
  bool isInvariant(Operation *op, unsigned depth) {
    if (!isInside(op))
      return true;
    if (depth > 50 || !isa<hlfir::DesignateOp, fir::LoadOp, fir::BoxAddrOp,
                           fir::ConvertOp, arith::ConstantOp>(op))
      return false;
    if (auto load = dyn_cast<fir::LoadOp>(op)) {
      hlfir::DeclareOp object = root(load.getMemref());
      if (!object || isOnDevice(object) ||
          !isa<fir::BaseBoxType>(load.getType()))
        return false;
    }
    if (depth == 0) {
      hlfir::DeclareOp object = root(cast<hlfir::DesignateOp>(op).getMemref());
      if (!object || isOnDevice(object))
        return false;
    }
    return llvm::all_of(op->getOperands(), [&](Value operand) {
      Operation *before = operand.getDefiningOp();
      return before ? isInvariant(before, depth + 1)
                    : !loop.getRegion().isAncestor(operand.getParentRegion());
    });
  }

  Value cloneBefore(Value value, IRMapping &map) {
    Operation *op = value.getDefiningOp();
    if (!op || !isInside(op))
      return value;
    if (!map.contains(value)) {
      for (Value operand : op->getOperands())
        map.map(operand, cloneBefore(operand, map));
      host.clone(*op, map);
    }
    return map.lookup(value);
  }

  static std::string userName(hlfir::DesignateOp part) {
    std::string name = part.getComponent()->getValue().str();
    Value address = part.getMemref();
    while (Operation *op = address.getDefiningOp()) {
      if (auto declare = dyn_cast<hlfir::DeclareOp>(op))
        return (variableName(declare) + "%" + name).str();
      if (auto outer = dyn_cast<hlfir::DesignateOp>(op);
          outer && outer.getComponent())
        name = (outer.getComponent()->getValue() + "%" + name).str();
      address = op->getOperand(0);
    }
    return name;
  }

  void separate(ArrayRef<hlfir::DesignateOp> parts) {
    hlfir::DesignateOp first = parts.front();
    Location location = loop.getLoc();
    Type type = fir::unwrapRefType(first.getType());
    auto func = loop->getParentOfType<func::FuncOp>();
    host.setInsertionPointToStart(&func.getBody().front());
    std::string name = userName(first);
    Value memory = fir::AllocaOp::create(host, location, type, name);
    host.setInsertionPoint(loop);
    IRMapping map;
    Value component = cloneBefore(first.getResult(), map);
    auto local = hlfir::DeclareOp::create(host, location, memory, name);
    fir::StoreOp::create(host, location,
                         fir::LoadOp::create(host, location, component),
                         local.getBase());
    for (hlfir::DesignateOp part : parts) {
      part.replaceAllUsesWith(local.getBase());
      part.erase();
    }
    host.setInsertionPointAfter(loop);
    hlfir::AssignOp::create(
        host, location, fir::LoadOp::create(host, location, local.getBase()),
        component);
  }

  fir::FirOpBuilder host;
};

//===----------------------------------------------------------------------===//
// What is read only
//===----------------------------------------------------------------------===//

class Hoist : public Components {
public:
  Hoist(cuf::KernelOp loop, OpBuilder &host,
        function_ref<bool(hlfir::DeclareOp)> changes)
      : Components(loop), host(host), changes(changes), assigned(loop) {}

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
  bool isComponent(fir::LoadOp load) {
    Type type = load.getType();
    if (!fir::isa_trivial(type) && !isa<fir::BaseBoxType>(type))
      return false;
    auto part = load.getMemref().getDefiningOp<hlfir::DesignateOp>();
    if (!part || !part.getComponent())
      return false;
    hlfir::DeclareOp object = root(part.getMemref());
    if (!object)
      return false;
    if (isManaged(object))
      return !assigned.contains(part) && leadsElsewhere(part.getMemref());
    // An object that is no element and no target goes by value as a whole.
    return !isInDeviceMemory(object) &&
           !isa<fir::RecordType>(
               fir::unwrapRefType(object.getMemref().getType()));
  }

  /// Whether \p address is reached by a descriptor or is a dummy argument's;
  /// what is not lies in managed memory indeed, where earlier kernels may have
  /// changed it.
  static bool leadsElsewhere(Value address) {
    while (Operation *op = address.getDefiningOp()) {
      if (isa<fir::LoadOp>(op))
        return true;
      if (op->getNumOperands() == 0 || isa<cuf::AllocOp>(op))
        return false;
      address = op->getOperand(0);
    }
    return true;
  }

  bool isInvariant(Operation *op, unsigned depth) {
    if (!isInside(op))
      return true;
    if (depth > 50 || op->getNumRegions() != 0 ||
        !(isMemoryEffectFree(op) || isa<fir::LoadOp>(op)))
      return false;
    if (auto load = dyn_cast<fir::LoadOp>(op)) {
      hlfir::DeclareOp variable = root(load.getMemref());
      if (!variable || changes(variable))
        return false;
      if (isManaged(variable)) {
        hlfir::DesignateOp part = component(load.getMemref());
        // A pointer or an allocatable of its own, or what nobody assigns.
        if (part ? assigned.contains(part)
                 : !fir::isBoxAddress(load.getMemref().getType()))
          return false;
      } else if (isInDeviceMemory(variable)) {
        return false;
      }
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

  OpBuilder &host;
  function_ref<bool(hlfir::DeclareOp)> changes;
  Assigned assigned;
};

} // namespace

void separateComponents(cuf::KernelOp loop) { Separate(loop).run(); }

void hoistComponents(cuf::KernelOp loop, OpBuilder &host,
                     function_ref<bool(hlfir::DeclareOp)> changes) {
  Hoist(loop, host, changes).run();
}

} // namespace cufort::lower

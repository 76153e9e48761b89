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

#include "compiler/lower/loops/LoopComponents.h"
#include "compiler/lower/DeviceAttributes.h"
#include "compiler/lower/DeviceData.h"
#include "flang/Optimizer/Builder/HLFIRTools.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace cufort::lower {

namespace {

/// Operations one after the other that lead to a component: each component of a
/// component adds three or four.
constexpr unsigned MostDepth = 50;

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
        host(loop, fir::getKindMapping(loop->getParentOfType<ModuleOp>())),
        named(
            loop->getAttrOfType<DictionaryAttr>(ComponentReductionsAttribute)) {
  }

  LogicalResult run() {
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
          others |= mayBeSame(parts[i], parts[first]);
        }
      Attribute clause =
          named ? named.get(userName(parts[first])) : Attribute();
      if ((!others || clause) && isAssigned(same) &&
          !isUsedWhole(parts[first]) && isInvariant(parts[first], 0))
        separate(same, cast_if_present<fir::ReduceAttr>(clause));
      else if (clause)
        return emitError(parts[first].getLoc())
               << "'" << userName(parts[first])
               << "' of the REDUCE clause is no scalar of the host that the "
                  "whole loop shares: reduce into a scalar variable, and "
                  "assign that to the component after the loop";
    }
    loop->removeAttr(ComponentReductionsAttribute);
    return success();
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

  /// Whether two places that are not the same for certain may yet be: those of
  /// two variables are not, unless pointers or descriptors lead to them.
  bool mayBeSame(hlfir::DesignateOp a, hlfir::DesignateOp b) {
    if (key(a) != key(b))
      return false;
    hlfir::DeclareOp first = root(a), second = root(b);
    return !first || !second || first == second || leadsElsewhere(a) ||
           leadsElsewhere(b);
  }

  /// Whether the loop uses the record of \p part otherwise than by components:
  /// then it is one variable, private or not.
  bool isUsedWhole(hlfir::DesignateOp part) {
    const std::string type = recordName(part.getMemref().getType());
    hlfir::DeclareOp object = root(part);
    return loop.getRegion()
        .walk([&](Operation *op) {
          // These only lead somewhere.
          if (isa<hlfir::DesignateOp, hlfir::DeclareOp, fir::BoxAddrOp,
                  fir::ConvertOp, fir::ReboxOp>(op))
            return WalkResult::advance();
          for (Value operand : op->getOperands())
            if (recordName(operand.getType()) == type &&
                root(operand) == object &&
                !fir::isBoxAddress(operand.getType()))
              return WalkResult::interrupt();
          return WalkResult::advance();
        })
        .wasInterrupted();
  }

  /// Whether the loop assigns the component and does nothing else with it than
  /// reading it.
  static bool isAssigned(ArrayRef<hlfir::DesignateOp> parts) {
    bool assigned = false;
    for (hlfir::DesignateOp part : parts)
      for (OpOperand &use : part->getUses()) {
        auto assign = dyn_cast<hlfir::AssignOp>(use.getOwner());
        if (assign && use.getOperandNumber() == 1)
          assigned = true;
        else if (!assign && !isa<fir::LoadOp>(use.getOwner()))
          return false;
      }
    return assigned;
  }

  /// Whether the loop does not change what leads to the component.
  bool isInvariant(Operation *op, unsigned depth) {
    if (!isInside(op))
      return true;
    if (depth > MostDepth ||
        !isa<hlfir::DesignateOp, fir::LoadOp, fir::BoxAddrOp, fir::ConvertOp,
             arith::ConstantOp>(op))
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

  /// \p clause: the operation that a REDUCE clause names, if any.
  void separate(ArrayRef<hlfir::DesignateOp> parts, fir::ReduceAttr clause) {
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
    if (clause) {
      SmallVector<Attribute> clauses;
      if (auto before = loop.getReduceAttrs())
        clauses.append(before->begin(), before->end());
      clauses.push_back(clause);
      loop.getReduceOperandsMutable().append(local.getBase());
      loop.setReduceAttrsAttr(ArrayAttr::get(loop.getContext(), clauses));
    }
    host.setInsertionPointAfter(loop);
    hlfir::AssignOp::create(
        host, location, fir::LoadOp::create(host, location, local.getBase()),
        component);
  }

  fir::FirOpBuilder host;
  DictionaryAttr named;
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
    IRMapping hoisted;
    SmallVector<hlfir::DesignateOp> arrays;
    loop.getRegion().walk([&](hlfir::DesignateOp part) {
      if (isArrayElsewhere(part))
        arrays.push_back(part);
    });
    for (hlfir::DesignateOp part : arrays)
      hoistArray(part, hoisted);
    SmallVector<fir::LoadOp> loads;
    loop.getRegion().walk([&](fir::LoadOp load) {
      if (isComponent(load) && isInvariant(load, 0))
        loads.push_back(load);
    });
    for (fir::LoadOp load : loads) {
      load.replaceAllUsesWith(hoist(load.getResult(), hoisted));
      removeUnused(load);
    }
  }

private:
  /// Whether \p part is, or is an element of, a component that is an array of
  /// constant shape in a record that may lie anywhere, always the same.
  bool isArrayElsewhere(hlfir::DesignateOp part) {
    if (!part.getComponent() || !part.getComponentShape() ||
        hlfir::Entity{part.getMemref()}.isArray())
      return false;
    auto type = dyn_cast<fir::SequenceType>(componentType(part));
    hlfir::DeclareOp object = root(part.getMemref());
    if (!type || type.hasDynamicExtents() || !object ||
        !fir::isa_trivial(type.getEleTy()) || isOnDevice(object))
      return false;
    const bool elsewhere = isManaged(object)
                               ? leadsElsewhere(part.getMemref())
                               : !isInDeviceMemory(object) &&
                                     !isa<fir::RecordType>(fir::unwrapRefType(
                                         object.getMemref().getType()));
    return elsewhere && isInvariantOperand(part.getMemref()) &&
           isInvariantOperand(part.getComponentShape());
  }

  bool isInvariantOperand(Value operand) {
    Operation *before = operand.getDefiningOp();
    return before ? isInvariant(before, 1)
                  : !loop.getRegion().isAncestor(operand.getParentRegion());
  }

  /// The array's address is computed before the loop; only that goes to the
  /// kernel, and not the record.
  void hoistArray(hlfir::DesignateOp part, IRMapping &hoisted) {
    Value record = hoist(part.getMemref(), hoisted);
    Value shape = hoist(part.getComponentShape(), hoisted);
    Value array = hlfir::DesignateOp::create(
        host, part.getLoc(), fir::ReferenceType::get(componentType(part)),
        record, part.getComponentAttr(), shape, ValueRange{}, ArrayRef<bool>{},
        ValueRange{}, BoolAttr(), shape, ValueRange{},
        fir::FortranVariableFlagsAttr());
    if (!part.getIndices().empty()) {
      OpBuilder inside(part);
      array = hlfir::DesignateOp::create(
          inside, part.getLoc(), part.getType(), array, StringAttr(), Value(),
          part.getIndices(), part.getIsTripletAttr(), part.getSubstring(),
          part.getComplexPartAttr(), part.getShape(), part.getTypeparams(),
          part.getFortranAttrsAttr());
    }
    part.replaceAllUsesWith(array);
    SmallVector<Value> operands{part.getMemref(), part.getComponentShape()};
    part.erase();
    for (Value operand : operands)
      if (Operation *before = operand.getDefiningOp())
        removeUnused(before);
  }

  static Type componentType(hlfir::DesignateOp part) {
    auto record = dyn_cast<fir::RecordType>(hlfir::getFortranElementType(
        fir::unwrapRefType(part.getMemref().getType())));
    return record ? record.getType(part.getComponent()->getValue()) : Type();
  }

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

  bool isInvariant(Operation *op, unsigned depth) {
    if (!isInside(op))
      return true;
    if (depth > MostDepth || op->getNumRegions() != 0 ||
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

LogicalResult separateComponents(cuf::KernelOp loop) {
  return Separate(loop).run();
}

void hoistComponents(cuf::KernelOp loop, OpBuilder &host,
                     function_ref<bool(hlfir::DeclareOp)> changes) {
  Hoist(loop, host, changes).run();
}

} // namespace cufort::lower

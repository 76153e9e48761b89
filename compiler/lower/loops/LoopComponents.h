//===- LoopComponents.h - components of records in kernel loops -*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_LOWER_LOOPS_LOOPCOMPONENTS_H
#define CUFORT_COMPILER_LOWER_LOOPS_LOOPCOMPONENTS_H

#include "compiler/lower/loops/KernelLoops.h"

namespace cufort::lower {

/// What is asked of the body of a kernel loop about components of records.
class Components {
public:
  explicit Components(cuf::KernelOp loop) : loop(loop) {}

  bool isInside(mlir::Operation *op) {
    return loop.getRegion().isAncestor(op->getParentRegion());
  }

  /// The variable outside the loop that \p address is part of.
  hlfir::DeclareOp root(mlir::Value address) {
    while (mlir::Operation *op = address.getDefiningOp()) {
      if (auto declare = mlir::dyn_cast<hlfir::DeclareOp>(op)) {
        mlir::Operation *place = declare.getMemref().getDefiningOp();
        // A name of ASSOCIATE, or a variable of the procedure around this one,
        // which nothing leads to here.
        if (!isInside(declare) && !declare.getDataAttr() &&
            mlir::isa_and_nonnull<hlfir::DeclareOp, hlfir::DesignateOp,
                                  fir::LoadOp, fir::BoxAddrOp>(place))
          if (hlfir::DeclareOp selector = root(declare.getMemref()))
            return selector;
        return isInside(declare) ? hlfir::DeclareOp() : declare;
      }
      if (!mlir::isa<hlfir::DesignateOp, fir::LoadOp, fir::BoxAddrOp,
                     fir::ConvertOp>(op))
        return {};
      address = op->getOperand(0);
    }
    return {};
  }

  /// The component that \p address is, or is an element of.
  static hlfir::DesignateOp component(mlir::Value address) {
    while (auto part = address.getDefiningOp<hlfir::DesignateOp>()) {
      if (part.getComponent())
        return part;
      address = part.getMemref();
    }
    return {};
  }

  /// "type.component"
  static std::string key(hlfir::DesignateOp part) {
    auto record = mlir::dyn_cast<fir::RecordType>(hlfir::getFortranElementType(
        fir::unwrapRefType(part.getMemref().getType())));
    return ((record ? record.getName() : llvm::StringRef()) + "." +
            part.getComponent()->getValue())
        .str();
  }

  static std::string recordName(mlir::Type type) {
    auto record = mlir::dyn_cast<fir::RecordType>(
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

  /// The variable or component that \p address leads to as the user wrote it,
  /// without subscripts.
  static std::string userName(mlir::Value address) {
    std::string name;
    while (mlir::Operation *op = address.getDefiningOp()) {
      if (auto declare = mlir::dyn_cast<hlfir::DeclareOp>(op))
        return (variableName(declare) + name).str();
      if (auto part = mlir::dyn_cast<hlfir::DesignateOp>(op);
          part && part.getComponent())
        name = ("%" + part.getComponent()->getValue() + name).str();
      if (op->getNumOperands() == 0)
        break;
      address = op->getOperand(0);
    }
    return llvm::StringRef(name)
        .drop_while([](char c) { return c == '%'; })
        .str();
  }

  /// Whether \p address is reached by a descriptor or is a dummy argument's;
  /// what is not lies in managed memory indeed, where earlier kernels may have
  /// changed it.
  static bool leadsElsewhere(mlir::Value address) {
    while (mlir::Operation *op = address.getDefiningOp()) {
      if (mlir::isa<fir::LoadOp>(op))
        return true;
      if (op->getNumOperands() == 0 || mlir::isa<cuf::AllocOp>(op))
        return false;
      address = op->getOperand(0);
    }
    return true;
  }

  cuf::KernelOp loop;
};

} // namespace cufort::lower

#endif // CUFORT_COMPILER_LOWER_LOOPS_LOOPCOMPONENTS_H

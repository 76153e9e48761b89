//===- LoopMemory.cpp - where variables of kernel loops lie ---------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/lower/DeviceAttributes.h"
#include "compiler/lower/loops/KernelLoops.h"

using namespace mlir;

namespace cufort::lower {

/// The declaration of the variable that \p address is a part of, or null.
static hlfir::DeclareOp rootDeclaration(Value address) {
  for (Operation *op = address.getDefiningOp(); op;
       op = address.getDefiningOp()) {
    if (auto declare = dyn_cast<hlfir::DeclareOp>(op)) {
      Operation *source = declare.getMemref().getDefiningOp();
      bool isAssociation =
          !declare.getDataAttr() &&
          isa_and_nonnull<hlfir::DeclareOp, hlfir::DesignateOp, fir::ReboxOp,
                          fir::EmboxOp, fir::BoxAddrOp, fir::LoadOp>(source);
      if (!isAssociation)
        return declare;
      address = declare.getMemref();
    } else if (auto designate = dyn_cast<hlfir::DesignateOp>(op)) {
      address = designate.getMemref();
    } else if (isa<fir::ReboxOp, fir::EmboxOp, fir::BoxAddrOp, fir::LoadOp,
                   fir::ConvertOp, fir::CoordinateOp>(op)) {
      address = op->getOperand(0);
    } else {
      return {};
    }
  }
  return {};
}

/// Whether \p declare is a name of ASSOCIATE for a scalar component of what a
/// descriptor leads to: ordinary memory, whatever the record's attribute says.
static bool isScalarElsewhere(hlfir::DeclareOp declare) {
  bool isComponent = false;
  Operation *op = declare.getMemref().getDefiningOp();
  while (
      isa_and_nonnull<hlfir::DesignateOp, fir::BoxAddrOp, fir::ConvertOp>(op) &&
      !declare.getDataAttr()) {
    auto part = dyn_cast<hlfir::DesignateOp>(op);
    isComponent |= part && part.getComponent();
    op = op->getOperand(0).getDefiningOp();
  }
  auto load = dyn_cast_or_null<fir::LoadOp>(op);
  hlfir::DeclareOp record =
      load && isComponent ? rootDeclaration(load.getMemref()) : nullptr;
  return record && record.getDataAttr() == cuf::DataAttribute::Managed &&
         fir::isa_trivial(fir::unwrapRefType(declare.getMemref().getType()));
}

bool isInDeviceMemory(hlfir::DeclareOp declare) {
  if (isScalarElsewhere(declare))
    return false;
  hlfir::DeclareOp root = rootDeclaration(declare.getResult(0));
  std::optional<cuf::DataAttribute> attribute =
      (root ? root : declare).getDataAttr();
  return attribute && *attribute != cuf::DataAttribute::Pinned;
}

} // namespace cufort::lower

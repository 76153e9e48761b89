//===- DeviceData.h - where the data of an HLFIR value lies ------*- C++
//-*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_LOWER_DEVICEDATA_H
#define CUFORT_COMPILER_LOWER_DEVICEDATA_H

#include "compiler/lower/DeviceAttributes.h"
#include "flang/Optimizer/Dialect/CUF/CUFOps.h"
#include "flang/Optimizer/HLFIR/HLFIROps.h"

namespace cufort::lower {

/// Whether \p value is memory that the host cannot reach: a device or constant
/// variable, a part of one, or what an allocatable or pointer of the device
/// describes.
inline bool isDeviceData(mlir::Value value) {
  auto isDevice = [](std::optional<cuf::DataAttribute> attribute) {
    return attribute && (*attribute == cuf::DataAttribute::Device ||
                         *attribute == cuf::DataAttribute::Constant);
  };
  bool isReached = false;
  while (mlir::Operation *op = value.getDefiningOp()) {
    if (auto declare = mlir::dyn_cast<hlfir::DeclareOp>(op)) {
      // A descriptor itself is the host's, and so are the front end's own
      // copies, which it declares with the attributes of their originals.
      mlir::Operation *place = declare.getMemref().getDefiningOp();
      if (mlir::isa_and_nonnull<hlfir::DeclareOp>(place)) {
        value = declare.getMemref();
        continue;
      }
      return isDevice(declare.getDataAttr()) &&
             (isReached || !fir::isBoxAddress(value.getType())) &&
             !mlir::isa_and_nonnull<fir::AllocaOp, fir::AllocMemOp>(place);
    }
    if (!mlir::isa<hlfir::DesignateOp, fir::LoadOp, fir::ConvertOp,
                   fir::BoxAddrOp, fir::ReboxOp, fir::EmboxOp>(op))
      return false;
    isReached |= mlir::isa<fir::LoadOp>(op);
    value = op->getOperand(0);
  }
  return false;
}

/// Whether \p op belongs to code that runs on the host only.
inline bool isHostCode(mlir::Operation *op) {
  auto func = op->getParentOfType<mlir::func::FuncOp>();
  return func && procedureAttribute(func) == cuf::ProcAttribute::Host &&
         !op->getParentOfType<cuf::KernelOp>();
}

} // namespace cufort::lower

#endif // CUFORT_COMPILER_LOWER_DEVICEDATA_H

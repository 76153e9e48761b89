//===- DeviceAttributes.h - what runs and lives where -----------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The questions that all passes ask of CUDA Fortran's attributes, in one place.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_LOWER_DEVICEATTRIBUTES_H
#define CUFORT_COMPILER_LOWER_DEVICEATTRIBUTES_H

#include "flang/Optimizer/Dialect/CUF/Attributes/CUFAttr.h"
#include "flang/Optimizer/Dialect/FIROps.h"
#include "flang/Optimizer/Dialect/FIRType.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace cufort::lower {

/// The attributes(...) of a procedure; host if it has none.
inline cuf::ProcAttribute procedureAttribute(mlir::Operation *func) {
  if (auto attr =
          func->getAttrOfType<cuf::ProcAttributeAttr>(cuf::getProcAttrName()))
    return attr.getValue();
  return cuf::ProcAttribute::Host;
}

inline bool isKernel(mlir::Operation *func) {
  cuf::ProcAttribute attr = procedureAttribute(func);
  return attr == cuf::ProcAttribute::Global ||
         attr == cuf::ProcAttribute::GridGlobal;
}

/// Kernels, device procedures, and procedures that are both host and device.
inline bool runsOnDevice(mlir::Operation *func) {
  return procedureAttribute(func) != cuf::ProcAttribute::Host;
}

inline bool runsOnHost(mlir::Operation *func) {
  cuf::ProcAttribute attr = procedureAttribute(func);
  return attr == cuf::ProcAttribute::Host ||
         attr == cuf::ProcAttribute::HostDevice;
}

/// Module and saved variables that live in device memory.
inline bool isDeviceVariable(fir::GlobalOp global) {
  std::optional<cuf::DataAttribute> attr = global.getDataAttr();
  return attr && *attr != cuf::DataAttribute::Pinned;
}

/// A variable of another file: no initial value here.
inline bool isDeclaration(fir::GlobalOp global) {
  return global.getRegion().empty() && !global.getInitVal();
}

/// Removes the data attributes of \p func's dummy arguments. Flang's code
/// generation takes them as the wish to have descriptors in managed memory.
inline void dropDataAttributes(mlir::func::FuncOp func) {
  for (unsigned index = 0; index < func.getNumArguments(); ++index)
    func.removeArgAttr(index, cuf::getDataAttrName());
}

/// How a parameter of a kernel travels.
enum class ParameterPassing {
  Value,      ///< a scalar, or the address of device data
  Descriptor, ///< the bytes of a descriptor, by value
  Record      ///< the bytes of a value of derived type, of characters, or of
              ///< an array of constant extents
};

/// The passing of the parameter of type \p type and attributes \p attributes
/// (may be null) in a kernel's signature. Launches and kernels both ask here.
inline ParameterPassing parameterPassing(mlir::Type type,
                                         mlir::DictionaryAttr attributes) {
  if (mlir::isa<fir::BaseBoxType>(fir::unwrapRefType(type)))
    return ParameterPassing::Descriptor;
  bool isData = attributes && attributes.contains(cuf::getDataAttrName());
  mlir::Type target = fir::unwrapRefType(type);
  auto array = mlir::dyn_cast<fir::SequenceType>(target);
  if (!isData && (mlir::isa<fir::RecordType, fir::CharacterType>(target) ||
                  (array && !array.hasDynamicExtents())))
    return ParameterPassing::Record;
  return ParameterPassing::Value;
}

} // namespace cufort::lower

#endif // CUFORT_COMPILER_LOWER_DEVICEATTRIBUTES_H

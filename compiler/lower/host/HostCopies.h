//===- HostCopies.h - copies of device data on the host ---------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_LOWER_HOST_HOSTCOPIES_H
#define CUFORT_COMPILER_LOWER_HOST_HOSTCOPIES_H

#include "flang/Optimizer/Builder/FIRBuilder.h"
#include "flang/Optimizer/Builder/HLFIRTools.h"
#include "flang/Optimizer/Dialect/CUF/Attributes/CUFAttr.h"

namespace cufort::lower {

/// A copy of a variable of the device in memory of the host.
struct HostCopy {
  mlir::Value variable; ///< with the type and the bounds of the original
  mlir::Value memory;   ///< what is to be freed
};

/// Allocates a copy of \p original, an array or a scalar that is no descriptor
/// in memory, and, if \p filled, copies the elements. Calls what
/// modules/intrinsics.cpp declares.
HostCopy copyToHost(fir::FirOpBuilder &builder, mlir::Location location,
                    hlfir::Entity original, bool filled = true);

/// Writes the elements of \p copy back to \p original.
void copyToDevice(fir::FirOpBuilder &builder, mlir::Location location,
                  hlfir::Entity original, const HostCopy &copy);

/// Frees \p copy where the value of \p user, which reads it, is no longer used:
/// arrays are computed where they are used, until the end of the expression's
/// life.
void freeAfterUse(fir::FirOpBuilder &builder, mlir::Operation *user,
                  const HostCopy &copy);

/// \p copy as a value of the type \p type, which the original had, at the
/// builder's place.
mlir::Value asType(fir::FirOpBuilder &builder, mlir::Location location,
                   const HostCopy &copy, mlir::Type type);

/// A call of the function \p name of the C language.
mlir::Value callRuntime(fir::FirOpBuilder &builder, mlir::Location location,
                        llvm::StringRef name, mlir::TypeRange results,
                        mlir::ValueRange arguments);

/// The descriptor of \p variable, and its address, for such calls.
mlir::Value descriptorOf(fir::FirOpBuilder &builder, mlir::Location location,
                         mlir::Value variable);
mlir::Value rawAddress(fir::FirOpBuilder &builder, mlir::Location location,
                       mlir::Value address);

/// Adds the source line, for messages, to the arguments of such a call.
void addSourceLine(fir::FirOpBuilder &builder, mlir::Location location,
                   llvm::SmallVectorImpl<mlir::Value> &arguments);

/// Tells the descriptor at \p place, of an allocatable or a pointer, that what
/// it will describe is to lie in \p memory, and which type it has.
void setAllocator(fir::FirOpBuilder &builder, mlir::Location location,
                  mlir::Value place, cuf::DataAttribute memory);

} // namespace cufort::lower

#endif // CUFORT_COMPILER_LOWER_HOST_HOSTCOPIES_H

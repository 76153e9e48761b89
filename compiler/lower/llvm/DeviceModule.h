//===- DeviceModule.h - the module of a file's device code ------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The device half lives in a module of its own from the moment the halves part
// ways: a copy of the whole file with the device's triple and data layout, of
// which SelectDeviceCode keeps what runs on the device.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_LOWER_LLVM_DEVICEMODULE_H
#define CUFORT_COMPILER_LOWER_LLVM_DEVICEMODULE_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/Module.h"
#include <memory>

namespace cufort::lower {

/// The triple of all device IR.
inline constexpr char DeviceTriple[] = "nvptx64-nvidia-cuda";

/// The data layout of all device IR; NVPTX's own.
inline constexpr char DeviceDataLayout[] =
    "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64";

/// The symbol at which all dynamic shared memory starts.
inline constexpr char DynamicSharedSymbol[] = "__cufort_dynamic_shared";

/// True if \p module defines a kernel, a device procedure or a device variable.
bool hasDeviceCode(mlir::ModuleOp module);

/// Variables of types with device components that have their first values in
/// the program file: the descriptors of these components know where they are to
/// be allocated. A managed variable lies where the device's module puts it, so
/// that both modules need this.
void setComponentAllocators(mlir::ModuleOp module);

/// A copy of \p module with the device's triple and data layout.
mlir::OwningOpRef<mlir::ModuleOp> cloneForDevice(mlir::ModuleOp module);

/// The names of the managed variables that \p module defines: those that lie in
/// memory of their own, which host code reaches at the device's address.
/// Allocatables and pointers are descriptors.
llvm::StringSet<> managedVariables(mlir::ModuleOp module);

/// Translates a module in the LLVM and NVVM dialects to device IR: variables
/// in the global or constant address space, kernels with their calling
/// convention, and \p managed ones marked for the driver. Null on failure,
/// which has been reported.
std::unique_ptr<llvm::Module>
translateDeviceModule(mlir::ModuleOp module, llvm::LLVMContext &context,
                      const llvm::StringSet<> &managed);

} // namespace cufort::lower

#endif // CUFORT_COMPILER_LOWER_LLVM_DEVICEMODULE_H

//===- Lower.h - from FIR to host FIR and device LLVM IR --------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_LOWER_LOWER_H
#define CUFORT_COMPILER_LOWER_LOWER_H

#include "llvm/IR/Module.h"
#include <memory>

namespace mlir {
class ModuleOp;
}

namespace cufort::lower {

class PassGroups;

/// What a launch in host code calls: void(stub, grid x, y, z, block x, y, z,
/// dynamic shared bytes, stream, parameter addresses, source file, source
/// line).
inline constexpr char LaunchFunction[] = "_FortranACUFLaunch";
/// The same for a kernel that is attributes(grid_global).
inline constexpr char CooperativeFunction[] = "_FortranACUFLaunchCooperative";

/// An attribute of a module whose kernel loops are to be listed on standard
/// error (-Minfo=accel).
inline constexpr char ReportAttribute[] = "cufort.report";

/// An attribute of a module whose device code is to be checked (--check).
inline constexpr char CheckAttribute[] = "cufort.check";

/// A store into the variable of a kernel loop in its kernel has it, with the
/// number of loops around: the checkers tell of iterations.
inline constexpr char IterationAttribute[] = "cufort.iteration";

/// An attribute of a module whose device code stays as it is written (-g
/// alone).
inline constexpr char DebugAttribute[] = "cufort.debug";

/// On the device's module: its code tests each allocation.
inline constexpr char AllocationsAttribute[] = "cufort.allocations";

/// An attribute of a module of whose device code variables are described (-g,
/// whether it is optimised or not).
inline constexpr char DescribeAttribute[] = "cufort.describe";

/// Splits one source file's FIR module into its halves. \p module becomes the
/// host half, FIR without any CUF operation, ready for Flang's own code
/// generation. The device half is returned as LLVM IR for
/// nvptx64-nvidia-cuda in \p context; it is null if the file has no device
/// code. \p groups tell an error, which has been reported through the
/// diagnostics of the module's context, from the absence of device code; where
/// they have failed before, only the checks run.
std::unique_ptr<llvm::Module>
lower(mlir::ModuleOp module, llvm::LLVMContext &context, PassGroups &groups);

/// Takes back what Flang says of integers that are never negative: subscripts
/// and lower bounds may be. Needs LLVM IR as Flang leaves it, which no pass of
/// LLVM has seen.
void allowUnsignedOverflow(llvm::Module &module);

/// Writes into the host module \p host what the runtime has to know of
/// \p device: one offload entry for each kernel (address of its stub) and each
/// device variable (address of its shadow) that this file defines.
void registerDeviceCode(llvm::Module &host, const llvm::Module &device);

/// Writes into \p device the block shapes of the launches in \p host that are
/// constants there (image/DeviceCode.h). To be called when the host code is
/// optimised, which finds most of them. If there are some and the file has no
/// device code, makes a module for them in \p context.
void noteLaunchShapes(const llvm::Module &host,
                      std::unique_ptr<llvm::Module> &device,
                      llvm::LLVMContext &context);

/// Writes the bitcode of \p device into section .llvm.offloading of \p host.
void embedDeviceCode(llvm::Module &host, llvm::Module &device);

} // namespace cufort::lower

#endif // CUFORT_COMPILER_LOWER_LOWER_H

//===- Lower.h - from FIR to host FIR and device LLVM IR ---------*- C++
//-*-===//
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

/// Splits one source file's FIR module into its halves. \p module becomes the
/// host half, FIR without any CUF operation, ready for Flang's own code
/// generation. The device half is returned as LLVM IR for
/// nvptx64-nvidia-cuda in \p context; it is null if the file has no device
/// code. \p failed tells an error, which has been reported through the
/// diagnostics of the module's context, from the absence of device code.
std::unique_ptr<llvm::Module> lower(mlir::ModuleOp module,
                                    llvm::LLVMContext &context, bool &failed);

/// Writes into the host module \p host what the device link and the runtime
/// have to know of \p device: one offload entry for each kernel (address of
/// its stub) and each device variable (address of its shadow) that this file
/// defines, and the bitcode itself in section .llvm.offloading.
void embedDeviceCode(llvm::Module &host, llvm::Module &device);

} // namespace cufort::lower

#endif // CUFORT_COMPILER_LOWER_LOWER_H

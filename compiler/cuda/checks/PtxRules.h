//===- PtxRules.h - what inline PTX needs of a GPU --------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CUDA_CHECKS_PTXRULES_H
#define CUFORT_COMPILER_CUDA_CHECKS_PTXRULES_H

namespace clang {
class CompilerInstance;
}
namespace llvm {
class Module;
}

namespace cufort::cuda {

/// Needs device code as Clang's run \p instance has made it for
/// \p architecture (80 is sm_80). Says which instructions of inline PTX there
/// are none (errors) and which need a newer GPU: errors where the user has
/// named the architecture (\p isNamed), else a warning, and the file wants to
/// be compiled again for the architecture that is returned; 0 for none. What
/// the language's own headers have is not looked at.
unsigned checkInlinePtx(clang::CompilerInstance &instance,
                        const llvm::Module &device, unsigned architecture,
                        bool isNamed);

} // namespace cufort::cuda

#endif // CUFORT_COMPILER_CUDA_CHECKS_PTXRULES_H

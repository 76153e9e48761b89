//===- MaskedStores.h - stores under masks, by how many lanes ---*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CPU_SIMD_MASKEDSTORES_H
#define CUFORT_COMPILER_CPU_SIMD_MASKEDSTORES_H

#include "compiler/cpu/CpuOptions.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

namespace cufort::cpu {

/// cpu-masked-stores. Needs cpu-vectorise. Where the processor has AVX2 but not
/// AVX-512, a vector that is stored under a mask is stored without one if all
/// lanes come along, and of its registers only those of which some do: AMD's
/// processors take forty operations for such a store, whatever its mask is. In
/// a worker's shared memory and arena the other lanes are written back. Under a
/// mask that is known, lanes side by side are plain stores.
llvm::Error storeByLanes(llvm::Module &module, const CpuOptions &options);

/// Whether \p address is in a worker's shared memory or arena, where nobody
/// else writes meanwhile: all threads of a block run on one thread of the host.
bool isInWorkspace(const llvm::Value *address);

/// Stores \p value there under \p mask, with what was there before in the lanes
/// that do not come along.
void storeByBlending(llvm::IRBuilderBase &b, llvm::Value *value,
                     llvm::Value *address, llvm::Align alignment,
                     llvm::Value *mask);

} // namespace cufort::cpu

#endif // CUFORT_COMPILER_CPU_SIMD_MASKEDSTORES_H

//===- CompileForCpu.h - device code to native code -------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The component's entry point. What goes in is device LLVM IR as both front
// ends make it (NVPTX flavoured, linked, all kernels of the program); what
// comes out is a native module in which every kernel has become the functions
// that image/Image.h describes.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CPU_COMPILEFORCPU_H
#define CUFORT_COMPILER_CPU_COMPILEFORCPU_H

#include "compiler/cpu/CpuOptions.h"
#include "compiler/cpu/simd/VectorReport.h"
#include "image/Image.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include <array>
#include <memory>
#include <string>
#include <vector>

namespace cufort {

/// A kernel's code for blocks of one shape.
struct CpuVariant {
  std::array<uint32_t, 3> shape;
  uint32_t arenaBytesPerThread = 0;
  std::array<llvm::Function *, image::CpuLevelCount> block{};
  std::vector<VectorNote> notes; ///< see CpuKernel::notes
};

/// What became of one kernel. The functions belong to CpuCode::module.
struct CpuKernel {
  std::string name; ///< the symbol in the device code
  std::vector<image::Parameter> parameters;
  uint32_t parameterBytes = 0;
  uint32_t staticSharedBytes = 0;   ///< a multiple of 128
  uint32_t arenaBytesPerThread = 0; ///< see image::CpuWorkspace::arena
  /// image::CpuBlockEntry by image::CpuLevel; null where CpuOptions::levels
  /// leaves the level out.
  std::array<llvm::Function *, image::CpuLevelCount> block{};
  std::vector<CpuVariant> variants; ///< besides the general code
  uint32_t blocksMayWait = 0;       ///< see image::Kernel
  bool blockRows = false;           ///< see image::Kernel
  /// Values outlive barriers, and no launch tells the shape of the blocks.
  bool hasUnknownShape = false;
  /// Of the highest level's code, if CpuOptions::vectorNotes.
  std::vector<VectorNote> notes;
  llvm::Function *thread = nullptr; ///< image::CpuThreadEntry, or null
  /// The construct for which there is no block entry, only a thread entry;
  /// empty if there is.
  std::string whyOnFibers;
  /// With --check: an image::CheckProof by which a launch may take the block
  /// entries, where nothing is checked; null: it takes \c thread.
  llvm::GlobalVariable *proof = nullptr;
  bool isProvable = false; ///< it says all
  /// What checks all threads of a block in loops, or null; see image::Kernel.
  llvm::Function *checked = nullptr;
  uint32_t checkedArenaBytesPerThread = 0;
};

/// A device or constant variable of the program and its place in memory.
struct CpuVariable {
  std::string name; ///< the symbol in the device code
  llvm::GlobalVariable *storage = nullptr;
};

struct CpuCode {
  std::unique_ptr<llvm::Module> module;
  std::vector<CpuKernel> kernels;
  std::vector<CpuVariable> variables;
  bool forDebugger = false; ///< the code is as it was written (-g)
};

/// Compiles \p device, which is left as it is, for x86-64. The result is an
/// optimised module in the same context, every definition in it internal, ready
/// for code generation; functions of different levels carry their instruction
/// set as the attributes "target-cpu" and "target-features". An error is a
/// finished message that names the kernel and the construct.
llvm::Expected<CpuCode> compileForCpu(const llvm::Module &device,
                                      const CpuOptions &options);

/// For a test of the GPU's passes: \p device with what the engines do in
/// different ways decided for the CPU, so that those passes may go through it.
/// Without that they would decide for a GPU, and change the parameters of
/// functions that the runtime has another body for.
std::unique_ptr<llvm::Module> takeCpuFunctions(const llvm::Module &device);

} // namespace cufort

#endif // CUFORT_COMPILER_CPU_COMPILEFORCPU_H

//===- VectorReport.h - what became vector code, and why not ----*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For -Minfo: one note for each loop over threads, that is for each stretch of
// a kernel between barriers. Notes are metadata of the entry, so that they go
// with its copies; the first one of a source line counts.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CPU_SIMD_VECTORREPORT_H
#define CUFORT_COMPILER_CPU_SIMD_VECTORREPORT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/IR/DebugLoc.h"
#include "llvm/IR/Function.h"
#include <memory>
#include <string>
#include <vector>

namespace cufort {

/// What became of one loop over threads.
struct VectorNote {
  std::string file;
  unsigned line = 0;  ///< 0: not known
  unsigned width = 0; ///< threads that one vector holds; 0: not vectorised
  std::string reason; ///< why not
  bool operator==(const VectorNote &) const = default;
};

namespace cpu {

/// Says of the loop over threads that \p latch ends where \p blocks, its work,
/// stand in the source: at the first line that reads or writes memory. Needs
/// llvm.loop metadata on \p latch.
void setLocationOfLoop(llvm::Instruction &latch,
                       llvm::ArrayRef<llvm::BasicBlock *> blocks);

/// Where the work of the loop that \p latch ends stands; empty if not known.
llvm::DebugLoc locationOfLoop(const llvm::Instruction &latch);

/// Notes of the loop over threads at \p location. \p reason completes the line
/// "not vectorised over threads: ".
void reportVectorised(llvm::Function &entry, const llvm::DebugLoc &location,
                      unsigned width);
void reportNotVectorised(llvm::Function &entry, const llvm::DebugLoc &location,
                         const llvm::Twine &reason);

/// The notes of \p entry in the order of lines.
std::vector<VectorNote> vectorNotes(const llvm::Function &entry);

/// Listens to LLVM's loop vectoriser. Made before it runs on \p entries; when
/// it ends, every loop over threads that it has looked at and that has no note
/// yet gets one.
class VectoriserNotes {
public:
  explicit VectoriserNotes(llvm::ArrayRef<llvm::Function *> entries);
  ~VectoriserNotes();

private:
  class Listener;
  llvm::LLVMContext *context = nullptr;
  llvm::SmallVector<llvm::Function *> entries;
  Listener *listener = nullptr; ///< belongs to the context
  std::unique_ptr<llvm::DiagnosticHandler> before;
};

} // namespace cpu
} // namespace cufort

#endif // CUFORT_COMPILER_CPU_SIMD_VECTORREPORT_H

//===- PtxMemory.h - memory accesses of inline PTX --------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CPU_PTX_PTXMEMORY_H
#define CUFORT_COMPILER_CPU_PTX_PTXMEMORY_H

#include "compiler/cpu/ptx/PtxFlow.h"
#include "llvm/ADT/STLExtras.h"

namespace cufort::cpu {

/// An inline assembly whose instructions may reach memory. What returns false
/// has met something unknown.
class PtxMemory : public PtxFlow {
public:
  using PtxFlow::PtxFlow;

protected:
  static bool has(ArrayRef<StringRef> words, StringRef word) {
    return llvm::is_contained(words, word);
  }

  /// cp.async.ca.shared.global [to], [from], bytes {, bytes that are read}: at
  /// once, so that there is nothing to wait for.
  bool copy(ArrayRef<StringRef> words, ArrayRef<StringRef> names);
  /// Loads and stores, of vectors of two and four as well.
  bool access(ArrayRef<StringRef> words, ArrayRef<StringRef> names, Type *type);

private:
  /// A vector of \p items that other threads read or write, too: programs count
  /// on it that they are one access (a value and the flag that it is there).
  bool accessAtOnce(bool isLoad, Value *where, ArrayRef<StringRef> items,
                    Type *type);
};

} // namespace cufort::cpu

#endif // CUFORT_COMPILER_CPU_PTX_PTXMEMORY_H

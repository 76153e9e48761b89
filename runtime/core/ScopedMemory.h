//===- ScopedMemory.h - memory that ends with a scope -----------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The managed memory of local variables. Where a scope ends, the host looks at
// them once more, even if the device was reset meanwhile: where their memory is
// the host's, a reset leaves it to them.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_CORE_SCOPEDMEMORY_H
#define CUFORT_RUNTIME_CORE_SCOPEDMEMORY_H

namespace cufort {

/// \p memory is a local variable's from now on. May throw std::bad_alloc.
void enterScopedMemory(void *memory);

/// Its scope ends; whether it was one's.
bool leaveScopedMemory(void *memory);

bool isScopedMemory(void *memory);

} // namespace cufort

#endif // CUFORT_RUNTIME_CORE_SCOPEDMEMORY_H

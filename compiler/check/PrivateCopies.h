//===- PrivateCopies.h - copies of memory that may be unset -----*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CHECK_PRIVATECOPIES_H
#define CUFORT_COMPILER_CHECK_PRIVATECOPIES_H

#include "compiler/check/Sites.h"
#include "llvm/IR/Instructions.h"

namespace cufort::check {

/// Whether \p load and the store of what it loads are a component's part in an
/// assignment of structures, which Flang makes of one load and store for each
/// component: such a load does not use the value.
bool isComponentCopy(const llvm::LoadInst &load);

/// For the checker of uninitialised memory: a thread may copy a structure of
/// which only a part was written, as long as it uses no other part. After this
/// every private variable into which device memory is copied as a whole has a
/// second one beside it, with a byte for each of its bytes: 1 where what was
/// copied was not written. That follows the value through further private
/// variables; where it is used the runtime is told, with the place of the use
/// and that of the copy, and a copy back to device memory leaves that memory as
/// unwritten as the source was. Needs: a function that is not instrumented yet,
/// with its private variables in memory. What it adds is marked `nosanitize`.
/// Leaves: private variables whose address goes anywhere else than to accesses,
/// values that go through phis and selects.
void followCopies(llvm::Function &function, Sites &sites);

} // namespace cufort::check

#endif // CUFORT_COMPILER_CHECK_PRIVATECOPIES_H

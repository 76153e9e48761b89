//===- MemberArrays.h - indices of arrays in structures ---------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CHECK_MEMBERARRAYS_H
#define CUFORT_COMPILER_CHECK_MEMBERARRAYS_H

namespace llvm {
class Function;
}

namespace cufort::check {

/// Marks accesses of C and C++ to arrays that are members of structures with
/// their indices and bounds, as Fortran's front end marks those of its arrays
/// (`__cufort_cpu_check_bounds...`): such an index may leave the array, and
/// what it then finds is another member. Arrays of one element or none at the
/// end of a structure are left out: programs give them more by allocating it.
/// Needs: code of `clang -O0` or close to it, in which an address still goes
/// through the members' types; of Fortran it marks nothing.
void markMemberArrays(llvm::Function &function);

} // namespace cufort::check

#endif // CUFORT_COMPILER_CHECK_MEMBERARRAYS_H

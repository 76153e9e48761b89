//===- CheckOptions.h - which checkers are built in -------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_COMMON_CHECKOPTIONS_H
#define CUFORT_COMPILER_COMMON_CHECKOPTIONS_H

namespace cufort {

/// What --check asks for.
struct CheckOptions {
  bool memory = false;    ///< accesses outside of variables, freed memory
  bool race = false;      ///< conflicting accesses that nothing orders
  bool sameValue = false; ///< also of writes of the same value
  bool init = false;      ///< reads of what nothing wrote
  bool sync = false;      ///< barriers and warp operations

  bool any() const { return memory || race || init || sync; }
};

} // namespace cufort

#endif // CUFORT_COMPILER_COMMON_CHECKOPTIONS_H

//===- TeamThreads.h - whose loops a library shares -------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_LIBRARIES_COMMON_TEAMTHREADS_H
#define CUFORT_LIBRARIES_COMMON_TEAMTHREADS_H

#include "runtime/core/engine/Team.h"

namespace cufort::libraries {

/// While it lives, loops of libraries that ask for threads on the calling
/// thread are shared by \p team.
class TeamScope {
public:
  explicit TeamScope(Team &team) : before(Current) { Current = &team; }
  TeamScope(const TeamScope &) = delete;
  TeamScope &operator=(const TeamScope &) = delete;
  ~TeamScope() { Current = before; }

  /// The calling thread's; null: none.
  static Team *current() { return Current; }

private:
  Team *const before;
  static inline thread_local Team *Current = nullptr;
};

} // namespace cufort::libraries

#endif // CUFORT_LIBRARIES_COMMON_TEAMTHREADS_H

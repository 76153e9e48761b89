//===- LocalRank.h - this process among those of one launch -----*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_CORE_PROCESS_LOCALRANK_H
#define CUFORT_RUNTIME_CORE_PROCESS_LOCALRANK_H

namespace cufort {

/// Which of the processes on this machine this one is that one launcher
/// (mpirun, mpiexec, srun, ...) has started, by the variables that it sets; 0
/// of 1 where there is none. MPI itself is not asked: it need not be
/// initialised yet.
struct LocalRank {
  unsigned rank = 0;
  unsigned size = 1;
};

LocalRank localRank();

/// The cores that the launcher itself may use, of which its processes get all
/// or a part; 0 if that is not known.
unsigned launcherCores();

} // namespace cufort

#endif // CUFORT_RUNTIME_CORE_PROCESS_LOCALRANK_H

//===- LocalRank.cpp - this process among those of one launch -------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/core/process/LocalRank.h"
#include <cstdlib>
#include <optional>
#include <sched.h>
#include <unistd.h>

namespace cufort {
namespace {

std::optional<unsigned> numberIn(const char *name) {
  const char *text = std::getenv(name);
  if (!text || *text < '0' || *text > '9')
    return std::nullopt;
  char *end;
  const unsigned long number = std::strtoul(text, &end, 10);
  if (*end || number > 1u << 20)
    return std::nullopt;
  return static_cast<unsigned>(number);
}

/// The \p node-th number of "4(x2),3": 4, 4, 3.
unsigned ofNode(const char *list, unsigned node) {
  while (*list >= '0' && *list <= '9') {
    char *end;
    const unsigned long tasks = std::strtoul(list, &end, 10);
    unsigned long times = 1;
    if (end[0] == '(' && end[1] == 'x') {
      times = std::strtoul(end + 2, &end, 10);
      if (*end == ')')
        ++end;
    }
    if (node < times)
      return static_cast<unsigned>(tasks);
    node -= static_cast<unsigned>(times);
    list = *end == ',' ? end + 1 : end;
  }
  return 0;
}

struct Launcher {
  const char *rank, *size;
};

// Those of MPI's own launchers come first: they may run within a step of the
// batch system's.
constexpr Launcher launchers[] = {
    {"OMPI_COMM_WORLD_LOCAL_RANK", "OMPI_COMM_WORLD_LOCAL_SIZE"}, // Open MPI
    {"MPI_LOCALRANKID", "MPI_LOCALNRANKS"},                     // MPICH, Intel
    {"MV2_COMM_WORLD_LOCAL_RANK", "MV2_COMM_WORLD_LOCAL_SIZE"}, // MVAPICH
    {"PALS_LOCAL_RANKID", "PALS_LOCAL_SIZE"},                   // HPE
    {"JSM_NAMESPACE_LOCAL_RANK", "JSM_NAMESPACE_LOCAL_SIZE"},   // IBM
};

} // namespace

LocalRank localRank() {
  LocalRank result;
  for (const Launcher &launcher : launchers)
    if (auto rank = numberIn(launcher.rank)) {
      result.rank = *rank;
      result.size = numberIn(launcher.size).value_or(1);
      if (result.size <= result.rank)
        result.size = result.rank + 1;
      return result;
    }
  // A batch script has most of Slurm's variables, too, but is no task of a
  // step's.
  const char *tasks = std::getenv("SLURM_STEP_TASKS_PER_NODE");
  if (auto rank = numberIn("SLURM_LOCALID"); rank && tasks) {
    result.rank = *rank;
    result.size = ofNode(tasks, numberIn("SLURM_NODEID").value_or(0));
    if (result.size <= result.rank)
      result.size = result.rank + 1;
  }
  return result;
}

unsigned launcherCores() {
  cpu_set_t set;
  if (sched_getaffinity(getppid(), sizeof(set), &set) != 0)
    return 0;
  return static_cast<unsigned>(CPU_COUNT(&set));
}

} // namespace cufort

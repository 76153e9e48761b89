//===- LatestKernels.cpp - which kernels may have failed ------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/cuda/LatestKernels.h"
#include "runtime/core/Names.h"
#include "runtime/core/process/FaultInjection.h"
#include <cstdio>
#include <string>

namespace cufort::cuda {

void LatestKernels::forget() {
  for (std::atomic<const char *> &name : names)
    name.store(nullptr, std::memory_order_relaxed);
  // Where a wait succeeds after a failure the device has been reset.
  reported.store(false, std::memory_order_relaxed);
}

void LatestKernels::report() {
  if (reported.exchange(true))
    return;
  (void)catchExhaustion([&] {
    std::string text;
    const unsigned next = launches.load();
    for (unsigned i = 0; i < names.size(); ++i)
      if (const char *name = names[(next + i) % names.size()].load()) {
        const std::string readable = readableName(name);
        if (text.find("'" + readable + "'") == std::string::npos)
          text += (text.empty() ? "'" : ", '") + readable + "'";
      }
    if (!text.empty())
      std::fprintf(
          stderr,
          "cufort: a kernel has failed, one of those launched since the "
          "program "
          "last waited for the device: %s\n"
          "  to find the line: compile with -gpu=lineinfo and run "
          "'compute-sanitizer PROGRAM', or with -gpu=debug and run it in "
          "cuda-gdb; or compile with -g and run with CUFORT_DEVICE=cpu\n",
          text.c_str());
    return cudaSuccess;
  });
}

} // namespace cufort::cuda

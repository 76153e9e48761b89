//===- StridedKernel.cpp - strided copies on an NVIDIA device -------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/cuda/strided/StridedKernel.h"
#include "runtime/cuda/strided/StridedPlan.h"
#include <algorithm>
#include <cstdint>
#include <string>

// The kernel's PTX, made of StridedKernel.c when the runtime is built.
asm(".pushsection .rodata\n"
    "cufort_strided_kernel_ptx:\n"
    ".incbin \"" CUFORT_STRIDED_PTX "\"\n"
    ".byte 0\n"
    ".popsection\n");
extern "C" __attribute__((visibility("hidden")))
const char cufort_strided_kernel_ptx[];

namespace cufort::cuda {
namespace {

/// The widest unit, up to 8 bytes, of which all of \p view consists.
uintptr_t alignmentOf(const StridedView &view) {
  uintptr_t bits = reinterpret_cast<uintptr_t>(view.base) | view.elementBytes |
                   sizeof(uint64_t);
  for (int i = 0; i < view.rank; ++i)
    bits |= static_cast<uintptr_t>(view.stride[i]);
  return bits & -bits;
}

StridedPlan planOf(const StridedView &to, const StridedView &from,
                   uintptr_t unit) {
  StridedPlan plan{};
  plan.to = to.base;
  plan.from = from.base;
  plan.units = to.elements() * to.elementBytes / unit;
  const auto add = [&](size_t extent, ptrdiff_t toStride,
                       ptrdiff_t fromStride) {
    plan.extent[plan.rank] = extent;
    plan.toStride[plan.rank] = toStride;
    plan.fromStride[plan.rank] = fromStride;
    ++plan.rank;
  };
  const auto step = static_cast<ptrdiff_t>(unit);
  if (to.elementBytes != unit)
    add(to.elementBytes / unit, step, step);
  for (int i = 0; i < to.rank; ++i)
    add(static_cast<size_t>(to.extent[i]), to.stride[i], from.stride[i]);
  return plan;
}

} // namespace

CUresult StridedKernel::copy(const Driver &driver, const StridedView &to,
                             const StridedView &from) {
  const uintptr_t unit = std::min(alignmentOf(to), alignmentOf(from));
  CUfunction function;
  {
    std::lock_guard lock(mutex);
    if (!module)
      if (CUresult code = driver.moduleLoadDataEx(
              &module, cufort_strided_kernel_ptx, 0, nullptr, nullptr)) {
        module = nullptr;
        return code;
      }
    const std::string name = "cufort_copy_strided_" + std::to_string(8 * unit);
    if (CUresult code =
            driver.moduleGetFunction(&function, module, name.c_str()))
      return code;
  }
  StridedPlan plan = planOf(to, from, unit);
  // Eight warps; all GPUs have several such blocks on a multiprocessor.
  constexpr unsigned Threads = 256;
  // More units than this grid has threads: each takes several.
  constexpr unsigned long long MostBlocks = 1 << 16;
  const auto blocks = static_cast<unsigned>(std::clamp<unsigned long long>(
      (plan.units + Threads - 1) / Threads, 1, MostBlocks));
  void *parameters[] = {&plan};
  return driver.launchKernel(function, blocks, 1, 1, Threads, 1, 1, 0, nullptr,
                             parameters, nullptr);
}

void StridedKernel::reset() {
  std::lock_guard lock(mutex);
  module = nullptr;
}

} // namespace cufort::cuda

//===- TestModule.cpp - a hand-made module --------------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What cufort -fatbin would write: a shared object that programs load while
// they run.
//
//===----------------------------------------------------------------------===//

#include "image/Image.h"
#include <cstring>
#include <iterator>

using namespace cufort::image;

namespace {

int total = 5;

template <typename T> T load(const char *arguments, unsigned offset) {
  T value;
  std::memcpy(&value, arguments + offset, sizeof(T));
  return value;
}

/// (int *a, int value, int n): a[i] = value + total, i < n.
void set(const char *a, const CpuLaunch *launch, const Dim3 *block, uint32_t,
         const CpuWorkspace *) {
  int *out = load<int *>(a, 0);
  const int value = load<int>(a, 8), n = load<int>(a, 12);
  for (uint32_t t = 0; t < launch->block.x; ++t) {
    const uint32_t i = block->x * launch->block.x + t;
    if (i < static_cast<uint32_t>(n))
      out[i] = value + total;
  }
}

const Parameter parameters[] = {{0, 8}, {8, 4}, {12, 4}};
const Kernel kernels[] = {{"set",
                           parameters,
                           3,
                           16,
                           0,
                           0,
                           0,
                           0,
                           {set, nullptr, nullptr, nullptr},
                           nullptr}};
const Variable variables[] = {{"total", sizeof(int), 4, Space::Global, &total}};
const char text[] = "not for a GPU";
const Code codes[] = {{CodeKind::Ptx, 70, text, sizeof(text) - 1}};

} // namespace

extern "C" __attribute__((visibility("default")))
const Image __cufort_module_image = {Magic,
                                     Version,
                                     std::size(kernels),
                                     std::size(variables),
                                     std::size(codes),
                                     0,
                                     kernels,
                                     variables,
                                     codes};

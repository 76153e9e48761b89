//===- Select.cpp - the loops for this machine ----------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "libraries/curand/Kernels.h"
#include "libraries/curand/MtJumps.h"

namespace cufort::curand {

extern const Kernels AnyProcessor, WithAvx2, WithAvx512;

const Kernels &kernels() {
  static const Kernels &chosen = []() -> const Kernels & {
    __builtin_cpu_init();
    if (__builtin_cpu_supports("x86-64-v4"))
      return WithAvx512;
    return __builtin_cpu_supports("x86-64-v3") ? WithAvx2 : AnyProcessor;
  }();
  return chosen;
}

extern const MtJumper JumperOfWords, JumperOfPairs, JumperOfEight;

const MtJumper &mtJumper() {
  __builtin_cpu_init();
  if (__builtin_cpu_supports("x86-64-v4") &&
      __builtin_cpu_supports("vpclmulqdq"))
    return JumperOfEight;
  return __builtin_cpu_supports("x86-64-v3") && __builtin_cpu_supports("pclmul")
             ? JumperOfPairs
             : JumperOfWords;
}

size_t sizeOf(Distribution distribution) {
  switch (distribution) {
  case Distribution::LongWords:
  case Distribution::UniformDouble:
  case Distribution::NormalDouble:
  case Distribution::LogNormalDouble:
    return 8;
  default:
    return 4;
  }
}

} // namespace cufort::curand

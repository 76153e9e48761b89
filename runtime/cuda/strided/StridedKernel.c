//===- StridedKernel.c - strided copies on an NVIDIA device ---------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiled to PTX when the runtime is built. The driver's own 2-D and 3-D
// copies take a row at a time and no stride below zero.
//
//===----------------------------------------------------------------------===//

#include "StridedPlan.h"

#define THREAD __nvvm_read_ptx_sreg_tid_x()
#define BLOCK __nvvm_read_ptx_sreg_ctaid_x()
#define THREADS __nvvm_read_ptx_sreg_ntid_x()
#define BLOCKS __nvvm_read_ptx_sreg_nctaid_x()

// One thread moves one unit, then the one a grid further on.
#define COPY(bits, type)                                                       \
  __attribute__((nvptx_kernel)) void cufort_copy_strided_##bits(               \
      struct StridedPlan plan) {                                               \
    unsigned long long step = (unsigned long long)THREADS * BLOCKS;            \
    for (unsigned long long unit =                                             \
             (unsigned long long)BLOCK * THREADS + THREAD;                     \
         unit < plan.units; unit += step) {                                    \
      unsigned long long rest = unit;                                          \
      long long to = 0, from = 0;                                              \
      for (int d = 0; d < plan.rank; ++d) {                                    \
        unsigned long long extent = plan.extent[d];                            \
        unsigned long long next = rest <= 0xffffffffu && extent <= 0xffffffffu \
                                      ? (unsigned)rest / (unsigned)extent      \
                                      : rest / extent;                         \
        long long index = (long long)(rest - next * extent);                   \
        to += index * plan.toStride[d];                                        \
        from += index * plan.fromStride[d];                                    \
        rest = next;                                                           \
      }                                                                        \
      *(type *)(plan.to + to) = *(const type *)(plan.from + from);             \
    }                                                                          \
  }

COPY(8, unsigned char)
COPY(16, unsigned short)
COPY(32, unsigned)
COPY(64, unsigned long long)

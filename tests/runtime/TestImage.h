//===- TestImage.h - a hand-made device image -------------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the compiler would write: kernels with the CPU calling convention, host
// stubs, device variables and their host shadows. Registered before main.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_TESTS_RUNTIME_TESTIMAGE_H
#define CUFORT_TESTS_RUNTIME_TESTIMAGE_H

#include <cstdint>

namespace testimage {

// Host stubs: only their addresses matter.

/// (): nothing.
extern char emptyStub;
/// (int *a, int value, int n): a[i] = value for the global index i < n.
extern char setStub;
/// (double *a, double factor, int n): a[i] = a[i] * factor + i.
extern char scaleStub;
/// (int *out): out[block] = the sum of the thread indices of the block, over
/// dynamic shared memory with a barrier; needs 4 bytes for each thread.
extern char sharedSumStub;
/// (int *log, int *next, int id, int nanoseconds): sleeps in every block, then
/// block 0 appends id to log.
extern char logStub;
/// launch bounds: 64 threads.
extern char boundedStub;
/// (int *a): all blocks add 1 to a[0]; after a grid-wide barrier each block
/// writes a[0] to a[1 + block]. Cooperative.
extern char gridBarrierStub;
/// (int *flags): block b waits until flags[b] is b + 1, then sets flags[b + 1]
/// to b + 2.
extern char chainStub;
/// Only a fiber entry: odd threads return early, the others pass three
/// barriers and check each other's progress; (int *errors, int *count).
extern char fiberStub;
/// Only a fiber entry: thread 0 goes to syncwarp with mask 3, thread 1 to a
/// barrier of the block.
extern char fiberWaitStub;
/// Only a fiber entry: lane 1 goes to a shuffle with mask 1.
extern char fiberMaskStub;
/// A descriptor parameter by value: (descriptor d, int n): d.base[i] = i + n.
extern char descriptorStub;
/// (int *out): out[0] = 2, 3 or 4, the level x86-64-vN whose entry runs; 10
/// more for blocks of (8, 1, 1), which have a variant with 8 bytes of arena for
/// each thread but none for level 2.
extern char levelStub;
/// In the image, but without any code for the CPU.
extern char gpuOnlyStub;
/// In no image.
extern char unknownStub;

extern int deviceVariable; ///< what kernels see
extern char deviceVariableShadow[sizeof(int)];
/// The device copy of a module allocatable's descriptor, rank 2.
extern char moduleDescriptor[72];
extern char moduleDescriptorShadow[72];

} // namespace testimage

#endif // CUFORT_TESTS_RUNTIME_TESTIMAGE_H

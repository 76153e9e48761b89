//===- DeviceLaunches.h - launches that kernels make ------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The contract between device code and the engines. Device code calls the
// functions of this list; on a GPU the device library (device/launches.c, in C)
// writes what is to be launched into a queue, which the host reads when the
// kernel has ended; on the CPU the runtime has them. C and C++ include this
// header.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_IMAGE_DEVICELAUNCHES_H
#define CUFORT_IMAGE_DEVICELAUNCHES_H

/// F(in device code, in the runtime's library for the CPU).
#define CUFORT_LAUNCH_FUNCTIONS(F)                                             \
  F(cudaGetParameterBuffer, __cufort_cpu_launch_parameters)                    \
  F(__cufort_launch, __cufort_cpu_launch)                                      \
  F(__cufort_launch_copy, __cufort_cpu_launch_copy)                            \
  F(__cufort_launch_error, __cufort_cpu_launch_error)

/// cudaStreamTailLaunch: after everything else that the grid has launched.
#define CUFORT_TAIL_STREAM 3

enum CufortLaunchKind { CUFORT_LAUNCH, CUFORT_LAUNCH_COPY, CUFORT_LAUNCH_FILL };

/// One launch, or a copy or fill in its turn among the launches.
struct CufortLaunch {
  unsigned kind;
  unsigned isTail;
  const char *kernel; ///< the name, in device memory
  unsigned grid[3], block[3];
  unsigned sharedBytes;
  unsigned value; ///< of a fill
  /// The place of the parameters in the queue; of a copy or fill what to write
  /// and where from.
  unsigned long long parameters, to, from, bytes;
};

/// cudaLimitDevRuntimePendingLaunchCount, and room for their parameters.
#define CUFORT_MOST_LAUNCHES 2048
#define CUFORT_LAUNCH_BYTES (1 << 20)

struct CufortLaunchQueue {
  unsigned count;     ///< launches asked for; more than there is room for: lost
  unsigned usedBytes; ///< of parameters
  unsigned error;     ///< the last one, for cudaGetLastError
  unsigned unused;
  struct CufortLaunch launches[CUFORT_MOST_LAUNCHES];
  char parameters[CUFORT_LAUNCH_BYTES];
};

/// The queue's symbol; programs whose kernels launch kernels have it.
#define CUFORT_LAUNCH_QUEUE __cufort_launch_queue
#define CUFORT_LAUNCH_QUEUE_NAME "__cufort_launch_queue"

#endif // CUFORT_IMAGE_DEVICELAUNCHES_H

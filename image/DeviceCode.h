//===- DeviceCode.h - what device code says beyond LLVM's own ---*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The contract between what makes device LLVM IR (the front ends) and what
// compiles it (the engines), where LLVM has no words of its own.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_IMAGE_DEVICECODE_H
#define CUFORT_IMAGE_DEVICECODE_H

namespace cufort::image {

/// Named metadata: one node !{!"kernel", i32 x, i32 y, i32 z} for each launch
/// whose block shape is known at compile time, with the kernel's symbol. The
/// kernel may be in another file. It says what to expect, no more: the kernel
/// may also be launched with other shapes.
inline constexpr char LaunchesMetadata[] = "cufort.launches";

/// Of a kernel made from nested kernel loops: how many loops, nested in each
/// other, take its threads through the axes of the grid; everything else is in
/// the innermost. Nothing can tell which thread runs which iteration. On the
/// CPU such a kernel is launched with blocks of one row only (y and z are 1).
inline constexpr char LoopAxesAttribute[] = "cufort-loop-axes";

} // namespace cufort::image

#endif // CUFORT_IMAGE_DEVICECODE_H

//===- Warps.h - what the fibers of a warp do together ----------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Warp operations in the reference mode: a lane that comes to one states its
// operands and waits until all lanes that its mask names, but those that have
// ended, have come to the same operation with the same mask. Then each gets its
// result. Lanes with other masks and other warps do not matter.
//
// Two operations name no lanes: activemask, and the place before a volatile
// access, where lanes wait for each other because old programs count on warps
// whose lanes run in step. Lanes wait there until none of the block can go on
// otherwise; then those of a warp that are at the same place go on together,
// first those at the place that comes first in the program, in the earliest
// turn of the loops around it: so lanes that have parted meet again where their
// paths do.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_CPU_LAUNCHES_WARPS_H
#define CUFORT_RUNTIME_CPU_LAUNCHES_WARPS_H

#include "image/Image.h"
#include "runtime/check/Threads.h"
#include <array>
#include <cstddef>
#include <string>
#include <vector>

namespace cufort::cpu {

class Warps {
public:
  static constexpr size_t Size = 32;

  struct Request {
    image::CpuWarpOperation operation;
    uint32_t mask;
    uint64_t value; ///< without a mask, value and b say where on its way the
                    ///< lane is: the order of the numbers is that of going on
    uint32_t b, c;  ///< of shuffles, as PTX's shfl.sync has them
    uint32_t place;
  };

  /// \p threads threads of a block are about to run.
  /// Those that check the block, if any, hear of what the lanes do together.
  void start(size_t threads, check::BlockRun *checked = nullptr);

  /// \p thread has come to a warp operation; one that others wait for as well
  /// may be complete now.
  void arrive(size_t thread, const Request &request);
  /// \p thread has ended: no thread waits for it any longer.
  void end(size_t thread);

  bool isWaiting(size_t thread) const {
    return lane(thread).state == Lane::Waiting;
  }
  uint64_t result(size_t thread) const { return lane(thread).result; }

  /// When no thread of the block can go on: lets those go on that wait at a
  /// place without a mask. Returns whether there were any.
  bool releaseStalled();

  /// Which lanes \p thread waits for.
  uint32_t mask(size_t thread) const { return lane(thread).request.mask; }
  /// What \p thread waits at, for a message.
  std::string describe(size_t thread) const;

private:
  struct Lane {
    enum State { Away, Waiting, Ended } state = Ended;
    Request request{};
    uint64_t result = 0;
  };
  struct Warp {
    std::array<Lane, Size> lanes;
    uint32_t asking = 0; ///< lanes that wait at an operation with a mask
    /// The place released last and how many times in a row: lanes that spin
    /// there must not keep back those that they wait for.
    uint32_t lastPlace = 0;
    uint32_t timesInRow = 0;
  };

  const Lane &lane(size_t thread) const {
    return warps[thread / Size].lanes[thread % Size];
  }
  void complete(Warp &warp);
  static void exchange(Warp &warp, uint32_t members, const Request &common);
  static bool release(Warp &warp);

  std::vector<Warp> warps;
  check::BlockRun *checked = nullptr;
};

} // namespace cufort::cpu

#endif // CUFORT_RUNTIME_CPU_LAUNCHES_WARPS_H

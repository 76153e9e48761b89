//===- Team.h - work of a library on all threads of a device ----*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A routine of a library (cuBLAS, cuFFT, ...) is one operation of its stream.
// On the CPU a team of the device's threads performs it: one of them runs the
// routine and shares its loops with the others, which sleep in between. So a
// library with threads of its own, called by that one, has the device's cores
// for itself.
//
// Communication waits for what other devices' streams do. It is work in steps,
// none of which waits.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_CORE_ENGINE_TEAM_H
#define CUFORT_RUNTIME_CORE_ENGINE_TEAM_H

#include <cstdint>
#include <memory>
#include <type_traits>

namespace cufort {

class Team {
public:
  /// How many threads work at the same time, with the caller.
  virtual unsigned threads() const = 0;

  /// Calls \p body(\p context, i) for each i in [0, \p count), in any order and
  /// at the same time; returns when all calls have. Within the body it is a
  /// loop of the thread alone.
  virtual void forEach(uint64_t count, void (*body)(void *, uint64_t),
                       void *context) = 0;

  template <typename Body> void forEach(uint64_t count, Body &&body) {
    using Function = std::remove_reference_t<Body>;
    forEach(
        count,
        [](void *context, uint64_t i) {
          (*static_cast<Function *>(context))(i);
        },
        const_cast<void *>(static_cast<const void *>(&body)));
  }

protected:
  ~Team() = default;
};

/// What Engine::perform performs. A captured one runs at each launch of its
/// graph, so run leaves the object as it is.
class TeamWork {
public:
  virtual ~TeamWork() = default;
  /// Runs with faults guarded: an address that is not mapped fails the device
  /// as in a kernel, and destructors do not run then.
  virtual void run(Team &team) const = 0;
  /// It calls a library that has as many threads of its own as the team: who
  /// does not run it stays away from the device's work until it has ended, and
  /// its loops are run by one thread.
  virtual bool bringsThreads() const { return false; }

  /// Work in steps, which waits for others between them without a thread: what
  /// is performed is an object of its own for each time, which this makes when
  /// the work enters its stream. It runs when it is ready, again and again
  /// until it has finished.
  virtual bool inSteps() const { return false; }
  virtual std::shared_ptr<const TeamWork> begin() const { return nullptr; }
  /// Asked under a lock: looks at memory, no more.
  virtual bool ready() const { return true; }
  virtual bool finished() const { return true; }
  /// Whether other processes make it ready, of which there is no notification.
  virtual bool waitsForProcesses() const { return false; }
};

} // namespace cufort

#endif // CUFORT_RUNTIME_CORE_ENGINE_TEAM_H

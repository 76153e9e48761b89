//===- TeamOperation.h - work of a library in a stream ----------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_CPU_LAUNCHES_TEAMOPERATION_H
#define CUFORT_RUNTIME_CPU_LAUNCHES_TEAMOPERATION_H

#include "runtime/core/engine/Team.h"
#include "runtime/cpu/streams/Operation.h"
#include "runtime/cpu/streams/Watched.h"
#include <memory>
#include <optional>

namespace cufort::cpu {

/// Performs TeamWork: one unit for each thread of the team. Who comes first
/// leads, and runs the work; the others help with its loops until it has ended.
/// No thread waits for one that has not arrived.
class TeamOperation : public Operation, private Team {
public:
  TeamOperation(std::shared_ptr<const TeamWork> work, unsigned threads)
      : Operation(work->bringsThreads() ? 1 : threads,
                  Claims::Order::Ascending),
        work(std::move(work)), size(threads) {}

  void run(uint64_t begin, uint64_t end, Participant &) override;
  bool describe(profile::Work &work) const override {
    work.kind = profile::WorkKind::Library;
    return true;
  }
  bool takesAllCores() const override {
    return size > 1 && work->bringsThreads();
  }

private:
  unsigned threads() const override { return size; }
  void forEach(uint64_t count, void (*body)(void *, uint64_t),
               void *context) override;

  void lead();
  void follow(unsigned number);
  /// Calls the body for what is left of the loop, of thread \p number's share
  /// first.
  void share(unsigned number);
  bool shareGuarded(unsigned number, Fault *fault);
  void closeLoop();
  void signal();

protected:
  bool failed() const;
  /// All units run once more.
  void restart();

  const std::shared_ptr<const TeamWork> work;
  const unsigned size; ///< of the team

private:
  std::atomic<bool> led{false}, finished{false};
  unsigned leader = 0; ///< its number
  // The loop that is open for all.
  void (*body)(void *, uint64_t) = nullptr;
  void *context = nullptr;
  /// The iterations that a thread takes before those of others: the same ones
  /// in the next loop of as many, whose memory is then in its caches.
  struct alignas(64) Share {
    std::atomic<uint64_t> next{0};
    uint64_t end = 0;
  };
  std::unique_ptr<Share[]> shares;
  std::atomic<bool> open{false};
  alignas(64) std::atomic<uint32_t> inside{0}; ///< who may call the body
  /// Changes when a loop opens and when the work has ended.
  alignas(64) std::atomic<uint32_t> epoch{0};
  std::atomic<uint32_t> parked{0};
};

/// One step of work that waits for others. What is left comes right behind it.
class SteppedOperation final : public TeamOperation {
public:
  SteppedOperation(std::shared_ptr<const TeamWork> work, unsigned threads);
  ~SteppedOperation() override;
  bool ready() override { return work->ready(); }
  bool phaseFinished() override;
  Operation *takeLaunched() override { return rest.release(); }

private:
  std::optional<Watch> watch;
  OperationPointer rest;
};

} // namespace cufort::cpu

#endif // CUFORT_RUNTIME_CPU_LAUNCHES_TEAMOPERATION_H

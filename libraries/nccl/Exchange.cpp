//===- Exchange.cpp - messages and reductions of one rank -----------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "libraries/nccl/Exchange.h"
#include "runtime/core/Device.h"
#include <algorithm>
#include <chrono>
#include <cstring>

namespace cufort::nccl {

namespace {

/// Copies with all threads of the team.
void copyAll(Team &team, char *to, const char *from, size_t bytes) {
  constexpr size_t Piece = 64 << 10;
  team.forEach((bytes + Piece - 1) / Piece, [&](uint64_t piece) {
    const size_t begin = piece * Piece;
    std::memcpy(to + begin, from + begin, std::min(Piece, bytes - begin));
  });
}

/// One exchange under way.
class Exchange final : public TeamWork {
public:
  Exchange(std::shared_ptr<Communicator> communicator, Transfers transfers)
      : communicator(std::move(communicator)), transfers(std::move(transfers)),
        turn(this->communicator->entered.fetch_add(1)),
        sent(this->transfers.sends.size()),
        received(this->transfers.receives.size()) {}
  ~Exchange() override {
    // Its stream has dropped it: others wait for messages that do not come.
    if (!isDone)
      communicator->fail(ncclUnhandledCudaError);
  }

  bool ready() const override;
  bool finished() const override { return isDone; }
  bool waitsForProcesses() const override { return !communicator->isLocal(); }
  void run(Team &team) const override {
    const_cast<Exchange *>(this)->step(team);
  }

private:
  void step(Team &team);
  void start(Team &team);
  bool post(Team &team);
  bool take(Team &team);
  bool reduceNext(Team &team);
  bool allDone() const;
  bool waitsForEnded() const;

  bool isReducing() const {
    return transfers.reduction.done != transfers.reduction.bytes;
  }
  const Transfers::Send *nextSend(int peer) const {
    const auto &list = transfers.sends[static_cast<size_t>(peer)];
    const size_t next = sent[static_cast<size_t>(peer)];
    return next < list.size() ? &list[next] : nullptr;
  }
  const Transfers::Receive *nextReceive(int peer) const {
    const auto &list = transfers.receives[static_cast<size_t>(peer)];
    const size_t next = received[static_cast<size_t>(peer)];
    return next < list.size() ? &list[next] : nullptr;
  }
  /// Bytes of \p send that are there and not yet sent.
  size_t available(const Transfers::Send &send) const {
    return (send.isResult ? transfers.reduction.done : send.bytes) - send.done;
  }
  Channel &to(int peer) const {
    return communicator->segment().channel(communicator->rank, peer);
  }
  Channel &from(int peer) const {
    return communicator->segment().channel(peer, communicator->rank);
  }
  /// Where the message is that \p peer has sent first.
  const char *message(int peer, const Channel::Slot &slot, uint64_t number) {
    if (slot.direct)
      return static_cast<const char *>(slot.direct);
    return communicator->segment().message(peer, communicator->rank, number);
  }

  const std::shared_ptr<Communicator> communicator;
  Transfers transfers;
  const uint64_t turn;
  std::vector<size_t> sent, received; ///< how many of each rank's are over
  bool started = false, isDone = false;
  mutable std::chrono::steady_clock::time_point nextLook{};
};

bool Exchange::ready() const {
  if (communicator->hasStopped())
    return true;
  if (communicator->turn.load(std::memory_order_acquire) != turn)
    return false;
  if (!started)
    return true;
  bool allThere = isReducing(), allOver = !allThere;
  for (int peer = 0; peer != communicator->ranks; ++peer) {
    if (const Transfers::Send *send = nextSend(peer)) {
      if (available(*send) && !to(peer).full())
        return true;
      allOver = false;
    } else {
      allOver &= !communicator->isHere(peer) || to(peer).drained();
    }
    if (isReducing()) {
      allThere &= peer == communicator->rank || !from(peer).empty();
    } else if (nextReceive(peer)) {
      if (!from(peer).empty())
        return true;
      allOver = false;
    }
  }
  return allThere || allOver || waitsForEnded();
}

/// Whether it waits for a process that has ended; asked once in a while.
bool Exchange::waitsForEnded() const {
  if (communicator->isLocal())
    return false;
  const auto now = std::chrono::steady_clock::now();
  if (now < nextLook)
    return false;
  const bool first = nextLook == decltype(nextLook){};
  nextLook = now + std::chrono::milliseconds(500);
  for (int peer = 0; !first && peer != communicator->ranks; ++peer)
    if (communicator->hasEnded(peer) &&
        (((isReducing() || nextReceive(peer)) && from(peer).empty()) ||
         (nextSend(peer) && to(peer).full()))) {
      communicator->fail(ncclRemoteError);
      return true;
    }
  return false;
}

/// Its memory may be another's again when nobody reads it any more.
bool Exchange::allDone() const {
  if (isReducing())
    return false;
  for (int peer = 0; peer != communicator->ranks; ++peer)
    if (nextSend(peer) || nextReceive(peer) ||
        (communicator->isHere(peer) && !to(peer).drained()))
      return false;
  return true;
}

void Exchange::step(Team &team) {
  if (communicator->hasStopped()) {
    isDone = true;
    return;
  }
  if (!started)
    start(team);
  for (bool more = true; more && !communicator->hasStopped();) {
    more = post(team);
    more |= isReducing() ? reduceNext(team) : take(team);
  }
  if (!allDone())
    return;
  isDone = true;
  communicator->turn.store(turn + 1, std::memory_order_release);
}

void Exchange::start(Team &team) {
  started = true;
  Transfers::Reduction &reduction = transfers.reduction;
  if (reduction.scalarOnDevice)
    std::memcpy(&reduction.scalar, reduction.scalarOnDevice,
                sizeOf(reduction.type));
  for (const Transfers::Copy &copy : transfers.copies)
    copyAll(team, copy.to, copy.from, copy.bytes);
}

/// Sends what there is room for; whether there was any.
bool Exchange::post(Team &team) {
  bool any = false;
  for (int peer = 0; peer != communicator->ranks; ++peer) {
    Channel &channel = to(peer);
    while (nextSend(peer)) {
      auto &send = transfers.sends[static_cast<size_t>(peer)]
                                  [sent[static_cast<size_t>(peer)]];
      const size_t bytes =
          std::min(available(send), communicator->messageBytes());
      if (!bytes || channel.full())
        break;
      const uint64_t number = channel.posted.load(std::memory_order_relaxed);
      Channel::Slot &slot = channel.slots[number % Channel::Slots];
      const char *message = send.from + send.done;
      slot.bytes = bytes;
      slot.scalar = transfers.reduction.scalar;
      slot.direct = communicator->isHere(peer) ? message : nullptr;
      if (!slot.direct)
        copyAll(
            team,
            communicator->segment().message(communicator->rank, peer, number),
            message, bytes);
      channel.posted.store(number + 1, std::memory_order_release);
      send.done += bytes;
      if (send.done == send.bytes)
        ++sent[static_cast<size_t>(peer)];
      any = true;
    }
  }
  return any;
}

/// Receives what has come; whether there was any.
bool Exchange::take(Team &team) {
  bool any = false;
  for (int peer = 0; peer != communicator->ranks; ++peer) {
    Channel &channel = from(peer);
    while (nextReceive(peer) && !channel.empty()) {
      auto &receive = transfers.receives[static_cast<size_t>(peer)]
                                        [received[static_cast<size_t>(peer)]];
      const uint64_t number = channel.taken.load(std::memory_order_relaxed);
      const Channel::Slot &slot = channel.slots[number % Channel::Slots];
      if (slot.bytes > receive.bytes - receive.done) {
        communicator->fail(ncclInvalidUsage);
        return false;
      }
      copyAll(team, receive.to + receive.done, message(peer, slot, number),
              slot.bytes);
      receive.done += slot.bytes;
      channel.taken.store(number + 1, std::memory_order_release);
      if (receive.done == receive.bytes)
        ++received[static_cast<size_t>(peer)];
      any = true;
    }
  }
  return any;
}

/// Reduces a message of each peer's, if all have come.
bool Exchange::reduceNext(Team &team) {
  Transfers::Reduction &reduction = transfers.reduction;
  const size_t bytes =
      std::min(reduction.bytes - reduction.done, communicator->messageBytes());
  std::vector<Source> sources;
  for (int peer = 0; peer != communicator->ranks; ++peer) {
    if (peer == communicator->rank) {
      sources.push_back({reduction.own + reduction.done, reduction.scalar});
      continue;
    }
    Channel &channel = from(peer);
    if (channel.empty())
      return false;
    const uint64_t number = channel.taken.load(std::memory_order_relaxed);
    const Channel::Slot &slot = channel.slots[number % Channel::Slots];
    if (slot.bytes != bytes) {
      communicator->fail(ncclInvalidUsage);
      return false;
    }
    sources.push_back({message(peer, slot, number), slot.scalar});
  }
  reduce(team, reduction.type, reduction.operation, sources,
         reduction.to + reduction.done, bytes / sizeOf(reduction.type));
  reduction.done += bytes;
  for (int peer = 0; peer != communicator->ranks; ++peer)
    if (peer != communicator->rank)
      from(peer).taken.fetch_add(1, std::memory_order_release);
  return true;
}

/// An exchange as it enters streams: once, or at each launch of a graph.
class Entry final : public TeamWork {
public:
  Entry(std::shared_ptr<Communicator> communicator, Transfers transfers)
      : communicator(std::move(communicator)), transfers(std::move(transfers)) {
  }
  bool inSteps() const override { return true; }
  bool waitsForProcesses() const override { return !communicator->isLocal(); }
  std::shared_ptr<const TeamWork> begin() const override {
    return std::make_shared<Exchange>(communicator, transfers);
  }
  void run(Team &) const override {} // what begin makes runs

private:
  const std::shared_ptr<Communicator> communicator;
  const Transfers transfers;
};

} // namespace

void Transfers::append(const Transfers &other) {
  for (size_t peer = 0; peer != sends.size(); ++peer) {
    sends[peer].insert(sends[peer].end(), other.sends[peer].begin(),
                       other.sends[peer].end());
    receives[peer].insert(receives[peer].end(), other.receives[peer].begin(),
                          other.receives[peer].end());
  }
  volume += other.volume;
}

ncclResult_t enter(const std::shared_ptr<Communicator> &communicator,
                   Transfers transfers, StreamHandle stream) {
  Engine *engine = deviceAt(communicator->device);
  const DeviceUse use = useDevice();
  if (!engine || use.error != cudaSuccess)
    return ncclUnhandledCudaError;
  const bool small = transfers.volume < (size_t(64) << 10);
  const Error error = engine->perform(
      stream, std::make_shared<Entry>(communicator, std::move(transfers)),
      small, false);
  return error == cudaSuccess && engine->failure() == cudaSuccess
             ? ncclSuccess
             : ncclUnhandledCudaError;
}

} // namespace cufort::nccl

//===- Group.cpp - calls that are one -------------------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "libraries/nccl/Group.h"
#include "runtime/core/Device.h"
#include <algorithm>
#include <chrono>
#include <thread>

namespace cufort::nccl {

namespace {

struct Gathered {
  std::shared_ptr<Communicator> communicator;
  Transfers transfers;
  StreamHandle stream;
};

/// The calling thread's group.
struct Group {
  unsigned depth = 0;
  ncclResult_t error = ncclSuccess;
  std::vector<std::unique_ptr<Birth>> births;
  std::vector<Gathered> collectives, messages;
};

Group &group() {
  static thread_local Group own;
  return own;
}

ncclResult_t bear(std::vector<std::unique_ptr<Birth>> births) {
  ncclResult_t first = ncclSuccess;
  while (!births.empty()) {
    const size_t before = births.size();
    std::erase_if(births, [&](const std::unique_ptr<Birth> &birth) {
      ncclResult_t result = ncclSuccess;
      if (!birth->advance(&result))
        return false;
      if (first == ncclSuccess)
        first = result;
      return true;
    });
    if (births.size() == before)
      std::this_thread::sleep_for(std::chrono::microseconds(20));
  }
  return first;
}

ncclResult_t statusOf(Error error) {
  return error == cudaSuccess ? ncclSuccess : ncclUnhandledCudaError;
}

/// Lets \p waiting wait for what is in \p stream by now.
Error order(Engine &engine, StreamHandle waiting, StreamHandle stream) {
  EventHandle event;
  if (Error error = engine.createEvent(&event, cudaEventDisableTiming);
      error != cudaSuccess)
    return error;
  Error error = engine.recordEvent(event, stream, false);
  if (error == cudaSuccess)
    error = engine.waitEvent(waiting, event, false);
  engine.destroyEvent(event);
  return error;
}

/// Messages of one communicator, whatever their streams.
ncclResult_t enterMessages(const std::shared_ptr<Communicator> &communicator,
                           std::vector<Gathered> &messages) {
  Transfers all(communicator->ranks);
  std::vector<StreamHandle> streams;
  for (const Gathered &each : messages) {
    if (each.communicator != communicator)
      continue;
    all.append(each.transfers);
    if (std::find(streams.begin(), streams.end(), each.stream) == streams.end())
      streams.push_back(each.stream);
  }
  Engine &engine = *deviceAt(communicator->device);
  for (size_t i = 1; i != streams.size(); ++i)
    if (Error error = order(engine, streams[0], streams[i]);
        error != cudaSuccess)
      return statusOf(error);
  if (ncclResult_t wrong = enter(communicator, std::move(all), streams[0]);
      wrong != ncclSuccess)
    return wrong;
  for (size_t i = 1; i != streams.size(); ++i)
    if (Error error = order(engine, streams[i], streams[0]);
        error != cudaSuccess)
      return statusOf(error);
  return ncclSuccess;
}

} // namespace

void startGroup() { ++group().depth; }

ncclResult_t endGroup() {
  Group &g = group();
  if (!g.depth) {
    lastError() = "ncclGroupEnd without ncclGroupStart";
    return ncclInvalidUsage;
  }
  if (--g.depth)
    return ncclSuccess;
  Group all;
  std::swap(all, g);
  if (all.error != ncclSuccess)
    return all.error;
  if (ncclResult_t wrong = bear(std::move(all.births)); wrong != ncclSuccess)
    return wrong;
  for (Gathered &each : all.collectives)
    if (ncclResult_t wrong =
            enter(each.communicator, std::move(each.transfers), each.stream);
        wrong != ncclSuccess)
      return wrong;
  std::vector<const Communicator *> over;
  for (const Gathered &each : all.messages) {
    const Communicator *communicator = each.communicator.get();
    if (std::find(over.begin(), over.end(), communicator) != over.end())
      continue;
    over.push_back(communicator);
    if (ncclResult_t wrong = enterMessages(each.communicator, all.messages);
        wrong != ncclSuccess)
      return wrong;
  }
  return ncclSuccess;
}

Call::Call() { startGroup(); }

Call::~Call() {
  if (!ended)
    end(ncclSystemError);
}

ncclResult_t Call::begin(std::unique_ptr<Birth> birth) {
  group().births.push_back(std::move(birth));
  return ncclSuccess;
}

ncclResult_t Call::exchange(const std::shared_ptr<Communicator> &communicator,
                            Transfers transfers, StreamHandle stream,
                            bool messages) {
  Group &g = group();
  (messages ? g.messages : g.collectives)
      .push_back({communicator, std::move(transfers), stream});
  return ncclSuccess;
}

ncclResult_t Call::end(ncclResult_t status) {
  ended = true;
  if (status != ncclSuccess && group().error == ncclSuccess)
    group().error = status;
  const ncclResult_t result = endGroup();
  return status != ncclSuccess ? status : result;
}

} // namespace cufort::nccl

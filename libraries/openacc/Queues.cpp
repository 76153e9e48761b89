//===- Queues.cpp - OpenACC's queues as streams ---------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the module openacc calls. A queue is a stream of the device that is
// current when it is first named; the synchronous queue is the default stream.
//
//===----------------------------------------------------------------------===//

#include "cuda_runtime_api.h"
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

namespace {

constexpr int Synchronous = -1;

struct Queues {
  std::mutex mutex;
  /// By device and queue.
  std::map<std::pair<int, int64_t>, cudaStream_t> streams;
};

Queues &queues() {
  static auto *all = new Queues;
  return *all;
}

int currentDevice() {
  int device = 0;
  cudaGetDevice(&device);
  return device;
}

/// No routine of OpenACC's has a status.
void require(cudaError_t error, const char *routine) {
  if (error == cudaSuccess)
    return;
  std::fprintf(stderr, "cufort: error: %s: %s (%s)\n", routine,
               cudaGetErrorString(error), cudaGetErrorName(error));
  std::exit(1);
}

/// The queue's stream; \p make: also if it has not been named before.
bool streamOf(int64_t queue, bool make, cudaStream_t *stream) {
  *stream = nullptr;
  if (queue == Synchronous)
    return true;
  Queues &all = queues();
  std::lock_guard lock(all.mutex);
  const auto key = std::pair(currentDevice(), queue);
  if (auto found = all.streams.find(key); found != all.streams.end()) {
    *stream = found->second;
    return true;
  }
  if (!make)
    return false;
  require(cudaStreamCreateWithFlags(stream, cudaStreamNonBlocking),
          "acc_get_cuda_stream");
  all.streams.emplace(key, *stream);
  return true;
}

/// The streams of the current device's queues.
std::vector<cudaStream_t> allStreams() {
  std::vector<cudaStream_t> result = {nullptr};
  Queues &all = queues();
  std::lock_guard lock(all.mutex);
  const int device = currentDevice();
  for (const auto &[key, stream] : all.streams)
    if (key.first == device)
      result.push_back(stream);
  return result;
}

/// Whether all work of \p stream is done.
bool isDone(cudaStream_t stream, const char *routine) {
  const cudaError_t state = cudaStreamQuery(stream);
  if (state != cudaErrorNotReady)
    require(state, routine);
  return state == cudaSuccess;
}

/// Lets \p waiting wait for what is in \p stream by now.
void order(cudaStream_t waiting, cudaStream_t stream, const char *routine) {
  cudaEvent_t event;
  require(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), routine);
  require(cudaEventRecord(event, stream), routine);
  require(cudaStreamWaitEvent(waiting, event, 0), routine);
  require(cudaEventDestroy(event), routine);
}

} // namespace

extern "C" {

cudaStream_t __cufort_acc_stream(int64_t queue) {
  cudaStream_t stream;
  streamOf(queue, true, &stream);
  return stream;
}

void __cufort_acc_set_stream(int64_t queue, cudaStream_t stream) {
  if (queue == Synchronous)
    return;
  Queues &all = queues();
  std::lock_guard lock(all.mutex);
  all.streams[std::pair(currentDevice(), queue)] = stream;
}

void __cufort_acc_wait(int64_t queue) {
  cudaStream_t stream;
  if (streamOf(queue, false, &stream))
    require(cudaStreamSynchronize(stream), "acc_wait");
}

void __cufort_acc_wait_all() {
  for (cudaStream_t stream : allStreams())
    require(cudaStreamSynchronize(stream), "acc_wait_all");
}

bool __cufort_acc_test(int64_t queue) {
  cudaStream_t stream;
  return !streamOf(queue, false, &stream) || isDone(stream, "acc_async_test");
}

bool __cufort_acc_test_all() {
  for (cudaStream_t stream : allStreams())
    if (!isDone(stream, "acc_async_test_all"))
      return false;
  return true;
}

void __cufort_acc_wait_async(int64_t awaited, int64_t queue) {
  cudaStream_t first, second;
  if (streamOf(awaited, false, &first) && streamOf(queue, true, &second) &&
      first != second)
    order(second, first, "acc_wait_async");
}

void __cufort_acc_wait_all_async(int64_t queue) {
  cudaStream_t waiting;
  streamOf(queue, true, &waiting);
  for (cudaStream_t stream : allStreams())
    if (stream != waiting)
      order(waiting, stream, "acc_wait_all_async");
}

int __cufort_acc_devices() {
  int count;
  return cudaGetDeviceCount(&count) == cudaSuccess ? count : 0;
}

int __cufort_acc_device() { return currentDevice(); }

void __cufort_acc_set_device(int device) {
  require(cudaSetDevice(device), "acc_set_device_num");
}

void __cufort_acc_init() { require(cudaFree(nullptr), "acc_init"); }

void *__cufort_acc_malloc(size_t bytes) {
  void *memory = nullptr;
  return cudaMalloc(&memory, bytes) == cudaSuccess ? memory : nullptr;
}

void __cufort_acc_free(void *memory) { require(cudaFree(memory), "acc_free"); }

void __cufort_acc_copy(void *to, const void *from, size_t bytes) {
  require(cudaMemcpy(to, from, bytes, cudaMemcpyDefault), "acc_memcpy_device");
}

/// Bytes of memory of the device, all or free.
int64_t __cufort_acc_memory(int device, bool free) {
  const int before = currentDevice();
  size_t available = 0, total = 0;
  require(cudaSetDevice(device), "acc_get_property");
  require(cudaMemGetInfo(&available, &total), "acc_get_property");
  require(cudaSetDevice(before), "acc_get_property");
  return static_cast<int64_t>(free ? available : total);
}

/// The device's name, with blanks behind it.
void __cufort_acc_name(int device, char *name, size_t length) {
  cudaDeviceProp properties;
  require(cudaGetDeviceProperties(&properties, device),
          "acc_get_property_string");
  std::memset(name, ' ', length);
  std::memcpy(name, properties.name, strnlen(properties.name, length));
}
}

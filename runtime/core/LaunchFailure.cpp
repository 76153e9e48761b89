//===- LaunchFailure.cpp - launches that failed unasked -------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/core/LaunchFailure.h"
#include "runtime/core/process/Process.h"
#include "runtime/core/process/Stop.h"
#include <atomic>
#include <mutex>
#include <new>
#include <string>

namespace cufort {
namespace {

struct Failure {
  std::mutex mutex;
  Error error = cudaSuccess;
  std::string call, file, detail;
  int line = 0;
};

Failure &failure() {
  return processWide<Failure>(ProcessObject::LaunchFailure);
}

} // namespace

void noteLaunchFailure(Error error, const char *kernel, const char *file,
                       int line, const char *detail) {
  Failure &f = failure();
  std::lock_guard lock(f.mutex);
  if (process().launchFailed.load())
    return; // The first one is the cause.
  f.error = error;
  f.line = line;
  try {
    f.call = std::string("launch of kernel ") + kernel;
    f.file = file ? file : "";
    f.detail = detail ? detail : "";
  } catch (const std::bad_alloc &) {
    // The failure counts, its description can be missed.
    f.call.clear();
    f.file.clear();
    f.detail.clear();
  }
  process().launchFailed.store(true);
}

Error pendingLaunchFailure() {
  if (!process().launchFailed.load(std::memory_order_relaxed))
    return cudaSuccess;
  Failure &f = failure();
  std::lock_guard lock(f.mutex);
  return f.error;
}

std::string launchFailureDetail(Error error) {
  Failure &f = failure();
  std::lock_guard lock(f.mutex);
  if (error == cudaSuccess || f.error != error || f.call.empty())
    return "";
  return "cause: " + f.call + (f.detail.empty() ? "" : ": " + f.detail);
}

void forgetLaunchFailure() {
  if (process().launchFailed.load(std::memory_order_relaxed))
    process().launchFailed.store(false);
}

void reportPendingLaunchFailure() {
  if (!process().launchFailed.load(std::memory_order_relaxed))
    return;
  Failure &f = failure();
  std::lock_guard lock(f.mutex);
  if (!process().launchFailed.exchange(false))
    return;
  stopProgram(f.file.empty() ? nullptr : f.file.c_str(), f.line, f.call.c_str(),
              f.error, f.detail.c_str());
}

} // namespace cufort

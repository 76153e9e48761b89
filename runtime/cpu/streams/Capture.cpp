//===- Capture.cpp - streams whose work becomes a graph -------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/cpu/CpuEngine.h"
#include "runtime/cpu/graphs/GraphNodes.h"
#include <algorithm>
#include <exception>
#include <optional>

namespace cufort::cpu {

using Lock = std::lock_guard<std::recursive_mutex>;

namespace {
enum Mode { Global = 0, ThreadLocal = 1, Relaxed = 2 };

/// What other threads' captures, and the thread's own, forbid it.
thread_local int ThreadMode = Global;
} // namespace

/// The capture that \p stream takes part in; null: none, or one that has become
/// invalid, or the stream is the default one and may not be used; \p error
/// says which.
CpuGraphs::Member *CpuGraphs::memberOf(Stream &stream, Error *error) {
  *error = cudaSuccess;
  auto found = members.find(&stream);
  if (found == members.end()) {
    if (&stream != &engine.scheduler.defaultStream())
      return nullptr;
    // The default stream would wait for streams that only pretend to work.
    for (auto &[other, member] : members)
      if (other->blocking && isOurs(*other)) {
        member.capture->invalid = true;
        *error = cudaErrorStreamCaptureImplicit;
      }
    return nullptr;
  }
  if (found->second.capture->invalid) {
    *error = cudaErrorStreamCaptureInvalidated;
    return nullptr;
  }
  return &found->second;
}

namespace {

/// A capture to which something could only be added in part is invalid.
class Completion {
public:
  template <typename Capture>
  explicit Completion(Capture &capture) : invalid(capture.invalid) {}
  Completion(const Completion &) = delete;
  Completion &operator=(const Completion &) = delete;
  ~Completion() {
    if (std::uncaught_exceptions() > before)
      invalid = true;
  }

private:
  bool &invalid;
  const int before = std::uncaught_exceptions();
};

} // namespace

void CpuGraphs::append(Member &member, GraphNode *node) {
  member.tail.assign(1, node);
}

bool CpuGraphs::captured(Stream &stream, GraphNodeType type, Make make,
                         NodeWork work, Error *error) {
  Lock lock(mutex);
  Member *member = memberOf(stream, error);
  if (!member)
    return *error != cudaSuccess;
  const Completion completion(*member->capture);
  GraphNode *node = add(*member->capture->graph, type,
                        {member->tail.data(), member->tail.size()});
  node->make = std::move(make);
  node->work = std::move(work);
  node->label = type == GraphNodeType::Copy       ? "copy"
                : type == GraphNodeType::Fill     ? "fill"
                : type == GraphNodeType::Allocate ? "allocation"
                : type == GraphNodeType::Release  ? "release"
                : type == GraphNodeType::Values   ? "values"
                                                  : "host function";
  append(*member, node);
  return true;
}

bool CpuGraphs::capturedLaunch(Stream &stream, const KernelReference &kernel,
                               const LaunchConfiguration &configuration,
                               void *const *parameters, Error *error) {
  Lock lock(mutex);
  Member *member = memberOf(stream, error);
  if (!member)
    return *error != cudaSuccess;
  GraphNodeHandle node;
  Graph *graph = member->capture->graph;
  const Completion completion(*member->capture);
  *error = catchExhaustion([&] {
    return addKernel(&node, graph, {member->tail.data(), member->tail.size()},
                     kernel, configuration, parameters);
  });
  if (*error == cudaErrorMemoryAllocation)
    member->capture->invalid = true;
  if (*error == cudaSuccess)
    append(*member, static_cast<GraphNode *>(node));
  return true;
}

bool CpuGraphs::capturedRecord(Stream &stream, EventHandle event, bool external,
                               Error *error) {
  Lock lock(mutex);
  Member *member = memberOf(stream, error);
  if (!member)
    return *error != cudaSuccess;
  const Completion completion(*member->capture);
  if (external) {
    GraphNode *node = add(*member->capture->graph, GraphNodeType::RecordEvent,
                          {member->tail.data(), member->tail.size()});
    node->event = event;
    node->label = "record event";
    append(*member, node);
  } else {
    capturedEvents.insert_or_assign(event, *member);
    spentEvents.erase(event);
  }
  return true;
}

bool CpuGraphs::capturedWait(Stream &stream, EventHandle event, bool external,
                             Error *error) {
  Lock lock(mutex);
  auto found = capturedEvents.find(event);
  Member *member = memberOf(stream, error);
  if (*error != cudaSuccess)
    return true;
  if (!member && found == capturedEvents.end())
    return false;
  std::optional<Completion> completion;
  if (member)
    completion.emplace(*member->capture);
  if (external && member) {
    GraphNode *node = add(*member->capture->graph, GraphNodeType::WaitEvent,
                          {member->tail.data(), member->tail.size()});
    node->event = event;
    node->label = "wait for event";
    append(*member, node);
    return true;
  }
  if (found == capturedEvents.end() ||
      (member && member->capture != found->second.capture)) {
    // Work outside of the capture cannot be waited for.
    if (member)
      member->capture->invalid = true;
    if (found != capturedEvents.end())
      found->second.capture->invalid = true;
    *error = found == capturedEvents.end() ? cudaErrorStreamCaptureIsolation
                                           : cudaErrorStreamCaptureMerge;
    return true;
  }
  if (found->second.capture->invalid) {
    *error = cudaErrorStreamCaptureInvalidated;
    return true;
  }
  if (!member) {
    members.emplace(&stream, found->second);
    return true;
  }
  for (GraphNodeHandle node : found->second.tail)
    if (std::find(member->tail.begin(), member->tail.end(), node) ==
        member->tail.end())
      member->tail.push_back(node);
  return true;
}

Error CpuGraphs::refuse(Stream &stream) {
  const Error error = refuseCaptured(stream);
  return error == cudaSuccess ? refuseUnsafe() : error;
}

Error CpuGraphs::refuseCaptured(Stream &stream) {
  if (!capturing())
    return cudaSuccess;
  Lock lock(mutex);
  Error error;
  Member *member = memberOf(stream, &error);
  if (!member)
    return error;
  member->capture->invalid = true;
  return cudaErrorStreamCaptureUnsupported;
}

Error CpuGraphs::leave(Stream &stream) {
  if (!capturing())
    return cudaSuccess;
  Lock lock(mutex);
  auto found = members.find(&stream);
  if (found == members.end())
    return cudaSuccess;
  Member &member = found->second;
  if (member.capture->origin == &stream) {
    member.capture->invalid = true;
    return cudaErrorStreamCaptureUnsupported;
  }
  std::vector<GraphNodeHandle> &left = member.capture->left;
  left.insert(left.end(), member.tail.begin(), member.tail.end());
  members.erase(found);
  return cudaSuccess;
}

Error CpuGraphs::refuseEvent(EventHandle event) {
  const Error error = checkTime(event);
  if (error == cudaErrorCapturedEvent) {
    Lock lock(mutex);
    if (auto found = capturedEvents.find(event); found != capturedEvents.end())
      found->second.capture->invalid = true;
  }
  return error == cudaSuccess ? refuseUnsafe() : error;
}

Error CpuGraphs::checkWait(EventHandle event) {
  if (!hasSpentEvents.load(std::memory_order_acquire))
    return cudaSuccess;
  Lock lock(mutex);
  return spentEvents.count(event) ? cudaErrorInvalidValue : cudaSuccess;
}

Error CpuGraphs::checkTime(EventHandle event) {
  if (const Error error = checkWait(event); error != cudaSuccess)
    return error;
  if (!capturing())
    return cudaSuccess;
  Lock lock(mutex);
  return capturedEvents.count(event) ? cudaErrorCapturedEvent : cudaSuccess;
}

Error CpuGraphs::refuseImplicit() {
  if (!capturing())
    return cudaSuccess;
  Lock lock(mutex);
  Error error;
  memberOf(engine.scheduler.defaultStream(), &error);
  return error != cudaSuccess ? error : refuseUnsafe();
}

Error CpuGraphs::exchangeMode(int *mode) {
  if (*mode < Global || *mode > Relaxed)
    return cudaErrorInvalidValue;
  std::swap(*mode, ThreadMode);
  return cudaSuccess;
}

Error CpuGraphs::refuseUnsafe() {
  if (!capturing() || ThreadMode == Relaxed)
    return cudaSuccess;
  Lock lock(mutex);
  for (auto &[stream, member] : members) {
    Capture &capture = *member.capture;
    if (!isOurs(*stream))
      continue;
    const bool own = capture.thread == std::this_thread::get_id();
    if (capture.mode != Relaxed &&
        (own || (capture.mode == Global && ThreadMode == Global))) {
      capture.invalid = true;
      return cudaErrorStreamCaptureUnsupported;
    }
  }
  return cudaSuccess;
}

Error CpuGraphs::refuseDevice() {
  if (!capturing())
    return cudaSuccess;
  Lock lock(mutex);
  Error error = cudaSuccess;
  for (auto &[stream, member] : members)
    if (isOurs(*stream)) {
      member.capture->invalid = true;
      error = cudaErrorStreamCaptureUnsupported;
    }
  return error;
}

void CpuGraphs::forgetEvent(EventHandle event) {
  if (!capturing() && !hasSpentEvents.load(std::memory_order_acquire))
    return;
  Lock lock(mutex);
  capturedEvents.erase(event);
  spentEvents.erase(event);
  hasSpentEvents.store(!spentEvents.empty(), std::memory_order_release);
}

Error CpuGraphs::beginCapture(StreamHandle handle, GraphHandle graphHandle,
                              Dependencies after, int mode) {
  Stream *stream = engine.findAny(handle);
  if (!stream)
    return cudaErrorInvalidResourceHandle;
  if (mode < Global || mode > Relaxed)
    return cudaErrorInvalidValue;
  if (stream == &engine.scheduler.defaultStream())
    return cudaErrorStreamCaptureUnsupported;
  Lock lock(mutex);
  if (members.count(stream))
    return cudaErrorIllegalState;
  auto capture = std::make_shared<Capture>();
  std::unique_ptr<Graph> fresh;
  Member member{capture, {}};
  if (graphHandle) {
    capture->graph = findGraph(graphHandle);
    capture->ownGraph = false;
    if (!capture->graph || (after.count && !after.nodes))
      return cudaErrorInvalidValue;
    for (size_t i = 0; i < after.count; ++i) {
      auto *node = static_cast<GraphNode *>(after.nodes[i]);
      if (!allNodes.count(node) || node->graph != capture->graph)
        return cudaErrorInvalidValue;
      member.tail.push_back(node);
    }
  } else {
    fresh = std::make_unique<Graph>(*this);
    capture->graph = fresh.get();
    capture->ownGraph = true;
    // The program may add to it, but not destroy it yet.
    owned.insert(fresh.get());
  }
  capture->id = ++lastId;
  capture->mode = mode;
  capture->origin = stream;
  capture->thread = std::this_thread::get_id();
  try {
    members.emplace(stream, std::move(member));
  } catch (const std::bad_alloc &) {
    owned.erase(fresh.get());
    throw;
  }
  (void)fresh.release();
  activeCaptures.fetch_add(1, std::memory_order_release);
  return cudaSuccess;
}

/// Nothing takes part in \p capture any more.
void CpuGraphs::endMembers(const Capture &capture) {
  std::erase_if(members, [&](const auto &entry) {
    return entry.second.capture.get() == &capture;
  });
  try {
    for (const auto &[event, member] : capturedEvents)
      if (member.capture.get() == &capture)
        spentEvents.insert(event);
  } catch (const std::bad_alloc &) {
    spentEvents.clear(); // who waits for one of these finds it done
  }
  hasSpentEvents.store(!spentEvents.empty(), std::memory_order_release);
  std::erase_if(capturedEvents, [&](const auto &entry) {
    return entry.second.capture.get() == &capture;
  });
  activeCaptures.fetch_sub(1, std::memory_order_release);
}

Error CpuGraphs::endCapture(StreamHandle handle, GraphHandle *result) {
  if (result)
    *result = nullptr;
  Stream *stream = engine.findAny(handle);
  if (!stream)
    return cudaErrorInvalidResourceHandle;
  Lock lock(mutex);
  auto found = members.find(stream);
  Error error = cudaSuccess;
  if (found == members.end()) {
    memberOf(*stream, &error);
    return error == cudaSuccess ? cudaErrorIllegalState : error;
  }
  std::shared_ptr<Capture> capture = found->second.capture;
  if (capture->origin != stream) {
    capture->invalid = true;
    return cudaErrorStreamCaptureUnmatched;
  }
  if (capture->mode != Relaxed && capture->thread != std::this_thread::get_id())
    error = cudaErrorStreamCaptureWrongThread;
  else if (capture->invalid)
    error = cudaErrorStreamCaptureInvalidated;
  // The capture ends in any case.
  try {
    if (error == cudaSuccess)
      error = checkJoined(found->second);
    if (error == cudaSuccess && capture->ownGraph && result)
      graphs.insert(capture->graph);
  } catch (const std::bad_alloc &) {
    error = cudaErrorMemoryAllocation;
  }
  endMembers(*capture);
  if (capture->ownGraph)
    owned.erase(capture->graph);
  if (error == cudaSuccess && result) {
    *result = capture->graph;
  } else if (capture->ownGraph) {
    forgetGraph(capture->graph);
    delete capture->graph;
  }
  return error;
}

/// Whether all that the streams of a capture did leads back to \p origin,
/// where it all began.
Error CpuGraphs::checkJoined(const Member &origin) const {
  std::unordered_set<const GraphNode *> reached;
  std::vector<const GraphNode *> open;
  open.reserve(origin.tail.size());
  for (GraphNodeHandle node : origin.tail)
    open.push_back(static_cast<const GraphNode *>(node));
  while (!open.empty()) {
    const GraphNode *node = open.back();
    open.pop_back();
    if (reached.insert(node).second)
      open.insert(open.end(), node->after.begin(), node->after.end());
  }
  auto isReached = [&](GraphNodeHandle node) {
    return reached.count(static_cast<const GraphNode *>(node)) != 0;
  };
  for (const auto &[other, member] : members)
    if (member.capture == origin.capture &&
        !std::all_of(member.tail.begin(), member.tail.end(), isReached))
      return cudaErrorStreamCaptureUnjoined;
  const std::vector<GraphNodeHandle> &left = origin.capture->left;
  return std::all_of(left.begin(), left.end(), isReached)
             ? cudaSuccess
             : cudaErrorStreamCaptureUnjoined;
}

Error CpuGraphs::captureInformation(StreamHandle handle,
                                    CaptureInformation *result) {
  *result = {};
  Stream *stream = engine.findAny(handle);
  if (!stream)
    return cudaErrorInvalidResourceHandle;
  Lock lock(mutex);
  auto found = members.find(stream);
  if (found == members.end()) {
    Error error;
    memberOf(*stream, &error);
    return error;
  }
  const Member &member = found->second;
  result->status = member.capture->invalid ? CaptureStatus::Invalidated
                                           : CaptureStatus::Active;
  result->id = member.capture->id;
  result->graph = member.capture->graph;
  result->dependencies = member.tail.data();
  result->dependencyCount = member.tail.size();
  return cudaSuccess;
}

Error CpuGraphs::updateCapture(StreamHandle handle, Dependencies nodes,
                               bool replace) {
  Stream *stream = engine.findAny(handle);
  if (!stream)
    return cudaErrorInvalidResourceHandle;
  Lock lock(mutex);
  auto found = members.find(stream);
  if (found == members.end())
    return cudaErrorIllegalState;
  Member &member = found->second;
  if (member.capture->invalid)
    return cudaErrorStreamCaptureInvalidated;
  if (nodes.count && !nodes.nodes)
    return cudaErrorInvalidValue;
  std::vector<GraphNodeHandle> tail;
  if (!replace)
    tail = member.tail;
  for (size_t i = 0; i < nodes.count; ++i) {
    const GraphNode *node = findNode(nodes.nodes[i]);
    if (!node || node->graph != member.capture->graph)
      return cudaErrorInvalidValue;
    if (std::find(tail.begin(), tail.end(), nodes.nodes[i]) == tail.end())
      tail.push_back(nodes.nodes[i]);
  }
  member.tail = std::move(tail);
  return cudaSuccess;
}

} // namespace cufort::cpu

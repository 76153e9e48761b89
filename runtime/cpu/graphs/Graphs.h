//===- Graphs.h - graphs and capture on the CPU -----------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A graph is a list of nodes that know how to make their operation anew. An
// executable graph spreads them over lanes: streams of its own, the first lane
// being the stream it is launched in. A launch submits all operations in
// topological order; where a dependency leads from one lane to another, an
// event stands between them.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_CPU_GRAPHS_GRAPHS_H
#define CUFORT_RUNTIME_CPU_GRAPHS_GRAPHS_H

#include "runtime/core/engine/Graphs.h"
#include "runtime/cpu/memory/Memory.h"
#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <unordered_map>
#include <unordered_set>
#include <variant>
#include <vector>

namespace cufort::cpu {

class CpuEngine;
class Operation;
class Stream;
struct EventRecord;
struct Graph;
struct GraphExec;
struct GraphNode;
struct GraphShape;
struct GraphStep;
struct Condition;
struct ConditionalWork;
struct UserObject;

/// A launch with a copy of its parameters.
struct KernelWork {
  KernelWork(const KernelReference &kernel,
             const LaunchConfiguration &configuration, void *const *parameters);

  KernelReference kernel;
  LaunchConfiguration configuration;
  std::vector<char> bytes;
  std::vector<void *> pointers; ///< into them, one for each parameter
};

/// What a node frees.
struct ReleaseWork {
  void *memory;
};

/// The parameters of a node, for programs that read them back; nothing where
/// its type has none.
using NodeWork =
    std::variant<std::monostate, std::shared_ptr<KernelWork>, BoxCopy,
                 FillParameters, HostCall, AllocationParameters, ReleaseWork>;

class CpuGraphs final : public Graphs {
public:
  using Make = std::function<Operation *()>;

  explicit CpuGraphs(CpuEngine &engine);
  ~CpuGraphs() override;

#define CUFORT_GRAPHS(result, name, parameters) result name parameters override;
#include "runtime/core/engine/Graphs.def"

  //===--- what the engine asks while a stream may be captured ---===//

  bool capturing() const {
    return activeCaptures.load(std::memory_order_acquire) != 0;
  }
  /// Whether work for \p stream became a node (or an error) instead of being
  /// submitted.
  bool captured(Stream &stream, GraphNodeType type, Make make, NodeWork work,
                Error *error);
  bool capturedLaunch(Stream &stream, const KernelReference &kernel,
                      const LaunchConfiguration &configuration,
                      void *const *parameters, Error *error);
  bool capturedRecord(Stream &stream, EventHandle event, bool external,
                      Error *error);
  bool capturedWait(Stream &stream, EventHandle event, bool external,
                    Error *error);
  /// The graph keeps the memory from now on until neither it nor an executable
  /// graph made of it is left, so every launch finds it at the same address.
  bool capturedAllocation(Stream &stream, void **memory, size_t bytes,
                          int device, Error *error);
  bool capturedRelease(Stream &stream, void *memory, Error *error);
  /// The error of waiting for or asking about a stream or an event while
  /// something is captured, which ends the capture: of what is captured, and of
  /// others where the mode forbids it.
  Error refuse(Stream &stream);
  /// The error of what captures cannot contain, in a stream that takes part in
  /// one.
  Error refuseCaptured(Stream &stream);
  /// \p stream is about to be destroyed: one that has joined a capture leaves
  /// it, the one that began it cannot.
  Error leave(Stream &stream);
  Error refuseEvent(EventHandle event);
  /// The error of comparing the times of an event that a capture has recorded,
  /// and of waiting for one whose capture has ended.
  Error checkTime(EventHandle event);
  Error checkWait(EventHandle event);
  /// The error of a wait for the whole device, whatever the mode.
  Error refuseDevice();
  /// The error of a call that uses the default stream without being a stream's.
  Error refuseImplicit();
  Error refuseUnsafe();
  /// The event is recorded or destroyed outside of captures.
  void forgetEvent(EventHandle event);
  /// Forgets all captures, graphs and executable graphs.
  void reset();
  /// Whether a node of an executable graph that does \p before can do \p now.
  static bool mayReplace(const NodeWork &before, const NodeWork &now);

private:
  struct Capture {
    Graph *graph;
    bool ownGraph;
    bool invalid = false;
    unsigned long long id;
    int mode;
    Stream *origin;
    std::thread::id thread;
    /// What streams did that took part and are destroyed.
    std::vector<GraphNodeHandle> left;
  };
  struct Member {
    std::shared_ptr<Capture> capture;
    std::vector<GraphNodeHandle> tail;
  };

  /// What a node does: how its operations are made, and what it was told.
  struct Action {
    Make make;
    NodeWork work;
  };
  // The action of a node, or what is wrong with its parameters.
  Error makeKernel(const KernelReference &kernel,
                   const LaunchConfiguration &configuration,
                   void *const *parameters, Action *action);
  Error makeCopy(const BoxCopy &copy, Action *action);
  Error makeAllocation(AllocationParameters &p, Action *action);
  static Error makeRelease(const Graph &graph, void *memory, Action *action);
  Error checkEvent(EventHandle event);
  static Error makeFill(const FillParameters &fill, Action *action);
  static Error makeHost(void (*function)(void *), void *data, Action *action);
  Error set(NodePlace place, GraphNodeType type, Action action);
  template <typename Work> Error workOf(GraphNodeHandle node, Work *result);

  // Under the lock.
  Graph *findGraph(GraphHandle handle);
  GraphNode *findNode(GraphNodeHandle handle);
  bool ownsAll(const Graph &graph, const GraphNodeHandle *from,
               const GraphNodeHandle *to, size_t count);
  UserObject *findObject(UserObjectHandle handle);
  /// The step of an executable graph that was made of a node, to be changed.
  Error stepOf(NodePlace place, GraphStep **step);
  GraphStep *stepToChange(std::vector<GraphStep> &steps, const GraphNode *node);
  GraphNode *add(Graph &graph, GraphNodeType type, Dependencies after);
  Error addTo(GraphNodeHandle *node, GraphHandle graph, Dependencies after,
              GraphNodeType type, Action action, std::string label);
  Member *memberOf(Stream &stream, Error *error);
  void append(Member &member, GraphNode *node);
  void forgetGraph(Graph *graph);
  void forgetNode(GraphNode &node);
  std::shared_ptr<Condition> findCondition(ConditionHandle handle);
  Error makeConditional(const GraphNode &node, GraphStep &step);
  void setConditional(GraphStep &step, std::shared_ptr<ConditionalWork> work);
  static std::vector<GraphShape> shapesOf(const Graph &graph);
  /// All objects that \p graph and those within it need.
  static void collectObjects(const Graph &graph,
                             std::vector<std::shared_ptr<UserObject>> &objects);
  Error makeSteps(const Graph &graph, std::vector<GraphStep> &steps,
                  unsigned &lanes);
  Error build(GraphExec &exec, const Graph &graph);
  void copyInto(Graph &to, const Graph &from);
  std::unique_ptr<Graph> copyOf(const Graph &graph);
  void endExec(GraphExec *exec);
  void endMembers(const Capture &capture);
  Error checkJoined(const Member &origin) const;

  /// What there is on all devices: a handle is good whatever device is current.
  struct Tables {
    std::recursive_mutex mutex;
    std::unordered_set<Graph *> graphs;
    std::unordered_set<Graph *> owned; ///< by nodes and captures
    std::unordered_map<UserObject *, std::weak_ptr<UserObject>> objects;
    std::unordered_set<GraphExec *> execs;
    std::unordered_set<GraphNode *> allNodes;
    std::unordered_map<Stream *, Member> members;
    std::unordered_map<EventHandle, Member> capturedEvents;
    /// Events that only captures have recorded which are over.
    std::unordered_set<EventHandle> spentEvents;
    std::atomic<bool> hasSpentEvents{false};
    unsigned long long lastId = 0;
    std::atomic<unsigned> activeCaptures{0};
  };
  static Tables &tables();
  /// Whether a stream is of this device.
  bool isOurs(const Stream &stream) const;

  CpuEngine &engine;
  GraphMemoryCount memoryCount;
  // Of the tables.
  std::recursive_mutex &mutex = tables().mutex;
  std::unordered_set<Graph *> &graphs = tables().graphs;
  std::unordered_set<Graph *> &owned = tables().owned;
  std::unordered_map<UserObject *, std::weak_ptr<UserObject>> &objects =
      tables().objects;
  std::unordered_set<GraphExec *> &execs = tables().execs;
  std::unordered_set<GraphNode *> &allNodes = tables().allNodes;
  std::unordered_map<Stream *, Member> &members = tables().members;
  std::unordered_map<EventHandle, Member> &capturedEvents =
      tables().capturedEvents;
  std::unordered_set<EventHandle> &spentEvents = tables().spentEvents;
  std::atomic<bool> &hasSpentEvents = tables().hasSpentEvents;
  unsigned long long &lastId = tables().lastId;
  std::atomic<unsigned> &activeCaptures = tables().activeCaptures;
};

} // namespace cufort::cpu

#endif // CUFORT_RUNTIME_CPU_GRAPHS_GRAPHS_H

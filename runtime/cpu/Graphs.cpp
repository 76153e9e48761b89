//===- Graphs.cpp - graphs on the CPU -------------------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/cpu/Graphs.h"
#include "runtime/core/Names.h"
#include "runtime/cpu/CopyOperation.h"
#include "runtime/cpu/CpuEngine.h"
#include "runtime/cpu/GraphNodes.h"
#include <algorithm>
#include <cstdio>
#include <cstring>

namespace cufort::cpu {

using Lock = std::lock_guard<std::recursive_mutex>;

CpuGraphs::CpuGraphs(CpuEngine &engine) : engine(engine) {}
CpuGraphs::~CpuGraphs() = default;

//===----------------------------------------------------------------------===//
// Making graphs
//===----------------------------------------------------------------------===//

Graph *CpuGraphs::findGraph(GraphHandle handle) {
  auto found = graphs.find(static_cast<Graph *>(handle));
  return found == graphs.end() ? nullptr : *found;
}

Error CpuGraphs::create(GraphHandle *handle) {
  auto graph = std::make_unique<Graph>();
  Lock lock(mutex);
  graphs.insert(graph.get());
  *handle = graph.release();
  return cudaSuccess;
}

/// The nodes of \p graph are no longer known.
void CpuGraphs::forgetGraph(Graph *graph) {
  for (const auto &node : graph->nodes) {
    allNodes.erase(node.get());
    if (node->child)
      forgetGraph(node->child.get());
  }
}

Error CpuGraphs::destroy(GraphHandle handle) {
  Lock lock(mutex);
  Graph *graph = findGraph(handle);
  if (!graph)
    return cudaErrorInvalidValue;
  for (const auto &[stream, member] : members)
    if (member.capture->graph == graph)
      return cudaErrorIllegalState;
  graphs.erase(graph);
  forgetGraph(graph);
  delete graph;
  return cudaSuccess;
}

std::unique_ptr<Graph> CpuGraphs::copyOf(const Graph &graph) {
  auto copy = std::make_unique<Graph>();
  try {
    copyInto(*copy, graph);
  } catch (const std::bad_alloc &) {
    forgetGraph(copy.get());
    throw;
  }
  return copy;
}

void CpuGraphs::copyInto(Graph &to, const Graph &from) {
  for (const auto &node : from.nodes) {
    to.nodes.push_back(std::make_unique<GraphNode>());
    GraphNode *copy = to.nodes.back().get();
    copy->graph = &to;
    copy->index = node->index;
    copy->type = node->type;
    copy->make = node->make;
    copy->work = node->work;
    copy->event = node->event;
    copy->kernel = node->kernel;
    copy->label = node->label;
    if (node->child)
      copy->child = copyOf(*node->child);
    allNodes.insert(copy);
  }
  for (const auto &node : from.nodes)
    for (const GraphNode *earlier : node->after)
      to.nodes[node->index]->after.push_back(to.nodes[earlier->index].get());
}

Error CpuGraphs::clone(GraphHandle *copy, GraphHandle handle) {
  Lock lock(mutex);
  Graph *graph = findGraph(handle);
  if (!graph)
    return cudaErrorInvalidValue;
  std::unique_ptr<Graph> fresh = copyOf(*graph);
  try {
    graphs.insert(fresh.get());
  } catch (const std::bad_alloc &) {
    forgetGraph(fresh.get());
    throw;
  }
  *copy = fresh.release();
  return cudaSuccess;
}

/// A new node of \p graph; null if a dependency is none of its nodes.
GraphNode *CpuGraphs::add(Graph &graph, GraphNodeType type,
                          Dependencies after) {
  auto node = std::make_unique<GraphNode>();
  node->graph = &graph;
  node->index = graph.nodes.size();
  node->type = type;
  if (after.count && !after.nodes)
    return nullptr;
  for (size_t i = 0; i < after.count; ++i) {
    auto *earlier = static_cast<GraphNode *>(after.nodes[i]);
    if (!allNodes.count(earlier) || earlier->graph != &graph)
      return nullptr;
    node->after.push_back(earlier);
  }
  GraphNode *added = node.get();
  graph.nodes.push_back(std::move(node));
  try {
    allNodes.insert(added);
  } catch (const std::bad_alloc &) {
    graph.nodes.pop_back();
    throw;
  }
  return added;
}

Error CpuGraphs::addTo(GraphNodeHandle *handle, GraphHandle graphHandle,
                       Dependencies after, GraphNodeType type, Action action,
                       std::string label) {
  Lock lock(mutex);
  Graph *graph = findGraph(graphHandle);
  GraphNode *node = graph ? add(*graph, type, after) : nullptr;
  if (!node)
    return cudaErrorInvalidValue;
  node->make = std::move(action.make);
  node->work = std::move(action.work);
  node->label = std::move(label);
  *handle = node;
  return cudaSuccess;
}

Error CpuGraphs::addEmpty(GraphNodeHandle *node, GraphHandle graph,
                          Dependencies after) {
  return addTo(node, graph, after, GraphNodeType::Empty, {}, "empty");
}

Error CpuGraphs::addKernel(GraphNodeHandle *handle, GraphHandle graph,
                           Dependencies after, const KernelReference &kernel,
                           const LaunchConfiguration &configuration,
                           void *const *parameters) {
  Action action;
  if (Error error = makeKernel(kernel, configuration, parameters, &action);
      error != cudaSuccess)
    return error;
  Lock lock(mutex);
  Error error = addTo(handle, graph, after, GraphNodeType::Kernel,
                      std::move(action), procedureName(kernel.kernel->name));
  if (error == cudaSuccess)
    static_cast<GraphNode *>(*handle)->kernel = kernel.kernel;
  return error;
}

Error CpuGraphs::addCopy(GraphNodeHandle *node, GraphHandle graph,
                         Dependencies after, const BoxCopy &copy) {
  Action action;
  if (Error error = makeCopy(copy, &action); error != cudaSuccess)
    return error;
  return addTo(node, graph, after, GraphNodeType::Copy, std::move(action),
               "copy");
}

Error CpuGraphs::addFill(GraphNodeHandle *node, GraphHandle graph,
                         Dependencies after, const FillParameters &fill) {
  Action action;
  if (Error error = makeFill(fill, &action); error != cudaSuccess)
    return error;
  return addTo(node, graph, after, GraphNodeType::Fill, std::move(action),
               "fill");
}

Error CpuGraphs::addHost(GraphNodeHandle *node, GraphHandle graph,
                         Dependencies after, void (*function)(void *),
                         void *data) {
  Action action;
  if (Error error = makeHost(function, data, &action); error != cudaSuccess)
    return error;
  return addTo(node, graph, after, GraphNodeType::Host, std::move(action),
               "host function");
}

Error CpuGraphs::addChild(GraphNodeHandle *handle, GraphHandle graph,
                          Dependencies after, GraphHandle child) {
  Lock lock(mutex);
  Graph *source = findGraph(child);
  if (!source || child == graph)
    return cudaErrorInvalidValue;
  std::unique_ptr<Graph> copy = copyOf(*source);
  Error error;
  try {
    error = addTo(handle, graph, after, GraphNodeType::Graph, {}, "graph");
  } catch (const std::bad_alloc &) {
    error = cudaErrorMemoryAllocation;
  }
  if (error == cudaSuccess)
    static_cast<GraphNode *>(*handle)->child = std::move(copy);
  else
    forgetGraph(copy.get());
  return error;
}

Error CpuGraphs::addDependencies(GraphHandle handle,
                                 const GraphNodeHandle *from,
                                 const GraphNodeHandle *to, size_t count) {
  Lock lock(mutex);
  Graph *graph = findGraph(handle);
  if (!graph || (count && (!from || !to)))
    return cudaErrorInvalidValue;
  const auto ours = [&](GraphNodeHandle node) {
    return allNodes.count(static_cast<GraphNode *>(node)) &&
           static_cast<GraphNode *>(node)->graph == graph;
  };
  for (size_t i = 0; i < count; ++i) {
    if (!ours(from[i]) || !ours(to[i]) || from[i] == to[i])
      return cudaErrorInvalidValue;
    auto &after = static_cast<GraphNode *>(to[i])->after;
    auto *earlier = static_cast<GraphNode *>(from[i]);
    if (std::find(after.begin(), after.end(), earlier) != after.end())
      return cudaErrorInvalidValue;
    try {
      after.push_back(earlier);
    } catch (const std::bad_alloc &) {
      while (i--)
        static_cast<GraphNode *>(to[i])->after.pop_back();
      throw;
    }
  }
  return cudaSuccess;
}

//===----------------------------------------------------------------------===//
// Questions
//===----------------------------------------------------------------------===//

/// Hands out a list as class Graphs says.
static void give(const std::vector<GraphNodeHandle> &list,
                 GraphNodeHandle *place, size_t *count) {
  if (place)
    for (size_t i = 0; i < *count; ++i)
      place[i] = i < list.size() ? list[i] : nullptr;
  *count = place ? std::min(*count, list.size()) : list.size();
}

Error CpuGraphs::nodes(GraphHandle handle, GraphNodeHandle *place,
                       size_t *count) {
  Lock lock(mutex);
  Graph *graph = findGraph(handle);
  if (!graph || !count)
    return cudaErrorInvalidValue;
  std::vector<GraphNodeHandle> list;
  list.reserve(graph->nodes.size());
  for (const auto &node : graph->nodes)
    list.push_back(node.get());
  give(list, place, count);
  return cudaSuccess;
}

Error CpuGraphs::roots(GraphHandle handle, GraphNodeHandle *place,
                       size_t *count) {
  Lock lock(mutex);
  Graph *graph = findGraph(handle);
  if (!graph || !count)
    return cudaErrorInvalidValue;
  std::vector<GraphNodeHandle> list;
  for (const auto &node : graph->nodes)
    if (node->after.empty())
      list.push_back(node.get());
  give(list, place, count);
  return cudaSuccess;
}

Error CpuGraphs::edges(GraphHandle handle, GraphNodeHandle *from,
                       GraphNodeHandle *to, size_t *count) {
  Lock lock(mutex);
  Graph *graph = findGraph(handle);
  if (!graph || !count || !from != !to)
    return cudaErrorInvalidValue;
  std::vector<GraphNodeHandle> begins, ends;
  for (const auto &node : graph->nodes)
    for (GraphNode *earlier : node->after) {
      begins.push_back(earlier);
      ends.push_back(node.get());
    }
  size_t room = *count;
  give(begins, from, &room);
  give(ends, to, count);
  return cudaSuccess;
}

Error CpuGraphs::nodeType(GraphNodeHandle handle, GraphNodeType *type) {
  Lock lock(mutex);
  auto *node = static_cast<GraphNode *>(handle);
  if (!allNodes.count(node) || !type)
    return cudaErrorInvalidValue;
  *type = node->type;
  return cudaSuccess;
}

Error CpuGraphs::print(GraphHandle handle, const char *path, unsigned) {
  Lock lock(mutex);
  Graph *graph = findGraph(handle);
  if (!graph || !path)
    return cudaErrorInvalidValue;
  std::FILE *file = std::fopen(path, "we");
  if (!file)
    return cudaErrorOperatingSystem;
  std::fputs("digraph dot {\n", file);
  for (const auto &node : graph->nodes) {
    std::fprintf(file, "  n%zu [label=\"%s\"];\n", node->index,
                 node->label.c_str());
    for (const GraphNode *earlier : node->after)
      std::fprintf(file, "  n%zu -> n%zu;\n", earlier->index, node->index);
  }
  std::fputs("}\n", file);
  return std::fclose(file) ? cudaErrorOperatingSystem : cudaSuccess;
}

//===----------------------------------------------------------------------===//
// Executable graphs
//===----------------------------------------------------------------------===//

namespace {

/// Turns a graph and the graphs within it into steps in topological order.
class Flatten {
public:
  explicit Flatten(std::vector<GraphStep> &steps) : steps(steps) {}

  /// Adds \p graph after the steps \p begin; false if it has a cycle. \p end
  /// gets the steps that nothing in it depends on.
  bool add(const Graph &graph, const std::vector<size_t> &begin,
           std::vector<size_t> &end) {
    const size_t count = graph.nodes.size();
    std::vector<size_t> missing(count), order;
    std::vector<std::vector<size_t>> later(count), exits(count);
    for (const auto &node : graph.nodes) {
      missing[node->index] = node->after.size();
      for (const GraphNode *earlier : node->after)
        later[earlier->index].push_back(node->index);
      if (node->after.empty())
        order.push_back(node->index);
    }
    for (size_t i = 0; i < order.size(); ++i)
      for (size_t next : later[order[i]])
        if (!--missing[next])
          order.push_back(next);
    if (order.size() != count)
      return false;
    for (size_t index : order) {
      const GraphNode &node = *graph.nodes[index];
      std::vector<size_t> waits =
          node.after.empty() ? begin : std::vector<size_t>();
      for (const GraphNode *earlier : node.after)
        for (size_t step : exits[earlier->index])
          if (std::find(waits.begin(), waits.end(), step) == waits.end())
            waits.push_back(step);
      if (node.child) {
        if (!add(*node.child, waits, exits[index]))
          return false;
      } else if (node.type == GraphNodeType::Empty) {
        exits[index] = waits;
      } else {
        exits[index] = {place(node, waits)};
      }
    }
    for (size_t i = 0; i < count; ++i)
      if (later[i].empty())
        end.insert(end.end(), exits[i].begin(), exits[i].end());
    if (!count)
      end = begin;
    return true;
  }

  unsigned laneCount() const { return static_cast<unsigned>(tails.size()); }

private:
  /// Adds one step: in the lane where it can follow what it waits for, else in
  /// a new one.
  size_t place(const GraphNode &node, const std::vector<size_t> &waits) {
    GraphStep step;
    step.node = &node;
    step.make = node.make;
    step.work = node.work;
    step.event = node.event;
    step.type = node.type;
    const size_t number = steps.size();
    size_t lane = tails.size();
    for (size_t i = 0; i < tails.size() && lane == tails.size(); ++i)
      if (std::find(waits.begin(), waits.end(), tails[i]) != waits.end())
        lane = i;
    step.firstInLane = lane == tails.size();
    if (step.firstInLane)
      tails.push_back(number);
    for (size_t wait : waits)
      if (steps[wait].lane != lane) {
        step.waits.push_back(wait);
        steps[wait].awaited = true;
      }
    step.lane = static_cast<unsigned>(lane);
    tails[lane] = number;
    steps.push_back(std::move(step));
    return number;
  }

  std::vector<GraphStep> &steps;
  std::vector<size_t> tails; ///< of each lane
};

} // namespace

/// Makes the steps of \p exec anew; it stays as it is where that fails.
Error CpuGraphs::build(GraphExec &exec, const Graph &graph) {
  std::vector<GraphStep> steps;
  Flatten flatten(steps);
  std::vector<size_t> end;
  if (!flatten.add(graph, {}, end))
    return cudaErrorInvalidValue;
  for (size_t i = steps.size(), seen = 0; i-- && seen < flatten.laneCount();)
    if (std::none_of(
            steps.begin() + static_cast<ptrdiff_t>(i) + 1, steps.end(),
            [&](const GraphStep &s) { return s.lane == steps[i].lane; })) {
      steps[i].lastInLane = true;
      ++seen;
    }
  std::vector<GraphShape> shapes;
  for (const auto &node : graph.nodes) {
    GraphShape shape{node->type, node->kernel, {}};
    for (const GraphNode *earlier : node->after)
      shape.after.push_back(earlier->index);
    shapes.push_back(std::move(shape));
  }
  exec.lanes.reserve(flatten.laneCount());
  while (exec.lanes.size() + 1 < flatten.laneCount())
    exec.lanes.push_back(engine.scheduler.createStream(false, 0));
  exec.steps = std::move(steps);
  exec.shape = std::move(shapes);
  return cudaSuccess;
}

void CpuGraphs::endExec(GraphExec *exec) {
  for (Stream *lane : exec->lanes)
    engine.scheduler.destroyStream(lane);
  delete exec;
}

Error CpuGraphs::instantiate(GraphExecHandle *handle, GraphHandle graphHandle,
                             unsigned long long) {
  Lock lock(mutex);
  Graph *graph = findGraph(graphHandle);
  if (!graph)
    return cudaErrorInvalidValue;
  const auto end = [this](GraphExec *exec) { endExec(exec); };
  std::unique_ptr<GraphExec, decltype(end)> exec(new GraphExec, end);
  if (Error error = build(*exec, *graph); error != cudaSuccess)
    return error;
  execs.insert(exec.get());
  *handle = exec.release();
  return cudaSuccess;
}

namespace {

/// The work of one launch. It is prepared as a whole, so that all of it or
/// nothing is submitted.
class LaunchPlan {
public:
  /// \p operation, in \p stream; of event nodes instead what \p call does.
  void add(Stream &stream, OperationPointer operation) {
    entries.push_back({&stream, std::move(operation), nullptr, nullptr});
  }
  void add(Stream &stream, const GraphStep &step) {
    entries.push_back({&stream, nullptr, nullptr, &step});
  }
  RecordPointer record(Stream &stream) {
    RecordPointer record(new EventRecord);
    OperationPointer operation(new RecordOperation(record.get()));
    entries.push_back({&stream, std::move(operation), record.get(), nullptr});
    return record;
  }
  void await(Stream &stream, const RecordPointer &record) {
    if (!record->done.load(std::memory_order_acquire))
      add(stream, OperationPointer(new WaitOperation(record.get(), false)));
  }

  /// Submits everything; \p event does what event nodes do.
  template <typename Event> Error submit(Event event) {
    Error error = cudaSuccess;
    for (Entry &e : entries) {
      if (e.step) {
        if (Error here = event(*e.stream, *e.step); here != cudaSuccess)
          error = here;
        continue;
      }
      const uint64_t sequence =
          e.stream->scheduler.submit(*e.stream, e.operation.release());
      if (e.record)
        e.record->sequence = sequence;
    }
    return error;
  }

private:
  struct Entry {
    Stream *stream;
    OperationPointer operation;
    EventRecord *record; ///< that the operation completes
    const GraphStep *step;
  };
  std::vector<Entry> entries;
};

} // namespace

Error CpuGraphs::launch(GraphExecHandle handle, StreamHandle streamHandle) {
  Stream *stream = engine.find(streamHandle);
  if (!stream)
    return cudaErrorInvalidResourceHandle;
  Lock lock(mutex);
  auto *exec = static_cast<GraphExec *>(handle);
  if (!execs.count(exec))
    return cudaErrorInvalidValue;
  Error captureError = cudaSuccess;
  if (capturing() && memberOf(*stream, &captureError))
    return cudaErrorStreamCaptureUnsupported;
  if (captureError != cudaSuccess)
    return captureError;
  // Launches of one executable graph follow each other.
  LaunchPlan plan;
  if (exec->end)
    plan.await(*stream, exec->end);
  RecordPointer begin;
  if (!exec->lanes.empty())
    begin = plan.record(*stream);
  std::vector<RecordPointer> records(exec->steps.size());
  const auto laneOf = [&](const GraphStep &step) -> Stream & {
    return step.lane ? *exec->lanes[step.lane - 1] : *stream;
  };
  for (size_t i = 0; i < exec->steps.size(); ++i) {
    const GraphStep &step = exec->steps[i];
    Stream &lane = laneOf(step);
    if (step.firstInLane && step.lane)
      plan.await(lane, begin);
    for (size_t wait : step.waits)
      plan.await(lane, records[wait]);
    if (step.type == GraphNodeType::RecordEvent ||
        step.type == GraphNodeType::WaitEvent)
      plan.add(lane, step);
    else if (OperationPointer operation(step.make ? step.make() : nullptr);
             operation)
      plan.add(lane, std::move(operation));
    if (step.awaited || (step.lastInLane && step.lane))
      records[i] = plan.record(lane);
  }
  for (size_t i = 0; i < exec->steps.size(); ++i)
    if (exec->steps[i].lastInLane && exec->steps[i].lane)
      plan.await(*stream, records[i]);
  RecordPointer end = plan.record(*stream);
  const Error error = plan.submit([&](Stream &lane, const GraphStep &step) {
    return catchExhaustion([&] {
      return step.type == GraphNodeType::RecordEvent
                 ? engine.recordEvent(step.event, &lane, false)
                 : engine.waitEvent(&lane, step.event, false);
    });
  });
  exec->end = std::move(end);
  return error;
}

Error CpuGraphs::destroyExec(GraphExecHandle handle) {
  Lock lock(mutex);
  auto *exec = static_cast<GraphExec *>(handle);
  if (!execs.erase(exec))
    return cudaErrorInvalidValue;
  endExec(exec);
  return cudaSuccess;
}

Error CpuGraphs::update(GraphExecHandle handle, GraphHandle graphHandle,
                        GraphNodeHandle *culprit, int *result) {
  enum { Success, Failed, TopologyChanged, TypeChanged, FunctionChanged };
  Lock lock(mutex);
  auto *exec = static_cast<GraphExec *>(handle);
  Graph *graph = findGraph(graphHandle);
  *culprit = nullptr;
  *result = Failed;
  if (!graph || !execs.count(exec))
    return cudaErrorInvalidValue;
  const auto fail = [&](GraphNode *node, int reason) {
    *culprit = node;
    *result = reason;
    return cudaErrorGraphExecUpdateFailure;
  };
  if (graph->nodes.size() != exec->shape.size())
    return fail(nullptr, TopologyChanged);
  for (const auto &node : graph->nodes) {
    const GraphShape &shape = exec->shape[node->index];
    if (node->type != shape.type)
      return fail(node.get(), TypeChanged);
    if (node->after.size() != shape.after.size())
      return fail(node.get(), TopologyChanged);
    for (size_t i = 0; i < shape.after.size(); ++i)
      if (node->after[i]->index != shape.after[i])
        return fail(node.get(), TopologyChanged);
  }
  *result = Success;
  // The nodes stay known by the handles of the graph it was made of.
  std::vector<const GraphNode *> names;
  names.reserve(exec->steps.size());
  for (const GraphStep &step : exec->steps)
    names.push_back(step.node);
  const Error error = build(*exec, *graph);
  if (error == cudaSuccess)
    for (size_t i = 0; i < std::min(names.size(), exec->steps.size()); ++i)
      exec->steps[i].node = names[i];
  return error;
}

void CpuGraphs::reset() {
  Lock lock(mutex);
  for (auto &[stream, member] : members)
    if (Capture &capture = *member.capture; capture.ownGraph) {
      delete capture.graph;
      capture.graph = nullptr;
    }
  members.clear();
  capturedEvents.clear();
  activeCaptures.store(0, std::memory_order_release);
  for (GraphExec *exec : execs)
    endExec(exec);
  execs.clear();
  for (Graph *graph : graphs)
    delete graph;
  graphs.clear();
  allNodes.clear();
}

} // namespace cufort::cpu

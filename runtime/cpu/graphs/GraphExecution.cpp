//===- GraphExecution.cpp - executable graphs on the CPU -----------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/cpu/CpuEngine.h"
#include "runtime/cpu/graphs/GraphNodes.h"
#include <algorithm>
#include <utility>

namespace cufort::cpu {

using Lock = std::lock_guard<std::recursive_mutex>;

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
    step.place = node.place;
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

void CpuGraphs::collectObjects(
    const Graph &graph, std::vector<std::shared_ptr<UserObject>> &objects) {
  for (const ObjectReference &reference : graph.objects)
    objects.push_back(reference.object);
  graph.forEachWithin(
      [&](const Graph &within) { collectObjects(within, objects); });
}

/// All conditions of \p graph and those within it that launches assign.
static void
collectConditions(const Graph &graph,
                  std::vector<std::shared_ptr<Condition>> &conditions) {
  for (const auto &condition : graph.conditions)
    if (condition->assigned)
      conditions.push_back(condition);
  graph.forEachWithin(
      [&](const Graph &within) { collectConditions(within, conditions); });
}

Error CpuGraphs::makeSteps(const Graph &graph, std::vector<GraphStep> &steps,
                           unsigned &lanes) {
  Flatten flatten(steps);
  std::vector<size_t> end;
  if (!flatten.add(graph, {}, end))
    return cudaErrorInvalidValue;
  lanes = flatten.laneCount();
  for (GraphStep &step : steps)
    if (step.node->conditional)
      if (Error error = makeConditional(*step.node, step); error != cudaSuccess)
        return error;
  return cudaSuccess;
}

/// What \p steps leave allocated, and what they free that others allocate.
static void collectMemory(const std::vector<GraphStep> &steps,
                          std::vector<std::shared_ptr<Pool>> &leaves,
                          std::vector<std::shared_ptr<Pool>> &frees) {
  for (const GraphStep &step : steps)
    if (const auto *work = std::get_if<AllocationParameters>(&step.work))
      leaves.push_back(Memory::graphPool(work->memory));
  for (const GraphStep &step : steps)
    if (const auto *work = std::get_if<ReleaseWork>(&step.work)) {
      std::shared_ptr<Pool> pool = Memory::graphPool(work->memory);
      if (!std::erase(leaves, pool) && pool)
        frees.push_back(std::move(pool));
    }
  std::erase(leaves, nullptr);
}

/// Makes the steps of \p exec anew; it stays as it is where that fails.
Error CpuGraphs::build(GraphExec &exec, const Graph &graph) {
  std::vector<GraphStep> steps;
  unsigned lanes = 0;
  if (Error error = makeSteps(graph, steps, lanes); error != cudaSuccess)
    return error;
  for (size_t i = steps.size(), seen = 0; i-- && seen < lanes;)
    if (std::none_of(
            steps.begin() + static_cast<ptrdiff_t>(i) + 1, steps.end(),
            [&](const GraphStep &s) { return s.lane == steps[i].lane; })) {
      steps[i].lastInLane = true;
      ++seen;
    }
  std::vector<GraphShape> shapes = shapesOf(graph);
  exec.lanes.reserve(lanes);
  while (exec.lanes.size() + 1 < lanes)
    exec.lanes.push_back(engine.scheduler.createStream(false, 0));
  std::vector<std::shared_ptr<UserObject>> objects;
  collectObjects(graph, objects);
  std::vector<std::shared_ptr<Condition>> conditions;
  collectConditions(graph, conditions);
  std::vector<std::shared_ptr<Pool>> leaves, frees;
  collectMemory(steps, leaves, frees);
  exec.leaves = std::move(leaves);
  exec.frees = std::move(frees);
  exec.conditions = std::move(conditions);
  exec.steps = std::move(steps);
  exec.shape = std::move(shapes);
  exec.objects = std::move(objects);
  return cudaSuccess;
}

void CpuGraphs::endExec(GraphExec *exec) {
  for (Stream *lane : exec->lanes)
    lane->scheduler.destroyStream(lane);
  delete exec;
}

Error CpuGraphs::instantiate(GraphExecHandle *handle, GraphHandle graphHandle,
                             unsigned long long flags) {
  Lock lock(mutex);
  if (Error error = refuseUnsafe(); error != cudaSuccess)
    return error;
  Graph *graph = findGraph(graphHandle);
  if (!graph)
    return cudaErrorInvalidValue;
  if (!graph->executable.expired())
    return cudaErrorNotSupported;
  const auto end = [this](GraphExec *exec) { endExec(exec); };
  std::unique_ptr<GraphExec, decltype(end)> exec(new GraphExec(*this), end);
  if (Error error = build(*exec, *graph); error != cudaSuccess)
    return error;
  if (graph->hasMemoryNodes())
    graph->executable = exec->claim = std::make_shared<char>();
  exec->flags = flags;
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
    if (check::checking())
      check::streamWaits(Scheduler::factsOf(stream), record->work);
    if (!record->isDone())
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
  Stream *stream = engine.findAny(streamHandle);
  if (!stream)
    return cudaErrorInvalidResourceHandle;
  Lock lock(mutex);
  auto *exec = static_cast<GraphExec *>(handle);
  if (!execs.count(exec))
    return cudaErrorInvalidValue;
  if (Error error = refuseCaptured(*stream); error != cudaSuccess)
    return error;
  // What is left allocated would be lost;
  // cudaGraphInstantiateFlagAutoFreeOnLaunch lets a launch free it first.
  if (!(exec->flags & 1) &&
      std::any_of(exec->leaves.begin(), exec->leaves.end(),
                  [](const auto &pool) { return pool->left.load(); }))
    return cudaErrorInvalidValue;
  // Launches of one executable graph follow each other.
  LaunchPlan plan;
  if (exec->end)
    plan.await(*stream, exec->end);
  if (!exec->conditions.empty())
    plan.add(*stream,
             OperationPointer(new CallOperation([all = exec->conditions] {
               for (const auto &condition : all)
                 condition->value = condition->first;
             })));
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
    else if (OperationPointer operation(step.make && step.enabled ? step.make()
                                                                  : nullptr);
             operation) {
      operation->place = step.place;
      plan.add(lane, std::move(operation));
    }
    if (step.awaited || (step.lastInLane && step.lane))
      records[i] = plan.record(lane);
  }
  for (size_t i = 0; i < exec->steps.size(); ++i)
    if (exec->steps[i].lastInLane && exec->steps[i].lane)
      plan.await(*stream, records[i]);
  if (!exec->objects.empty()) // they stay until the launch is over
    plan.add(*stream,
             OperationPointer(new CallOperation([held = exec->objects] {})));
  RecordPointer end = plan.record(*stream);
  const Error error = plan.submit([&](Stream &lane, const GraphStep &step) {
    return catchExhaustion([&] {
      CpuEngine &home = engine.homeOf(lane);
      return step.type == GraphNodeType::RecordEvent
                 ? home.recordEvent(step.event, &lane, false)
                 : home.waitEvent(&lane, step.event, false);
    });
  });
  exec->end = std::move(end);
  for (const auto &pool : exec->frees)
    pool->left = false;
  for (const auto &pool : exec->leaves)
    pool->left = pool->launched = true;
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

Error CpuGraphs::execFlags(GraphExecHandle handle, unsigned long long *flags) {
  Lock lock(mutex);
  auto *exec = static_cast<GraphExec *>(handle);
  if (!execs.count(exec))
    return cudaErrorInvalidValue;
  *flags = exec->flags;
  return cudaSuccess;
}

} // namespace cufort::cpu

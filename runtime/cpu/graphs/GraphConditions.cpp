//===- GraphConditions.cpp - nodes with conditions on the CPU -------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A node with a condition runs where functions of the program's run, for it
// waits: it looks at the condition, submits the steps of a graph to a stream of
// its own, one after the other, and waits for that stream.
//
//===----------------------------------------------------------------------===//

#include "runtime/check/Check.h"
#include "runtime/cpu/CpuEngine.h"
#include "runtime/cpu/graphs/GraphNodes.h"

namespace cufort::cpu {

using Lock = std::lock_guard<std::recursive_mutex>;

namespace {

/// What has to be done with graphs within a node; \p stream is idle before and
/// after.
void runConditional(const ConditionalWork &work, Stream &stream) {
  Scheduler &scheduler = stream.scheduler;
  while (!scheduler.hasFailed()) {
    const unsigned value = work.condition->value.load();
    if (work.type == ConditionalParameters::While && !value)
      return;
    const size_t graph = work.type == ConditionalParameters::If      ? !value
                         : work.type == ConditionalParameters::While ? 0
                                                                     : value;
    if (graph >= work.graphs.size())
      return;
    for (const GraphStep &step : work.graphs[graph]) {
      if (!step.enabled)
        continue;
      if (step.conditional) {
        scheduler.waitStream(stream);
        runConditional(*step.conditional, stream);
      } else if (OperationPointer operation(step.make ? step.make() : nullptr);
                 operation) {
        scheduler.submit(stream, operation.release());
      }
    }
    scheduler.waitStream(stream);
    if (work.type != ConditionalParameters::While)
      return;
  }
}

class ConditionalOperation final : public Operation {
public:
  ConditionalOperation(Scheduler &scheduler,
                       std::shared_ptr<const ConditionalWork> work)
      : Operation(1), scheduler(scheduler), work(std::move(work)) {}
  void run(uint64_t, uint64_t, Participant &) override {
    // Faults of what it waits for are not its own.
    Unguarded itsOwn;
    const auto end = [this](Stream *stream) {
      scheduler.destroyStream(stream);
    };
    const std::unique_ptr<Stream, decltype(end)> stream(
        scheduler.createStream(false, 0), end);
    runConditional(*work, *stream);
  }
  bool callsProgram() const override { return true; }

private:
  Scheduler &scheduler;
  const std::shared_ptr<const ConditionalWork> work;
};

} // namespace

Error CpuGraphs::createCondition(ConditionHandle *handle, GraphHandle owner,
                                 unsigned value, unsigned flags) {
  Lock lock(mutex);
  Graph *graph = findGraph(owner);
  if (!graph || flags > 1)
    return cudaErrorInvalidValue;
  graph->conditions.push_back(std::make_shared<Condition>(value, flags == 1));
  auto *place = &graph->conditions.back()->value;
  check::belongs(place, sizeof *place, /*written=*/true);
  *handle = reinterpret_cast<ConditionHandle>(place);
  return cudaSuccess;
}

std::shared_ptr<Condition> CpuGraphs::findCondition(ConditionHandle handle) {
  for (const auto *set : {&graphs, &owned})
    for (const Graph *graph : *set)
      for (const auto &condition : graph->conditions)
        if (reinterpret_cast<ConditionHandle>(&condition->value) == handle)
          return condition;
  return nullptr;
}

Error CpuGraphs::addConditional(GraphNodeHandle *handle, GraphHandle place,
                                Dependencies after, ConditionalParameters &p) {
  Lock lock(mutex);
  const std::shared_ptr<Condition> condition = findCondition(p.condition);
  const unsigned most = p.type == ConditionalParameters::If      ? 2
                        : p.type == ConditionalParameters::While ? 1
                                                                 : 1u << 16;
  if (!condition || condition->used || p.type < ConditionalParameters::If ||
      p.type > ConditionalParameters::Switch || !p.count || p.count > most)
    return cudaErrorInvalidValue;
  auto conditional = std::make_unique<ConditionalNode>();
  conditional->condition = condition;
  conditional->type = static_cast<ConditionalParameters::Type>(p.type);
  for (unsigned i = 0; i < p.count; ++i) {
    conditional->graphs.push_back(std::make_unique<Graph>(*this));
    conditional->handles.push_back(conditional->graphs.back().get());
  }
  owned.reserve(owned.size() + p.count);
  if (Error error = addTo(handle, place, after, GraphNodeType::Conditional, {},
                          "condition");
      error != cudaSuccess)
    return error;
  auto &node = *static_cast<GraphNode *>(*handle);
  node.conditional = std::move(conditional);
  condition->used = true;
  for (const auto &graph : node.conditional->graphs)
    owned.insert(graph.get());
  p.graphs = node.conditional->handles.data();
  return cudaSuccess;
}

/// What may stand within a node with a condition.
static bool mayDepend(GraphNodeType type) {
  return type == GraphNodeType::Kernel || type == GraphNodeType::Copy ||
         type == GraphNodeType::Fill || type == GraphNodeType::Conditional;
}

Error CpuGraphs::makeConditional(const GraphNode &node, GraphStep &step) {
  auto work = std::make_shared<ConditionalWork>();
  work->condition = node.conditional->condition;
  work->type = node.conditional->type;
  for (const auto &graph : node.conditional->graphs) {
    unsigned lanes = 0;
    std::vector<GraphStep> &steps = work->graphs.emplace_back();
    if (Error error = makeSteps(*graph, steps, lanes); error != cudaSuccess)
      return error;
    for (const GraphStep &each : steps)
      if (!mayDepend(each.type))
        return cudaErrorInvalidValue;
  }
  setConditional(step, std::move(work));
  return cudaSuccess;
}

void CpuGraphs::setConditional(GraphStep &step,
                               std::shared_ptr<ConditionalWork> work) {
  step.make = [&scheduler = engine.scheduler, work] {
    return new ConditionalOperation(scheduler, work);
  };
  step.conditional = std::move(work);
}

} // namespace cufort::cpu

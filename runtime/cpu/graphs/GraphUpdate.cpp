//===- GraphUpdate.cpp - changes of executable graphs on the CPU ----------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Steps are known by the nodes of the graph that an executable graph was made
// of, wherever they stand: what nodes with conditions hold is copied when a
// step of it changes, for launches under way go on with what they began with.
//
//===----------------------------------------------------------------------===//

#include "runtime/cpu/CpuEngine.h"
#include "runtime/cpu/graphs/GraphNodes.h"
#include <algorithm>

namespace cufort::cpu {

using Lock = std::lock_guard<std::recursive_mutex>;

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

static const GraphStep *findStep(const std::vector<GraphStep> &steps,
                                 const GraphNode *node) {
  for (const GraphStep &step : steps) {
    if (step.node == node)
      return &step;
    if (step.conditional)
      for (const auto &graph : step.conditional->graphs)
        if (const GraphStep *found = findStep(graph, node))
          return found;
  }
  return nullptr;
}

GraphStep *CpuGraphs::stepToChange(std::vector<GraphStep> &steps,
                                   const GraphNode *node) {
  for (GraphStep &step : steps) {
    if (step.node == node)
      return &step;
    if (!step.conditional)
      continue;
    const auto &graphs = step.conditional->graphs;
    for (size_t i = 0; i < graphs.size(); ++i)
      if (findStep(graphs[i], node)) {
        auto work = std::make_shared<ConditionalWork>(*step.conditional);
        setConditional(step, work);
        return stepToChange(work->graphs[i], node);
      }
  }
  return nullptr;
}

Error CpuGraphs::stepOf(NodePlace place, GraphStep **result) {
  auto *exec = static_cast<GraphExec *>(place.exec);
  GraphNode *node = findNode(place.node);
  *result =
      execs.count(exec) && node ? stepToChange(exec->steps, node) : nullptr;
  return *result ? cudaSuccess : cudaErrorInvalidValue;
}

static bool mayBeDisabled(GraphNodeType type) {
  return type == GraphNodeType::Kernel || type == GraphNodeType::Copy ||
         type == GraphNodeType::Fill;
}

Error CpuGraphs::enable(NodePlace place, bool enabled) {
  Lock lock(mutex);
  GraphStep *step;
  if (Error error = stepOf(place, &step); error != cudaSuccess)
    return error;
  if (!mayBeDisabled(step->type))
    return cudaErrorInvalidValue;
  step->enabled = enabled;
  return cudaSuccess;
}

Error CpuGraphs::isEnabled(NodePlace place, bool *enabled) {
  Lock lock(mutex);
  GraphStep *step;
  if (Error error = stepOf(place, &step); error != cudaSuccess)
    return error;
  if (!mayBeDisabled(step->type))
    return cudaErrorInvalidValue;
  *enabled = step->enabled;
  return cudaSuccess;
}

/// Where the sides of a copy lie, as its direction says.
static std::pair<int, int> sidesOf(const BoxCopy &copy) {
  constexpr int Array = 3;
  enum { Host, OnDevice, Unified };
  const auto side = [&](const BoxSide &s, bool onDevice) {
    return s.array                          ? Array
           : copy.kind == CopyKind::Default ? int(Unified)
           : onDevice                       ? int(OnDevice)
                                            : int(Host);
  };
  return {side(copy.to, copy.kind == CopyKind::HostToDevice ||
                            copy.kind == CopyKind::DeviceToDevice),
          side(copy.from, copy.kind == CopyKind::DeviceToHost ||
                              copy.kind == CopyKind::DeviceToDevice)};
}

bool CpuGraphs::mayReplace(const NodeWork &before, const NodeWork &now) {
  // As in CUDA: copies and fills in executable graphs are and stay lines, boxes
  // what they are, and the sides of copies where they are.
  if (const auto *box = std::get_if<BoxCopy>(&now)) {
    const auto *old = std::get_if<BoxCopy>(&before);
    const auto isLine = [](const BoxCopy &copy) {
      return copy.height <= 1 && copy.depth <= 1;
    };
    return old && sidesOf(*box) == sidesOf(*old) &&
           ((isLine(*box) && isLine(*old)) || box->samePlaces(*old));
  }
  if (const auto *fill = std::get_if<FillParameters>(&now)) {
    const auto *old = std::get_if<FillParameters>(&before);
    return old && (fill->height > 1) == (old->height > 1);
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Other graphs of the same shape
//===----------------------------------------------------------------------===//

std::vector<GraphShape> CpuGraphs::shapesOf(const Graph &graph) {
  std::vector<GraphShape> shapes;
  shapes.reserve(graph.nodes.size());
  for (const auto &node : graph.nodes) {
    GraphShape shape{node.get(), node->type, {}, {}};
    for (const GraphNode *earlier : node->after)
      shape.after.push_back(earlier->index);
    Graph::forEachWithin(*node, [&](const Graph &within) {
      shape.within.push_back(shapesOf(within));
    });
    shapes.push_back(std::move(shape));
  }
  return shapes;
}

/// The nodes of \p all that no other one waits for.
template <typename Nodes, typename After>
static std::vector<size_t> exitsOf(const Nodes &all, After after) {
  std::vector<bool> awaited(all.size());
  for (const auto &node : all)
    after(node, [&](size_t index) { awaited[index] = true; });
  std::vector<size_t> exits;
  for (size_t i = 0; i < all.size(); ++i)
    if (!awaited[i])
      exits.push_back(i);
  return exits;
}

namespace {

/// Pairs the nodes of an executable graph with those of a graph, from their
/// ends along their dependencies: the order in which nodes were made is of no
/// importance.
class Pairing {
public:
  enum Reason { Same, Failed, Topology, Type, Function, Parameters };

  explicit Pairing(const std::vector<GraphStep> &steps) { enter(steps); }

  Reason pair(const std::vector<GraphShape> &before, const Graph &now) {
    if (before.size() != now.nodes.size())
      return Topology;
    const std::vector<size_t> exits =
        exitsOf(before, [](const GraphShape &shape, auto call) {
          for (size_t earlier : shape.after)
            call(earlier);
        });
    const std::vector<size_t> exitsNow =
        exitsOf(now.nodes, [](const auto &node, auto call) {
          for (const GraphNode *earlier : node->after)
            call(earlier->index);
        });
    if (exitsNow.size() > exits.size())
      return fail(now.nodes[exitsNow.front()].get(), Topology);
    if (exitsNow.size() < exits.size())
      return Topology;
    std::vector<const GraphNode *> partner(before.size());
    std::vector<std::pair<size_t, const GraphNode *>> open;
    for (size_t i = exits.size(); i--;)
      open.emplace_back(exits[i], now.nodes[exitsNow[i]].get());
    while (!open.empty()) {
      const auto [index, node] = open.back();
      open.pop_back();
      if (partner[index] == node)
        continue;
      if (partner[index] || names.count(node))
        return fail(node, Topology);
      partner[index] = node;
      const GraphShape &shape = before[index];
      names.emplace(node, shape.node);
      if (const Reason reason = compare(shape, *node); reason != Same)
        return reason;
      for (size_t i = shape.after.size(); i--;)
        open.emplace_back(shape.after[i], node->after[i]);
    }
    return Same;
  }

  GraphNode *culprit = nullptr;
  /// What the nodes of the graph are called in the executable one, and the
  /// steps that it has of those now.
  std::unordered_map<const GraphNode *, const GraphNode *> names;
  std::unordered_map<const GraphNode *, const GraphStep *> steps;

private:
  void enter(const std::vector<GraphStep> &all) {
    for (const GraphStep &step : all) {
      steps.emplace(step.node, &step);
      if (step.conditional)
        for (const auto &graph : step.conditional->graphs)
          enter(graph);
    }
  }

  Reason fail(const GraphNode *node, Reason reason) {
    culprit = const_cast<GraphNode *>(node);
    return reason;
  }

  Reason compare(const GraphShape &before, const GraphNode &now) {
    if (before.type != now.type)
      return fail(&now, Type);
    if (before.after.size() != now.after.size())
      return fail(&now, Topology);
    if (const auto step = steps.find(before.node);
        step != steps.end() &&
        !CpuGraphs::mayReplace(step->second->work, now.work))
      return fail(&now, Parameters);
    size_t number = 0;
    Reason reason = Same;
    Graph::forEachWithin(now, [&](const Graph &within) {
      if (reason == Same)
        reason = number < before.within.size()
                     ? pair(before.within[number++], within)
                     : fail(&now, Parameters);
    });
    return reason == Same && number != before.within.size()
               ? fail(&now, Parameters)
               : reason;
  }
};

/// Gives the nodes of \p shapes the names that they had.
void rename(std::vector<GraphShape> &shapes, const Pairing &pairing) {
  for (GraphShape &shape : shapes) {
    shape.node = pairing.names.at(shape.node);
    for (auto &within : shape.within)
      rename(within, pairing);
  }
}

void rename(std::vector<GraphStep> &steps, const Pairing &pairing) {
  for (GraphStep &step : steps) {
    step.node = pairing.names.at(step.node);
    if (const auto before = pairing.steps.find(step.node);
        before != pairing.steps.end())
      step.enabled = before->second->enabled;
    if (step.conditional) // which no launch has seen yet
      for (auto &within : step.conditional->graphs)
        rename(within, pairing);
  }
}

const GraphShape *findShape(const std::vector<GraphShape> &shapes,
                            const GraphNode *node) {
  for (const GraphShape &shape : shapes) {
    if (shape.node == node)
      return &shape;
    for (const auto &within : shape.within)
      if (const GraphShape *found = findShape(within, node))
        return found;
  }
  return nullptr;
}

} // namespace

Error CpuGraphs::setChild(NodePlace place, GraphHandle handle) {
  Lock lock(mutex);
  auto *exec = static_cast<GraphExec *>(place.exec);
  GraphNode *node = findNode(place.node);
  Graph *graph = findGraph(handle);
  if (!execs.count(exec) || !node || !node->child || !graph)
    return cudaErrorInvalidValue;
  const GraphShape *shape = findShape(exec->shape, node);
  Pairing pairing(exec->steps);
  if (!shape)
    return cudaErrorInvalidValue;
  if (pairing.pair(shape->within.front(), *graph) != Pairing::Same)
    return cudaErrorGraphExecUpdateFailure;
  std::vector<GraphStep> steps = exec->steps;
  for (const auto &[now, name] : pairing.names)
    if (GraphStep *step = stepToChange(steps, name)) {
      step->make = now->make;
      step->work = now->work;
      step->event = now->event;
    }
  std::vector<std::shared_ptr<UserObject>> objects = exec->objects;
  collectObjects(*graph, objects);
  exec->steps = std::move(steps);
  exec->objects = std::move(objects);
  return cudaSuccess;
}

Error CpuGraphs::update(GraphExecHandle handle, GraphHandle graphHandle,
                        GraphNodeHandle *culprit, int *result) {
  Lock lock(mutex);
  auto *exec = static_cast<GraphExec *>(handle);
  Graph *graph = findGraph(graphHandle);
  *culprit = nullptr;
  *result = Pairing::Failed;
  if (!graph || !execs.count(exec))
    return cudaErrorInvalidValue;
  // The steps of before, for build() replaces them.
  const std::vector<GraphStep> before = exec->steps;
  Pairing pairing(before);
  *result = pairing.pair(exec->shape, *graph);
  *culprit = pairing.culprit;
  if (*result != Pairing::Same)
    return cudaErrorGraphExecUpdateFailure;
  // The nodes stay known by the handles of the graph it was made of.
  const Error error = build(*exec, *graph);
  if (error == cudaSuccess) {
    rename(exec->steps, pairing);
    rename(exec->shape, pairing);
  }
  return error;
}

} // namespace cufort::cpu

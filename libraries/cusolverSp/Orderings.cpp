//===- Orderings.cpp - in which order unknowns are eliminated -------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "libraries/cusolverSp/Csr.h"
#include <set>

namespace cufort::cusolverSp {

Graph graphOf(int n, const int *starts, const int *columns, int base) {
  Graph graph(static_cast<size_t>(n));
  for (int i = 0; i < n; ++i)
    for (int k = starts[i] - base; k < starts[i + 1] - base; ++k)
      if (const int j = columns[k] - base; j != i && j >= 0 && j < n) {
        graph[size_t(i)].push_back(j);
        graph[size_t(j)].push_back(i);
      }
  for (std::vector<int> &each : graph) {
    std::sort(each.begin(), each.end());
    each.erase(std::unique(each.begin(), each.end()), each.end());
  }
  return graph;
}

namespace {

/// Appends the vertices that are reached from \p start to \p order, level by
/// level, in each level those of small degree first; returns the number of
/// levels.
int appendLevels(const Graph &graph, int start, std::vector<char> &seen,
                 std::vector<int> &order) {
  int levels = 0;
  size_t first = order.size();
  order.push_back(start);
  seen[size_t(start)] = 1;
  while (first < order.size()) {
    ++levels;
    const size_t end = order.size();
    for (; first < end; ++first) {
      const size_t begin = order.size();
      for (int next : graph[size_t(order[first])])
        if (!seen[size_t(next)]) {
          seen[size_t(next)] = 1;
          order.push_back(next);
        }
      std::sort(order.begin() + long(begin), order.end(), [&](int a, int b) {
        const size_t left = graph[size_t(a)].size();
        const size_t right = graph[size_t(b)].size();
        return left != right ? left < right : a < b;
      });
    }
  }
  return levels;
}

} // namespace

std::vector<int> narrowBands(const Graph &graph) {
  std::vector<int> order;
  order.reserve(graph.size());
  std::vector<char> done(graph.size());
  for (size_t i = 0; i < graph.size(); ++i) {
    if (done[i])
      continue;
    // A vertex at the end of what hangs together has the most levels.
    int start = int(i);
    for (int levels = 0;;) {
      std::vector<char> seen = done;
      std::vector<int> reached;
      const int more = appendLevels(graph, start, seen, reached);
      if (more <= levels)
        break;
      levels = more;
      start = reached.back();
    }
    appendLevels(graph, start, done, order);
  }
  std::reverse(order.begin(), order.end());
  return order;
}

std::vector<int> leastDegree(Graph graph) {
  std::set<std::pair<size_t, int>> byDegree;
  for (size_t i = 0; i < graph.size(); ++i)
    byDegree.insert({graph[i].size(), int(i)});
  std::vector<int> order, merged;
  while (!byDegree.empty()) {
    const int vertex = byDegree.begin()->second;
    byDegree.erase(byDegree.begin());
    order.push_back(vertex);
    // Its neighbours become each other's.
    const std::vector<int> clique = std::move(graph[size_t(vertex)]);
    for (int member : clique) {
      std::vector<int> &others = graph[size_t(member)];
      byDegree.erase({others.size(), member});
      merged.clear();
      std::set_union(others.begin(), others.end(), clique.begin(), clique.end(),
                     std::back_inserter(merged));
      std::erase_if(merged,
                    [&](int each) { return each == vertex || each == member; });
      others.swap(merged);
      byDegree.insert({others.size(), member});
    }
  }
  return order;
}

} // namespace cufort::cusolverSp

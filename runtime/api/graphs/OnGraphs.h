//===- OnGraphs.h - calls for a device's graphs -----------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_API_GRAPHS_ONGRAPHS_H
#define CUFORT_RUNTIME_API_GRAPHS_ONGRAPHS_H

#include "runtime/api/RuntimeApi.h"
#include "runtime/core/Device.h"
#include "runtime/core/engine/Graphs.h"

namespace cufort {

/// Calls \p call(Graphs &) for the thread's device.
/// \p where: whose call that is, for the profile.
template <typename Call>
cudaError_t
onGraphs(Call call,
         const std::source_location &where = std::source_location::current()) {
  return onDevice([&](Engine &e) { return call(e.graphs()); }, where);
}

} // namespace cufort

#endif // CUFORT_RUNTIME_API_GRAPHS_ONGRAPHS_H

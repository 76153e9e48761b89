//===- Symbol.cpp - CUDA runtime API: device variables -----------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/api/Direction.h"
#include "runtime/core/Device.h"
#include "runtime/core/engine/Graphs.h"
#include "runtime/core/process/Process.h"
#include "runtime/core/process/Stop.h"
#include <map>
#include <mutex>

using namespace cufort;

namespace {

/// The managed variables that host code has asked for: address and shadow.
/// Where a program names one as a symbol, its address is what arrives.
struct ManagedAddresses {
  std::mutex mutex;
  std::map<const void *, const void *> shadows;
};

ManagedAddresses &managedAddresses() {
  return processWide<ManagedAddresses>(ProcessObject::ManagedAddresses);
}

VariableReference variableOf(const void *symbol) {
  if (VariableReference variable = findVariable(symbol))
    return variable;
  ManagedAddresses &known = managedAddresses();
  std::lock_guard lock(known.mutex);
  auto found = known.shadows.find(symbol);
  return findVariable(found == known.shadows.end() ? symbol : found->second);
}

/// The part [offset, offset + bytes) of the variable whose shadow is
/// \p symbol.
Error part(Engine &e, const void *symbol, size_t offset, size_t bytes,
           char **result) {
  VariableReference variable = variableOf(symbol);
  if (!variable)
    return cudaErrorInvalidSymbol;
  if (offset > variable.variable->size ||
      bytes > variable.variable->size - offset)
    return cudaErrorInvalidValue;
  void *start;
  Error error = e.variableAddress(variable, &start);
  if (error == cudaSuccess)
    *result = static_cast<char *>(start) + offset;
  return error;
}

} // namespace

CUFORT_API cudaError_t cudaGetSymbolAddress(void **address,
                                            const void *symbol) {
  return onDevice([&](Engine &e) {
    VariableReference variable = variableOf(symbol);
    if (!variable)
      return cudaErrorInvalidSymbol;
    return address ? e.variableAddress(variable, address)
                   : cudaErrorInvalidValue;
  });
}

CUFORT_API cudaError_t cudaGetSymbolSize(size_t *bytes, const void *symbol) {
  if (!bytes)
    return recordError(cudaErrorInvalidValue);
  return recordError(catchExhaustion([&] {
    VariableReference variable = variableOf(symbol);
    if (!variable)
      return cudaErrorInvalidSymbol;
    *bytes = variable.variable->size;
    return cudaSuccess;
  }));
}

/// Whether \p kind is one in which the side that is the variable is a device's.
static bool namesVariable(cudaMemcpyKind kind, bool isTarget) {
  return kind == CopyKind::DeviceToDevice || kind == CopyKind::Default ||
         kind == (isTarget ? CopyKind::HostToDevice : CopyKind::DeviceToHost);
}

/// Calls \p copy(Engine &, bytes of the variable at \p offset), to which, or
/// else from which, is copied, if the other side lies where \p kind has it.
template <typename Copy>
static cudaError_t
copyPart(const void *symbol, size_t offset, size_t bytes, bool isTarget,
         const void *other, cudaMemcpyKind kind, Copy copy,
         const std::source_location &where = std::source_location::current()) {
  const profile::Call recorded(where);
  if (!bytes)
    return cudaSuccess;
  return onDevice([&](Engine &e) {
    char *place;
    Error error = part(e, symbol, offset, bytes, &place);
    if (error == cudaSuccess && !namesVariable(kind, isTarget))
      error = cudaErrorInvalidMemcpyDirection;
    if (error == cudaSuccess)
      error = checkDirection(e, isTarget ? nullptr : other,
                             isTarget ? other : nullptr, kind);
    return error == cudaSuccess ? copy(e, place) : error;
  });
}

CUFORT_API cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *from,
                                          size_t bytes, size_t offset,
                                          cudaMemcpyKind kind) {
  return copyPart(
      symbol, offset, bytes, /*isTarget=*/true, from, kind,
      [&](Engine &e, char *to) { return e.copy(to, from, bytes, kind); });
}

CUFORT_API cudaError_t cudaMemcpyFromSymbol(void *to, const void *symbol,
                                            size_t bytes, size_t offset,
                                            cudaMemcpyKind kind) {
  return copyPart(
      symbol, offset, bytes, /*isTarget=*/false, to, kind,
      [&](Engine &e, char *from) { return e.copy(to, from, bytes, kind); });
}

CUFORT_API cudaError_t cudaMemcpyToSymbolAsync(const void *symbol,
                                               const void *from, size_t bytes,
                                               size_t offset,
                                               cudaMemcpyKind kind,
                                               cudaStream_t stream) {
  return copyPart(symbol, offset, bytes, /*isTarget=*/true, from, kind,
                  [&](Engine &e, char *to) {
                    return e.copyAsync(to, from, bytes, kind, stream);
                  });
}

CUFORT_API cudaError_t cudaMemcpyFromSymbolAsync(void *to, const void *symbol,
                                                 size_t bytes, size_t offset,
                                                 cudaMemcpyKind kind,
                                                 cudaStream_t stream) {
  return copyPart(symbol, offset, bytes, /*isTarget=*/false, to, kind,
                  [&](Engine &e, char *from) {
                    return e.copyAsync(to, from, bytes, kind, stream);
                  });
}

/// For cudafor: the address and size of the device variable that a program
/// means by the \p length characters at \p name.
CUFORT_API cudaError_t __cufort_symbol(const char *name, size_t length,
                                       void **address, size_t *bytes) {
  return onDevice([&](Engine &e) {
    VariableReference variable = findVariableByName({name, length});
    if (!variable)
      return cudaErrorInvalidSymbol;
    *bytes = variable.variable->size;
    return e.variableAddress(variable, address);
  });
}

/// Where host code finds the managed variable whose shadow is at \p shadow.
/// Does not return without one: host code is about to use it.
CUFORT_API void *__cufort_managed_variable(const void *shadow) {
  const profile::At use("use of a __managed__ variable", {});
  void *address = nullptr;
  const cudaError_t error = cudaGetSymbolAddress(&address, shadow);
  if (error != cudaSuccess)
    stopProgram(nullptr, 0, "use of a __managed__ variable", error,
                "the variable's memory is on a device");
  ManagedAddresses &known = managedAddresses();
  std::lock_guard lock(known.mutex);
  known.shadows[address] = shadow;
  return address;
}

//===----------------------------------------------------------------------===//
// As nodes of graphs
//===----------------------------------------------------------------------===//

/// Calls \p call(Graphs &, address) with the part of a variable that is copied.
template <typename Call>
static cudaError_t
onPart(const void *symbol, size_t bytes, size_t offset, Call call,
       const std::source_location &where = std::source_location::current()) {
  const profile::Call recorded(where);
  if (!bytes)
    return recordError(cudaErrorInvalidValue);
  return onDevice([&](Engine &e) {
    char *address;
    const Error error = part(e, symbol, offset, bytes, &address);
    return error == cudaSuccess ? call(e.graphs(), address) : error;
  });
}

CUFORT_API cudaError_t cudaGraphAddMemcpyNodeToSymbol(
    cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after,
    size_t count, const void *symbol, const void *from, size_t bytes,
    size_t offset, cudaMemcpyKind kind) {
  if (!node || !from)
    return recordError(cudaErrorInvalidValue);
  if (!namesVariable(kind, /*isTarget=*/true))
    return recordError(cudaErrorInvalidMemcpyDirection);
  return onPart(symbol, bytes, offset, [&](Graphs &g, char *to) {
    return g.addCopy(node, graph, {after, count},
                     lineCopy(to, from, bytes, kind));
  });
}

CUFORT_API cudaError_t cudaGraphAddMemcpyNodeFromSymbol(
    cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after,
    size_t count, void *to, const void *symbol, size_t bytes, size_t offset,
    cudaMemcpyKind kind) {
  if (!node || !to)
    return recordError(cudaErrorInvalidValue);
  if (!namesVariable(kind, /*isTarget=*/false))
    return recordError(cudaErrorInvalidMemcpyDirection);
  return onPart(symbol, bytes, offset, [&](Graphs &g, char *from) {
    return g.addCopy(node, graph, {after, count},
                     lineCopy(to, from, bytes, kind));
  });
}

static cudaError_t setToSymbol(NodePlace place, const void *symbol,
                               const void *from, size_t bytes, size_t offset,
                               cudaMemcpyKind kind) {
  if (!from)
    return recordError(cudaErrorInvalidValue);
  return onPart(symbol, bytes, offset, [&](Graphs &g, char *to) {
    return g.setCopy(place, lineCopy(to, from, bytes, kind));
  });
}

static cudaError_t setFromSymbol(NodePlace place, void *to, const void *symbol,
                                 size_t bytes, size_t offset,
                                 cudaMemcpyKind kind) {
  if (!to)
    return recordError(cudaErrorInvalidValue);
  return onPart(symbol, bytes, offset, [&](Graphs &g, char *from) {
    return g.setCopy(place, lineCopy(to, from, bytes, kind));
  });
}

CUFORT_API cudaError_t cudaGraphMemcpyNodeSetParamsToSymbol(
    cudaGraphNode_t node, const void *symbol, const void *from, size_t bytes,
    size_t offset, cudaMemcpyKind kind) {
  return setToSymbol({node}, symbol, from, bytes, offset, kind);
}

CUFORT_API cudaError_t cudaGraphMemcpyNodeSetParamsFromSymbol(
    cudaGraphNode_t node, void *to, const void *symbol, size_t bytes,
    size_t offset, cudaMemcpyKind kind) {
  return setFromSymbol({node}, to, symbol, bytes, offset, kind);
}

CUFORT_API cudaError_t cudaGraphExecMemcpyNodeSetParamsToSymbol(
    cudaGraphExec_t exec, cudaGraphNode_t node, const void *symbol,
    const void *from, size_t bytes, size_t offset, cudaMemcpyKind kind) {
  return exec ? setToSymbol({node, exec}, symbol, from, bytes, offset, kind)
              : recordError(cudaErrorInvalidValue);
}

CUFORT_API cudaError_t cudaGraphExecMemcpyNodeSetParamsFromSymbol(
    cudaGraphExec_t exec, cudaGraphNode_t node, void *to, const void *symbol,
    size_t bytes, size_t offset, cudaMemcpyKind kind) {
  return exec ? setFromSymbol({node, exec}, to, symbol, bytes, offset, kind)
              : recordError(cudaErrorInvalidValue);
}

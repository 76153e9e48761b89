//===- Symbol.cpp - CUDA runtime API: device variables -----------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/api/Types.h"
#include "runtime/core/Device.h"
#include "runtime/core/Stop.h"
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
  static auto *instance = new ManagedAddresses;
  return *instance;
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
  if (!address)
    return recordError(cudaErrorInvalidValue);
  return onDevice([&](Engine &e) {
    VariableReference variable = variableOf(symbol);
    return variable ? e.variableAddress(variable, address)
                    : cudaErrorInvalidSymbol;
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

CUFORT_API cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *from,
                                          size_t bytes, size_t offset,
                                          cudaMemcpyKind kind) {
  return onDevice([&](Engine &e) {
    char *to;
    Error error = part(e, symbol, offset, bytes, &to);
    return error == cudaSuccess ? e.copy(to, from, bytes, kind) : error;
  });
}

CUFORT_API cudaError_t cudaMemcpyFromSymbol(void *to, const void *symbol,
                                            size_t bytes, size_t offset,
                                            cudaMemcpyKind kind) {
  return onDevice([&](Engine &e) {
    char *from;
    Error error = part(e, symbol, offset, bytes, &from);
    return error == cudaSuccess ? e.copy(to, from, bytes, kind) : error;
  });
}

CUFORT_API cudaError_t cudaMemcpyToSymbolAsync(const void *symbol,
                                               const void *from, size_t bytes,
                                               size_t offset,
                                               cudaMemcpyKind kind,
                                               cudaStream_t stream) {
  return onDevice([&](Engine &e) {
    char *to;
    Error error = part(e, symbol, offset, bytes, &to);
    return error == cudaSuccess ? e.copyAsync(to, from, bytes, kind, stream)
                                : error;
  });
}

CUFORT_API cudaError_t cudaMemcpyFromSymbolAsync(void *to, const void *symbol,
                                                 size_t bytes, size_t offset,
                                                 cudaMemcpyKind kind,
                                                 cudaStream_t stream) {
  return onDevice([&](Engine &e) {
    char *from;
    Error error = part(e, symbol, offset, bytes, &from);
    return error == cudaSuccess ? e.copyAsync(to, from, bytes, kind, stream)
                                : error;
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

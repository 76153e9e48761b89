//===- Lookup.cpp - CUDA driver API: functions by name --------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/driver/Call.h"
#include <algorithm>
#include <cstring>
#include <iterator>

using namespace cufort;

namespace {

struct Entry {
  const char *name;
  void *function;
};

// The name as the program writes it, and what the header makes of it.
#define NAME(function) {#function, reinterpret_cast<void *>(&function)},
const Entry Entries[] = {
#include "runtime/driver/Names.def"
};

/// cuCtxCreate has another parameter since CUDA 13.
CUresult createContext(CUcontext *context, unsigned flags, CUdevice device) {
  return cuCtxCreate(context, flags, device);
}
CUresult createContextWith(CUcontext *context, CUctxCreateParams *parameters,
                           unsigned flags, CUdevice device) {
  return cuCtxCreate(context, parameters, flags, device);
}

void *find(const char *name, int version) {
  if (!std::strcmp(name, "cuCtxCreate"))
    return version >= 13000 ? reinterpret_cast<void *>(createContextWith)
                            : reinterpret_cast<void *>(createContext);
  const auto *found =
      std::find_if(std::begin(Entries), std::end(Entries),
                   [&](const Entry &e) { return !std::strcmp(e.name, name); });
  return found == std::end(Entries) ? nullptr : found->function;
}

} // namespace

// A default stream for each thread is the runtime API's affair.
CUFORT_DRIVER_API CUresult
cuGetProcAddress(const char *name, void **function, int version,
                 cuuint64_t flags, CUdriverProcAddressQueryResult *result) {
  if (!name || !function || flags > 2)
    return CUDA_ERROR_INVALID_VALUE;
  if (flags == CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM)
    return CUDA_ERROR_NOT_SUPPORTED;
  *function = find(name, version);
  if (result)
    *result = *function ? CU_GET_PROC_ADDRESS_SUCCESS
                        : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
  return *function ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

//===- Handle.h - the communicators of a program ----------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_LIBRARIES_NCCL_HANDLE_H
#define CUFORT_LIBRARIES_NCCL_HANDLE_H

#include "libraries/common/Catching.h"
#include "libraries/common/Handles.h"
#include "libraries/nccl/Group.h"
#include "runtime/core/Device.h"
#include "runtime/core/process/FaultInjection.h"

namespace cufort::nccl {

/// The communicator behind \p handle; null: there is none.
inline std::shared_ptr<Communicator> find(ncclComm_t handle) {
  if (handle && libraries::handles<ncclComm>().isValid(handle))
    return handle->communicator;
  lastError() = "not a communicator";
  return nullptr;
}

/// What \p call() returns; ncclSystemError where there is no memory.
template <typename Call> ncclResult_t catching(Call call) {
  return libraries::catching(ncclSystemError, call);
}

} // namespace cufort::nccl

#endif // CUFORT_LIBRARIES_NCCL_HANDLE_H

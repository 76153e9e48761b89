//===- Stream.cpp - CUDA driver API: values that streams wait for ---------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/driver/Call.h"
#include <vector>

using namespace cufort;
using namespace cufort::driver;

static CUresult operate(CUstream stream, ValueOperation::Kind kind,
                        CUdeviceptr address, uint64_t value, unsigned flags) {
  return onEngine([&](Engine &e) {
    const ValueOperation operation{kind, pointerOf(address), value, flags};
    return address ? e.operateOnValues(stream, &operation, 1)
                   : cudaErrorInvalidValue;
  });
}

CUFORT_DRIVER_API CUresult cuStreamWaitValue32(CUstream stream,
                                               CUdeviceptr address,
                                               cuuint32_t value,
                                               unsigned flags) {
  return operate(stream, ValueOperation::Wait32, address, value, flags);
}

CUFORT_DRIVER_API CUresult cuStreamWaitValue64(CUstream stream,
                                               CUdeviceptr address,
                                               cuuint64_t value,
                                               unsigned flags) {
  return operate(stream, ValueOperation::Wait64, address, value, flags);
}

CUFORT_DRIVER_API CUresult cuStreamWriteValue32(CUstream stream,
                                                CUdeviceptr address,
                                                cuuint32_t value,
                                                unsigned flags) {
  return operate(stream, ValueOperation::Write32, address, value, flags);
}

CUFORT_DRIVER_API CUresult cuStreamWriteValue64(CUstream stream,
                                                CUdeviceptr address,
                                                cuuint64_t value,
                                                unsigned flags) {
  return operate(stream, ValueOperation::Write64, address, value, flags);
}

CUFORT_DRIVER_API CUresult
cuStreamBatchMemOp(CUstream stream, unsigned count,
                   CUstreamBatchMemOpParams *operations, unsigned flags) {
  return onEngine([&](Engine &e) {
    // As many as a driver takes at once.
    constexpr unsigned most = 256;
    if (!operations || !count || count > most || flags)
      return cudaErrorInvalidValue;
    std::vector<ValueOperation> list;
    list.reserve(count);
    for (unsigned i = 0; i < count; ++i) {
      const CUstreamBatchMemOpParams &p = operations[i];
      const auto kind =
          static_cast<ValueOperation::Kind>(numberOf(p.operation));
      switch (kind) {
      case ValueOperation::Wait32:
      case ValueOperation::Write32:
        list.push_back({kind, pointerOf(p.waitValue.address), p.waitValue.value,
                        p.waitValue.flags});
        break;
      case ValueOperation::Wait64:
      case ValueOperation::Write64:
        list.push_back({kind, pointerOf(p.waitValue.address),
                        p.waitValue.value64, p.waitValue.flags});
        break;
      case ValueOperation::Barrier:
      case ValueOperation::Flush:
        list.push_back({kind, nullptr, 0, p.memoryBarrier.flags});
        continue;
      default:
        return cudaErrorInvalidValue;
      }
      if (!list.back().address)
        return cudaErrorInvalidValue;
    }
    return e.operateOnValues(stream, list.data(), list.size());
  });
}

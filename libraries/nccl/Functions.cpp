//===- Functions.cpp - NCCL's operations and questions --------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "libraries/nccl/Handle.h"
#include "nccl_functions.h"
#include <cstring>

namespace cufort::nccl {

namespace {

char *bytesOf(void *memory) { return static_cast<char *>(memory); }
const char *bytesOf(const void *memory) {
  return static_cast<const char *>(memory);
}

/// An operation as it was called.
struct Request {
  const char *name;
  ncclComm_t handle;
  StreamHandle stream;
  size_t count;
  ncclDataType_t type;
  int root = 0; ///< or the other one of a message
  bool isMessage = false;
};

/// What is common to all: checks, and calls \p fill(communicator, bytes,
/// transfers), which returns a status.
template <typename Fill>
ncclResult_t operate(const Request &request, Fill fill) {
  return catching([&] {
    Call call;
    const auto communicator = find(request.handle);
    if (!communicator)
      return call.end(ncclInvalidArgument);
    const auto wrong = [&](const std::string &why) {
      lastError() = std::string(request.name) + ": " + why;
      return call.end(ncclInvalidArgument);
    };
    if (!sizeOf(request.type))
      return wrong("there is no type " +
                   std::to_string(static_cast<int>(request.type)));
    if (request.root < 0 || request.root >= communicator->ranks)
      return wrong("there is no rank " + std::to_string(request.root));
    Transfers transfers(communicator->ranks);
    if (ncclResult_t status = fill(
            *communicator, request.count * sizeOf(request.type), transfers);
        status != ncclSuccess)
      return call.end(status);
    if (!request.count)
      return call.end(ncclSuccess);
    return call.end(call.exchange(communicator, std::move(transfers),
                                  request.stream, request.isMessage));
  });
}

/// The reduction of \p bytes at \p own to \p to.
ncclResult_t setReduction(Communicator &communicator, const Request &request,
                          ncclRedOp_t op, const char *own, char *to,
                          size_t bytes, Transfers &transfers) {
  Transfers::Reduction &reduction = transfers.reduction;
  reduction.own = own;
  reduction.to = to;
  reduction.bytes = bytes;
  reduction.type = request.type;
  const auto number = static_cast<int64_t>(op);
  if (number >= 0 && number < ncclNumOps) {
    reduction.operation = {op, false};
    return ncclSuccess;
  }
  const int64_t user = number - ncclNumOps;
  if (user < 0 ||
      user >= static_cast<int64_t>(communicator.operations.size())) {
    lastError() = std::string(request.name) + ": there is no such operation";
    return ncclInvalidArgument;
  }
  const UserOperation &made =
      communicator.operations[static_cast<size_t>(user)];
  if (made.destroyed || made.type != request.type) {
    lastError() = std::string(request.name) +
                  ": the operation is destroyed, or of another type";
    return ncclInvalidArgument;
  }
  reduction.operation = {ncclSum, true};
  reduction.scalar = made.scalar;
  reduction.scalarOnDevice = made.onDevice;
  return ncclSuccess;
}

} // namespace

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

// Each rank reduces a part, of which the others send theirs, and sends it to
// all.
ncclResult_t ncclAllReduce(const void *sendbuff, void *recvbuff, size_t count,
                           ncclDataType_t datatype, ncclRedOp_t op,
                           ncclComm_t comm, cudaStream_t stream) {
  const Request request{"ncclAllReduce", comm, stream, count, datatype};
  return operate(request, [&](Communicator &c, size_t, Transfers &t) {
    const size_t element = sizeOf(datatype), n = static_cast<size_t>(c.ranks);
    // Parts are lines of the cache, where there are enough elements.
    const size_t unit = count >= 64 * n ? 64 : 1;
    const size_t each = (count / unit + n - 1) / n * unit;
    const auto begin = [&](int rank) {
      return rank == c.ranks
                 ? count * element
                 : std::min(each * static_cast<size_t>(rank), count) * element;
    };
    const size_t own = begin(c.rank), size = begin(c.rank + 1) - own;
    char *const to = bytesOf(recvbuff);
    for (int peer = 0; peer != c.ranks; ++peer) {
      if (peer == c.rank)
        continue;
      const size_t part = begin(peer), bytes = begin(peer + 1) - part;
      t.send(peer, bytesOf(sendbuff) + part, bytes);
      t.send(peer, to + own, size, true);
      t.receive(peer, to + part, bytes);
    }
    return setReduction(c, request, op, bytesOf(sendbuff) + own, to + own, size,
                        t);
  });
}

ncclResult_t ncclReduce(const void *sendbuff, void *recvbuff, size_t count,
                        ncclDataType_t datatype, ncclRedOp_t op, int root,
                        ncclComm_t comm, cudaStream_t stream) {
  const Request request{"ncclReduce", comm, stream, count, datatype, root};
  return operate(request, [&](Communicator &c, size_t bytes, Transfers &t) {
    const ncclResult_t status =
        setReduction(c, request, op, bytesOf(sendbuff), bytesOf(recvbuff),
                     c.rank == root ? bytes : 0, t);
    if (c.rank != root)
      t.send(root, bytesOf(sendbuff), bytes);
    return status;
  });
}

ncclResult_t ncclReduceScatter(const void *sendbuff, void *recvbuff,
                               size_t recvcount, ncclDataType_t datatype,
                               ncclRedOp_t op, ncclComm_t comm,
                               cudaStream_t stream) {
  const Request request{"ncclReduceScatter", comm, stream, recvcount, datatype};
  return operate(request, [&](Communicator &c, size_t bytes, Transfers &t) {
    const auto part = [&](int rank) {
      return bytesOf(sendbuff) + bytes * static_cast<size_t>(rank);
    };
    for (int peer = 0; peer != c.ranks; ++peer)
      if (peer != c.rank)
        t.send(peer, part(peer), bytes);
    return setReduction(c, request, op, part(c.rank), bytesOf(recvbuff), bytes,
                        t);
  });
}

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

ncclResult_t ncclBroadcast(const void *sendbuff, void *recvbuff, size_t count,
                           ncclDataType_t datatype, int root, ncclComm_t comm,
                           cudaStream_t stream) {
  const Request request{"ncclBroadcast", comm, stream, count, datatype, root};
  return operate(request, [&](Communicator &c, size_t bytes, Transfers &t) {
    if (c.rank != root) {
      t.receive(root, bytesOf(recvbuff), bytes);
      return ncclSuccess;
    }
    t.copy(bytesOf(sendbuff), bytesOf(recvbuff), bytes);
    for (int peer = 0; peer != c.ranks; ++peer)
      if (peer != root)
        t.send(peer, bytesOf(sendbuff), bytes);
    return ncclSuccess;
  });
}

ncclResult_t ncclBcast(void *buff, size_t count, ncclDataType_t datatype,
                       int root, ncclComm_t comm, cudaStream_t stream) {
  return nccl::ncclBroadcast(buff, buff, count, datatype, root, comm, stream);
}

ncclResult_t ncclAllGather(const void *sendbuff, void *recvbuff,
                           size_t sendcount, ncclDataType_t datatype,
                           ncclComm_t comm, cudaStream_t stream) {
  const Request request{"ncclAllGather", comm, stream, sendcount, datatype};
  return operate(request, [&](Communicator &c, size_t bytes, Transfers &t) {
    for (int peer = 0; peer != c.ranks; ++peer) {
      char *const part = bytesOf(recvbuff) + bytes * static_cast<size_t>(peer);
      if (peer == c.rank) {
        t.copy(bytesOf(sendbuff), part, bytes);
        continue;
      }
      t.send(peer, bytesOf(sendbuff), bytes);
      t.receive(peer, part, bytes);
    }
    return ncclSuccess;
  });
}

ncclResult_t ncclAlltoAll(const void *sendbuff, void *recvbuff, size_t count,
                          ncclDataType_t datatype, ncclComm_t comm,
                          cudaStream_t stream) {
  const Request request{"ncclAlltoAll", comm, stream, count, datatype};
  return operate(request, [&](Communicator &c, size_t bytes, Transfers &t) {
    for (int peer = 0; peer != c.ranks; ++peer) {
      const size_t part = bytes * static_cast<size_t>(peer);
      if (peer == c.rank) {
        t.copy(bytesOf(sendbuff) + part, bytesOf(recvbuff) + part, bytes);
        continue;
      }
      t.send(peer, bytesOf(sendbuff) + part, bytes);
      t.receive(peer, bytesOf(recvbuff) + part, bytes);
    }
    return ncclSuccess;
  });
}

ncclResult_t ncclGather(const void *sendbuff, void *recvbuff, size_t count,
                        ncclDataType_t datatype, int root, ncclComm_t comm,
                        cudaStream_t stream) {
  const Request request{"ncclGather", comm, stream, count, datatype, root};
  return operate(request, [&](Communicator &c, size_t bytes, Transfers &t) {
    if (c.rank != root) {
      t.send(root, bytesOf(sendbuff), bytes);
      return ncclSuccess;
    }
    for (int peer = 0; peer != c.ranks; ++peer) {
      char *const part = bytesOf(recvbuff) + bytes * static_cast<size_t>(peer);
      if (peer == root)
        t.copy(bytesOf(sendbuff), part, bytes);
      else
        t.receive(peer, part, bytes);
    }
    return ncclSuccess;
  });
}

ncclResult_t ncclScatter(const void *sendbuff, void *recvbuff, size_t count,
                         ncclDataType_t datatype, int root, ncclComm_t comm,
                         cudaStream_t stream) {
  const Request request{"ncclScatter", comm, stream, count, datatype, root};
  return operate(request, [&](Communicator &c, size_t bytes, Transfers &t) {
    if (c.rank != root) {
      t.receive(root, bytesOf(recvbuff), bytes);
      return ncclSuccess;
    }
    for (int peer = 0; peer != c.ranks; ++peer) {
      const char *const part =
          bytesOf(sendbuff) + bytes * static_cast<size_t>(peer);
      if (peer == root)
        t.copy(part, bytesOf(recvbuff), bytes);
      else
        t.send(peer, part, bytes);
    }
    return ncclSuccess;
  });
}

ncclResult_t ncclSend(const void *sendbuff, size_t count,
                      ncclDataType_t datatype, int peer, ncclComm_t comm,
                      cudaStream_t stream) {
  const Request request{"ncclSend", comm, stream, count, datatype, peer, true};
  return operate(request, [&](Communicator &, size_t bytes, Transfers &t) {
    t.send(peer, bytesOf(sendbuff), bytes);
    return ncclSuccess;
  });
}

ncclResult_t ncclRecv(void *recvbuff, size_t count, ncclDataType_t datatype,
                      int peer, ncclComm_t comm, cudaStream_t stream) {
  const Request request{"ncclRecv", comm, stream, count, datatype, peer, true};
  return operate(request, [&](Communicator &, size_t bytes, Transfers &t) {
    t.receive(peer, bytesOf(recvbuff), bytes);
    return ncclSuccess;
  });
}

ncclResult_t ncclGroupStart() {
  startGroup();
  return ncclSuccess;
}
ncclResult_t ncclGroupEnd() {
  return catching([] { return endGroup(); });
}

//===----------------------------------------------------------------------===//
// Operations of the program
//===----------------------------------------------------------------------===//

ncclResult_t ncclRedOpCreatePreMulSum(ncclRedOp_t *op, void *scalar,
                                      ncclDataType_t datatype,
                                      ncclScalarResidence_t residence,
                                      ncclComm_t comm) {
  const auto communicator = find(comm);
  if (!communicator || !op || !scalar || !sizeOf(datatype) ||
      (residence != ncclScalarDevice && residence != ncclScalarHostImmediate))
    return ncclInvalidArgument;
  return catching([&] {
    UserOperation made{false, datatype, 0, nullptr};
    if (residence == ncclScalarDevice)
      made.onDevice = scalar;
    else
      std::memcpy(&made.scalar, scalar, sizeOf(datatype));
    *op =
        static_cast<ncclRedOp_t>(ncclNumOps + communicator->operations.size());
    communicator->operations.push_back(made);
    return ncclSuccess;
  });
}

ncclResult_t ncclRedOpDestroy(ncclRedOp_t op, ncclComm_t comm) {
  const auto communicator = find(comm);
  const int64_t number = static_cast<int64_t>(op) - ncclNumOps;
  if (!communicator || number < 0 ||
      number >= static_cast<int64_t>(communicator->operations.size()))
    return ncclInvalidArgument;
  UserOperation &made = communicator->operations[static_cast<size_t>(number)];
  if (made.destroyed)
    return ncclInvalidArgument;
  made.destroyed = true;
  return ncclSuccess;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

ncclResult_t ncclMemAlloc(void **ptr, size_t size) {
  if (!ptr)
    return ncclInvalidArgument;
  return onDevice([&](Engine &engine) {
           return engine.allocate(ptr, size, MemoryKind::Device);
         }) == cudaSuccess
             ? ncclSuccess
             : ncclUnhandledCudaError;
}

ncclResult_t ncclMemFree(void *ptr) {
  return onDevice([&](Engine &engine) {
           return engine.release(ptr, MemoryKind::Device);
         }) == cudaSuccess
             ? ncclSuccess
             : ncclUnhandledCudaError;
}

// All memory of the device's can be sent as it is.
ncclResult_t ncclCommRegister(ncclComm_t comm, void *buff, size_t size,
                              void **handle) {
  if (!find(comm) || !buff || !size || !handle)
    return ncclInvalidArgument;
  *handle = buff;
  return ncclSuccess;
}
ncclResult_t ncclCommDeregister(ncclComm_t comm, void *handle) {
  return find(comm) && handle ? ncclSuccess : ncclInvalidArgument;
}

//===----------------------------------------------------------------------===//
// Questions
//===----------------------------------------------------------------------===//

ncclResult_t ncclGetVersion(int *version) {
  if (!version)
    return ncclInvalidArgument;
  *version = NCCL_VERSION_CODE;
  return ncclSuccess;
}

const char *ncclGetErrorString(ncclResult_t result) {
  switch (result) {
  case ncclSuccess:
    return "no error";
  case ncclUnhandledCudaError:
    return "a call of CUDA failed";
  case ncclSystemError:
    return "a call of the system failed";
  case ncclInternalError:
    return "the communicator was aborted";
  case ncclInvalidArgument:
    return "invalid argument";
  case ncclInvalidUsage:
    return "invalid usage";
  case ncclRemoteError:
    return "another process has ended or cannot be reached";
  case ncclInProgress:
    return "the operation is in progress";
  default:
    return "unknown result";
  }
}

const char *ncclGetLastError(ncclComm_t) { return lastError().c_str(); }

ncclResult_t ncclCommGetAsyncError(ncclComm_t comm, ncclResult_t *asyncError) {
  const auto communicator = find(comm);
  if (!communicator || !asyncError)
    return ncclInvalidArgument;
  *asyncError = communicator->error();
  return ncclSuccess;
}

namespace {
ncclResult_t answer(ncclComm_t comm, int *result,
                    const int Communicator::*which) {
  const auto communicator = find(comm);
  if (!communicator || !result)
    return ncclInvalidArgument;
  *result = (*communicator).*which;
  return ncclSuccess;
}
} // namespace

ncclResult_t ncclCommCount(ncclComm_t comm, int *count) {
  return answer(comm, count, &Communicator::ranks);
}
ncclResult_t ncclCommCuDevice(ncclComm_t comm, int *device) {
  return answer(comm, device, &Communicator::device);
}
ncclResult_t ncclCommUserRank(ncclComm_t comm, int *rank) {
  return answer(comm, rank, &Communicator::rank);
}

} // namespace cufort::nccl

//===- Communicators.cpp - making and ending communicators ----------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "libraries/nccl/Handle.h"
#include "nccl_functions.h"
#include <algorithm>
#include <cstring>
#include <unistd.h>

namespace cufort::nccl {

namespace {

/// What a ncclUniqueId holds.
struct Id {
  char magic[8];
  SegmentName name;
};
static_assert(sizeof(Id) <= sizeof(ncclUniqueId));
constexpr char Magic[8] = {'c', 'u', 'f', 'o', 'r', 't', 'N', 'C'};

bool wanted(const ncclConfig_t *config) {
  constexpr unsigned ConfigMagic = 0xcafebeef;
  if (!config || config->magic == ConfigMagic)
    return true;
  lastError() = "the configuration is not initialised";
  return false;
}

/// The program gets \p communicator in \p handle.
ncclResult_t give(std::shared_ptr<Communicator> communicator,
                  ncclComm_t *handle) {
  ncclComm *made = libraries::handles<ncclComm>().make();
  made->communicator = std::move(communicator);
  *handle = made;
  return ncclSuccess;
}

/// A rank that waits for the others.
class Join final : public Birth {
public:
  Join(std::shared_ptr<Communicator> communicator, ncclComm_t *handle)
      : communicator(std::move(communicator)), handle(handle) {}
  bool advance(ncclResult_t *result) override {
    if (!communicator->complete(result))
      return false;
    if (*result == ncclSuccess)
      *result = give(communicator, handle);
    return true;
  }

private:
  const std::shared_ptr<Communicator> communicator;
  ncclComm_t *const handle;
};

ncclResult_t join(Call &call, ncclComm_t *handle, const SegmentName &name,
                  int ranks, int rank, int device) {
  std::shared_ptr<Communicator> joined;
  if (ncclResult_t wrong =
          Communicator::join(name, ranks, rank, device, &joined);
      wrong != ncclSuccess)
    return wrong;
  return call.begin(std::make_unique<Join>(std::move(joined), handle));
}

/// A rank of a communicator that is split.
class Split final : public Birth {
public:
  Split(std::shared_ptr<Communicator> parent, int color, int key,
        ncclComm_t *handle)
      : parent(std::move(parent)), color(color), key(key), handle(handle),
        number(++this->parent->splits) {}

  bool advance(ncclResult_t *result) override {
    *result = ncclSuccess;
    if (stage == Stage::Writing && !write())
      return false;
    if (stage == Stage::Reading && !read(result))
      return false;
    if (stage == Stage::Opening && !open(result))
      return false;
    if (stage == Stage::Joining && joined->complete(result)) {
      if (*result == ncclSuccess)
        *result = give(joined, handle);
      stage = Stage::Over;
    }
    return stage == Stage::Over;
  }

private:
  enum class Stage { Writing, Reading, Opening, Joining, Over };
  Member &member(int rank) { return parent->segment().member(rank); }
  Member &self() { return member(parent->rank); }
  template <typename Condition> bool all(Condition condition) {
    for (int peer = 0; peer != parent->ranks; ++peer)
      if (!condition(member(peer)))
        return false;
    return true;
  }

  bool write() {
    // What it wrote at the last time has been read by all.
    if (!all([&](Member &peer) { return peer.read >= number - 1; }))
      return false;
    self().color = color;
    self().key = key;
    self().split = number;
    stage = Stage::Reading;
    return true;
  }
  bool read(ncclResult_t *result) {
    if (!all([&](Member &peer) { return peer.split >= number; }))
      return false;
    for (int peer = 0; peer != parent->ranks; ++peer)
      if (member(peer).color == color)
        ranks.push_back({member(peer).key, peer});
    std::sort(ranks.begin(), ranks.end());
    stage = Stage::Opening;
    if (color == NCCL_SPLIT_NOCOLOR) {
      *handle = nullptr;
      end();
    } else if (ranks[0].second == parent->rank) {
      *result = Segment::create(&self().name);
      self().named = number; // even so: others do not wait for ever
    }
    return true;
  }
  bool open(ncclResult_t *result) {
    Member &first = member(ranks[0].second);
    if (first.named < number)
      return false;
    const auto own =
        std::find(ranks.begin(), ranks.end(), std::pair(key, parent->rank));
    if (*result == ncclSuccess)
      *result = Communicator::join(first.name, static_cast<int>(ranks.size()),
                                   static_cast<int>(own - ranks.begin()),
                                   parent->device, &joined);
    end();
    if (*result == ncclSuccess)
      stage = Stage::Joining;
    return true;
  }
  void end() {
    self().read = number;
    stage = Stage::Over;
  }

  const std::shared_ptr<Communicator> parent;
  const int color, key;
  ncclComm_t *const handle;
  const uint64_t number;
  Stage stage = Stage::Writing;
  std::vector<std::pair<int, int>> ranks; ///< keys and ranks of this color
  std::shared_ptr<Communicator> joined;
};

} // namespace

ncclResult_t ncclGetUniqueId(ncclUniqueId *uniqueId) {
  if (!uniqueId)
    return ncclInvalidArgument;
  return catching([&] {
    Id id{};
    std::memcpy(id.magic, Magic, sizeof(Magic));
    if (ncclResult_t wrong = Segment::create(&id.name); wrong != ncclSuccess)
      return wrong;
    *uniqueId = {};
    std::memcpy(uniqueId->internal, &id, sizeof(id));
    return ncclSuccess;
  });
}

ncclResult_t ncclCommInitRankConfig(ncclComm_t *comm, int nranks,
                                    ncclUniqueId commId, int rank,
                                    ncclConfig_t *config) {
  return catching([&] {
    Call call;
    Id id;
    std::memcpy(&id, commId.internal, sizeof(id));
    if (!comm || !wanted(config) || nranks < 1 || rank < 0 || rank >= nranks ||
        std::memcmp(id.magic, Magic, sizeof(Magic)) != 0)
      return call.end(ncclInvalidArgument);
    *comm = nullptr;
    if (useDevice().error != cudaSuccess)
      return call.end(ncclUnhandledCudaError);
    return call.end(join(call, comm, id.name, nranks, rank, currentDevice()));
  });
}

ncclResult_t ncclCommInitRank(ncclComm_t *comm, int nranks, ncclUniqueId commId,
                              int rank) {
  return nccl::ncclCommInitRankConfig(comm, nranks, commId, rank, nullptr);
}

ncclResult_t ncclCommInitAll(ncclComm_t *comm, int ndev, const int *devlist) {
  if (!comm || ndev < 0)
    return ncclInvalidArgument;
  return catching([&] {
    if (useDevice().error != cudaSuccess)
      return ncclUnhandledCudaError;
    std::vector<bool> used(static_cast<size_t>(deviceCount()));
    for (int rank = 0; rank != ndev; ++rank) {
      const int device = devlist ? devlist[rank] : rank;
      if (device < 0 || device >= deviceCount()) {
        lastError() = "there is no device " + std::to_string(device);
        return devlist ? ncclInvalidArgument : ncclUnhandledCudaError;
      }
      if (used[static_cast<size_t>(device)]) {
        lastError() = "two ranks have the device " + std::to_string(device);
        return ncclInvalidUsage;
      }
      used[static_cast<size_t>(device)] = true;
    }
    if (!ndev)
      return ncclSuccess;
    SegmentName name;
    if (ncclResult_t wrong = Segment::create(&name); wrong != ncclSuccess)
      return wrong;
    Call call;
    ncclResult_t status = ncclSuccess;
    for (int rank = 0; rank != ndev && status == ncclSuccess; ++rank)
      status = join(call, comm + rank, name, ndev, rank,
                    devlist ? devlist[rank] : rank);
    return call.end(status);
  });
}

ncclResult_t ncclCommSplit(ncclComm_t comm, int color, int key,
                           ncclComm_t *newcomm, ncclConfig_t *config) {
  return catching([&] {
    Call call;
    const auto parent = find(comm);
    if (!parent || !newcomm || color < NCCL_SPLIT_NOCOLOR || !wanted(config))
      return call.end(ncclInvalidArgument);
    *newcomm = nullptr;
    return call.end(
        call.begin(std::make_unique<Split>(parent, color, key, newcomm)));
  });
}

ncclResult_t ncclCommFinalize(ncclComm_t comm) {
  if (!comm)
    return ncclSuccess;
  return find(comm) ? ncclSuccess : ncclInvalidArgument;
}

// What is under way ends by itself.
ncclResult_t ncclCommDestroy(ncclComm_t comm) {
  if (!comm)
    return ncclSuccess;
  return libraries::handles<ncclComm>().destroy(comm) ? ncclSuccess
                                                      : ncclInvalidArgument;
}

ncclResult_t ncclCommAbort(ncclComm_t comm) {
  if (!comm)
    return ncclSuccess;
  const auto communicator = find(comm);
  if (!communicator)
    return ncclInvalidArgument;
  return catching([&] {
    communicator->fail(ncclInternalError);
    // An operation that ends anywhere lets those look that wait.
    if (Engine *engine = deviceAt(communicator->device)) {
      StreamHandle stream;
      EventHandle event;
      if (engine->createStream(&stream, false, 0) == cudaSuccess) {
        if (engine->createEvent(&event, cudaEventDisableTiming) ==
            cudaSuccess) {
          engine->recordEvent(event, stream, false);
          engine->destroyEvent(event);
        }
        engine->destroyStream(stream);
      }
    }
    return nccl::ncclCommDestroy(comm);
  });
}

} // namespace cufort::nccl

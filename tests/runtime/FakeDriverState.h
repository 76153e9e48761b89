//===- FakeDriverState.h - what the test double of libcuda knows ----------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_TESTS_RUNTIME_FAKEDRIVERSTATE_H
#define CUFORT_TESTS_RUNTIME_FAKEDRIVERSTATE_H

#include "runtime/cuda/Driver.h"
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <set>
#include <vector>

/// How every entry point begins.
#define FAKE extern "C" __attribute__((visibility("default"))) CUresult

namespace fake {

using namespace cufort::cuda;

constexpr int Devices = 2;
constexpr CUresult Success = 0, InvalidValue = 1, OutOfMemory = 2,
                   InvalidContext = 201, AlreadyRegistered = 712,
                   NotRegistered = 713, InvalidHandle = 400, NotFound = 500,
                   IllegalState = 401, PeerEnabled = 704, PeerNotEnabled = 705,
                   NotCapturing = 401;
constexpr size_t DeviceBytes = size_t(1) << 36;

enum class Kind {
  Stream,
  Event,
  Module,
  Array,
  Texture,
  Pool,
  Graph,
  Exec,
  Node,
  UserObject,
  Mipmaps,
  Library,
  Memory
};

struct Object {
  Kind kind;
  int device;
  // Of some kinds:
  unsigned flags = 0;
  int priority = 0;
  CUgraph graph = nullptr;
  int nodeType = 0;
  KernelNode launch{};
  Copy3D copy{};
  FillNode fill{};
  HostNode host{};
  AllocationNode allocation{};
  CUevent event = nullptr;
  CUstream capturing = nullptr;
  bool spoilt = false; ///< its capture
  std::vector<char> memory;
  ArrayDescriptor shape{};
  std::vector<CUgraphNode> nodes;
  std::vector<CUarray> levels;
  std::vector<CUgraph> bodies;
};

struct Allocation {
  size_t bytes;
  int device;
  enum { Device, Managed, Pinned, Registered, Imported, Reserved } kind;
};

struct State {
  std::recursive_mutex mutex;
  std::set<Object *> objects;
  std::map<CUdeviceptr, Allocation> allocations;
  bool contexts[Devices] = {};
  int failure[Devices] = {};
  int pendingFailure = 0;
  bool peers[Devices][Devices] = {};
  Object *pools[Devices] = {}, *current[Devices] = {};
  size_t limits[16] = {1024, 1 << 20, 8 << 20, 2, 2048, 128};
  std::atomic<long> calls{0};
};

/// Device memory is memory of the host, but at addresses that no host can use:
/// code that reads or writes it without the driver ends with a fault.
constexpr CUdeviceptr Guard = CUdeviceptr(1) << 62;

template <typename T> T *real(CUdeviceptr address) {
  return reinterpret_cast<T *>(address & ~Guard);
}

inline State &state() {
  static auto *instance = new State;
  return *instance;
}

inline thread_local int Bound = -1;

[[noreturn]] inline void misuse(const char *function, const char *what) {
  std::fprintf(stderr, "fake driver: %s: %s\n", function, what);
  std::abort();
}

/// Every function begins with it.
struct Call {
  explicit Call(const char *function) : function(function) {
    state().calls.fetch_add(1);
  }
  /// The object behind a handle, of kind \p kind.
  template <typename Handle> Object &object(Handle handle, Kind kind) const {
    auto *object = reinterpret_cast<Object *>(handle);
    if (!state().objects.count(object) || object->kind != kind)
      misuse(function, "a handle that is not known");
    return *object;
  }
  const char *function;
  std::lock_guard<std::recursive_mutex> lock{state().mutex};
};

#define CALL() const Call call(__func__)
/// Of functions that need a context: the failure of its device, if any.
#define IN_CONTEXT()                                                           \
  CALL();                                                                      \
  if (Bound < 0 || !state().contexts[Bound])                                   \
    return InvalidContext;                                                     \
  if (CUresult failed = state().failure[Bound])                                \
  return failed
/// Of those that wait.
#define WAIT()                                                                 \
  if (state().pendingFailure) {                                                \
    state().failure[Bound] = state().pendingFailure;                           \
    state().pendingFailure = 0;                                                \
    return state().failure[Bound];                                             \
  }

template <typename Handle> void make(Handle *handle, Kind kind) {
  auto *object = new Object{kind, Bound < 0 ? 0 : Bound};
  state().objects.insert(object);
  *handle = reinterpret_cast<Handle>(object);
}

template <typename Handle>
CUresult destroy(const Call &call, Handle handle, Kind kind) {
  Object &object = call.object(handle, kind);
  if (kind == Kind::Graph)
    std::erase_if(state().objects, [&](Object *node) {
      const bool mine = node->kind == Kind::Node &&
                        node->graph == reinterpret_cast<CUgraph>(handle);
      if (mine)
        delete node;
      return mine;
    });
  state().objects.erase(&object);
  delete &object;
  return Success;
}

inline void checkStream(const Call &call, CUstream stream) {
  if (reinterpret_cast<uintptr_t>(stream) > 2)
    call.object(stream, Kind::Stream);
}

/// The capture that the stream takes part in.
inline CUgraph captureOf(CUstream stream) {
  if (reinterpret_cast<uintptr_t>(stream) <= 2)
    return nullptr;
  return reinterpret_cast<Object *>(stream)->graph;
}

inline const std::pair<const CUdeviceptr, Allocation> *
find(CUdeviceptr address) {
  auto after = state().allocations.upper_bound(address);
  if (after == state().allocations.begin())
    return nullptr;
  --after;
  return address < after->first + after->second.bytes ? &*after : nullptr;
}

/// Whether [address, address + bytes) may be touched: the program's own memory,
/// or within one allocation.
inline bool inRange(CUdeviceptr address, size_t bytes) {
  const auto *found = find(address);
  return !found || address + bytes <= found->first + found->second.bytes;
}

inline CUresult allocate(CUdeviceptr *result, size_t bytes, int kind) {
  if (!bytes)
    return InvalidValue;
  if (bytes > DeviceBytes)
    return OutOfMemory;
  void *memory = std::aligned_alloc(512, (bytes + 511) / 512 * 512);
  if (!memory)
    return OutOfMemory;
  *result = reinterpret_cast<CUdeviceptr>(memory);
  if (kind == Allocation::Device)
    *result |= Guard;
  state().allocations[*result] = {bytes, Bound,
                                  decltype(Allocation::kind)(kind)};
  return Success;
}

inline CUresult release(CUdeviceptr address, bool pinned) {
  auto found = state().allocations.find(address);
  if (found == state().allocations.end() ||
      (found->second.kind == Allocation::Pinned) != pinned ||
      found->second.kind > Allocation::Pinned)
    return InvalidValue;
  std::free(real<void>(address));
  state().allocations.erase(found);
  return Success;
}

inline CUresult move(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
  if (!to || !from || !inRange(to, bytes) || !inRange(from, bytes))
    return InvalidValue;
  std::memmove(real<void>(to), real<void>(from), bytes);
  return Success;
}

template <typename Side>
char *placeOf(const Side &side, size_t z, size_t y, size_t pitch,
              size_t height) {
  const auto *base =
      side.memoryType == MemoryArray
          ? static_cast<Object *>(side.array)->memory.data()
          : real<const char>(side.memoryType == MemoryHost
                                 ? reinterpret_cast<CUdeviceptr>(side.host)
                                 : side.device);
  return const_cast<char *>(base) + side.xBytes + pitch * (y + height * z);
}

inline size_t channelBytes(int format) {
  return format == 1 || format == 8                   ? 1
         : format == 2 || format == 9 || format == 16 ? 2
                                                      : 4;
}

inline CUresult copyBox(const Call &call, const Copy3D &copy) {
  const auto shape = [&](const Copy3D::Side &side, size_t &pitch,
                         size_t &height) {
    pitch = side.pitch;
    height = side.height;
    if (side.memoryType != MemoryArray)
      return;
    const Object &array =
        call.object(static_cast<CUarray>(side.array), Kind::Array);
    pitch = array.shape.width * channelBytes(array.shape.format) *
            array.shape.channels;
    height = array.shape.height ? array.shape.height : 1;
  };
  size_t toPitch, toHeight, fromPitch, fromHeight;
  shape(copy.to, toPitch, toHeight);
  shape(copy.from, fromPitch, fromHeight);
  for (size_t z = 0; z < copy.depth; ++z)
    for (size_t y = 0; y < copy.height; ++y)
      std::memmove(
          placeOf(copy.to, copy.to.z + z, copy.to.y + y, toPitch, toHeight),
          placeOf(copy.from, copy.from.z + z, copy.from.y + y, fromPitch,
                  fromHeight),
          copy.widthBytes);
  return Success;
}

inline CUresult copyRows(const Copy2D &copy) {
  for (size_t y = 0; y < copy.height; ++y)
    std::memmove(placeOf(copy.to, 0, copy.to.y + y, copy.to.pitch, 0),
                 placeOf(copy.from, 0, copy.from.y + y, copy.from.pitch, 0),
                 copy.widthBytes);
  return Success;
}

template <typename T> CUresult fill(CUdeviceptr to, T value, size_t count) {
  if (!inRange(to, count * sizeof(T)))
    return InvalidValue;
  char *const place = real<char>(to);
  const size_t bytes = count * sizeof(T);
  if (count)
    std::memcpy(place, &value, sizeof(T));
  // What is there doubles: element by element took ThreadSanitizer most of
  // the time of the tests.
  for (size_t done = sizeof(T); done < bytes; done *= 2)
    std::memcpy(place + done, place, std::min(done, bytes - done));
  return Success;
}

inline CUresult addNode(const Call &call, CUgraphNode *node, CUgraph graph,
                        const CUgraphNode *after, size_t count, int type) {
  Object &owner = call.object(graph, Kind::Graph);
  if (!node || (count && !after))
    return InvalidValue;
  for (size_t i = 0; i < count; ++i)
    if (call.object(after[i], Kind::Node).graph != graph)
      return InvalidValue;
  make(node, Kind::Node);
  auto *object = reinterpret_cast<Object *>(*node);
  object->graph = graph;
  object->nodeType = type;
  owner.nodes.push_back(*node);
  return Success;
}

/// What a node does, of one of the kinds; null: it is of another one.
template <auto Member>
auto *whatNodeDoes(const Call &call, CUgraphNode node, int type) {
  Object &object = call.object(node, Kind::Node);
  return object.nodeType == type ? &(object.*Member) : nullptr;
}

template <auto Member, typename Parameters>
CUresult setNode(const Call &call, CUgraphNode node, int type,
                 const Parameters *parameters) {
  auto *place = whatNodeDoes<Member>(call, node, type);
  if (!place)
    return InvalidValue;
  *place = *parameters;
  return Success;
}

template <auto Member, typename Parameters>
CUresult getNode(const Call &call, CUgraphNode node, int type,
                 Parameters *parameters) {
  const auto *place = whatNodeDoes<Member>(call, node, type);
  if (!place)
    return InvalidValue;
  *parameters = *place;
  return Success;
}

/// Work for a stream that is captured becomes a node.
inline CUresult captured(const Call &call, CUstream stream, int type) {
  CUgraphNode node;
  return addNode(call, &node, captureOf(stream), nullptr, 0, type);
}

inline CUresult give(const Object &graph, CUgraphNode *nodes, size_t *count) {
  for (size_t i = 0; nodes && i < *count; ++i)
    nodes[i] = i < graph.nodes.size() ? graph.nodes[i] : nullptr;
  *count = graph.nodes.size();
  return Success;
}

} // namespace fake

#endif // CUFORT_TESTS_RUNTIME_FAKEDRIVERSTATE_H

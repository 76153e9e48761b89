//===- FakeDriver.cpp - a test double of libcuda --------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FakeDriver.h"
#include "runtime/cuda/Driver.h"
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <set>
#include <vector>

using namespace cufort::cuda;

namespace {

constexpr int Devices = 2;
constexpr CUresult Success = 0, InvalidValue = 1, OutOfMemory = 2,
                   InvalidContext = 201, AlreadyRegistered = 712,
                   NotRegistered = 713, InvalidHandle = 400, NotFound = 500,
                   IllegalState = 401, PeerEnabled = 704, PeerNotEnabled = 705,
                   NotCapturing = 401;
constexpr size_t DeviceBytes = size_t(1) << 36;

enum class Kind { Stream, Event, Module, Array, Pool, Graph, Exec, Node };

struct Object {
  Kind kind;
  int device;
  // Of some kinds:
  unsigned flags = 0;
  int priority = 0;
  CUgraph graph = nullptr;
  int nodeType = 0;
  CUstream capturing = nullptr;
  std::vector<char> memory;
  ArrayDescriptor shape{};
  std::vector<CUgraphNode> nodes;
};

struct Allocation {
  size_t bytes;
  int device;
  enum { Device, Managed, Pinned, Registered, Imported } kind;
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

State &state() {
  static auto *instance = new State;
  return *instance;
}

thread_local int Bound = -1;

[[noreturn]] void misuse(const char *function, const char *what) {
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

void checkStream(const Call &call, CUstream stream) {
  if (reinterpret_cast<uintptr_t>(stream) > 2)
    call.object(stream, Kind::Stream);
}

/// The capture that the stream takes part in.
CUgraph captureOf(CUstream stream) {
  if (reinterpret_cast<uintptr_t>(stream) <= 2)
    return nullptr;
  return reinterpret_cast<Object *>(stream)->graph;
}

const std::pair<const CUdeviceptr, Allocation> *find(CUdeviceptr address) {
  auto after = state().allocations.upper_bound(address);
  if (after == state().allocations.begin())
    return nullptr;
  --after;
  return address < after->first + after->second.bytes ? &*after : nullptr;
}

/// Whether [address, address + bytes) may be touched: the program's own memory,
/// or within one allocation.
bool inRange(CUdeviceptr address, size_t bytes) {
  const auto *found = find(address);
  return !found || address + bytes <= found->first + found->second.bytes;
}

CUresult allocate(CUdeviceptr *result, size_t bytes, int kind) {
  if (!bytes)
    return InvalidValue;
  if (bytes > DeviceBytes)
    return OutOfMemory;
  void *memory = std::aligned_alloc(512, (bytes + 511) / 512 * 512);
  if (!memory)
    return OutOfMemory;
  *result = reinterpret_cast<CUdeviceptr>(memory);
  state().allocations[*result] = {bytes, Bound,
                                  decltype(Allocation::kind)(kind)};
  return Success;
}

CUresult release(CUdeviceptr address, bool pinned) {
  auto found = state().allocations.find(address);
  if (found == state().allocations.end() ||
      (found->second.kind == Allocation::Pinned) != pinned ||
      found->second.kind > Allocation::Pinned)
    return InvalidValue;
  std::free(reinterpret_cast<void *>(address));
  state().allocations.erase(found);
  return Success;
}

CUresult move(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
  if (!to || !from || !inRange(to, bytes) || !inRange(from, bytes))
    return InvalidValue;
  std::memmove(reinterpret_cast<void *>(to), reinterpret_cast<void *>(from),
               bytes);
  return Success;
}

template <typename Side>
char *placeOf(const Side &side, size_t z, size_t y, size_t pitch,
              size_t height) {
  const auto *base = side.memoryType == MemoryArray
                         ? static_cast<Object *>(side.array)->memory.data()
                         : reinterpret_cast<const char *>(
                               side.memoryType == MemoryHost
                                   ? reinterpret_cast<CUdeviceptr>(side.host)
                                   : side.device);
  return const_cast<char *>(base) + side.xBytes + pitch * (y + height * z);
}

size_t channelBytes(int format) {
  return format == 1 || format == 8                   ? 1
         : format == 2 || format == 9 || format == 16 ? 2
                                                      : 4;
}

CUresult copyBox(const Call &call, const Copy3D &copy) {
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

CUresult copyRows(const Copy2D &copy) {
  for (size_t y = 0; y < copy.height; ++y)
    std::memmove(placeOf(copy.to, 0, copy.to.y + y, copy.to.pitch, 0),
                 placeOf(copy.from, 0, copy.from.y + y, copy.from.pitch, 0),
                 copy.widthBytes);
  return Success;
}

template <typename T> CUresult fill(CUdeviceptr to, T value, size_t count) {
  if (!inRange(to, count * sizeof(T)))
    return InvalidValue;
  for (size_t i = 0; i < count; ++i)
    std::memcpy(reinterpret_cast<char *>(to) + i * sizeof(T), &value,
                sizeof(T));
  return Success;
}

CUresult addNode(const Call &call, CUgraphNode *node, CUgraph graph,
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

/// Work for a stream that is captured becomes a node.
CUresult captured(const Call &call, CUstream stream, int type) {
  CUgraphNode node;
  return addNode(call, &node, captureOf(stream), nullptr, 0, type);
}

CUresult give(const Object &graph, CUgraphNode *nodes, size_t *count) {
  for (size_t i = 0; nodes && i < *count; ++i)
    nodes[i] = i < graph.nodes.size() ? graph.nodes[i] : nullptr;
  *count = graph.nodes.size();
  return Success;
}

} // namespace

long fakeDriverLiveObjects() {
  std::lock_guard lock(state().mutex);
  return static_cast<long>(state().objects.size() + state().allocations.size());
}

long fakeDriverCalls() { return state().calls.load(); }

void fakeDriverFailKernel(int code) {
  std::lock_guard lock(state().mutex);
  state().pendingFailure = code;
}

#define FAKE extern "C" __attribute__((visibility("default"))) CUresult

//===--- the driver, devices, contexts ---===//

FAKE cuInit(unsigned) {
  CALL();
  return Success;
}
FAKE cuDriverGetVersion(int *version) {
  CALL();
  *version = 13000;
  return Success;
}
FAKE cuGetErrorName(CUresult, const char **name) {
  *name = "FAKE_ERROR";
  return Success;
}
FAKE cuGetErrorString(CUresult, const char **text) {
  *text = "an error of the fake driver";
  return Success;
}
FAKE cuDeviceGetCount(int *count) {
  CALL();
  *count = Devices;
  return Success;
}
FAKE cuDeviceGet(CUdevice *device, int ordinal) {
  CALL();
  *device = ordinal;
  return ordinal < Devices ? Success : 101;
}
FAKE cuDeviceGetName(char *name, int length, CUdevice) {
  CALL();
  std::snprintf(name, static_cast<size_t>(length), "test double");
  return Success;
}
FAKE cuDeviceGetUuid(unsigned char (*uuid)[16], CUdevice device) {
  CALL();
  std::memset(*uuid, device, sizeof(*uuid));
  return Success;
}
FAKE cuDeviceTotalMem_v2(size_t *bytes, CUdevice) {
  CALL();
  *bytes = DeviceBytes;
  return Success;
}
FAKE cuDeviceGetAttribute(int *value, int attribute, CUdevice) {
  CALL();
  switch (attribute) {
  case MaxThreadsPerBlock:
  case MaxBlockX:
  case MaxBlockY:
    *value = 1024;
    break;
  case MaxBlockZ:
    *value = 64;
    break;
  case MaxGridX:
  case MaxPitch:
    *value = 0x7fffffff;
    break;
  case MaxGridY:
  case MaxGridZ:
    *value = 65535;
    break;
  case MaxSharedPerBlock:
    *value = 48 << 10;
    break;
  case MaxSharedPerBlockOptIn:
  case MaxSharedPerMultiprocessor:
    *value = 227 << 10;
    break;
  case WarpSize:
    *value = 32;
    break;
  case ComputeCapabilityMajor:
    *value = 9;
    break;
  case ComputeMode:
    *value = 0;
    break;
  default:
    *value = attribute > 0 && attribute < 200 ? 1 : 0;
    return attribute > 0 && attribute < 200 ? Success : InvalidValue;
  }
  return Success;
}
FAKE cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device) {
  CALL();
  state().contexts[device] = true;
  *context = reinterpret_cast<CUcontext>(uintptr_t(device) + 1);
  return Success;
}
FAKE cuDevicePrimaryCtxReset_v2(CUdevice device) {
  CALL();
  State &s = state();
  std::erase_if(s.objects, [&](Object *object) {
    const bool gone = object->device == device;
    if (gone)
      delete object;
    return gone;
  });
  std::erase_if(s.allocations, [&](const auto &entry) {
    const bool gone = entry.second.device == device;
    if (gone && entry.second.kind <= Allocation::Pinned)
      std::free(reinterpret_cast<void *>(entry.first));
    return gone;
  });
  s.contexts[device] = false;
  s.failure[device] = 0;
  s.pools[device] = s.current[device] = nullptr;
  for (int i = 0; i < Devices; ++i)
    s.peers[device][i] = s.peers[i][device] = false;
  return Success;
}
FAKE cuCtxSetCurrent(CUcontext context) {
  CALL();
  Bound = static_cast<int>(reinterpret_cast<uintptr_t>(context)) - 1;
  return Success;
}
FAKE cuCtxSynchronize() {
  IN_CONTEXT();
  WAIT();
  return Success;
}
FAKE cuCtxGetLimit(size_t *value, int limit) {
  IN_CONTEXT();
  if (limit < 0 || limit > 6)
    return 215;
  *value = state().limits[limit];
  return Success;
}
FAKE cuCtxSetLimit(int limit, size_t value) {
  IN_CONTEXT();
  if (limit < 0 || limit > 6)
    return 215;
  state().limits[limit] = value;
  return Success;
}
FAKE cuProfilerStart() {
  IN_CONTEXT();
  return Success;
}
FAKE cuProfilerStop() {
  IN_CONTEXT();
  return Success;
}
FAKE cuCtxGetCacheConfig(int *configuration) {
  IN_CONTEXT();
  *configuration = 0;
  return Success;
}
FAKE cuCtxSetCacheConfig(int) {
  IN_CONTEXT();
  return Success;
}
FAKE cuCtxGetStreamPriorityRange(int *least, int *greatest) {
  IN_CONTEXT();
  *least = 0;
  *greatest = -5;
  return Success;
}

//===--- modules and kernels ---===//

FAKE cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned, int *,
                        void **) {
  IN_CONTEXT();
  if (!image)
    return InvalidValue;
  make(module, Kind::Module);
  // Room for variables.
  reinterpret_cast<Object *>(*module)->memory.resize(65536);
  return Success;
}
FAKE cuModuleUnload(CUmodule module) {
  IN_CONTEXT();
  return destroy(call, module, Kind::Module);
}
FAKE cuModuleGetFunction(CUfunction *function, CUmodule module,
                         const char *name) {
  IN_CONTEXT();
  call.object(module, Kind::Module);
  *function = reinterpret_cast<CUfunction>(const_cast<char *>(name));
  return std::strstr(name, "missing") ? NotFound : Success;
}
FAKE cuModuleGetGlobal_v2(CUdeviceptr *address, size_t *bytes, CUmodule module,
                          const char *name) {
  IN_CONTEXT();
  Object &object = call.object(module, Kind::Module);
  size_t place = 0;
  for (const char *c = name; *c; ++c)
    place = (place * 31 + static_cast<unsigned char>(*c)) % 1000;
  *address = reinterpret_cast<CUdeviceptr>(object.memory.data() + place * 64);
  if (bytes)
    *bytes = 64;
  return Success;
}
FAKE cuFuncGetAttribute(int *value, int attribute, CUfunction) {
  IN_CONTEXT();
  *value = attribute == FunctionMaxThreads ? 1024 : 0;
  return Success;
}
FAKE cuFuncSetAttribute(CUfunction, int attribute, int value) {
  IN_CONTEXT();
  return attribute == FunctionMaxDynamicShared && value > (227 << 10)
             ? InvalidValue
             : Success;
}
FAKE cuFuncSetCacheConfig(CUfunction, int) {
  IN_CONTEXT();
  return Success;
}
FAKE cuLaunchKernel(CUfunction function, unsigned x, unsigned y, unsigned z,
                    unsigned, unsigned, unsigned, unsigned, CUstream stream,
                    void **, void **) {
  IN_CONTEXT();
  checkStream(call, stream);
  if (captureOf(stream))
    return captured(call, stream, 0);
  return function && x && y && z ? Success : InvalidValue;
}
FAKE cuLaunchCooperativeKernel(CUfunction function, unsigned x, unsigned y,
                               unsigned z, unsigned, unsigned, unsigned,
                               unsigned, CUstream stream, void **) {
  IN_CONTEXT();
  checkStream(call, stream);
  return function && x && y && z ? Success : InvalidValue;
}
FAKE cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, CUfunction,
                                                 int threads, size_t) {
  IN_CONTEXT();
  *blocks = 2048 / (threads ? threads : 1);
  return Success;
}

//===--- memory ---===//

FAKE cuMemGetInfo_v2(size_t *free, size_t *total) {
  IN_CONTEXT();
  *free = *total = DeviceBytes;
  return Success;
}
FAKE cuMemAlloc_v2(CUdeviceptr *result, size_t bytes) {
  IN_CONTEXT();
  return allocate(result, bytes, Allocation::Device);
}
FAKE cuMemAllocManaged(CUdeviceptr *result, size_t bytes, unsigned) {
  IN_CONTEXT();
  return allocate(result, bytes, Allocation::Managed);
}
FAKE cuMemFree_v2(CUdeviceptr address) {
  IN_CONTEXT();
  WAIT();
  return release(address, false);
}
FAKE cuMemHostAlloc(void **memory, size_t bytes, unsigned) {
  IN_CONTEXT();
  CUdeviceptr result = 0;
  const CUresult code = allocate(&result, bytes, Allocation::Pinned);
  *memory = reinterpret_cast<void *>(result);
  return code;
}
FAKE cuMemFreeHost(void *memory) {
  IN_CONTEXT();
  return release(reinterpret_cast<CUdeviceptr>(memory), true);
}
FAKE cuPointerGetAttribute(void *value, int attribute, CUdeviceptr address) {
  IN_CONTEXT();
  const auto *found = find(address);
  if (!found)
    return InvalidValue;
  const bool host = found->second.kind == Allocation::Pinned ||
                    found->second.kind == Allocation::Registered;
  const auto put = [&](auto content) {
    std::memcpy(value, &content, sizeof(content));
    return Success;
  };
  switch (attribute) {
  case PointerMemoryType:
    return put(host ? MemoryHost : MemoryDevice);
  case PointerIsManaged:
    return put(unsigned(found->second.kind == Allocation::Managed));
  case PointerDeviceOrdinal:
    return put(found->second.device);
  case PointerDeviceAddress:
    return put(address);
  case PointerHostAddress:
    if (!host && found->second.kind != Allocation::Managed)
      return InvalidValue;
    return put(address);
  default:
    return InvalidValue;
  }
}
FAKE cuMemHostRegister_v2(void *memory, size_t bytes, unsigned) {
  IN_CONTEXT();
  if (!memory || !bytes)
    return InvalidValue;
  const auto address = reinterpret_cast<CUdeviceptr>(memory);
  if (find(address))
    return AlreadyRegistered;
  state().allocations[address] = {bytes, Bound, Allocation::Registered};
  return Success;
}
FAKE cuMemHostUnregister(void *memory) {
  IN_CONTEXT();
  auto found = state().allocations.find(reinterpret_cast<CUdeviceptr>(memory));
  if (found == state().allocations.end() ||
      found->second.kind != Allocation::Registered)
    return NotRegistered;
  state().allocations.erase(found);
  return Success;
}
FAKE cuMemHostGetFlags(unsigned *flags, void *memory) {
  IN_CONTEXT();
  const auto *found = find(reinterpret_cast<CUdeviceptr>(memory));
  *flags = 3;
  return found && (found->second.kind == Allocation::Pinned ||
                   found->second.kind == Allocation::Registered)
             ? Success
             : InvalidValue;
}
FAKE cuMemPrefetchAsync(CUdeviceptr address, size_t bytes, CUdevice device,
                        CUstream stream) {
  IN_CONTEXT();
  checkStream(call, stream);
  if (device < -1 || device >= Devices)
    return 101;
  const auto *found = find(address);
  return found && found->second.kind == Allocation::Managed &&
                 inRange(address, bytes)
             ? Success
             : InvalidValue;
}
FAKE cuMemAdvise(CUdeviceptr address, size_t, int, CUdevice) {
  IN_CONTEXT();
  const auto *found = find(address);
  return found && found->second.kind == Allocation::Managed ? Success
                                                            : InvalidValue;
}
FAKE cuMemRangeGetAttribute(void *data, size_t bytes, int, CUdeviceptr address,
                            size_t) {
  IN_CONTEXT();
  if (!find(address) || !data)
    return InvalidValue;
  std::memset(data, 0, bytes);
  return Success;
}
FAKE cuStreamAttachMemAsync(CUstream stream, CUdeviceptr address, size_t,
                            unsigned) {
  IN_CONTEXT();
  checkStream(call, stream);
  return find(address) ? Success : InvalidValue;
}

//===--- copies and fills ---===//

FAKE cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
  IN_CONTEXT();
  WAIT();
  return move(to, from, bytes);
}
FAKE cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes,
                   CUstream stream) {
  IN_CONTEXT();
  checkStream(call, stream);
  return captureOf(stream) ? captured(call, stream, 1) : move(to, from, bytes);
}
FAKE cuMemcpyHtoD_v2(CUdeviceptr to, const void *from, size_t bytes) {
  IN_CONTEXT();
  WAIT();
  return move(to, reinterpret_cast<CUdeviceptr>(from), bytes);
}
FAKE cuMemcpyDtoH_v2(void *to, CUdeviceptr from, size_t bytes) {
  IN_CONTEXT();
  WAIT();
  return move(reinterpret_cast<CUdeviceptr>(to), from, bytes);
}
FAKE cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, size_t bytes,
                          CUstream stream) {
  IN_CONTEXT();
  checkStream(call, stream);
  return move(to, from, bytes);
}
FAKE cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void *from, size_t bytes,
                          CUstream stream) {
  IN_CONTEXT();
  checkStream(call, stream);
  return move(to, reinterpret_cast<CUdeviceptr>(from), bytes);
}
FAKE cuMemcpy2DUnaligned_v2(const Copy2D *copy) {
  IN_CONTEXT();
  WAIT();
  return copyRows(*copy);
}
FAKE cuMemcpy2DAsync_v2(const Copy2D *copy, CUstream stream) {
  IN_CONTEXT();
  checkStream(call, stream);
  return copyRows(*copy);
}
FAKE cuMemcpy3D_v2(const Copy3D *copy) {
  IN_CONTEXT();
  WAIT();
  return copyBox(call, *copy);
}
FAKE cuMemcpy3DAsync_v2(const Copy3D *copy, CUstream stream) {
  IN_CONTEXT();
  checkStream(call, stream);
  return copyBox(call, *copy);
}
FAKE cuMemsetD8Async(CUdeviceptr to, unsigned char value, size_t count,
                     CUstream stream) {
  IN_CONTEXT();
  checkStream(call, stream);
  return captureOf(stream) ? captured(call, stream, 2) : fill(to, value, count);
}
FAKE cuMemsetD16Async(CUdeviceptr to, unsigned short value, size_t count,
                      CUstream stream) {
  IN_CONTEXT();
  checkStream(call, stream);
  return captureOf(stream) ? captured(call, stream, 2) : fill(to, value, count);
}
FAKE cuMemsetD32Async(CUdeviceptr to, unsigned value, size_t count,
                      CUstream stream) {
  IN_CONTEXT();
  checkStream(call, stream);
  return captureOf(stream) ? captured(call, stream, 2) : fill(to, value, count);
}
FAKE cuMemsetD2D8Async(CUdeviceptr to, size_t pitch, unsigned char value,
                       size_t width, size_t height, CUstream stream) {
  IN_CONTEXT();
  checkStream(call, stream);
  if (!inRange(to, pitch * (height - 1) + width))
    return InvalidValue;
  for (size_t i = 0; i < height; ++i)
    fill(to + i * pitch, value, width);
  return Success;
}

//===--- streams and events ---===//

FAKE cuStreamCreateWithPriority(CUstream *stream, unsigned flags,
                                int priority) {
  IN_CONTEXT();
  make(stream, Kind::Stream);
  auto *object = reinterpret_cast<Object *>(*stream);
  object->flags = flags;
  object->priority = priority;
  return Success;
}
FAKE cuStreamDestroy_v2(CUstream stream) {
  IN_CONTEXT();
  return destroy(call, stream, Kind::Stream);
}
FAKE cuStreamSynchronize(CUstream stream) {
  IN_CONTEXT();
  checkStream(call, stream);
  WAIT();
  return captureOf(stream) ? 900 : Success;
}
FAKE cuStreamQuery(CUstream stream) {
  IN_CONTEXT();
  checkStream(call, stream);
  WAIT();
  return Success;
}
FAKE cuStreamWaitEvent(CUstream stream, CUevent event, unsigned) {
  IN_CONTEXT();
  checkStream(call, stream);
  const Object &recorded = call.object(event, Kind::Event);
  // A wait for an event of a capture takes part in it.
  if (recorded.capturing && !captureOf(stream))
    reinterpret_cast<Object *>(stream)->graph = captureOf(recorded.capturing);
  return Success;
}
FAKE cuLaunchHostFunc(CUstream stream, void (*function)(void *), void *data) {
  {
    IN_CONTEXT();
    checkStream(call, stream);
    if (captureOf(stream))
      return captured(call, stream, 3);
  }
  function(data);
  return Success;
}
FAKE cuEventCreate(CUevent *event, unsigned flags) {
  IN_CONTEXT();
  make(event, Kind::Event);
  reinterpret_cast<Object *>(*event)->flags = flags;
  return Success;
}
FAKE cuEventDestroy_v2(CUevent event) {
  IN_CONTEXT();
  return destroy(call, event, Kind::Event);
}
FAKE cuEventRecord(CUevent event, CUstream stream) {
  IN_CONTEXT();
  checkStream(call, stream);
  call.object(event, Kind::Event).capturing =
      captureOf(stream) ? stream : nullptr;
  return Success;
}
FAKE cuEventRecordWithFlags(CUevent event, CUstream stream, unsigned) {
  IN_CONTEXT();
  checkStream(call, stream);
  call.object(event, Kind::Event);
  return Success;
}
FAKE cuEventSynchronize(CUevent event) {
  IN_CONTEXT();
  call.object(event, Kind::Event);
  WAIT();
  return Success;
}
FAKE cuEventQuery(CUevent event) {
  IN_CONTEXT();
  call.object(event, Kind::Event);
  WAIT();
  return Success;
}
FAKE cuEventElapsedTime(float *milliseconds, CUevent start, CUevent end) {
  IN_CONTEXT();
  call.object(start, Kind::Event);
  call.object(end, Kind::Event);
  *milliseconds = 1;
  return Success;
}
FAKE cuStreamGetPriority(CUstream stream, int *priority) {
  IN_CONTEXT();
  checkStream(call, stream);
  *priority = 0;
  return Success;
}
FAKE cuStreamGetFlags(CUstream stream, unsigned *flags) {
  IN_CONTEXT();
  checkStream(call, stream);
  *flags = 0;
  return Success;
}

//===--- pools ---===//

FAKE cuMemAllocAsync(CUdeviceptr *result, size_t bytes, CUstream stream) {
  IN_CONTEXT();
  checkStream(call, stream);
  return allocate(result, bytes, Allocation::Device);
}
FAKE cuMemAllocFromPoolAsync(CUdeviceptr *result, size_t bytes,
                             CUmemoryPool pool, CUstream stream) {
  IN_CONTEXT();
  checkStream(call, stream);
  call.object(pool, Kind::Pool);
  return allocate(result, bytes, Allocation::Device);
}
FAKE cuMemFreeAsync(CUdeviceptr address, CUstream stream) {
  IN_CONTEXT();
  checkStream(call, stream);
  return release(address, false);
}
FAKE cuMemPoolCreate(CUmemoryPool *pool, const PoolProperties *) {
  IN_CONTEXT();
  make(pool, Kind::Pool);
  return Success;
}
FAKE cuMemPoolDestroy(CUmemoryPool pool) {
  IN_CONTEXT();
  for (Object *&current : state().current)
    if (current == reinterpret_cast<Object *>(pool))
      current = nullptr;
  return destroy(call, pool, Kind::Pool);
}
FAKE cuMemPoolTrimTo(CUmemoryPool pool, size_t) {
  IN_CONTEXT();
  call.object(pool, Kind::Pool);
  return Success;
}
FAKE cuMemPoolGetAttribute(CUmemoryPool pool, int attribute, void *value) {
  IN_CONTEXT();
  call.object(pool, Kind::Pool);
  std::memset(value, 0, attribute <= 3 ? 4 : 8);
  return Success;
}
FAKE cuMemPoolSetAttribute(CUmemoryPool pool, int, void *) {
  IN_CONTEXT();
  call.object(pool, Kind::Pool);
  return Success;
}
FAKE cuDeviceGetDefaultMemPool(CUmemoryPool *pool, CUdevice device) {
  CALL();
  if (!state().pools[device]) {
    make(pool, Kind::Pool);
    state().pools[device] = reinterpret_cast<Object *>(*pool);
    state().pools[device]->device = device;
  }
  *pool = reinterpret_cast<CUmemoryPool>(state().pools[device]);
  return Success;
}
FAKE cuDeviceGetMemPool(CUmemoryPool *pool, CUdevice device) {
  CALL();
  if (!state().current[device])
    return cuDeviceGetDefaultMemPool(pool, device);
  *pool = reinterpret_cast<CUmemoryPool>(state().current[device]);
  return Success;
}
FAKE cuDeviceSetMemPool(CUdevice device, CUmemoryPool pool) {
  CALL();
  state().current[device] = &call.object(pool, Kind::Pool);
  return Success;
}

//===--- arrays ---===//

FAKE cuArray3DCreate_v2(CUarray *array, const ArrayDescriptor *shape) {
  IN_CONTEXT();
  make(array, Kind::Array);
  auto *object = reinterpret_cast<Object *>(*array);
  object->shape = *shape;
  object->memory.resize(shape->width * (shape->height ? shape->height : 1) *
                        (shape->depth ? shape->depth : 1) * shape->channels *
                        channelBytes(shape->format));
  return Success;
}
FAKE cuArrayDestroy(CUarray array) {
  IN_CONTEXT();
  return destroy(call, array, Kind::Array);
}

//===--- peers and other processes ---===//

FAKE cuDeviceCanAccessPeer(int *can, CUdevice device, CUdevice peer) {
  CALL();
  *can = device != peer;
  return Success;
}
FAKE cuCtxEnablePeerAccess(CUcontext peer, unsigned) {
  IN_CONTEXT();
  bool &enabled = state().peers[Bound][reinterpret_cast<uintptr_t>(peer) - 1];
  if (enabled)
    return PeerEnabled;
  enabled = true;
  return Success;
}
FAKE cuCtxDisablePeerAccess(CUcontext peer) {
  IN_CONTEXT();
  bool &enabled = state().peers[Bound][reinterpret_cast<uintptr_t>(peer) - 1];
  if (!enabled)
    return PeerNotEnabled;
  enabled = false;
  return Success;
}
FAKE cuMemcpyPeer(CUdeviceptr to, CUcontext, CUdeviceptr from, CUcontext,
                  size_t bytes) {
  IN_CONTEXT();
  WAIT();
  return move(to, from, bytes);
}
FAKE cuMemcpyPeerAsync(CUdeviceptr to, CUcontext, CUdeviceptr from, CUcontext,
                       size_t bytes, CUstream stream) {
  IN_CONTEXT();
  checkStream(call, stream);
  return move(to, from, bytes);
}
FAKE cuIpcGetMemHandle(cufort::IpcHandle *handle, CUdeviceptr address) {
  IN_CONTEXT();
  if (!find(address))
    return InvalidValue;
  std::memcpy(handle, &address, sizeof(address));
  return Success;
}
// Its own process is the other one here; the address is a new object.
FAKE cuIpcOpenMemHandle_v2(CUdeviceptr *address, cufort::IpcHandle handle,
                           unsigned) {
  IN_CONTEXT();
  CUdeviceptr original = 0;
  std::memcpy(&original, &handle, sizeof(original));
  const auto *found = find(original);
  if (!found)
    return InvalidHandle;
  void *memory = std::malloc(found->second.bytes);
  *address = reinterpret_cast<CUdeviceptr>(memory);
  state().allocations[*address] = {found->second.bytes, Bound,
                                   Allocation::Imported};
  return Success;
}
FAKE cuIpcCloseMemHandle(CUdeviceptr address) {
  IN_CONTEXT();
  auto found = state().allocations.find(address);
  if (found == state().allocations.end() ||
      found->second.kind != Allocation::Imported)
    return InvalidValue;
  std::free(reinterpret_cast<void *>(address));
  state().allocations.erase(found);
  return Success;
}
FAKE cuIpcGetEventHandle(cufort::IpcHandle *handle, CUevent event) {
  IN_CONTEXT();
  call.object(event, Kind::Event);
  *handle = {};
  return Success;
}
FAKE cuIpcOpenEventHandle(CUevent *event, cufort::IpcHandle) {
  IN_CONTEXT();
  make(event, Kind::Event);
  return Success;
}

//===--- graphs ---===//

FAKE cuGraphCreate(CUgraph *graph, unsigned) {
  IN_CONTEXT();
  make(graph, Kind::Graph);
  return Success;
}
FAKE cuGraphDestroy(CUgraph graph) {
  IN_CONTEXT();
  return destroy(call, graph, Kind::Graph);
}
FAKE cuGraphClone(CUgraph *copy, CUgraph graph) {
  IN_CONTEXT();
  const Object &original = call.object(graph, Kind::Graph);
  make(copy, Kind::Graph);
  CUgraphNode node;
  for (CUgraphNode each : original.nodes)
    addNode(call, &node, *copy, nullptr, 0,
            reinterpret_cast<Object *>(each)->nodeType);
  return Success;
}
FAKE cuGraphAddEmptyNode(CUgraphNode *node, CUgraph graph,
                         const CUgraphNode *after, size_t count) {
  IN_CONTEXT();
  return addNode(call, node, graph, after, count, 5);
}
FAKE cuGraphAddKernelNode(CUgraphNode *node, CUgraph graph,
                          const CUgraphNode *after, size_t count,
                          const KernelNode *) {
  IN_CONTEXT();
  return addNode(call, node, graph, after, count, 0);
}
FAKE cuGraphAddMemcpyNode(CUgraphNode *node, CUgraph graph,
                          const CUgraphNode *after, size_t count,
                          const Copy3D *, CUcontext) {
  IN_CONTEXT();
  return addNode(call, node, graph, after, count, 1);
}
FAKE cuGraphAddMemsetNode(CUgraphNode *node, CUgraph graph,
                          const CUgraphNode *after, size_t count,
                          const FillNode *, CUcontext) {
  IN_CONTEXT();
  return addNode(call, node, graph, after, count, 2);
}
FAKE cuGraphAddHostNode(CUgraphNode *node, CUgraph graph,
                        const CUgraphNode *after, size_t count,
                        const HostNode *) {
  IN_CONTEXT();
  return addNode(call, node, graph, after, count, 3);
}
FAKE cuGraphAddChildGraphNode(CUgraphNode *node, CUgraph graph,
                              const CUgraphNode *after, size_t count,
                              CUgraph child) {
  IN_CONTEXT();
  call.object(child, Kind::Graph);
  return addNode(call, node, graph, after, count, 4);
}
FAKE cuGraphKernelNodeSetParams(CUgraphNode node, const KernelNode *) {
  IN_CONTEXT();
  return call.object(node, Kind::Node).nodeType == 0 ? Success : InvalidValue;
}
FAKE cuGraphExecKernelNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                    const KernelNode *) {
  IN_CONTEXT();
  call.object(exec, Kind::Exec);
  return call.object(node, Kind::Node).nodeType == 0 ? Success : InvalidValue;
}
FAKE cuGraphMemcpyNodeSetParams(CUgraphNode node, const Copy3D *) {
  IN_CONTEXT();
  return call.object(node, Kind::Node).nodeType == 1 ? Success : InvalidValue;
}
FAKE cuGraphExecMemcpyNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                    const Copy3D *, CUcontext) {
  IN_CONTEXT();
  call.object(exec, Kind::Exec);
  return call.object(node, Kind::Node).nodeType == 1 ? Success : InvalidValue;
}
FAKE cuGraphMemsetNodeSetParams(CUgraphNode node, const FillNode *) {
  IN_CONTEXT();
  return call.object(node, Kind::Node).nodeType == 2 ? Success : InvalidValue;
}
FAKE cuGraphExecMemsetNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                    const FillNode *, CUcontext) {
  IN_CONTEXT();
  call.object(exec, Kind::Exec);
  return call.object(node, Kind::Node).nodeType == 2 ? Success : InvalidValue;
}
FAKE cuGraphHostNodeSetParams(CUgraphNode node, const HostNode *) {
  IN_CONTEXT();
  return call.object(node, Kind::Node).nodeType == 3 ? Success : InvalidValue;
}
FAKE cuGraphExecHostNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                  const HostNode *) {
  IN_CONTEXT();
  call.object(exec, Kind::Exec);
  return call.object(node, Kind::Node).nodeType == 3 ? Success : InvalidValue;
}
FAKE cuGraphAddDependencies(CUgraph graph, const CUgraphNode *from,
                            const CUgraphNode *to, size_t count) {
  IN_CONTEXT();
  call.object(graph, Kind::Graph);
  for (size_t i = 0; i < count; ++i) {
    call.object(from[i], Kind::Node);
    call.object(to[i], Kind::Node);
  }
  return Success;
}
FAKE cuGraphGetNodes(CUgraph graph, CUgraphNode *nodes, size_t *count) {
  IN_CONTEXT();
  return give(call.object(graph, Kind::Graph), nodes, count);
}
FAKE cuGraphGetRootNodes(CUgraph graph, CUgraphNode *nodes, size_t *count) {
  IN_CONTEXT();
  return give(call.object(graph, Kind::Graph), nodes, count);
}
FAKE cuGraphGetEdges(CUgraph graph, CUgraphNode *, CUgraphNode *,
                     size_t *count) {
  IN_CONTEXT();
  call.object(graph, Kind::Graph);
  *count = 0;
  return Success;
}
FAKE cuGraphNodeGetType(CUgraphNode node, int *type) {
  IN_CONTEXT();
  *type = call.object(node, Kind::Node).nodeType;
  return Success;
}
FAKE cuGraphDebugDotPrint(CUgraph graph, const char *, unsigned) {
  IN_CONTEXT();
  call.object(graph, Kind::Graph);
  return Success;
}
FAKE cuGraphInstantiateWithFlags(CUgraphExec *exec, CUgraph graph,
                                 unsigned long long) {
  IN_CONTEXT();
  call.object(graph, Kind::Graph);
  make(exec, Kind::Exec);
  return Success;
}
FAKE cuGraphLaunch(CUgraphExec exec, CUstream stream) {
  IN_CONTEXT();
  call.object(exec, Kind::Exec);
  checkStream(call, stream);
  return Success;
}
FAKE cuGraphExecDestroy(CUgraphExec exec) {
  IN_CONTEXT();
  return destroy(call, exec, Kind::Exec);
}
FAKE cuGraphExecUpdate(CUgraphExec exec, CUgraph graph, CUgraphNode *,
                       int *result) {
  IN_CONTEXT();
  call.object(exec, Kind::Exec);
  call.object(graph, Kind::Graph);
  *result = 0;
  return Success;
}
FAKE cuStreamBeginCapture_v2(CUstream stream, int) {
  IN_CONTEXT();
  Object &object = call.object(stream, Kind::Stream);
  if (object.graph)
    return IllegalState;
  make(&object.graph, Kind::Graph);
  object.capturing = stream;
  return Success;
}
FAKE cuStreamBeginCaptureToGraph(CUstream stream, CUgraph graph,
                                 const CUgraphNode *, const void *, size_t,
                                 int) {
  IN_CONTEXT();
  call.object(graph, Kind::Graph);
  Object &object = call.object(stream, Kind::Stream);
  object.graph = graph;
  object.capturing = stream;
  return Success;
}
FAKE cuStreamEndCapture(CUstream stream, CUgraph *graph) {
  IN_CONTEXT();
  Object &origin = call.object(stream, Kind::Stream);
  if (!origin.graph || origin.capturing != stream)
    return NotCapturing;
  *graph = origin.graph;
  for (Object *object : state().objects) {
    if (object->kind == Kind::Stream && object->graph == *graph)
      object->graph = nullptr;
    if (object->kind == Kind::Event)
      object->capturing = nullptr;
  }
  origin.capturing = nullptr;
  return Success;
}
FAKE cuStreamGetCaptureInfo_v2(CUstream stream, int *status,
                               unsigned long long *id, CUgraph *graph,
                               const CUgraphNode **nodes, size_t *count) {
  IN_CONTEXT();
  checkStream(call, stream);
  CUgraph current = captureOf(stream);
  *status = current != nullptr;
  if (id)
    *id = reinterpret_cast<uintptr_t>(current);
  if (graph)
    *graph = current;
  if (nodes)
    *nodes = nullptr;
  if (count)
    *count = 0;
  return Success;
}

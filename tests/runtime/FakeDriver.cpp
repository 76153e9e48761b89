//===- FakeDriver.cpp - a test double of libcuda: devices, kernels ---===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FakeDriver.h"
#include "FakeDriverState.h"
#include "image/DeviceLaunches.h"
#include <algorithm>

using namespace cufort::cuda;
using namespace fake;

long fakeDriverLiveObjects() {
  std::lock_guard lock(state().mutex);
  return static_cast<long>(state().objects.size() + state().allocations.size());
}

long fakeDriverCalls() { return state().calls.load(); }

void fakeDriverFailKernel(int code) {
  std::lock_guard lock(state().mutex);
  state().pendingFailure = code;
}

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
/// Of how many devices there is a context, for programs that ask at their end.
FAKE fake_primary_contexts() {
  CALL();
  CUresult count = 0;
  for (bool each : state().contexts)
    count += each;
  return count;
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
      std::free(real<void>(entry.first));
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
  // Of output there is no more than this.
  constexpr size_t mostOutput = size_t(2) << 30;
  state().limits[limit] = limit == 1 ? std::min(value, mostOutput) : value;
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
// A link is an object without content.
FAKE cuLinkCreate_v2(unsigned, int *, void **, CUlinkState *link) {
  IN_CONTEXT();
  make(link, Kind::Module);
  return Success;
}
FAKE cuLinkAddData_v2(CUlinkState link, int, void *, size_t, const char *,
                      unsigned, int *, void **) {
  IN_CONTEXT();
  call.object(link, Kind::Module);
  return Success;
}
FAKE cuLinkAddFile_v2(CUlinkState link, int, const char *, unsigned, int *,
                      void **) {
  IN_CONTEXT();
  call.object(link, Kind::Module);
  return Success;
}
FAKE cuLinkComplete(CUlinkState link, void **code, size_t *bytes) {
  IN_CONTEXT();
  *code = &call.object(link, Kind::Module);
  if (bytes)
    *bytes = 1;
  return Success;
}
FAKE cuLinkDestroy(CUlinkState link) {
  IN_CONTEXT();
  return destroy(call, link, Kind::Module);
}
// A module, or the one of a library, which is the library itself here: its
// variables have one place for all devices.
static Object &variablesOf(const Call &call, CUmodule module) {
  auto *object = reinterpret_cast<Object *>(module);
  const bool ofLibrary =
      state().objects.count(object) && object->kind == Kind::Library;
  return call.object(module, ofLibrary ? Kind::Library : Kind::Module);
}
FAKE cuLibraryLoadData(CUlibrary *library, const void *code, int *, void **,
                       unsigned, int *, void **, unsigned) {
  CALL();
  if (!code)
    return InvalidValue;
  make(library, Kind::Library);
  reinterpret_cast<Object *>(*library)->device = -1; // no reset's business
  return Success;
}
FAKE cuLibraryGetModule(CUmodule *module, CUlibrary library) {
  IN_CONTEXT();
  Object &object = call.object(library, Kind::Library);
  object.memory.resize(65536);
  *module = reinterpret_cast<CUmodule>(&object);
  return Success;
}
FAKE cuLibraryUnload(CUlibrary library) {
  CALL();
  return destroy(call, library, Kind::Library);
}
FAKE cuModuleGetFunction(CUfunction *function, CUmodule module,
                         const char *name) {
  IN_CONTEXT();
  variablesOf(call, module);
  *function = reinterpret_cast<CUfunction>(const_cast<char *>(name));
  return std::strstr(name, "missing") ? NotFound : Success;
}
FAKE cuModuleGetGlobal_v2(CUdeviceptr *address, size_t *bytes, CUmodule module,
                          const char *name) {
  IN_CONTEXT();
  // No kernel here launches others: nothing has the queue for that.
  if (!std::strcmp(name, CUFORT_LAUNCH_QUEUE_NAME))
    return NotFound;
  Object &object = variablesOf(call, module);
  size_t place = 0;
  for (const char *c = name; *c; ++c)
    place = (place * 31 + static_cast<unsigned char>(*c)) % 1000;
  *address =
      reinterpret_cast<CUdeviceptr>(object.memory.data() + place * 64) | Guard;
  if (bytes)
    *bytes = 64;
  return Success;
}
// A function is the name that was asked for; there is no list of all of them.
FAKE cuFuncGetName(const char **name, CUfunction function) {
  CALL();
  *name = reinterpret_cast<const char *>(function);
  return Success;
}
FAKE cuFuncGetParamInfo(CUfunction, size_t, size_t *, size_t *) {
  CALL();
  return InvalidValue; // there are no parameters
}
FAKE cuModuleGetFunctionCount(unsigned *count, CUmodule module) {
  IN_CONTEXT();
  variablesOf(call, module);
  *count = 1;
  return Success;
}
FAKE cuModuleEnumerateFunctions(CUfunction *functions, unsigned count,
                                CUmodule module) {
  IN_CONTEXT();
  variablesOf(call, module);
  static char only[] = "kernel";
  if (count)
    *functions = reinterpret_cast<CUfunction>(only);
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
FAKE cuLaunchKernelEx(const LaunchDescription *launch, CUfunction function,
                      void **parameters, void **extra) {
  return cuLaunchKernel(function, launch->grid[0], launch->grid[1],
                        launch->grid[2], launch->block[0], launch->block[1],
                        launch->block[2], launch->sharedBytes, launch->stream,
                        parameters, extra);
}
FAKE cuOccupancyMaxPotentialClusterSize(int *blocks, CUfunction,
                                        const LaunchDescription *) {
  IN_CONTEXT();
  *blocks = 8;
  return Success;
}
FAKE cuOccupancyMaxActiveClusters(int *clusters, CUfunction,
                                  const LaunchDescription *) {
  IN_CONTEXT();
  *clusters = 66;
  return Success;
}
FAKE cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, CUfunction,
                                                 int threads, size_t) {
  IN_CONTEXT();
  *blocks = 2048 / (threads ? threads : 1);
  return Success;
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

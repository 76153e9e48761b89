//===- Context.cpp - CUDA driver API: contexts -------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/api/RuntimeApi.h"
#include "runtime/core/process/Process.h"
#include "runtime/core/process/ThreadObject.h"
#include "runtime/driver/Call.h"
#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <set>
#include <vector>

using namespace cufort;
using namespace cufort::driver;

/// All contexts of a device share what the device has: they stand for its
/// primary context, of which the runtime API makes use.
struct CUctx_st {
  int device;
  unsigned flags;
  bool primary;
  unsigned long long id; ///< no other context's, not even of one that is gone
};

namespace {

struct Contexts {
  std::mutex mutex;
  std::vector<std::unique_ptr<CUctx_st>> primary; ///< of each device
  std::vector<unsigned> retained;
  std::set<CUcontext> made;
  /// Destroyed ones. Other threads may still name them, so they stay for a
  /// while.
  std::set<CUcontext> gone;
  /// A program has one or two contexts at a time, and some destroy and make
  /// them in a loop.
  static constexpr size_t GoneKept = 256;
  unsigned long long lastId = 0;
};

Contexts &contexts() { return processWide<Contexts>(ProcessObject::Contexts); }

/// The contexts that a thread has pushed, the last one current.
struct Stack {
  std::vector<CUcontext> entries;
  /// The thread has said which context it wants, perhaps none ...
  bool used = false;
  /// ... unless cudaSetDevice has been called since then.
  unsigned choices = 0;
};
Stack &threadStack() { return ThreadObject<Stack>::get(); }

CUcontext primaryOf(int device) {
  Contexts &c = contexts();
  std::lock_guard lock(c.mutex);
  const auto count = static_cast<size_t>(deviceCount());
  while (c.primary.size() < count) {
    const int number = static_cast<int>(c.primary.size());
    c.primary.emplace_back(new CUctx_st{number, 0, true, c.lastId + 1});
    ++c.lastId;
  }
  c.retained.resize(count);
  return c.primary[static_cast<size_t>(device)].get();
}

bool alive(CUcontext context) {
  Contexts &c = contexts();
  std::lock_guard lock(c.mutex);
  return c.made.count(context) ||
         std::any_of(c.primary.begin(), c.primary.end(),
                     [&](const auto &each) { return each.get() == context; });
}

/// The current context; null: none. The runtime API may have changed the
/// thread's device meanwhile, and has it in use without any call of ours.
CUcontext current() {
  Stack *stack = ThreadObject<Stack>::find();
  if (!stack || stack->entries.empty()) {
    const bool chosen = stack && stack->used ? stack->choices != deviceChoices()
                                             : devicesInUse();
    return chosen ? primaryOf(currentDevice()) : nullptr;
  }
  CUcontext &top = stack->entries.back();
  if (alive(top) && top->device != currentDevice())
    top = primaryOf(currentDevice());
  return top;
}

CUresult makeCurrent() {
  Stack &stack = threadStack();
  const Error error = stack.entries.empty()
                          ? cudaSuccess
                          : setCurrentDevice(stack.entries.back()->device);
  stack.choices = deviceChoices();
  return resultOf(error);
}

} // namespace

CUresult driver::initialised() {
  // The runtime API does it, too, in CUDA.
  return process().driverInitialised.load(std::memory_order_acquire) ||
                 devicesInUse()
             ? CUDA_SUCCESS
             : CUDA_ERROR_NOT_INITIALIZED;
}

CUresult driver::haveContext() {
  if (CUresult result = initialised())
    return result;
  return guarded([] {
    CUcontext context = current();
    return !context          ? CUDA_ERROR_INVALID_CONTEXT
           : !alive(context) ? CUDA_ERROR_CONTEXT_IS_DESTROYED
                             : CUDA_SUCCESS;
  });
}

//===----------------------------------------------------------------------===//
// Start
//===----------------------------------------------------------------------===//

CUFORT_DRIVER_API CUresult cuInit(unsigned flags) {
  if (flags)
    return CUDA_ERROR_INVALID_VALUE;
  if (deviceCount() < 1)
    return CUDA_ERROR_NO_DEVICE;
  process().driverInitialised.store(true, std::memory_order_release);
  return CUDA_SUCCESS;
}

//===----------------------------------------------------------------------===//
// Contexts
//===----------------------------------------------------------------------===//

CUFORT_DRIVER_API CUresult cuCtxCreate(CUcontext *context, unsigned flags,
                                       CUdevice device) {
  if (!context || flags & ~unsigned(CU_CTX_FLAGS_MASK))
    return CUDA_ERROR_INVALID_VALUE;
  return withDevice(device, [&] {
    primaryOf(device);
    Stack &stack = threadStack();
    stack.entries.reserve(stack.entries.size() + 1);
    Contexts &c = contexts();
    {
      std::lock_guard lock(c.mutex);
      if (c.gone.size() >= Contexts::GoneKept) {
        auto again = c.gone.extract(c.gone.begin());
        *context = again.value();
        c.made.insert(std::move(again));
      } else {
        auto made = std::make_unique<CUctx_st>();
        c.made.insert(made.get());
        *context = made.release();
      }
      **context = {device, flags, false, ++c.lastId};
    }
    stack.entries.push_back(*context);
    stack.used = true;
    return makeCurrent();
  });
}

CUFORT_DRIVER_API CUresult cuCtxDestroy(CUcontext context) {
  if (CUresult result = initialised())
    return result;
  return guarded([&] {
    Contexts &c = contexts();
    {
      std::lock_guard lock(c.mutex);
      if (!c.made.count(context))
        return CUDA_ERROR_INVALID_CONTEXT;
    }
    CUresult result = CUDA_SUCCESS;
    {
      const KeptError kept;
      result = resultOf(deviceAt(context->device)->synchronize());
    }
    {
      std::lock_guard lock(c.mutex);
      c.gone.insert(c.made.extract(context));
    }
    Stack &stack = threadStack();
    if (!stack.entries.empty() && stack.entries.back() == context) {
      stack.entries.pop_back();
      makeCurrent();
    }
    return result;
  });
}

CUFORT_DRIVER_API CUresult cuCtxPushCurrent(CUcontext context) {
  if (CUresult result = initialised())
    return result;
  return guarded([&] {
    if (!context || !alive(context))
      return CUDA_ERROR_INVALID_CONTEXT;
    Stack &stack = threadStack();
    // What was current without having been pushed is so again afterwards.
    if (CUcontext before = stack.entries.empty() ? current() : nullptr)
      stack.entries.push_back(before);
    stack.entries.push_back(context);
    stack.used = true;
    return makeCurrent();
  });
}

CUFORT_DRIVER_API CUresult cuCtxPopCurrent(CUcontext *context) {
  if (CUresult result = initialised())
    return result;
  return guarded([&] {
    CUcontext top = current();
    if (!top)
      return CUDA_ERROR_INVALID_CONTEXT;
    if (context)
      *context = top;
    Stack &stack = threadStack();
    stack.used = true;
    if (!stack.entries.empty())
      stack.entries.pop_back();
    return makeCurrent();
  });
}

CUFORT_DRIVER_API CUresult cuCtxSetCurrent(CUcontext context) {
  if (CUresult result = initialised())
    return result;
  return guarded([&] {
    Stack &stack = threadStack();
    if (context && !alive(context))
      return CUDA_ERROR_INVALID_CONTEXT;
    stack.used = true;
    if (!stack.entries.empty())
      stack.entries.pop_back();
    if (context)
      stack.entries.push_back(context);
    return makeCurrent();
  });
}

CUFORT_DRIVER_API CUresult cuCtxGetCurrent(CUcontext *context) {
  if (CUresult result = initialised())
    return result;
  if (!context)
    return CUDA_ERROR_INVALID_VALUE;
  return guarded([&] {
    *context = current();
    return CUDA_SUCCESS;
  });
}

CUFORT_DRIVER_API CUresult cuCtxGetDevice(CUdevice *device) {
  if (CUresult result = haveContext())
    return result;
  if (!device)
    return CUDA_ERROR_INVALID_VALUE;
  *device = currentDevice();
  return CUDA_SUCCESS;
}

CUFORT_DRIVER_API CUresult cuCtxGetFlags(unsigned *flags) {
  if (CUresult result = haveContext())
    return result;
  if (!flags)
    return CUDA_ERROR_INVALID_VALUE;
  return guarded([&] {
    *flags = current()->flags;
    return CUDA_SUCCESS;
  });
}

CUFORT_DRIVER_API CUresult cuCtxSetFlags(unsigned flags) {
  if (CUresult result = haveContext())
    return result;
  if (flags & ~unsigned(CU_CTX_FLAGS_MASK))
    return CUDA_ERROR_INVALID_VALUE;
  return guarded([&] {
    current()->flags = flags;
    return CUDA_SUCCESS;
  });
}

CUFORT_DRIVER_API CUresult cuCtxGetId(CUcontext context,
                                      unsigned long long *id) {
  if (CUresult result = context ? initialised() : haveContext())
    return result;
  if (context && !alive(context))
    return CUDA_ERROR_INVALID_CONTEXT;
  if (!id)
    return CUDA_ERROR_INVALID_VALUE;
  return guarded([&] {
    *id = (context ? context : current())->id;
    return CUDA_SUCCESS;
  });
}

CUFORT_DRIVER_API CUresult cuCtxGetApiVersion(CUcontext context,
                                              unsigned *version) {
  if (CUresult result = initialised())
    return result;
  if (context && !alive(context))
    return CUDA_ERROR_INVALID_CONTEXT;
  if (!version)
    return CUDA_ERROR_INVALID_VALUE;
  *version = CUDA_VERSION;
  return CUDA_SUCCESS;
}

/// Calls \p call(the other device) for a context of another device.
template <typename Call> static CUresult withPeer(CUcontext peer, Call call) {
  if (CUresult result = haveContext())
    return result;
  if (!peer || !alive(peer))
    return CUDA_ERROR_INVALID_CONTEXT;
  const KeptError kept;
  return resultOf(call(peer->device));
}

CUFORT_DRIVER_API CUresult cuCtxEnablePeerAccess(CUcontext peer,
                                                 unsigned flags) {
  return withPeer(peer, [&](int other) {
    return cudaDeviceEnablePeerAccess(other, flags);
  });
}

CUFORT_DRIVER_API CUresult cuCtxDisablePeerAccess(CUcontext peer) {
  return withPeer(peer,
                  [](int other) { return cudaDeviceDisablePeerAccess(other); });
}

CUFORT_DRIVER_API CUresult cuMemcpyPeerAsync(CUdeviceptr to,
                                             CUcontext toContext,
                                             CUdeviceptr from,
                                             CUcontext fromContext,
                                             size_t bytes, CUstream stream) {
  if (!fromContext || !alive(fromContext))
    return CUDA_ERROR_INVALID_CONTEXT;
  return withPeer(toContext, [&](int other) {
    return cudaMemcpyPeerAsync(pointerOf(to), other, pointerOf(from),
                               fromContext->device, bytes, stream);
  });
}

CUFORT_DRIVER_API CUresult cuMemcpyPeer(CUdeviceptr to, CUcontext toContext,
                                        CUdeviceptr from, CUcontext fromContext,
                                        size_t bytes) {
  if (!fromContext || !alive(fromContext))
    return CUDA_ERROR_INVALID_CONTEXT;
  return withPeer(toContext, [&](int other) {
    return cudaMemcpyPeer(pointerOf(to), other, pointerOf(from),
                          fromContext->device, bytes);
  });
}

// Addresses are unified: but that the contexts are there they need not be
// known.

static CUresult checkContexts(const CUDA_MEMCPY3D_PEER *copy) {
  if (!copy)
    return CUDA_ERROR_INVALID_VALUE;
  for (CUcontext context : {copy->srcContext, copy->dstContext})
    if (!context || !alive(context))
      return CUDA_ERROR_INVALID_CONTEXT;
  return CUDA_SUCCESS;
}

/// The same structure but for the contexts, in places that are reserved there.
static const CUDA_MEMCPY3D *boxOf(const CUDA_MEMCPY3D_PEER *copy) {
  static_assert(sizeof(*copy) == sizeof(CUDA_MEMCPY3D) &&
                offsetof(CUDA_MEMCPY3D_PEER, dstHeight) ==
                    offsetof(CUDA_MEMCPY3D, dstHeight));
  return reinterpret_cast<const CUDA_MEMCPY3D *>(copy);
}

CUFORT_DRIVER_API CUresult cuMemcpy3DPeer(const CUDA_MEMCPY3D_PEER *copy) {
  const CUresult result = checkContexts(copy);
  return result ? result : cuMemcpy3D(boxOf(copy));
}

CUFORT_DRIVER_API CUresult cuMemcpy3DPeerAsync(const CUDA_MEMCPY3D_PEER *copy,
                                               CUstream stream) {
  const CUresult result = checkContexts(copy);
  return result ? result : cuMemcpy3DAsync(boxOf(copy), stream);
}

CUFORT_DRIVER_API CUresult cuStreamGetCtx(CUstream stream, CUcontext *context) {
  int device = 0;
  if (CUresult result =
          inContext([&] { return cudaStreamGetDevice(stream, &device); }))
    return result;
  if (!context)
    return CUDA_ERROR_INVALID_VALUE;
  return guarded([&] {
    CUcontext own = current();
    *context = own->device == device ? own : primaryOf(device);
    return CUDA_SUCCESS;
  });
}

//===----------------------------------------------------------------------===//
// Primary contexts
//===----------------------------------------------------------------------===//

CUFORT_DRIVER_API CUresult cuDevicePrimaryCtxRetain(CUcontext *context,
                                                    CUdevice device) {
  if (!context)
    return CUDA_ERROR_INVALID_VALUE;
  return withDevice(device, [&] {
    *context = primaryOf(device);
    Contexts &c = contexts();
    std::lock_guard lock(c.mutex);
    ++c.retained[static_cast<size_t>(device)];
    return CUDA_SUCCESS;
  });
}

// What the device has stays: the runtime API may use it.
CUFORT_DRIVER_API CUresult cuDevicePrimaryCtxRelease(CUdevice device) {
  return withDevice(device, [&] {
    primaryOf(device);
    Contexts &c = contexts();
    std::lock_guard lock(c.mutex);
    unsigned &count = c.retained[static_cast<size_t>(device)];
    if (!count)
      return CUDA_ERROR_INVALID_CONTEXT;
    --count;
    return CUDA_SUCCESS;
  });
}

CUFORT_DRIVER_API CUresult cuDevicePrimaryCtxReset(CUdevice device) {
  return withDevice(device,
                    [&] { return resultOf(deviceAt(device)->reset()); });
}

CUFORT_DRIVER_API CUresult cuDevicePrimaryCtxSetFlags(CUdevice device,
                                                      unsigned flags) {
  if (flags & ~unsigned(CU_CTX_FLAGS_MASK))
    return CUDA_ERROR_INVALID_VALUE;
  return withDevice(device, [&] {
    primaryOf(device)->flags = flags;
    return CUDA_SUCCESS;
  });
}

CUFORT_DRIVER_API CUresult cuDevicePrimaryCtxGetState(CUdevice device,
                                                      unsigned *flags,
                                                      int *active) {
  if (!flags || !active)
    return CUDA_ERROR_INVALID_VALUE;
  return withDevice(device, [&] {
    *flags = primaryOf(device)->flags;
    Contexts &c = contexts();
    std::lock_guard lock(c.mutex);
    *active = c.retained[static_cast<size_t>(device)] > 0;
    return CUDA_SUCCESS;
  });
}

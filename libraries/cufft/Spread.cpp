//===- Spread.cpp - data of a transform on several devices ----------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "libraries/cufft/Spread.h"
#include "libraries/common/Handles.h"
#include "libraries/common/Perform.h"
#include <cstring>

namespace cufort::cufft {

using namespace cufort::libraries;

namespace {

/// The first of \p count things that \p part of \p parts has.
ptrdiff_t firstOf(ptrdiff_t count, int part, int parts) {
  return count / parts * part + std::min<ptrdiff_t>(part, count % parts);
}

/// While it lives a device is the thread's.
class OnDevice {
public:
  explicit OnDevice(int device) : before(currentDevice()) {
    setCurrentDevice(device);
  }
  OnDevice(const OnDevice &) = delete;
  OnDevice &operator=(const OnDevice &) = delete;
  ~OnDevice() { setCurrentDevice(before); }

private:
  const int before;
};

} // namespace

Spread::Spread() {
  head = {CUDA_XT_DESCRIPTOR_VERSION + CUDART_VERSION, &devices,
          LIB_FORMAT_CUFFT, CUFFT_XT_FORMAT_INPLACE, this};
  devices.version = head.version;
}

Spread::~Spread() {
  for (int i = 0; i != devices.nGPUs; ++i)
    if (Engine *engine = deviceAt(devices.GPUs[i]))
      engine->release(devices.data[i], MemoryKind::Device);
}

Spread *Spread::of(const cudaLibXtDesc *descriptor) {
  auto *spread =
      descriptor ? static_cast<Spread *>(descriptor->libDescriptor) : nullptr;
  return handles<Spread>().isValid(spread) ? spread : nullptr;
}

Spread::Geometry::Geometry(const Plan &plan)
    : outer(0), middle(1), inner(1), element(plan.complexBytes()),
      shuffles(false) {
  const Request &request = plan.request();
  ptrdiff_t sizes[3] = {1, 1, 1};
  for (int i = 0; i != request.rank; ++i)
    sizes[i] = request.sizes[i];
  ptrdiff_t &last = sizes[request.rank - 1];
  if (request.type != CUFFT_C2C && request.type != CUFFT_Z2Z)
    last = last / 2 + 1;
  if (request.batch > 1) {
    outer = request.batch;
    inner = sizes[0] * sizes[1] * sizes[2];
    return;
  }
  outer = sizes[0];
  middle = sizes[1];
  inner = sizes[2];
  shuffles = request.rank > 1;
}

/// Bytes of the data where one device has them all.
size_t Spread::bytesOnOne(const Plan &plan, bool real) const {
  const bool inPlace = head.subFormat == CUFFT_XT_FORMAT_INPLACE ||
                       head.subFormat == CUFFT_XT_FORMAT_INPLACE_SHUFFLED;
  return plan.sideBytes(real, inPlace);
}

cufftResult Spread::allocate(const Plan &plan, cufftXtSubFormat format) {
  if (format != CUFFT_XT_FORMAT_INPUT && format != CUFFT_XT_FORMAT_OUTPUT &&
      format != CUFFT_XT_FORMAT_INPLACE &&
      format != CUFFT_XT_FORMAT_INPLACE_SHUFFLED)
    return format == CUFFT_XT_FORMAT_1D_INPUT_SHUFFLED ||
                   format == CUFFT_XT_FORMAT_DISTRIBUTED_INPUT ||
                   format == CUFFT_XT_FORMAT_DISTRIBUTED_OUTPUT
               ? CUFFT_NOT_SUPPORTED
               : CUFFT_INVALID_VALUE;
  const std::vector<int> on =
      plan.devices.empty() ? std::vector<int>{currentDevice()} : plan.devices;
  const int count = static_cast<int>(on.size());
  head.subFormat = format;
  const Geometry geometry(plan);
  for (int i = 0; i != count; ++i) {
    size_t bytes;
    if (count == 1) {
      const bool real = plan.hasReal(format != CUFFT_XT_FORMAT_OUTPUT);
      bytes = bytesOnOne(plan, real);
      if (format > CUFFT_XT_FORMAT_OUTPUT)
        bytes = std::max(bytes, bytesOnOne(plan, !real));
    } else {
      const auto share = [&](ptrdiff_t all) {
        return firstOf(all, i + 1, count) - firstOf(all, i, count);
      };
      ptrdiff_t elements = share(geometry.outer) * geometry.middle;
      if (geometry.shuffles)
        elements = std::max(elements, geometry.outer * share(geometry.middle));
      bytes = static_cast<size_t>(elements * geometry.inner) * geometry.element;
    }
    Engine *engine = deviceAt(on[static_cast<size_t>(i)]);
    if (!engine || engine->allocate(&devices.data[i], bytes,
                                    MemoryKind::Device) != cudaSuccess)
      return CUFFT_ALLOC_FAILED;
    devices.GPUs[i] = on[static_cast<size_t>(i)];
    devices.size[i] = bytes;
    devices.nGPUs = i + 1;
  }
  return CUFFT_SUCCESS;
}

void Spread::transfer(const Geometry &g, char *whole, bool toWhole) const {
  const auto move = [&](char *ofWhole, char *ofPart, ptrdiff_t elements) {
    std::memcpy(toWhole ? ofWhole : ofPart, toWhole ? ofPart : ofWhole,
                static_cast<size_t>(elements) * g.element);
  };
  const auto at = [&](char *begin, ptrdiff_t element) {
    return begin + static_cast<size_t>(element) * g.element;
  };
  for (int i = 0; i != devices.nGPUs; ++i) {
    char *const part = static_cast<char *>(devices.data[i]);
    const ptrdiff_t all = isShuffled(g) ? g.middle : g.outer;
    const ptrdiff_t first = firstOf(all, i, devices.nGPUs);
    const ptrdiff_t count = firstOf(all, i + 1, devices.nGPUs) - first;
    if (!isShuffled(g)) {
      move(at(whole, first * g.middle * g.inner), part,
           count * g.middle * g.inner);
      continue;
    }
    for (ptrdiff_t x = 0; x != g.outer; ++x)
      move(at(whole, (x * g.middle + first) * g.inner),
           at(part, x * count * g.inner), count * g.inner);
  }
}

Error Spread::synchronize() const {
  for (int i = 0; i != devices.nGPUs; ++i)
    if (Error error = deviceAt(devices.GPUs[i])->synchronize();
        error != cudaSuccess)
      return error;
  return cudaSuccess;
}

cufftResult Spread::copy(const Plan &plan, void *host, bool toHost) {
  if (!toHost) {
    isReal = plan.hasReal(true);
    if (head.subFormat == CUFFT_XT_FORMAT_INPLACE_SHUFFLED && isReal)
      head.subFormat = CUFFT_XT_FORMAT_INPLACE;
  }
  if (synchronize() != cudaSuccess)
    return CUFFT_EXEC_FAILED;
  const OnDevice first(devices.GPUs[0]);
  const Error error =
      perform(nullptr, {.small = true, .wait = true}, [&, this](Team &) {
        if (devices.nGPUs > 1)
          return transfer(Geometry(plan), static_cast<char *>(host), toHost);
        std::memcpy(toHost ? host : devices.data[0],
                    toHost ? devices.data[0] : host, bytesOnOne(plan, isReal));
      });
  return error == cudaSuccess ? CUFFT_SUCCESS : CUFFT_EXEC_FAILED;
}

cufftResult Spread::copyFrom(const Plan &plan, const Spread &from) {
  if (from.devices.nGPUs != devices.nGPUs)
    return CUFFT_INVALID_VALUE;
  std::vector<char> whole(std::max(Geometry(plan).bytes(), devices.size[0]));
  Spread &source = const_cast<Spread &>(from);
  if (cufftResult wrong = source.copy(plan, whole.data(), true);
      wrong != CUFFT_SUCCESS)
    return wrong;
  const cufftResult result = copy(plan, whole.data(), false);
  isReal = from.isReal;
  return result;
}

cufftResult Spread::executeSpread(const std::shared_ptr<Plan> &plan, int sign) {
  const Geometry geometry(*plan);
  std::vector<char> whole(geometry.bytes());
  if (synchronize() != cudaSuccess)
    return CUFFT_EXEC_FAILED;
  const int after = isShuffled(geometry) || !geometry.shuffles
                        ? CUFFT_XT_FORMAT_INPLACE
                        : CUFFT_XT_FORMAT_INPLACE_SHUFFLED;
  const OnDevice first(devices.GPUs[0]);
  const Error error = perform(nullptr, {.wait = true}, [&, this](Team &team) {
    transfer(geometry, whole.data(), true);
    plan->run(team, whole.data(), whole.data(), sign);
    auto &format = const_cast<Spread *>(this)->head.subFormat;
    format = after;
    transfer(geometry, whole.data(), false);
  });
  return error == cudaSuccess ? CUFFT_SUCCESS : CUFFT_EXEC_FAILED;
}

cufftResult Spread::execute(const std::shared_ptr<Plan> &plan, Spread &input,
                            Spread &output, int sign) {
  const int count = std::max<int>(1, static_cast<int>(plan->devices.size()));
  if (input.devices.nGPUs != count || output.devices.nGPUs != count)
    return CUFFT_INVALID_VALUE;
  cufftResult result;
  if (count == 1) {
    const OnDevice own(input.devices.GPUs[0]);
    result = Plan::execute(plan, input.devices.data[0], output.devices.data[0],
                           sign);
  } else if (&input != &output) {
    return CUFFT_NOT_SUPPORTED; // as NVIDIA's: several devices work in place
  } else {
    result = input.executeSpread(plan, sign);
  }
  if (result == CUFFT_SUCCESS)
    output.isReal = plan->hasReal(false);
  return result;
}

} // namespace cufort::cufft

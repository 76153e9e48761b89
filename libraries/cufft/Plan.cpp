//===- Plan.cpp - a cufftHandle's plan ------------------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "libraries/cufft/Plan.h"
#include "libraries/common/Perform.h"
#include "libraries/common/TeamThreads.h"
#include <cstdlib>
#include <cstring>
#include <unordered_map>

namespace cufort::cufft {

using namespace cufort::libraries;

namespace {

bool isDouble(cufftType type) {
  return type == CUFFT_Z2Z || type == CUFFT_D2Z || type == CUFFT_Z2D;
}

Kind kindOf(cufftType type) {
  switch (type) {
  case CUFFT_R2C:
  case CUFFT_D2Z:
    return Kind::RealToComplex;
  case CUFFT_C2R:
  case CUFFT_Z2D:
    return Kind::ComplexToReal;
  default:
    return Kind::Complex;
  }
}

/// Below so many elements one thread is as fast as several.
constexpr ptrdiff_t SmallTransform = 1 << 13;

} // namespace

cufftResult checkForm(const Request &request) {
  if (request.rank < 1 || request.rank > 3)
    return CUFFT_INVALID_VALUE;
  switch (request.type) {
  case CUFFT_C2C:
  case CUFFT_R2C:
  case CUFFT_C2R:
  case CUFFT_Z2Z:
  case CUFFT_D2Z:
  case CUFFT_Z2D:
    break;
  default:
    return CUFFT_INVALID_TYPE;
  }
  return CUFFT_SUCCESS;
}

cufftResult checkLayouts(const Request &request) {
  const Layout &in = request.input, &out = request.output;
  if (in.embedded != out.embedded)
    return CUFFT_INVALID_VALUE;
  if (in.embedded &&
      (in.stride < 1 || in.distance < 1 || out.stride < 1 || out.distance < 1))
    return CUFFT_INVALID_VALUE;
  return CUFFT_SUCCESS;
}

cufftResult check(const Request &request) {
  if (cufftResult wrong = checkForm(request); wrong != CUFFT_SUCCESS)
    return wrong;
  if (cufftResult wrong = checkLayouts(request); wrong != CUFFT_SUCCESS)
    return wrong;
  if (request.batch < 1)
    return CUFFT_INVALID_SIZE;
  for (int i = 0; i != request.rank; ++i)
    if (request.sizes[i] < 1)
      return i && i == request.rank - 1 ? CUFFT_INTERNAL_ERROR
                                        : CUFFT_INVALID_SIZE;
  return CUFFT_SUCCESS;
}

//===----------------------------------------------------------------------===//
// Plans
//===----------------------------------------------------------------------===//

Plan::~Plan() {
  for (const Planned &each : planned)
    fftw->destroy(each.plan);
}

cufftResult Plan::make(const Request &request) {
  if (cufftResult wrong = check(request); wrong != CUFFT_SUCCESS)
    return wrong;
  if (devices.size() > 1 && request.input.embedded && request.output.embedded)
    return CUFFT_NOT_SUPPORTED;
  fftw = Fftw::ofPrecision(isDouble(request.type));
  if (!fftw)
    return CUFFT_SETUP_FAILED;
  wanted = request;
  isMade = true;
  return CUFFT_SUCCESS;
}

int Plan::direction() const {
  switch (kindOf(wanted.type)) {
  case Kind::RealToComplex:
    return CUFFT_FORWARD;
  case Kind::ComplexToReal:
    return CUFFT_INVERSE;
  case Kind::Complex:
    break;
  }
  return 0;
}

TransformShape Plan::shape(int sign, bool inPlace) const {
  const Kind kind = kindOf(wanted.type);
  TransformShape result{kind, sign, wanted.rank, {}, {wanted.batch, 0, 0}};
  const int last = wanted.rank - 1;
  const ptrdiff_t half = wanted.sizes[last] / 2 + 1;
  // cuFFT ignores all strides where one of the sides has no embedding.
  const bool packed = !wanted.input.embedded || !wanted.output.embedded;
  for (const bool ofInput : {true, false}) {
    Layout side = ofInput ? wanted.input : wanted.output;
    // Of a real transform the complex side has half as many columns, and in
    // place the rows of the real one have room for them.
    const bool isReal =
        kind == (ofInput ? Kind::RealToComplex : Kind::ComplexToReal);
    const bool isHalf =
        kind == (ofInput ? Kind::ComplexToReal : Kind::RealToComplex);
    if (packed) {
      for (int i = 0; i <= last; ++i)
        side.embed[i] = wanted.sizes[i];
      if (isHalf)
        side.embed[last] = half;
      else if (isReal && inPlace)
        side.embed[last] = 2 * half;
      side.stride = side.distance = 1;
      for (int i = 0; i <= last; ++i)
        side.distance *= side.embed[i];
    }
    ptrdiff_t stride = side.stride;
    for (int i = last; i >= 0; --i) {
      Dimension &dimension = result.dimensions[i];
      dimension.n = wanted.sizes[i];
      (ofInput ? dimension.inputStride : dimension.outputStride) = stride;
      stride *= side.embed[i];
    }
    (ofInput ? result.batch.inputStride : result.batch.outputStride) =
        side.distance;
  }
  return result;
}

size_t Plan::bytes(const TransformShape &shape, bool ofInput) const {
  const auto stride = [&](const Dimension &d) {
    return ofInput ? d.inputStride : d.outputStride;
  };
  const bool isHalf =
      shape.kind == (ofInput ? Kind::ComplexToReal : Kind::RealToComplex);
  const bool isReal =
      shape.kind == (ofInput ? Kind::RealToComplex : Kind::ComplexToReal);
  size_t last = stride(shape.batch) * (shape.batch.n - 1);
  for (int i = 0; i != shape.rank; ++i) {
    const bool halved = isHalf && i == shape.rank - 1;
    const ptrdiff_t n = shape.dimensions[i].n;
    last += stride(shape.dimensions[i]) * (halved ? n / 2 : n - 1);
  }
  return (last + 1) * (isDouble(wanted.type) ? 8 : 4) * (isReal ? 1 : 2);
}

bool Plan::hasReal(bool ofInput) const {
  return kindOf(wanted.type) ==
         (ofInput ? Kind::RealToComplex : Kind::ComplexToReal);
}

size_t Plan::sideBytes(bool real, bool inPlace) const {
  const TransformShape both = shape(CUFFT_FORWARD, inPlace);
  const bool isInput = real ? hasReal(true) : !hasReal(true);
  return bytes(both, isInput);
}

size_t Plan::complexBytes() const { return isDouble(wanted.type) ? 16 : 8; }

namespace {

struct FreeMemory {
  void operator()(void *memory) const { std::free(memory); }
};
using Memory = std::unique_ptr<void, FreeMemory>;

Memory allocate(size_t bytes) {
  const size_t whole = (bytes + 255) / 256 * 256;
  void *memory = std::aligned_alloc(256, whole);
  if (!memory)
    throw std::bad_alloc();
  std::memset(memory, 0, whole);
  return Memory(memory);
}

} // namespace

void *Plan::planFor(const Variant &variant) {
  std::lock_guard lock(mutex);
  for (const Planned &each : planned)
    if (each.variant == variant)
      return each.plan;
  const TransformShape wantedShape = shape(variant.sign, variant.inPlace);
  const size_t inputBytes = bytes(wantedShape, true),
               outputBytes = bytes(wantedShape, false);
  // Measuring overwrites arrays.
  const auto input = allocate(
      variant.inPlace ? std::max(inputBytes, outputBytes) : inputBytes);
  const auto output = allocate(variant.inPlace ? 0 : outputBytes);
  unsigned flags = variant.aligned ? 0 : Unaligned;
  if (wantedShape.kind == Kind::ComplexToReal && wanted.rank == 1 &&
      !variant.inPlace)
    flags |= PreserveInput;
  void *plan = fftw->plan(wantedShape, input.get(),
                          variant.inPlace ? input.get() : output.get(),
                          flags | Measure, variant.threads);
  planned.push_back({variant, plan});
  return plan;
}

void Plan::run(Team &team, void *input, void *output, int sign,
               const Callbacks &callbacks) {
  const bool inPlace = input == output;
  const TransformShape wantedShape = shape(sign, inPlace);
  if (callbacks.any()) {
    // What they read and write is theirs to say.
    const size_t inputBytes = bytes(wantedShape, true),
                 outputBytes = bytes(wantedShape, false);
    Memory in, out;
    if (callbacks.load.function || inPlace) {
      in = allocate(inPlace ? std::max(inputBytes, outputBytes) : inputBytes);
      loadAll(team, callbacks.load, wanted.type, wantedShape, input, in.get());
    }
    if (callbacks.store.function && !inPlace)
      out = allocate(outputBytes);
    void *from = in ? in.get() : input;
    void *to = inPlace ? from : out ? out.get() : output;
    run(team, from, to, sign);
    if (to != output)
      storeAll(team, callbacks.store, wanted.type, wantedShape, to, output);
    return;
  }
  touch(input, bytes(wantedShape, true));
  touch(output, bytes(wantedShape, false));
  const bool aligned =
      fftw->alignmentOf(input) == 0 && fftw->alignmentOf(output) == 0;
  const TeamScope scope(team);
  void *plan = planFor({sign, inPlace, aligned, team.threads()});
  // Without a plan there was no memory.
  if (!plan)
    throw std::bad_alloc();
  fftw->execute(plan, wantedShape.kind, input, output);
}

cufftResult Plan::execute(const std::shared_ptr<Plan> &plan, void *input,
                          void *output, int sign) {
  ptrdiff_t elements = plan->wanted.batch;
  for (int i = 0; i != plan->wanted.rank; ++i)
    elements *= plan->wanted.sizes[i];
  const Error error =
      perform(plan->stream, {.small = elements < SmallTransform},
              [=, callbacks = plan->callbacks](Team &team) {
                plan->run(team, input, output, sign, callbacks);
              });
  return error == cudaSuccess ? CUFFT_SUCCESS : CUFFT_EXEC_FAILED;
}

//===----------------------------------------------------------------------===//
// Handles
//===----------------------------------------------------------------------===//

namespace {

struct Plans {
  std::mutex mutex;
  std::unordered_map<cufftHandle, std::shared_ptr<Plan>> plans;
  cufftHandle last = 0;
};

Plans &all() {
  static auto *plans = new Plans;
  return *plans;
}

} // namespace

std::shared_ptr<Plan> find(cufftHandle handle) {
  std::lock_guard lock(all().mutex);
  auto found = all().plans.find(handle);
  return found == all().plans.end() ? nullptr : found->second;
}

cufftHandle enter(std::shared_ptr<Plan> plan) {
  std::lock_guard lock(all().mutex);
  const cufftHandle handle = ++all().last;
  all().plans.emplace(handle, std::move(plan));
  return handle;
}

bool remove(cufftHandle handle) {
  std::shared_ptr<Plan> last;
  std::lock_guard lock(all().mutex);
  auto found = all().plans.find(handle);
  if (found == all().plans.end())
    return false;
  last = std::move(found->second);
  all().plans.erase(found);
  return true;
}

} // namespace cufort::cufft

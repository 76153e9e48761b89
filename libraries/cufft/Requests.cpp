//===- Requests.cpp - plans, and the sizes of their work areas ------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is transformed is said in four forms (one, two and three dimensions, and
// any layout), of which a plan is made or the size of a work area is asked:
// cufft_Requests.inc has the functions, which pass all their arguments.
//
//===----------------------------------------------------------------------===//

#include "libraries/common/Catching.h"
#include "libraries/common/Elements.h"
#include "libraries/cufft/Plan.h"
#include <algorithm>
#include <tuple>
#include <utility>

namespace cufort::cufft {

using libraries::catching;
using libraries::elements;

namespace {

Request packed(std::initializer_list<int> sizes, cufftType type, int batch) {
  Request result{type, static_cast<int>(sizes.size()), {}, {}, {}, batch};
  std::copy(sizes.begin(), sizes.end(), result.sizes);
  return result;
}

template <typename Size>
Layout layout(int rank, const Size *embed, ptrdiff_t stride,
              ptrdiff_t distance) {
  Layout result;
  result.embedded = embed;
  for (int i = 0; embed && i < rank && i < 3; ++i)
    result.embed[i] = embed[i];
  result.stride = stride;
  result.distance = distance;
  return result;
}

// The forms.
Request requested(int nx, cufftType type, int batch) {
  return packed({nx}, type, batch);
}
Request requested(int nx, int ny, cufftType type) {
  return packed({nx, ny}, type, 1);
}
Request requested(int nx, int ny, int nz, cufftType type) {
  return packed({nx, ny, nz}, type, 1);
}
template <typename Size>
Request requested(int rank, const Size *n, const Size *inembed, Size istride,
                  Size idist, const Size *onembed, Size ostride, Size odist,
                  cufftType type, Size batch) {
  Request result{type,
                 n ? rank : 0,
                 {},
                 layout(rank, inembed, istride, idist),
                 layout(rank, onembed, ostride, odist),
                 batch};
  for (int i = 0; n && i < rank && i < 3; ++i)
    result.sizes[i] = n[i];
  return result;
}

/// Calls \p use(request, bytes) for the arguments of a form and the one behind
/// them, where a size goes.
template <typename Use, typename... Arguments>
cufftResult withSize(Use use, Arguments... arguments) {
  constexpr size_t Last = sizeof...(Arguments) - 1;
  const std::tuple all(arguments...);
  return [&]<size_t... I>(std::index_sequence<I...>) {
    size_t *bytes = std::get<Last>(all);
    return use(requested(std::get<I>(all)...), bytes);
  }(std::make_index_sequence<Last>());
}

template <typename... Form>
cufftResult makeNew(cufftHandle *handle, Form... form) {
  if (!handle)
    return CUFFT_INVALID_VALUE;
  return catching(CUFFT_ALLOC_FAILED, [&] {
    auto plan = std::make_shared<Plan>();
    const cufftResult result = plan->make(requested(form...));
    if (result == CUFFT_SUCCESS)
      *handle = enter(std::move(plan));
    return result;
  });
}

template <typename... FormAndSize>
cufftResult make(cufftHandle handle, FormAndSize... arguments) {
  return catching(CUFFT_ALLOC_FAILED, [&] {
    return withSize(
        [&](const Request &request, size_t *bytes) {
          auto plan = find(handle);
          if (!plan)
            return CUFFT_INVALID_PLAN;
          if (!bytes)
            return CUFFT_INVALID_VALUE;
          if (cufftResult wrong = checkForm(request); wrong != CUFFT_SUCCESS)
            return wrong;
          if (plan->made())
            return CUFFT_INVALID_PLAN;
          // One for each device.
          std::fill_n(bytes, std::max<size_t>(1, plan->devices.size()), 0);
          return plan->make(request);
        },
        arguments...);
  });
}

template <typename... FormAndSize>
cufftResult estimate(FormAndSize... arguments) {
  return withSize(
      [](const Request &request, size_t *bytes) {
        if (!bytes)
          return CUFFT_INVALID_VALUE;
        *bytes = 0;
        return check(request);
      },
      arguments...);
}

template <typename... FormAndSize>
cufftResult sizeOf(cufftHandle handle, FormAndSize... arguments) {
  return find(handle) ? estimate(arguments...) : CUFFT_INVALID_PLAN;
}

} // namespace

} // namespace cufort::cufft

#include "cufft_Requests.inc"

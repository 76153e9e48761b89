//===- Plan.h - a cufftHandle's plan ----------------------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_LIBRARIES_CUFFT_PLAN_H
#define CUFORT_LIBRARIES_CUFFT_PLAN_H

#include "cufft_functions.h"
#include "libraries/cufft/Callbacks.h"
#include "libraries/cufft/Fftw.h"
#include "runtime/core/engine/Team.h"
#include <memory>
#include <mutex>
#include <vector>

namespace cufort::cufft {

/// Where the elements of one side lie; without embedding, packed.
struct Layout {
  bool embedded = false;
  ptrdiff_t embed[3] = {0, 0, 0}, stride = 1, distance = 0;
};

/// What a program asks for. The last size is that of consecutive elements.
struct Request {
  cufftType type;
  int rank;
  ptrdiff_t sizes[3];
  Layout input, output;
  ptrdiff_t batch;
};

/// CUFFT_SUCCESS, or what is wrong with the rank and the type of \p request;
/// with its layouts; with any of these or its sizes.
cufftResult checkForm(const Request &request);
cufftResult checkLayouts(const Request &request);
cufftResult check(const Request &request);

class Plan {
public:
  ~Plan();

  cufftResult make(const Request &request);
  bool made() const { return isMade; }
  /// The direction that the type says; 0: both are possible.
  int direction() const;
  const Request &request() const { return wanted; }

  /// Transforms in the order of the plan's stream; \p sign as FFTW's.
  static cufftResult execute(const std::shared_ptr<Plan> &plan, void *input,
                             void *output, int sign);

  /// Does so now, with the device's threads.
  void run(Team &team, void *input, void *output, int sign,
           const Callbacks &callbacks = {});

  /// Whether the elements of a side are real.
  bool hasReal(bool ofInput) const;
  /// Bytes of the side whose elements are real, or of the other one.
  size_t sideBytes(bool real, bool inPlace) const;
  size_t complexBytes() const;

  cudaStream_t stream = nullptr;
  Callbacks callbacks;
  std::vector<int> devices; ///< that share the data; empty: the current one

private:
  /// FFTW plans one for each of these.
  struct Variant {
    int sign;
    bool inPlace, aligned;
    unsigned threads;
    bool operator==(const Variant &) const = default;
  };
  struct Planned {
    Variant variant;
    void *plan;
  };

  TransformShape shape(int sign, bool inPlace) const;
  /// FFTW's plan, measured at its first use.
  void *planFor(const Variant &variant);
  /// Bytes from the first element of a side to behind its last one.
  size_t bytes(const TransformShape &shape, bool ofInput) const;

  bool isMade = false;
  Request wanted;
  const Fftw *fftw = nullptr;
  std::mutex mutex; ///< guards what follows
  std::vector<Planned> planned;
};

/// The plan of a handle; null: there is none.
std::shared_ptr<Plan> find(cufftHandle handle);
/// A handle for a new plan.
cufftHandle enter(std::shared_ptr<Plan> plan);
/// Whether there was such a plan.
bool remove(cufftHandle handle);

} // namespace cufort::cufft

#endif // CUFORT_LIBRARIES_CUFFT_PLAN_H

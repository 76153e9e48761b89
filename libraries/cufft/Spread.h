//===- Spread.h - data of a transform on several devices --------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What cufftXtMalloc makes: a part of the data on each device. Batches are
// dealt out whole. Else the first dimension is dealt out in the natural format
// and the second one in the shuffled one, which a transform of two or three
// dimensions leaves; a second transform restores the natural one. Elements are
// counted as complex numbers: rows of real ones have room for those.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_LIBRARIES_CUFFT_SPREAD_H
#define CUFORT_LIBRARIES_CUFFT_SPREAD_H

#include "cufftXt.h"
#include "libraries/cufft/Plan.h"
#include "runtime/core/process/Error.h"

namespace cufort::cufft {

class Spread {
public:
  Spread();
  ~Spread();
  Spread(const Spread &) = delete;
  Spread &operator=(const Spread &) = delete;

  /// On the plan's devices, or on the current one.
  cufftResult allocate(const Plan &plan, cufftXtSubFormat format);

  /// To or from an array of the host in natural order.
  cufftResult copy(const Plan &plan, void *host, bool toHost);
  /// The data of \p from in this one's format.
  cufftResult copyFrom(const Plan &plan, const Spread &from);

  static cufftResult execute(const std::shared_ptr<Plan> &plan, Spread &input,
                             Spread &output, int sign);

  cudaLibXtDesc *descriptor() { return &head; }
  /// Of a descriptor of this library's; null: it is none.
  static Spread *of(const cudaLibXtDesc *descriptor);

private:
  /// How data are dealt out.
  struct Geometry {
    explicit Geometry(const Plan &plan);
    ptrdiff_t outer, middle, inner;
    size_t element;
    bool shuffles;
    size_t bytes() const {
      return static_cast<size_t>(outer * middle * inner) * element;
    }
  };

  bool isShuffled(const Geometry &geometry) const {
    return geometry.shuffles &&
           head.subFormat == CUFFT_XT_FORMAT_INPLACE_SHUFFLED;
  }
  /// Between the parts and an array of the host.
  void transfer(const Geometry &geometry, char *whole, bool toWhole) const;
  size_t bytesOnOne(const Plan &plan, bool real) const;
  /// Waits for all that the devices do.
  Error synchronize() const;
  cufftResult executeSpread(const std::shared_ptr<Plan> &plan, int sign);

  cudaLibXtDesc head = {};
  cudaXtDesc devices = {};
  bool isReal = false; ///< the data, as far as is known
};

} // namespace cufort::cufft

#endif // CUFORT_LIBRARIES_CUFFT_SPREAD_H

//===- Fftw.h - FFTW, as far as plans need it -------------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// FFTW's two precisions behind one interface. The libraries are opened at run
// time (HostLibrary.h says why); their loops over threads are the team's.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_LIBRARIES_CUFFT_FFTW_H
#define CUFORT_LIBRARIES_CUFFT_FFTW_H

#include <cstddef>

namespace cufort::cufft {

/// One dimension of a transform or of its repetition, in elements.
struct Dimension {
  ptrdiff_t n, inputStride, outputStride; ///< as FFTW's fftw_iodim64
};

enum class Kind { Complex, RealToComplex, ComplexToReal };

struct TransformShape {
  Kind kind;
  int sign; ///< of Complex: -1 or 1
  int rank;
  Dimension dimensions[3];
  Dimension batch;
};

/// FFTW's flags.
enum : unsigned {
  PreserveInput = 1u << 4,
  Unaligned = 1u << 1,
  Measure = 0u,
  Estimate = 1u << 6
};

/// FFTW of one precision.
class Fftw {
public:
  /// Null where the library is not there, which has been said then.
  static const Fftw *ofPrecision(bool isDouble);

  /// A plan of FFTW's for \p threads threads; null: there is none. Overwrites
  /// the arrays unless \p flags has Estimate.
  void *plan(const TransformShape &shape, void *input, void *output,
             unsigned flags, unsigned threads) const;
  void execute(void *plan, Kind kind, void *input, void *output) const;
  void destroy(void *plan) const;
  /// Zero where FFTW may take \p memory to be aligned.
  int alignmentOf(void *memory) const;

private:
  bool load(bool isDouble);

  void *(*planComplex)(int, const Dimension *, int, const Dimension *, void *,
                       void *, int, unsigned);
  void *(*planToComplex)(int, const Dimension *, int, const Dimension *, void *,
                         void *, unsigned);
  void *(*planToReal)(int, const Dimension *, int, const Dimension *, void *,
                      void *, unsigned);
  void (*executeComplex)(void *, void *, void *);
  void (*executeToComplex)(void *, void *, void *);
  void (*executeToReal)(void *, void *, void *);
  void (*destroyPlan)(void *);
  int (*alignment)(void *);
  void (*setTimeLimit)(double);
  void (*setThreads)(int);
};

} // namespace cufort::cufft

#endif // CUFORT_LIBRARIES_CUFFT_FFTW_H

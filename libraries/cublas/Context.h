//===- Context.h - a cublasHandle_t's settings, and its calls ---*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What all routines on the CPU begin with: the handle is looked up, arguments
// are checked, scalars are read at the call (pointer mode 'host') or kept by
// address ('device'), and the rest is submitted to the handle's stream.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_LIBRARIES_CUBLAS_CONTEXT_H
#define CUFORT_LIBRARIES_CUBLAS_CONTEXT_H

#include "cublas_functions.h"
#include "libraries/common/Blas.h"
#include "libraries/common/Dispatch.h"
#include "libraries/common/Elements.h"
#include "libraries/common/Handles.h"
#include "libraries/common/Perform.h"
#include <complex>
#include <initializer_list>

struct cublasContext {
  cudaStream_t stream = nullptr;
  cublasPointerMode_t pointerMode = CUBLAS_POINTER_MODE_HOST;
  cublasAtomicsMode_t atomicsMode = CUBLAS_ATOMICS_NOT_ALLOWED;
  cublasMath_t mathMode = CUBLAS_DEFAULT_MATH;
  cublasEmulationStrategy_t emulation = CUBLAS_EMULATION_STRATEGY_DEFAULT;
  cudaEmulationSpecialValuesSupport specialValues =
      CUDA_EMULATION_SPECIAL_VALUES_SUPPORT_DEFAULT;
  cudaEmulationMantissaControl mantissaControl =
      CUDA_EMULATION_MANTISSA_CONTROL_DYNAMIC;
  int maxMantissaBitCount = 0, mantissaBitOffset = 0;
  int smCountTarget = 0;
};

namespace cufort::cublas {

using namespace cufort::libraries;

inline bool isValid(cublasHandle_t h) {
  return handles<cublasContext>().isValid(h);
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

/// The product, without C's rules for infinite complex numbers.
template <typename T> T times(T a, T b) { return a * b; }
template <typename T>
std::complex<T> times(std::complex<T> a, std::complex<T> b) {
  return {a.real() * b.real() - a.imag() * b.imag(),
          a.real() * b.imag() + a.imag() * b.real()};
}
template <typename T> std::complex<T> times(T a, std::complex<T> b) {
  return {a * b.real(), a * b.imag()};
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

/// The option as BLAS has it; 0: there is none of that number.
inline char letter(cublasOperation_t op) {
  return op == CUBLAS_OP_N   ? 'N'
         : op == CUBLAS_OP_T ? 'T'
         : op == CUBLAS_OP_C ? 'C'
                             : 0;
}
inline char letter(cublasFillMode_t uplo) {
  return uplo == CUBLAS_FILL_MODE_LOWER   ? 'L'
         : uplo == CUBLAS_FILL_MODE_UPPER ? 'U'
                                          : 0;
}
inline char letter(cublasSideMode_t side) {
  return side == CUBLAS_SIDE_LEFT ? 'L' : side == CUBLAS_SIDE_RIGHT ? 'R' : 0;
}
inline char letter(cublasDiagType_t diag) {
  return diag == CUBLAS_DIAG_NON_UNIT ? 'N'
         : diag == CUBLAS_DIAG_UNIT   ? 'U'
                                      : 0;
}
inline bool wrong(auto option) { return !letter(option); }

/// What is wrong with an argument, and its number as BLAS counts.
struct Rule {
  bool broken;
  int argument;
};

/// Whether a rule is broken; says which on standard output, as NVIDIA's library
/// does. \p letter: of the routine's type.
bool refuse(char letter, const char *name, std::initializer_list<Rule> rules);
template <typename T>
bool refuse(const char *name, std::initializer_list<Rule> rules) {
  return refuse(detail::Letter<T>, name, rules);
}
/// The same of BLAS's routine of that name.
template <typename T, detail::Name Routine>
bool refuse(std::initializer_list<Rule> rules) {
  static constexpr auto Upper = [] {
    auto name = Routine;
    for (char &c : name.characters)
      if (c >= 'a' && c <= 'z')
        c = static_cast<char>(c - 'a' + 'A');
    return name;
  }();
  return refuse(detail::Letter<T>, Upper.characters, rules);
}

/// A scalar argument: the host's is read when it is made, one of the device
/// when it is asked for.
template <typename T> class Scalar {
public:
  Scalar(cublasHandle_t h, const T *pointer)
      : pointer(h->pointerMode == CUBLAS_POINTER_MODE_HOST ? nullptr : pointer),
        value(this->pointer || !pointer ? T() : *pointer) {}
  explicit Scalar(T value) : pointer(nullptr), value(value) {}
  T operator()() const { return pointer ? *pointer : value; }

private:
  const T *pointer;
  T value;
};

/// touch for vectors and matrices.
template <typename T> void touchVector(const T *x, int64_t n, int64_t inc) {
  if (n > 0)
    touch(x, ((n - 1) * (inc < 0 ? -inc : inc) + 1) * sizeof(T));
}
template <typename T>
void touchMatrix(const T *a, int64_t rows, int64_t columns, int64_t lda) {
  if (rows > 0 && columns > 0)
    touch(a, ((columns - 1) * lda + rows) * sizeof(T));
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

/// Calls \p routine(Team &) in the order of the handle's stream. \p small: by
/// one thread. \p wait: until it has ended.
template <typename Routine>
cublasStatus_t submit(cublasHandle_t h, bool small, Routine routine,
                      bool wait = false, bool bringsThreads = false) {
  return perform(h->stream,
                 {.small = small, .wait = wait, .bringsThreads = bringsThreads},
                 std::move(routine)) == cudaSuccess
             ? CUBLAS_STATUS_SUCCESS
             : CUBLAS_STATUS_EXECUTION_FAILED;
}

/// The same for one call of BLAS, with the team's threads if it is not small,
/// once \p touchAll() has found its memory.
template <typename Touch, typename Call>
cublasStatus_t submitBlas(cublasHandle_t h, bool small, Touch touchAll,
                          Call call) {
  return submit(
      h, small,
      [=](Team &team) {
        touchAll();
        if (small)
          return call();
        const BlasThreads threads(team.threads());
        call();
      },
      false, true);
}

/// Whether results of a routine lie on the host, which waits for them then.
inline bool onHost(cublasHandle_t h) {
  return h->pointerMode == CUBLAS_POINTER_MODE_HOST;
}

} // namespace cufort::cublas

#endif // CUFORT_LIBRARIES_CUBLAS_CONTEXT_H

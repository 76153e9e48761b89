//===- Level1.cpp - cuBLAS on the CPU: vectors ----------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The team shares the vectors in chunks below the size from which on OpenBLAS
// uses threads of its own. Partial results are put together in the order of the
// chunks, so that a result does not depend on the number of threads.
//
//===----------------------------------------------------------------------===//

#include "libraries/cublas/Context.h"
#include <array>
#include <cmath>
#include <vector>

namespace cufort::cublas {

namespace {

constexpr int64_t Chunk = 8192;
static_assert(Chunk < BlasSmall::Level1);

/// A vector of BLAS: with a negative increment, its last element comes first.
template <typename T> struct Vector {
  T *first;
  int64_t n, inc;

  /// BLAS's argument for \p count elements from \p begin on.
  T *part(int64_t begin, int64_t count) const {
    return inc >= 0 ? first + begin * inc : first + (n - begin - count) * -inc;
  }
  T &operator[](int64_t i) const {
    return inc >= 0 ? first[i * inc] : first[(n - 1 - i) * -inc];
  }
  void touch() const { touchVector(first, n, inc); }
};

int64_t chunks(int64_t n) { return n <= 0 ? 0 : (n + Chunk - 1) / Chunk; }

/// body(begin, count, chunk) for all chunks of \p n elements.
template <typename Body> void forChunks(Team &team, int64_t n, Body &&body) {
  team.forEach(static_cast<uint64_t>(chunks(n)), [&](uint64_t chunk) {
    const int64_t begin = static_cast<int64_t>(chunk) * Chunk;
    body(begin, std::min(Chunk, n - begin), chunk);
  });
}

bool small(int64_t n) { return n <= Chunk; }

/// A routine that changes elements: body(begin, count, scalars as they are
/// now).
template <typename Body>
cublasStatus_t elementwise(cublasHandle_t h, int64_t n, Body body) {
  if (n <= 0)
    return CUBLAS_STATUS_SUCCESS;
  return submit(h, small(n), [=](Team &team) { body(team); });
}

/// A routine with one result: \p part(begin, count) of each chunk, put together
/// by \p combine(parts).
template <typename Part, typename Result, typename Reduce, typename Combine>
cublasStatus_t reduction(cublasHandle_t h, int64_t n, Result *result,
                         Reduce reduce, Combine combine) {
  if (!result)
    return CUBLAS_STATUS_INVALID_VALUE;
  return submit(
      h, small(n),
      [=](Team &team) {
        if (n <= Chunk) {
          Part only[1] = {n > 0 ? reduce(int64_t(0), n) : Part()};
          *result = static_cast<Result>(combine(only, n > 0 ? 1 : 0));
          return;
        }
        std::vector<Part> parts(chunks(n));
        forChunks(team, n, [&](int64_t begin, int64_t count, uint64_t chunk) {
          parts[chunk] = reduce(begin, count);
        });
        *result = static_cast<Result>(combine(parts.data(), chunks(n)));
      },
      onHost(h));
}

constexpr auto Sum = [](const auto *parts, int64_t n) {
  auto sum = *parts;
  if (n == 0)
    return decltype(sum)();
  for (int64_t i = 1; i < n; ++i)
    sum += parts[i];
  return sum;
};

template <typename T> Real<T> magnitude(T x) {
  if constexpr (IsComplex<T>)
    return std::abs(x.real()) + std::abs(x.imag());
  else
    return std::abs(x);
}

/// Index and magnitude of an element.
template <typename R> struct Extreme {
  int64_t index = -1;
  R value = 0;
};

template <bool Greatest, typename T, typename Index>
cublasStatus_t extreme(cublasHandle_t h, int n, const T *x, int incx,
                       Index *result) {
  if (!isValid(h))
    return CUBLAS_STATUS_NOT_INITIALIZED;
  using Best = Extreme<Real<T>>;
  const int64_t count = incx < 1 ? 0 : n;
  const auto better = [](Real<T> a, Real<T> b) {
    return Greatest ? a > b : a < b;
  };
  return reduction<Best>(
      h, count, result,
      [=](int64_t begin, int64_t length) {
        Best best{begin, magnitude(x[begin * incx])};
        for (int64_t i = begin + 1; i < begin + length; ++i)
          if (const Real<T> value = magnitude(x[i * incx]);
              better(value, best.value))
            best = {i, value};
        return best;
      },
      [=](const Best *parts, int64_t n) {
        Best best;
        for (int64_t i = 0; i < n; ++i)
          if (i == 0 || better(parts[i].value, best.value))
            best = parts[i];
        return best.index + 1;
      });
}

template <typename T, typename Index>
cublasStatus_t Iamax(cublasHandle_t h, int n, const T *x, int incx,
                     Index *result) {
  return extreme<true>(h, n, x, incx, result);
}
template <typename T, typename Index>
cublasStatus_t Iamin(cublasHandle_t h, int n, const T *x, int incx,
                     Index *result) {
  return extreme<false>(h, n, x, incx, result);
}

template <typename T>
cublasStatus_t asum(cublasHandle_t h, int n, const T *x, int incx,
                    Real<T> *result) {
  if (!isValid(h))
    return CUBLAS_STATUS_NOT_INITIALIZED;
  return reduction<Real<T>>(
      h, incx < 1 ? 0 : n, result,
      [=](int64_t begin, int64_t count) {
        const auto length = static_cast<int>(count);
        const T *part = x + begin * incx;
        if constexpr (std::is_same_v<T, std::complex<float>>)
          return fortran<"scasum", float>(length, part, incx);
        else if constexpr (std::is_same_v<T, std::complex<double>>)
          return fortran<"dzasum", double>(length, part, incx);
        else
          return blas<T, "asum", T>(length, part, incx);
      },
      Sum);
}

template <typename T>
cublasStatus_t nrm2(cublasHandle_t h, int n, const T *x, int incx,
                    Real<T> *result) {
  if (!isValid(h))
    return CUBLAS_STATUS_NOT_INITIALIZED;
  using R = Real<T>;
  return reduction<R>(
      h, incx < 1 ? 0 : n, result,
      [=](int64_t begin, int64_t count) {
        const auto length = static_cast<int>(count);
        const T *part = x + begin * incx;
        if constexpr (std::is_same_v<T, std::complex<float>>)
          return fortran<"scnrm2", float>(length, part, incx);
        else if constexpr (std::is_same_v<T, std::complex<double>>)
          return fortran<"dznrm2", double>(length, part, incx);
        else
          return blas<T, "nrm2", T>(length, part, incx);
      },
      [](const R *parts, int64_t n) {
        // Squares of the norms themselves may overflow.
        R scale = 0, sum = 0;
        for (int64_t i = 0; i < n; ++i)
          scale = std::fmax(scale, parts[i]);
        if (n == 1 || !(scale > 0) || std::isinf(scale))
          return Sum(parts, n);
        for (int64_t i = 0; i < n; ++i)
          sum += (parts[i] / scale) * (parts[i] / scale);
        return scale * std::sqrt(sum);
      });
}

/// The product of complex vectors by a loop.
template <bool Conjugated, typename T>
T productByLoop(int64_t n, const T *x, int64_t incx, const T *y, int64_t incy) {
  x += incx < 0 ? (1 - n) * incx : 0;
  y += incy < 0 ? (1 - n) * incy : 0;
  Real<T> real = 0, imaginary = 0;
  for (int64_t i = 0; i != n; ++i) {
    const T a = x[i * incx], b = y[i * incy];
    const Real<T> ai = Conjugated ? -a.imag() : a.imag();
    real += a.real() * b.real() - ai * b.imag();
    imaginary += a.real() * b.imag() + ai * b.real();
  }
  return T(real, imaginary);
}

template <bool Conjugated, typename T>
cublasStatus_t product(cublasHandle_t h, int n, const T *x, int incx,
                       const T *y, int incy, T *result) {
  if (!isValid(h))
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!result)
    return CUBLAS_STATUS_MAPPING_ERROR;
  const Vector<const T> xs{x, n, incx}, ys{y, n, incy};
  return reduction<T>(
      h, n, result,
      [=](int64_t begin, int64_t count) {
        const auto length = static_cast<int>(count);
        const T *xp = xs.part(begin, count), *yp = ys.part(begin, count);
        if constexpr (!IsComplex<T>) {
          return blas<T, "dot", T>(length, xp, incx, yp, incy);
        } else if (incx != 1 || incy != 1) {
          // OpenBLAS 0.3.21 reads an element beyond the end of some of these.
          return productByLoop<Conjugated>(count, xp, incx, yp, incy);
        } else {
          // How Fortran's functions return complex numbers depends on the
          // compiler.
          using Function =
              void (*)(int, const void *, int, const void *, int, void *);
          constexpr bool Single = std::is_same_v<Real<T>, float>;
          static const auto dot = reinterpret_cast<Function>(blasSymbol(
              Single ? (Conjugated ? "cblas_cdotc_sub" : "cblas_cdotu_sub")
                     : (Conjugated ? "cblas_zdotc_sub" : "cblas_zdotu_sub")));
          T sum;
          dot(length, xp, incx, yp, incy, &sum);
          return sum;
        }
      },
      Sum);
}
template <typename T>
cublasStatus_t dot(cublasHandle_t h, int n, const T *x, int incx, const T *y,
                   int incy, T *result) {
  return product<false>(h, n, x, incx, y, incy, result);
}
template <typename T>
cublasStatus_t dotu(cublasHandle_t h, int n, const T *x, int incx, const T *y,
                    int incy, T *result) {
  return product<false>(h, n, x, incx, y, incy, result);
}
template <typename T>
cublasStatus_t dotc(cublasHandle_t h, int n, const T *x, int incx, const T *y,
                    int incy, T *result) {
  return product<true>(h, n, x, incx, y, incy, result);
}

template <typename T>
cublasStatus_t axpy(cublasHandle_t h, int n, const T *alpha, const T *x,
                    int incx, T *y, int incy) {
  if (!isValid(h))
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!alpha)
    return CUBLAS_STATUS_INVALID_VALUE;
  const Scalar<T> a(h, alpha);
  const Vector<const T> xs{x, n, incx};
  const Vector<T> ys{y, n, incy};
  return elementwise(h, n, [=](Team &team) {
    const T factor = a();
    if (factor == T(0))
      return;
    // All elements in one place are a sum, which is not to be shared.
    if (incy == 0)
      return blas<T, "axpy">(n, factor, x, incx, y, incy);
    forChunks(team, n, [&](int64_t begin, int64_t count, uint64_t) {
      blas<T, "axpy">(static_cast<int>(count), factor, xs.part(begin, count),
                      incx, ys.part(begin, count), incy);
    });
  });
}

template <typename T>
cublasStatus_t copy(cublasHandle_t h, int n, const T *x, int incx, T *y,
                    int incy) {
  if (!isValid(h))
    return CUBLAS_STATUS_NOT_INITIALIZED;
  const Vector<const T> xs{x, n, incx};
  const Vector<T> ys{y, n, incy};
  return elementwise(h, n, [=](Team &team) {
    forChunks(team, n, [&](int64_t begin, int64_t count, uint64_t) {
      blas<T, "copy">(static_cast<int>(count), xs.part(begin, count), incx,
                      ys.part(begin, count), incy);
    });
  });
}

template <typename T>
cublasStatus_t swap(cublasHandle_t h, int n, T *x, int incx, T *y, int incy) {
  if (!isValid(h))
    return CUBLAS_STATUS_NOT_INITIALIZED;
  const Vector<T> xs{x, n, incx}, ys{y, n, incy};
  return elementwise(h, n, [=](Team &team) {
    forChunks(team, n, [&](int64_t begin, int64_t count, uint64_t) {
      blas<T, "swap">(static_cast<int>(count), xs.part(begin, count), incx,
                      ys.part(begin, count), incy);
    });
  });
}

template <typename S, typename T>
cublasStatus_t scal(cublasHandle_t h, int n, const S *alpha, T *x, int incx) {
  if (!isValid(h))
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!alpha)
    return CUBLAS_STATUS_INVALID_VALUE;
  const Scalar<S> a(h, alpha);
  return elementwise(h, incx < 1 ? 0 : n, [=](Team &team) {
    // Not BLAS's, of which some take zero times NaN for zero.
    const S factor = a();
    forChunks(team, n, [&](int64_t begin, int64_t count, uint64_t) {
      T *part = x + begin * incx;
      if (incx == 1)
        for (int64_t i = 0; i < count; ++i)
          part[i] = times(factor, part[i]);
      else
        for (int64_t i = 0; i < count; ++i)
          part[i * incx] = times(factor, part[i * incx]);
    });
  });
}

template <typename T, typename S>
cublasStatus_t rot(cublasHandle_t h, int n, T *x, int incx, T *y, int incy,
                   const Real<T> *c, const S *s) {
  if (!isValid(h))
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!c || !s)
    return CUBLAS_STATUS_INVALID_VALUE;
  const Scalar<Real<T>> cosine(h, c);
  const Scalar<S> sine(h, s);
  const Vector<T> xs{x, n, incx}, ys{y, n, incy};
  return elementwise(h, n, [=](Team &team) {
    const Real<T> cs = cosine();
    const S sn = sine();
    forChunks(team, n, [&](int64_t begin, int64_t count, uint64_t) {
      for (int64_t i = begin; i < begin + count; ++i) {
        const T a = xs[i], b = ys[i];
        xs[i] = times(cs, a) + times(sn, b);
        ys[i] = times(cs, b) - times(conjugate(sn), a);
      }
    });
  });
}

template <typename T>
cublasStatus_t rotm(cublasHandle_t h, int n, T *x, int incx, T *y, int incy,
                    const T *param) {
  if (!isValid(h))
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!param)
    return CUBLAS_STATUS_INVALID_VALUE;
  std::array<T, 5> values{};
  const bool ofHost = onHost(h);
  if (ofHost)
    std::copy(param, param + 5, values.begin());
  const Vector<T> xs{x, n, incx}, ys{y, n, incy};
  return elementwise(h, n, [=](Team &team) {
    forChunks(team, n, [&](int64_t begin, int64_t count, uint64_t) {
      blas<T, "rotm">(static_cast<int>(count), xs.part(begin, count), incx,
                      ys.part(begin, count), incy,
                      ofHost ? values.data() : param);
    });
  });
}

/// Scalars of the host are the call's own.
template <typename Call> cublasStatus_t scalars(cublasHandle_t h, Call call) {
  if (!onHost(h))
    return submit(h, true, [=](Team &) { call(); });
  call();
  return CUBLAS_STATUS_SUCCESS;
}

template <typename T>
cublasStatus_t rotg(cublasHandle_t h, T *a, T *b, Real<T> *c, T *s) {
  if (!isValid(h))
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!a || !b || !c || !s)
    return CUBLAS_STATUS_INVALID_VALUE;
  return scalars(h, [=] { blas<T, "rotg">(a, b, c, s); });
}
template <typename T>
cublasStatus_t rotmg(cublasHandle_t h, T *d1, T *d2, T *x1, const T *y1,
                     T *param) {
  if (!isValid(h))
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!d1 || !d2 || !x1 || !y1 || !param)
    return CUBLAS_STATUS_INVALID_VALUE;
  return scalars(h, [=] { blas<T, "rotmg">(d1, d2, x1, y1, param); });
}

} // namespace

} // namespace cufort::cublas

#include "cublas_Level1.inc"

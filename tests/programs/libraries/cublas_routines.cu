// FLAGS: -O0
// cuBLAS against the definitions: all routines of levels 1 to 3 and geam, dgmm,
// tpttr, trttp in all four types, with all options, increments of either sign,
// leading dimensions above the sizes, NaN where nothing may be read.
#include <cmath>
#include <complex>
#include <cstdio>
#include <cublas_v2.h>
#include <functional>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

using Z = std::complex<double>;
static int failures = 0;
static void expect(bool right, const std::string &what) {
  if (!right && ++failures <= 30)
    std::printf("wrong: %s\n", what.c_str());
}
static unsigned state = 1;
static double anyNumber() {
  state = state * 1664525u + 1013904223u;
  return (state >> 8) / 8388608.0 - 1.0;
}

template <typename T> constexpr bool IsComplex = !std::is_floating_point_v<T>;
template <typename T> struct RealOf { using Type = T; };
template <> struct RealOf<cuComplex> { using Type = float; };
template <> struct RealOf<cuDoubleComplex> { using Type = double; };
template <typename T> Z value(T x) {
  if constexpr (IsComplex<T>)
    return {x.x, x.y};
  else
    return x;
}
template <typename T> T number(Z x) {
  if constexpr (IsComplex<T>)
    return {decltype(T::x)(x.real()), decltype(T::x)(x.imag())};
  else
    return T(x.real());
}
template <typename T> double eps() {
  return std::is_same_v<typename RealOf<T>::Type, float> ? 2e-5 : 1e-13;
}
template <typename T, typename S, typename D, typename C, typename W>
auto pick(S s, D d, C c, W z) {
  if constexpr (std::is_same_v<T, float>)
    return s;
  else if constexpr (std::is_same_v<T, double>)
    return d;
  else if constexpr (std::is_same_v<T, cuComplex>)
    return c;
  else
    return z;
}
#define FOUR(name) pick<T>(cublasS##name, cublasD##name, cublasC##name, cublasZ##name)
#define REAL2(name) pick<T>(cublasS##name, cublasD##name, 0, 0)
#define COMPLEX2(name) pick<T>(0, 0, cublasC##name, cublasZ##name)

// Elements of the device, and what they should be.
template <typename T> struct Array {
  std::vector<Z> h;
  T *d;
  explicit Array(size_t n) : h(n) {
    cudaMalloc(&d, n * sizeof(T));
    for (Z &x : h)
      x = value(number<T>(Z(anyNumber(), IsComplex<T> ? anyNumber() : 0)));
    put();
  }
  Array(const Array &) = delete;
  ~Array() { cudaFree(d); }
  void put() {
    std::vector<T> t;
    for (Z x : h)
      t.push_back(number<T>(x));
    cudaMemcpy(d, t.data(), t.size() * sizeof(T), cudaMemcpyHostToDevice);
  }
  void check(const std::string &what) {
    std::vector<T> t(h.size());
    cudaMemcpy(t.data(), d, t.size() * sizeof(T), cudaMemcpyDeviceToHost);
    for (size_t i = 0; i < h.size(); ++i)
      if (!(std::abs(value(t[i]) - h[i]) <= eps<T>() * (10 + std::abs(h[i])))) {
        char text[200];
        std::snprintf(text, 200, " [%zu] = %g %g, not %g %g", i, value(t[i]).real(),
                      value(t[i]).imag(), h[i].real(), h[i].imag());
        return expect(false, what + text);
      }
  }
};
static size_t at(int i, int n, int inc) {
  return size_t(inc >= 0 ? i * inc : (n - 1 - i) * -inc);
}
using Dense = std::vector<std::vector<Z>>; // [row][column]
static Dense dense(int m, int n, const std::function<Z(int, int)> &element) {
  Dense a(m, std::vector<Z>(n));
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j)
      a[i][j] = element(i, j);
  return a;
}
static Dense op(const Dense &a, cublasOperation_t t) {
  if (t == CUBLAS_OP_N)
    return a;
  return dense(int(a[0].size()), int(a.size()), [&](int i, int j) {
    return t == CUBLAS_OP_C ? std::conj(a[j][i]) : a[j][i];
  });
}
static Dense times(const Dense &a, const Dense &b) {
  return dense(int(a.size()), int(b[0].size()), [&](int i, int j) {
    Z sum = 0;
    for (size_t k = 0; k < b.size(); ++k)
      sum += a[i][k] * b[k][j];
    return sum;
  });
}
static Dense column(int n, const std::function<Z(int)> &e) {
  return dense(n, 1, [&](int i, int) { return e(i); });
}

static cublasHandle_t h;
constexpr cublasOperation_t Ops[] = {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C};
constexpr cublasFillMode_t Fills[] = {CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER};
constexpr cublasDiagType_t Diags[] = {CUBLAS_DIAG_NON_UNIT, CUBLAS_DIAG_UNIT};
constexpr cublasSideMode_t Sides[] = {CUBLAS_SIDE_LEFT, CUBLAS_SIDE_RIGHT};
static const double NaN = std::numeric_limits<double>::quiet_NaN();

template <typename T> void level1(int n, int incx, int incy) {
  using R = typename RealOf<T>::Type;
  const std::string what = std::string(1, "sdcz"[IsComplex<T> * 2 + (sizeof(R) == 8)]) +
                           " n=" + std::to_string(n) + " inc=" + std::to_string(incx) +
                           "," + std::to_string(incy) + " ";
  const auto X = [&](int i) { return at(i, n, incx); };
  const auto Y = [&](int i) { return at(i, n, incy); };
  Array<T> x(size_t(std::abs(incx)) * n + 1), y(size_t(std::abs(incy)) * n + 1);
  const auto close = [&](Z a, Z b) {
    return std::abs(a - b) <= eps<T>() * (10 + std::abs(b) + 0.01 * n);
  };
  Z dot = 0, dotc = 0;
  double asum = 0, nrm2 = 0;
  int most = 0, least = 0;
  const auto size = [&](int i) {
    const Z e = x.h[X(i)];
    return R(std::abs(R(e.real()))) + R(std::abs(R(e.imag())));
  };
  for (int i = 0; i < n; ++i) {
    const Z a = x.h[X(i)], b = y.h[Y(i)];
    dot += a * b, dotc += std::conj(a) * b, asum += std::abs(a.real()) + std::abs(a.imag()),
        nrm2 += std::norm(a);
    if (size(i) > size(most))
      most = i;
    if (size(i) < size(least))
      least = i;
  }
  T t{};
  R r{};
  int index = -1;
  if constexpr (IsComplex<T>) {
    COMPLEX2(dotu)(h, n, x.d, incx, y.d, incy, &t);
    expect(close(value(t), dot), what + "dotu");
    COMPLEX2(dotc)(h, n, x.d, incx, y.d, incy, &t);
    expect(close(value(t), dotc), what + "dotc");
  } else {
    REAL2(dot)(h, n, x.d, incx, y.d, incy, &t);
    expect(close(value(t), dot), what + "dot");
  }
  pick<T>(cublasSasum, cublasDasum, cublasScasum, cublasDzasum)(h, n, x.d, incx, &r);
  expect(close(r, incx > 0 ? asum : 0), what + "asum");
  pick<T>(cublasSnrm2, cublasDnrm2, cublasScnrm2, cublasDznrm2)(h, n, x.d, incx, &r);
  expect(close(r, incx > 0 ? std::sqrt(nrm2) : 0), what + "nrm2");
  pick<T>(cublasIsamax, cublasIdamax, cublasIcamax, cublasIzamax)(h, n, x.d, incx, &index);
  expect(index == (incx > 0 ? most + 1 : 0), what + "amax");
  pick<T>(cublasIsamin, cublasIdamin, cublasIcamin, cublasIzamin)(h, n, x.d, incx, &index);
  expect(index == (incx > 0 ? least + 1 : 0), what + "amin");

  const Z a(0.75, IsComplex<T> ? -0.5 : 0);
  const T alpha = number<T>(a);
  FOUR(axpy)(h, n, &alpha, x.d, incx, y.d, incy);
  for (int i = 0; i < n; ++i)
    y.h[Y(i)] += a * x.h[X(i)];
  y.check(what + "axpy");
  FOUR(swap)(h, n, x.d, incx, y.d, incy);
  for (int i = 0; i < n; ++i)
    std::swap(x.h[X(i)], y.h[Y(i)]);
  x.check(what + "swap"), y.check(what + "swap");
  FOUR(scal)(h, n, &alpha, x.d, incx);
  for (int i = 0; incx > 0 && i < n; ++i)
    x.h[X(i)] *= a;
  x.check(what + "scal");
  const R half = 0.5, c = R(0.6);
  const T s = number<T>(Z(0.8, IsComplex<T> ? 0.1 : 0));
  const auto rotate = [&](Z sine) {
    for (int i = 0; i < n; ++i) {
      const Z p = x.h[X(i)], q = y.h[Y(i)];
      x.h[X(i)] = double(c) * p + sine * q;
      y.h[Y(i)] = double(c) * q - std::conj(sine) * p;
    }
    x.check(what + "rot"), y.check(what + "rot");
  };
  FOUR(rot)(h, n, x.d, incx, y.d, incy, &c, &s);
  rotate(value(s));
  if constexpr (IsComplex<T>) {
    pick<T>(0, 0, cublasCsscal, cublasZdscal)(h, n, &half, x.d, incx);
    for (int i = 0; incx > 0 && i < n; ++i)
      x.h[X(i)] *= half;
    x.check(what + "real scal");
    pick<T>(0, 0, cublasCsrot, cublasZdrot)(h, n, x.d, incx, y.d, incy, &c, &half);
    rotate(half);
  } else {
    const T p[5] = {-1, T(0.5), T(-0.25), T(0.125), T(0.75)};
    REAL2(rotm)(h, n, x.d, incx, y.d, incy, p);
    for (int i = 0; i < n; ++i) {
      const Z u = x.h[X(i)], v = y.h[Y(i)];
      x.h[X(i)] = double(p[1]) * u + double(p[3]) * v;
      y.h[Y(i)] = double(p[2]) * u + double(p[4]) * v;
    }
    x.check(what + "rotm"), y.check(what + "rotm");
    T d1 = 2, d2 = 3, x1 = 1, y1 = 2, q[5];
    expect(REAL2(rotmg)(h, &d1, &d2, &x1, &y1, q) == 0, "rotmg");
    const double h11 = q[0] == 1 ? q[1] : 1, h12 = q[0] == 1 ? 1 : q[3],
                 h21 = q[0] == 1 ? -1 : q[2], h22 = q[0] == 1 ? q[4] : 1;
    expect(close(h21 * 1 + h22 * 2, 0) && close(h11 * 1 + h12 * 2, x1), "rotmg zeroes");
  }
  FOUR(copy)(h, n, x.d, incx, y.d, incy);
  for (int i = 0; i < n; ++i)
    y.h[Y(i)] = x.h[X(i)];
  y.check(what + "copy");
  T g = number<T>(Z(3, IsComplex<T> ? 1 : 0)), b = number<T>(4);
  const Z g0 = value(g), b0 = value(b);
  R cosine;
  T sine;
  FOUR(rotg)(h, &g, &b, &cosine, &sine);
  expect(close(double(cosine) * g0 + value(sine) * b0, value(g)) &&
             close(double(cosine) * b0 - std::conj(value(sine)) * g0, 0),
         what + "rotg");
}

template <typename T> void level2(int n, int incx, int incy, double zero) {
  using R = typename RealOf<T>::Type;
  const int m = n + 3, lda = m + 2, k = std::min(3, n - 1);
  const Z a(1.25, IsComplex<T> ? 0.5 : 0), b(zero, 0);
  const T alpha = number<T>(a), beta = number<T>(b);
  const R ralpha = R(1.25);
  Array<T> A(size_t(lda) * m);
  for (Z &e : A.h)
    e = value(number<T>(e / double(n)));
  A.put();
  const auto el = [&](int i, int j) { return A.h[size_t(j) * lda + i]; };
  const std::string what = (IsComplex<T> ? "complex" : "real") + std::to_string(sizeof(R)) +
                           " n=" + std::to_string(n) + " ";
  // y = alpha*M*x + beta*y
  const auto product = [&](const Dense &M, const std::string &name, auto call) {
    const int nx = int(M[0].size()), ny = int(M.size());
    Array<T> x(size_t(std::abs(incx)) * nx + 1), y(size_t(std::abs(incy)) * ny + 1);
    if (zero == 0)
      for (int i = 0; i < ny; ++i)
        y.h[at(i, ny, incy)] = Z(NaN, 0);
    y.put();
    expect(call(x.d, y.d) == CUBLAS_STATUS_SUCCESS, what + name + " status");
    const Dense r = times(M, column(nx, [&](int i) { return x.h[at(i, nx, incx)]; }));
    for (int i = 0; i < ny; ++i) {
      Z &e = y.h[at(i, ny, incy)];
      e = a * r[i][0] + (zero == 0 ? Z(0) : b * e);
    }
    y.check(what + name);
  };
  for (auto t : Ops) {
    product(op(dense(m, n, el), t), "gemv", [&](T *x, T *y) {
      return FOUR(gemv)(h, t, m, n, &alpha, A.d, lda, x, incx, &beta, y, incy);
    });
    const int kl = 1, ku = 2;
    product(op(dense(m, n, [&](int i, int j) {
                 return i - j > kl || j - i > ku ? Z(0) : el(ku + i - j, j);
               }), t), "gbmv", [&](T *x, T *y) {
      return FOUR(gbmv)(h, t, m, n, kl, ku, &alpha, A.d, lda, x, incx, &beta, y, incy);
    });
  }
  for (auto uplo : Fills) {
    const bool up = uplo == CUBLAS_FILL_MODE_UPPER;
    const auto in = [&](int i, int j) { return up ? i <= j : i >= j; };
    const auto packed = [&](int i, int j) {
      return A.h[up ? size_t(j) * (j + 1) / 2 + i : size_t(j) * n - size_t(j) * (j + 1) / 2 + i];
    };
    const auto banded = [&](int i, int j) {
      return std::abs(i - j) > k ? Z(0) : el(up ? k + i - j : i - j, j);
    };
    // The whole of a symmetric or Hermitian matrix of which a triangle is stored.
    const auto whole = [&](auto e, bool hermitian) {
      return dense(n, n, [=](int i, int j) {
        if (i == j)
          return hermitian ? Z(e(i, i).real()) : e(i, i);
        return in(i, j) ? e(i, j) : hermitian ? std::conj(e(j, i)) : e(j, i);
      });
    };
    if constexpr (IsComplex<T>) {
      product(whole(el, true), "hemv", [&](T *x, T *y) {
        return COMPLEX2(hemv)(h, uplo, n, &alpha, A.d, lda, x, incx, &beta, y, incy);
      });
      product(whole(banded, true), "hbmv", [&](T *x, T *y) {
        return COMPLEX2(hbmv)(h, uplo, n, k, &alpha, A.d, lda, x, incx, &beta, y, incy);
      });
      product(whole(packed, true), "hpmv", [&](T *x, T *y) {
        return COMPLEX2(hpmv)(h, uplo, n, &alpha, A.d, x, incx, &beta, y, incy);
      });
    } else {
      product(whole(banded, false), "sbmv", [&](T *x, T *y) {
        return REAL2(sbmv)(h, uplo, n, k, &alpha, A.d, lda, x, incx, &beta, y, incy);
      });
      product(whole(packed, false), "spmv", [&](T *x, T *y) {
        return REAL2(spmv)(h, uplo, n, &alpha, A.d, x, incx, &beta, y, incy);
      });
    }
    product(whole(el, false), "symv", [&](T *x, T *y) {
      return FOUR(symv)(h, uplo, n, &alpha, A.d, lda, x, incx, &beta, y, incy);
    });
    // Updates of one triangle.
    const auto update = [&](const std::string &name, bool isPacked, bool hermitian, int vectors,
                            auto call) {
      Array<T> x(size_t(std::abs(incx)) * n + 1), y(size_t(std::abs(incy)) * n + 1),
          C(size_t(lda) * n);
      expect(call(x.d, y.d, C.d) == 0, what + name + " status");
      const auto conj = [&](Z z) { return hermitian ? std::conj(z) : z; };
      const Z f = vectors == 1 && hermitian ? Z(ralpha) : a;
      for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i) {
          if (!in(i, j))
            continue;
          Z &e = C.h[!isPacked ? size_t(j) * lda + i
                     : up      ? size_t(j) * (j + 1) / 2 + i
                               : size_t(j) * n - size_t(j) * (j + 1) / 2 + i];
          const Z xi = x.h[at(i, n, incx)], xj = x.h[at(j, n, incx)],
                  yi = y.h[at(i, n, incy)], yj = y.h[at(j, n, incy)];
          e += vectors == 1 ? f * xi * conj(xj) : f * xi * conj(yj) + conj(f) * yi * conj(xj);
          if (i == j && hermitian)
            e = e.real();
        }
      C.check(what + name);
    };
#define UPDATES(FIRST, SECOND, PACKED, PACKED2, PICK, HERMITIAN, ALPHA)                            \
  update(#FIRST, false, HERMITIAN, 1,                                                              \
         [&](T *x, T *, T *C) { return PICK(FIRST)(h, uplo, n, &ALPHA, x, incx, C, lda); });       \
  update(#SECOND, false, HERMITIAN, 2, [&](T *x, T *y, T *C) {                                     \
    return PICK(SECOND)(h, uplo, n, &alpha, x, incx, y, incy, C, lda);                             \
  });                                                                                              \
  update(#PACKED, true, HERMITIAN, 1,                                                              \
         [&](T *x, T *, T *C) { return PICK(PACKED)(h, uplo, n, &ALPHA, x, incx, C); });           \
  update(#PACKED2, true, HERMITIAN, 2, [&](T *x, T *y, T *C) {                                     \
    return PICK(PACKED2)(h, uplo, n, &alpha, x, incx, y, incy, C);                                 \
  });
    if constexpr (IsComplex<T>) {
      UPDATES(her, her2, hpr, hpr2, COMPLEX2, true, ralpha)
      update("csyr", false, false, 1,
             [&](T *x, T *, T *C) { return COMPLEX2(syr)(h, uplo, n, &alpha, x, incx, C, lda); });
      update("csyr2", false, false, 2, [&](T *x, T *y, T *C) {
        return COMPLEX2(syr2)(h, uplo, n, &alpha, x, incx, y, incy, C, lda);
      });
    } else {
      UPDATES(syr, syr2, spr, spr2, REAL2, false, alpha)
    }
    // Triangles: the product, and the solution, whose product is what was given.
    for (auto t : Ops)
      for (auto diag : Diags) {
        const auto triangle = [&](auto e) {
          return op(dense(n, n, [=](int i, int j) {
                      if (i == j)
                        return diag == CUBLAS_DIAG_UNIT ? Z(1) : e(i, i);
                      return in(i, j) ? e(i, j) : Z(0);
                    }), t);
        };
        const auto both = [&](const std::string &name, const Dense &M, auto mv, auto sv) {
          Array<T> x(size_t(std::abs(incx)) * n + 1);
          const auto get = [&](int i) { return x.h[at(i, n, incx)]; };
          const std::vector<Z> start = x.h;
          expect(mv(x.d) == 0, what + name + " status");
          const Dense r = times(M, column(n, get));
          for (int i = 0; i < n; ++i)
            x.h[at(i, n, incx)] = r[i][0];
          x.check(what + name + "mv");
          if (diag == CUBLAS_DIAG_UNIT) {
            expect(sv(x.d) == 0, what + name + " status");
            x.h = start;
            x.check(what + name + "sv");
          }
        };
        both("tr", triangle(el),
             [&](T *x) { return FOUR(trmv)(h, uplo, t, diag, n, A.d, lda, x, incx); },
             [&](T *x) { return FOUR(trsv)(h, uplo, t, diag, n, A.d, lda, x, incx); });
        both("tb", triangle(banded),
             [&](T *x) { return FOUR(tbmv)(h, uplo, t, diag, n, k, A.d, lda, x, incx); },
             [&](T *x) { return FOUR(tbsv)(h, uplo, t, diag, n, k, A.d, lda, x, incx); });
        both("tp", triangle(packed),
             [&](T *x) { return FOUR(tpmv)(h, uplo, t, diag, n, A.d, x, incx); },
             [&](T *x) { return FOUR(tpsv)(h, uplo, t, diag, n, A.d, x, incx); });
      }
  }
  const auto outer = [&](const std::string &name, bool conj, auto call) {
    Array<T> x(size_t(std::abs(incx)) * m + 1), y(size_t(std::abs(incy)) * n + 1),
        C(size_t(lda) * n);
    expect(call(x.d, y.d, C.d) == 0, what + name + " status");
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < m; ++i) {
        const Z yj = y.h[at(j, n, incy)];
        C.h[size_t(j) * lda + i] += a * x.h[at(i, m, incx)] * (conj ? std::conj(yj) : yj);
      }
    C.check(what + name);
  };
  if constexpr (IsComplex<T>) {
    outer("geru", false, [&](T *x, T *y, T *C) {
      return COMPLEX2(geru)(h, m, n, &alpha, x, incx, y, incy, C, lda);
    });
    outer("gerc", true, [&](T *x, T *y, T *C) {
      return COMPLEX2(gerc)(h, m, n, &alpha, x, incx, y, incy, C, lda);
    });
  } else {
    outer("ger", false, [&](T *x, T *y, T *C) {
      return REAL2(ger)(h, m, n, &alpha, x, incx, y, incy, C, lda);
    });
  }
}

template <typename T> void level3(int m, int n, int k, double zero) {
  using R = typename RealOf<T>::Type;
  const int most = std::max(std::max(m, n), k), ld = most + 3;
  const Z a(0.75, IsComplex<T> ? 0.25 : 0), b(zero, 0);
  const T alpha = number<T>(a), beta = number<T>(b);
  const R ralpha = R(0.75), rbeta = R(zero);
  Array<T> A(size_t(ld) * most), B(size_t(ld) * most);
  for (Z &e : A.h)
    e = value(number<T>(e / double(most)));
  A.put();
  const std::string what = (IsComplex<T> ? "complex" : "real") + std::to_string(sizeof(R)) +
                           " m=" + std::to_string(m) + " ";
  const auto stored = [&](const Array<T> &x) {
    return [&x, ld](int i, int j) { return x.h[size_t(j) * ld + i]; };
  };
  const auto anywhere = [](int, int) { return true; };
  // C = f*M + beta*C where 'in'; NaN in C if beta is zero.
  const auto into = [&](const std::string &name, const Dense &M, Z f, auto in, bool hermitian,
                        auto call) {
    const int rows = int(M.size()), columns = int(M[0].size());
    Array<T> C(size_t(ld) * columns);
    for (int j = 0; zero == 0 && j < columns; ++j)
      for (int i = 0; i < rows; ++i)
        if (in(i, j))
          C.h[size_t(j) * ld + i] = Z(NaN);
    C.put();
    expect(call(C.d) == CUBLAS_STATUS_SUCCESS, what + name + " status");
    for (int j = 0; j < columns; ++j)
      for (int i = 0; i < rows; ++i)
        if (in(i, j)) {
          Z &e = C.h[size_t(j) * ld + i];
          e = f * M[i][j] + (zero == 0 ? Z(0) : b * e);
          if (hermitian && i == j)
            e = e.real();
        }
    C.check(what + name);
  };
  const auto matrix = [&](const Array<T> &x, int rows, int columns, cublasOperation_t t) {
    return op(t == CUBLAS_OP_N ? dense(rows, columns, stored(x)) : dense(columns, rows, stored(x)),
              t);
  };
  for (auto ta : Ops)
    for (auto tb : Ops) {
      into("gemm", times(matrix(A, m, k, ta), matrix(B, k, n, tb)), a, anywhere, false, [&](T *C) {
        return FOUR(gemm)(h, ta, tb, m, n, k, &alpha, A.d, ld, B.d, ld, &beta, C, ld);
      });
      if constexpr (IsComplex<T>)
        into("gemm3m", times(matrix(A, m, k, ta), matrix(B, k, n, tb)), a, anywhere, false,
             [&](T *C) {
               return COMPLEX2(gemm3m)(h, ta, tb, m, n, k, &alpha, A.d, ld, B.d, ld, &beta, C, ld);
             });
      Array<T> C(size_t(ld) * n);
      expect(FOUR(geam)(h, ta, tb, m, n, &alpha, A.d, ld, &beta, B.d, ld, C.d, ld) == 0, "geam");
      const Dense p = matrix(A, m, n, ta), q = matrix(B, m, n, tb);
      for (int j = 0; j < n; ++j)
        for (int i = 0; i < m; ++i)
          C.h[size_t(j) * ld + i] = a * p[i][j] + b * q[i][j];
      C.check(what + "geam");
    }
  for (auto uplo : Fills) {
    const bool up = uplo == CUBLAS_FILL_MODE_UPPER;
    const auto in = [&](int i, int j) { return up ? i <= j : i >= j; };
    const auto whole = [&](int order, bool hermitian) {
      const auto e = stored(A);
      return dense(order, order, [&](int i, int j) {
        if (i == j)
          return hermitian ? Z(e(i, i).real()) : e(i, i);
        return in(i, j) ? e(i, j) : hermitian ? std::conj(e(j, i)) : e(j, i);
      });
    };
    for (auto side : Sides) {
      const bool left = side == CUBLAS_SIDE_LEFT;
      const auto symmetric = [&](bool hermitian) {
        const Dense M = whole(left ? m : n, hermitian), N = dense(m, n, stored(B));
        return left ? times(M, N) : times(N, M);
      };
      into("symm", symmetric(false), a, anywhere, false, [&](T *C) {
        return FOUR(symm)(h, side, uplo, m, n, &alpha, A.d, ld, B.d, ld, &beta, C, ld);
      });
      if constexpr (IsComplex<T>)
        into("hemm", symmetric(true), a, anywhere, false, [&](T *C) {
          return COMPLEX2(hemm)(h, side, uplo, m, n, &alpha, A.d, ld, B.d, ld, &beta, C, ld);
        });
      for (auto t : Ops)
        for (auto diag : Diags) {
          const auto e = stored(A);
          const int order = left ? m : n;
          const Dense M = op(dense(order, order, [&](int i, int j) {
                               if (i == j)
                                 return diag == CUBLAS_DIAG_UNIT ? Z(1) : e(i, i);
                               return in(i, j) ? e(i, j) : Z(0);
                             }), t), N = dense(m, n, stored(B));
          const Dense P = left ? times(M, N) : times(N, M);
          Array<T> C(size_t(ld) * n);
          expect(FOUR(trmm)(h, side, uplo, t, diag, m, n, &alpha, A.d, ld, B.d, ld, C.d, ld) == 0,
                 "trmm status");
          for (int j = 0; j < n; ++j)
            for (int i = 0; i < m; ++i)
              C.h[size_t(j) * ld + i] = a * P[i][j];
          C.check(what + "trmm");
          if (diag != CUBLAS_DIAG_UNIT)
            continue;
          // There and back: alpha times the product, and the solution of one alpha-th.
          const T back = number<T>(Z(1) / a);
          expect(FOUR(trsm)(h, side, uplo, t, diag, m, n, &back, A.d, ld, C.d, ld) == 0,
                 "trsm status");
          for (int j = 0; j < n; ++j)
            for (int i = 0; i < m; ++i)
              C.h[size_t(j) * ld + i] = N[i][j];
          C.check(what + "trsm");
        }
    }
    for (auto t : Ops) {
      const Dense M = matrix(A, n, k, t), N = matrix(B, n, k, t);
      const auto plus = [&](const Dense &p, Z f, const Dense &q) {
        return dense(n, n, [&](int i, int j) { return p[i][j] + f * q[i][j]; });
      };
      if (!IsComplex<T> || t != CUBLAS_OP_C) {
        into("syrk", times(M, op(M, CUBLAS_OP_T)), a, in, false, [&](T *C) {
          return FOUR(syrk)(h, uplo, t, n, k, &alpha, A.d, ld, &beta, C, ld);
        });
        into("syr2k", plus(times(M, op(N, CUBLAS_OP_T)), 1, times(N, op(M, CUBLAS_OP_T))), a, in,
             false, [&](T *C) {
               return FOUR(syr2k)(h, uplo, t, n, k, &alpha, A.d, ld, B.d, ld, &beta, C, ld);
             });
        into("syrkx", times(M, op(N, CUBLAS_OP_T)), a, in, false, [&](T *C) {
          return FOUR(syrkx)(h, uplo, t, n, k, &alpha, A.d, ld, B.d, ld, &beta, C, ld);
        });
      }
      if constexpr (IsComplex<T>)
        if (t != CUBLAS_OP_T) {
          into("herk", times(M, op(M, CUBLAS_OP_C)), ralpha, in, true, [&](T *C) {
            return COMPLEX2(herk)(h, uplo, t, n, k, &ralpha, A.d, ld, &rbeta, C, ld);
          });
          into("her2k",
               plus(times(M, op(N, CUBLAS_OP_C)), std::conj(a) / a, times(N, op(M, CUBLAS_OP_C))),
               a, in, true, [&](T *C) {
                 return COMPLEX2(her2k)(h, uplo, t, n, k, &alpha, A.d, ld, B.d, ld, &rbeta, C, ld);
               });
        }
    }
    Array<T> AP(size_t(n) * (n + 1) / 2), C(size_t(ld) * n);
    expect(FOUR(tpttr)(h, uplo, n, AP.d, C.d, ld) == 0, "tpttr status");
    size_t next = 0;
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i)
        if (in(i, j))
          C.h[size_t(j) * ld + i] = AP.h[next++];
    C.check(what + "tpttr");
    expect(FOUR(trttp)(h, uplo, n, A.d, ld, AP.d) == 0, "trttp status");
    next = 0;
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i)
        if (in(i, j))
          AP.h[next++] = A.h[size_t(j) * ld + i];
    AP.check(what + "trttp");
  }
  for (auto side : Sides)
    for (int inc : {1, -2}) {
      const int length = side == CUBLAS_SIDE_LEFT ? m : n;
      Array<T> C(size_t(ld) * n), x(size_t(length) * 2 + 1);
      expect(FOUR(dgmm)(h, side, m, n, A.d, ld, x.d, inc, C.d, ld) == 0, "dgmm status");
      for (int j = 0; j < n; ++j)
        for (int i = 0; i < m; ++i)
          C.h[size_t(j) * ld + i] =
              A.h[size_t(j) * ld + i] * x.h[at(side == CUBLAS_SIDE_LEFT ? i : j, length, inc)];
      C.check(what + "dgmm");
    }
}

template <typename T> void all() {
  for (int n : {1, 7, 200, 20000})
    for (int inc : {1, -1, 2, -3})
      if (n < 20000 || inc != -3)
        level1<T>(n, inc, inc == 2 ? 1 : inc);
  level2<T>(5, 1, 1, 0), level2<T>(11, -2, 3, 0.5), level2<T>(33, 1, -1, 1);
  level3<T>(1, 1, 1, 0), level3<T>(5, 7, 3, 0.5), level3<T>(34, 20, 17, 1);
}

int main() {
  if (cublasCreate(&h) != CUBLAS_STATUS_SUCCESS) {
    std::puts("no handle");
    return 1;
  }
  all<float>(), all<double>(), all<cuComplex>(), all<cuDoubleComplex>();
  cublasDestroy(h);
  std::puts(failures ? "FAILED" : "PASSED");
  return failures != 0;
}

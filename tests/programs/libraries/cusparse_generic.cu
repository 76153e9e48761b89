// cuSPARSE against dense loops: products, triangular systems, sparse products,
// conversions, tridiagonal systems and incomplete factorisations, in four types,
// CSR, CSC and COO, both index types and bases, all operations; statuses.
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdio>
#include <cusparse.h>
#include <vector>

static int failures = 0;
static void expect(bool right, const char *what, const char *type = "") {
  if (!right && ++failures <= 30)
    std::printf("wrong: %s %s\n", what, type);
}
static unsigned state = 5;
static double noise() {
  state = state * 1664525u + 1013904223u;
  return (state >> 8) / double(1 << 24) - 0.5;
}

template <typename T> struct Kind;
template <> struct Kind<float> {
  static constexpr auto data = CUDA_R_32F;
  static constexpr const char *name = "S";
  static constexpr double epsilon = 1e-4;
};
template <> struct Kind<double> {
  static constexpr auto data = CUDA_R_64F;
  static constexpr const char *name = "D";
  static constexpr double epsilon = 1e-11;
};
template <> struct Kind<std::complex<float>> {
  static constexpr auto data = CUDA_C_32F;
  static constexpr const char *name = "C";
  static constexpr double epsilon = 1e-4;
};
template <> struct Kind<std::complex<double>> {
  static constexpr auto data = CUDA_C_64F;
  static constexpr const char *name = "Z";
  static constexpr double epsilon = 1e-11;
};
template <typename T> struct IsComplex { static constexpr bool value = false; };
template <typename R> struct IsComplex<std::complex<R>> {
  static constexpr bool value = true;
};
template <typename T> static T number() {
  if constexpr (IsComplex<T>::value)
    return T(noise(), noise());
  else
    return T(noise());
}
template <typename T> static T conjugate(T x) {
  if constexpr (IsComplex<T>::value)
    return std::conj(x);
  else
    return x;
}

template <typename T> struct Array {
  T *p = nullptr;
  size_t n;
  explicit Array(size_t n) : n(n) { cudaMalloc(&p, std::max<size_t>(n, 1) * sizeof(T)); }
  explicit Array(const std::vector<T> &v) : Array(v.size()) {
    cudaMemcpy(p, v.data(), n * sizeof(T), cudaMemcpyHostToDevice);
  }
  ~Array() { cudaFree(p); }
  std::vector<T> get() const {
    std::vector<T> v(n);
    cudaMemcpy(v.data(), p, n * sizeof(T), cudaMemcpyDeviceToHost);
    return v;
  }
};

template <typename T> using Dense = std::vector<std::vector<T>>; // by rows
template <typename T> static Dense<T> apply(const Dense<T> &a, cusparseOperation_t op) {
  if (op == CUSPARSE_OPERATION_NON_TRANSPOSE)
    return a;
  Dense<T> b(a[0].size(), std::vector<T>(a.size()));
  for (size_t i = 0; i < a.size(); ++i)
    for (size_t j = 0; j < a[0].size(); ++j)
      b[j][i] = op == CUSPARSE_OPERATION_TRANSPOSE ? a[i][j] : conjugate(a[i][j]);
  return b;
}
template <typename T> static Dense<T> product(const Dense<T> &a, const Dense<T> &b) {
  Dense<T> c(a.size(), std::vector<T>(b[0].size(), T(0)));
  for (size_t i = 0; i < a.size(); ++i)
    for (size_t k = 0; k < b.size(); ++k)
      for (size_t j = 0; j < b[0].size(); ++j)
        c[i][j] += a[i][k] * b[k][j];
  return c;
}
template <typename T> static Dense<T> sparse(int m, int n, double share) {
  Dense<T> a(m, std::vector<T>(n, T(0)));
  for (auto &row : a)
    for (T &x : row)
      if (noise() + 0.5 < share)
        x = number<T>();
  return a;
}
template <typename T> static bool near(T a, T b, double scale = 1) {
  return std::abs(a - b) <= Kind<T>::epsilon * scale * (1 + std::abs(b));
}

static cusparseHandle_t handle;

// A matrix on the device in one of the formats.
template <typename T, typename I> struct Sparse {
  cusparseSpMatDescr_t descr;
  std::vector<I> offsets, indices;
  std::vector<T> values;
  Array<I> *o, *x;
  Array<T> *v;
  Sparse(const Dense<T> &a, cusparseFormat_t format, int base) {
    int m = int(a.size()), n = int(a[0].size());
    bool columns = format == CUSPARSE_FORMAT_CSC;
    int majors = columns ? n : m, minors = columns ? m : n;
    offsets.push_back(I(base));
    std::vector<I> rows;
    for (int i = 0; i < majors; ++i) {
      for (int j = 0; j < minors; ++j) {
        T value = columns ? a[j][i] : a[i][j];
        if (value == T(0))
          continue;
        rows.push_back(I(i + base));
        indices.push_back(I(j + base));
        values.push_back(value);
      }
      offsets.push_back(I(indices.size() + base));
    }
    if (format == CUSPARSE_FORMAT_COO)
      offsets = rows;
    o = new Array<I>(offsets);
    x = new Array<I>(indices);
    v = new Array<T>(values);
    auto index = sizeof(I) == 8 ? CUSPARSE_INDEX_64I : CUSPARSE_INDEX_32I;
    auto from = base ? CUSPARSE_INDEX_BASE_ONE : CUSPARSE_INDEX_BASE_ZERO;
    int64_t count = int64_t(values.size());
    cusparseStatus_t made =
        format == CUSPARSE_FORMAT_CSR
            ? cusparseCreateCsr(&descr, m, n, count, o->p, x->p, v->p, index, index, from, Kind<T>::data)
        : columns
            ? cusparseCreateCsc(&descr, m, n, count, o->p, x->p, v->p, index, index, from, Kind<T>::data)
            : cusparseCreateCoo(&descr, m, n, count, o->p, x->p, v->p, index, from, Kind<T>::data);
    expect(made == CUSPARSE_STATUS_SUCCESS, "create", Kind<T>::name);
  }
  ~Sparse() {
    cusparseDestroySpMat(descr);
    delete o;
    delete x;
    delete v;
  }
};

static void *room(size_t bytes) {
  static void *memory = nullptr;
  static size_t present = 0;
  if (bytes > present) {
    cudaFree(memory);
    cudaMalloc(&memory, present = bytes);
  }
  return memory;
}

template <typename T, typename I> static void products() {
  const char *type = Kind<T>::name;
  const int m = 37, n = 29;
  Dense<T> a = sparse<T>(m, n, 0.2);
  size_t bytes;
  for (auto format : {CUSPARSE_FORMAT_CSR, CUSPARSE_FORMAT_CSC, CUSPARSE_FORMAT_COO})
    for (int base : {0, 1})
      for (auto op : {CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_TRANSPOSE,
                      CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE}) {
        if (op == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE && !IsComplex<T>::value)
          continue; // refused, see statuses
        Dense<T> opa = apply(a, op);
        int rows = int(opa.size()), columns = int(opa[0].size());
        Sparse<T, I> s(a, format, base);
        std::vector<T> x(columns), y(rows);
        for (T &e : x)
          e = number<T>();
        for (T &e : y)
          e = number<T>();
        T alpha = number<T>(), beta = base ? number<T>() : T(0);
        Array<T> dx(x), dy(y);
        cusparseDnVecDescr_t vx, vy;
        cusparseCreateDnVec(&vx, columns, dx.p, Kind<T>::data);
        cusparseCreateDnVec(&vy, rows, dy.p, Kind<T>::data);
        expect(cusparseSpMV_bufferSize(handle, op, &alpha, s.descr, vx, &beta, vy, Kind<T>::data,
                                       CUSPARSE_SPMV_ALG_DEFAULT, &bytes) == 0, "SpMV size", type);
        expect(cusparseSpMV(handle, op, &alpha, s.descr, vx, &beta, vy, Kind<T>::data,
                            CUSPARSE_SPMV_ALG_DEFAULT, room(bytes)) == 0, "SpMV", type);
        std::vector<T> got = dy.get();
        bool right = true;
        for (int i = 0; i < rows; ++i) {
          T sum(0);
          for (int j = 0; j < columns; ++j)
            sum += opa[i][j] * x[j];
          right &= near(got[i], alpha * sum + beta * y[i]);
        }
        expect(right, "SpMV result", type);
        cusparseDestroyDnVec(vx);
        cusparseDestroyDnVec(vy);
        // Times a dense matrix, its columns or its rows together.
        if (format == CUSPARSE_FORMAT_CSC)
          continue;
        const int k = 11;
        auto order = base ? CUSPARSE_ORDER_ROW : CUSPARSE_ORDER_COL;
        Dense<T> b = sparse<T>(columns, k, 2), c = sparse<T>(rows, k, 2);
        auto flat = [&](const Dense<T> &d) {
          std::vector<T> f;
          if (base)
            for (auto &row : d)
              f.insert(f.end(), row.begin(), row.end());
          else
            for (size_t j = 0; j < d[0].size(); ++j)
              for (auto &row : d)
                f.push_back(row[j]);
          return f;
        };
        Array<T> db(flat(b)), dc(flat(c));
        cusparseDnMatDescr_t mb, mc;
        cusparseCreateDnMat(&mb, columns, k, base ? k : columns, db.p, Kind<T>::data, order);
        cusparseCreateDnMat(&mc, rows, k, base ? k : rows, dc.p, Kind<T>::data, order);
        expect(cusparseSpMM_bufferSize(handle, op, CUSPARSE_OPERATION_NON_TRANSPOSE, &alpha, s.descr,
                                       mb, &beta, mc, Kind<T>::data, CUSPARSE_SPMM_ALG_DEFAULT,
                                       &bytes) == 0, "SpMM size", type);
        expect(cusparseSpMM(handle, op, CUSPARSE_OPERATION_NON_TRANSPOSE, &alpha, s.descr, mb, &beta,
                            mc, Kind<T>::data, CUSPARSE_SPMM_ALG_DEFAULT, room(bytes)) == 0, "SpMM", type);
        Dense<T> ab = product(opa, b);
        for (int i = 0; i < rows; ++i)
          for (int j = 0; j < k; ++j)
            ab[i][j] = alpha * ab[i][j] + beta * c[i][j];
        std::vector<T> all = dc.get(), wanted = flat(ab);
        right = true;
        for (size_t i = 0; i < all.size(); ++i)
          right &= near(all[i], wanted[i]);
        expect(right, "SpMM result", type);
        cusparseDestroyDnMat(mb);
        cusparseDestroyDnMat(mc);
      }
}

template <typename T> static void triangles() {
  const char *type = Kind<T>::name;
  const int n = 31;
  Dense<T> a = sparse<T>(n, n, 0.3);
  for (int i = 0; i < n; ++i)
    a[i][i] = T(4) + number<T>();
  size_t bytes;
  for (auto fill : {CUSPARSE_FILL_MODE_LOWER, CUSPARSE_FILL_MODE_UPPER})
    for (auto diagonal : {CUSPARSE_DIAG_TYPE_NON_UNIT, CUSPARSE_DIAG_TYPE_UNIT})
      for (auto op : {CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_TRANSPOSE}) {
        Dense<T> t = a;
        for (int i = 0; i < n; ++i)
          for (int j = 0; j < n; ++j)
            if (i == j ? diagonal == CUSPARSE_DIAG_TYPE_UNIT
                       : (fill == CUSPARSE_FILL_MODE_LOWER) == (j > i))
              t[i][j] = T(i == j);
        Dense<T> opt = apply(t, op);
        Sparse<T, int> s(a, CUSPARSE_FORMAT_CSR, 1);
        cusparseSpMatSetAttribute(s.descr, CUSPARSE_SPMAT_FILL_MODE, &fill, sizeof(fill));
        cusparseSpMatSetAttribute(s.descr, CUSPARSE_SPMAT_DIAG_TYPE, &diagonal, sizeof(diagonal));
        std::vector<T> x(n), y(n);
        for (T &e : x)
          e = number<T>();
        Array<T> dx(x), dy(y);
        T alpha = number<T>();
        cusparseDnVecDescr_t vx, vy;
        cusparseCreateDnVec(&vx, n, dx.p, Kind<T>::data);
        cusparseCreateDnVec(&vy, n, dy.p, Kind<T>::data);
        cusparseSpSVDescr_t work;
        cusparseSpSV_createDescr(&work);
        expect(cusparseSpSV_bufferSize(handle, op, &alpha, s.descr, vx, vy, Kind<T>::data,
                                       CUSPARSE_SPSV_ALG_DEFAULT, work, &bytes) == 0, "SpSV size", type);
        Array<char> buffer(bytes);
        expect(cusparseSpSV_analysis(handle, op, &alpha, s.descr, vx, vy, Kind<T>::data,
                                     CUSPARSE_SPSV_ALG_DEFAULT, work, buffer.p) == 0, "SpSV analysis", type);
        expect(cusparseSpSV_solve(handle, op, &alpha, s.descr, vx, vy, Kind<T>::data,
                                  CUSPARSE_SPSV_ALG_DEFAULT, work) == 0, "SpSV", type);
        std::vector<T> got = dy.get();
        bool right = true;
        for (int i = 0; i < n; ++i) {
          T sum(0);
          for (int j = 0; j < n; ++j)
            sum += opt[i][j] * got[j];
          right &= near(sum, alpha * x[i], 50);
        }
        expect(right, "SpSV result", type);
        cusparseSpSV_destroyDescr(work);
        cusparseDestroyDnVec(vx);
        cusparseDestroyDnVec(vy);
      }
}

template <typename T> static void sparseProducts() {
  const char *type = Kind<T>::name;
  const int m = 23, k = 19, n = 27;
  Dense<T> a = sparse<T>(m, k, 0.2), b = sparse<T>(k, n, 0.2), ab = product(a, b);
  Sparse<T, int> sa(a, CUSPARSE_FORMAT_CSR, 0), sb(b, CUSPARSE_FORMAT_CSR, 0);
  Array<int> offsets(m + 1);
  cusparseSpMatDescr_t c;
  cusparseCreateCsr(&c, m, n, 0, offsets.p, nullptr, nullptr, CUSPARSE_INDEX_32I,
                    CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, Kind<T>::data);
  T alpha(2), beta(0);
  auto none = CUSPARSE_OPERATION_NON_TRANSPOSE;
  cusparseSpGEMMDescr_t work;
  cusparseSpGEMM_createDescr(&work);
  size_t size1 = 0, size2 = 0;
  cusparseSpGEMM_workEstimation(handle, none, none, &alpha, sa.descr, sb.descr, &beta, c,
                                Kind<T>::data, CUSPARSE_SPGEMM_DEFAULT, work, &size1, nullptr);
  Array<char> buffer1(size1);
  cusparseSpGEMM_workEstimation(handle, none, none, &alpha, sa.descr, sb.descr, &beta, c,
                                Kind<T>::data, CUSPARSE_SPGEMM_DEFAULT, work, &size1, buffer1.p);
  cusparseSpGEMM_compute(handle, none, none, &alpha, sa.descr, sb.descr, &beta, c, Kind<T>::data,
                         CUSPARSE_SPGEMM_DEFAULT, work, &size2, nullptr);
  Array<char> buffer2(size2);
  expect(cusparseSpGEMM_compute(handle, none, none, &alpha, sa.descr, sb.descr, &beta, c,
                                Kind<T>::data, CUSPARSE_SPGEMM_DEFAULT, work, &size2, buffer2.p) == 0,
         "SpGEMM", type);
  int64_t rows, columns, count;
  cusparseSpMatGetSize(c, &rows, &columns, &count);
  Array<int> indices(count);
  Array<T> values(count);
  cusparseCsrSetPointers(c, offsets.p, indices.p, values.p);
  expect(cusparseSpGEMM_copy(handle, none, none, &alpha, sa.descr, sb.descr, &beta, c,
                             Kind<T>::data, CUSPARSE_SPGEMM_DEFAULT, work) == 0, "SpGEMM copy", type);
  std::vector<int> o = offsets.get(), x = indices.get();
  std::vector<T> v = values.get();
  Dense<T> got(m, std::vector<T>(n, T(0)));
  for (int i = 0; i < m; ++i)
    for (int p = o[i]; p < o[i + 1]; ++p)
      got[i][x[p]] += v[p];
  bool right = o[m] == count;
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j)
      right &= near(got[i][j], alpha * ab[i][j]);
  expect(right, "SpGEMM result", type);
  cusparseSpGEMM_destroyDescr(work);
  cusparseDestroySpMat(c);

  // To dense and back.
  Array<T> dense(size_t(m) * k);
  cusparseDnMatDescr_t d;
  cusparseCreateDnMat(&d, m, k, m, dense.p, Kind<T>::data, CUSPARSE_ORDER_COL);
  size_t bytes;
  cusparseSparseToDense_bufferSize(handle, sa.descr, d, CUSPARSE_SPARSETODENSE_ALG_DEFAULT, &bytes);
  expect(cusparseSparseToDense(handle, sa.descr, d, CUSPARSE_SPARSETODENSE_ALG_DEFAULT, room(bytes)) == 0,
         "SparseToDense", type);
  std::vector<T> flat = dense.get();
  right = true;
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < k; ++j)
      right &= flat[size_t(j) * m + i] == a[i][j];
  expect(right, "SparseToDense result", type);
  cusparseSpMatDescr_t back;
  cusparseCreateCsr(&back, m, k, 0, offsets.p, nullptr, nullptr, CUSPARSE_INDEX_32I,
                    CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, Kind<T>::data);
  cusparseDenseToSparse_bufferSize(handle, d, back, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, &bytes);
  Array<char> buffer(bytes);
  expect(cusparseDenseToSparse_analysis(handle, d, back, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, buffer.p) == 0,
         "DenseToSparse analysis", type);
  cusparseSpMatGetSize(back, &rows, &columns, &count);
  expect(count == int64_t(sa.values.size()), "DenseToSparse count", type);
  Array<int> indices2(count);
  Array<T> values2(count);
  cusparseCsrSetPointers(back, offsets.p, indices2.p, values2.p);
  expect(cusparseDenseToSparse_convert(handle, d, back, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, buffer.p) == 0,
         "DenseToSparse", type);
  expect(values2.get() == sa.values && indices2.get() == sa.indices && offsets.get() == sa.offsets,
         "DenseToSparse result", type);
  cusparseDestroySpMat(back);
  cusparseDestroyDnMat(d);
}

static void conversions() {
  const int m = 20, n = 17;
  Dense<double> a = sparse<double>(m, n, 0.25);
  Sparse<double, int> s(a, CUSPARSE_FORMAT_CSR, 0), t(a, CUSPARSE_FORMAT_CSC, 0), coo(a, CUSPARSE_FORMAT_COO, 0);
  int count = int(s.values.size());
  Array<int> rows(count), offsets(m + 1), columnOffsets(n + 1), rowIndices(count);
  Array<double> values(count);
  expect(cusparseXcsr2coo(handle, s.o->p, count, m, rows.p, CUSPARSE_INDEX_BASE_ZERO) == 0, "csr2coo");
  expect(rows.get() == coo.offsets, "csr2coo result");
  expect(cusparseXcoo2csr(handle, rows.p, count, m, offsets.p, CUSPARSE_INDEX_BASE_ZERO) == 0, "coo2csr");
  expect(offsets.get() == s.offsets, "coo2csr result");
  size_t bytes;
  cusparseCsr2cscEx2_bufferSize(handle, m, n, count, s.v->p, s.o->p, s.x->p, values.p, columnOffsets.p,
                                rowIndices.p, CUDA_R_64F, CUSPARSE_ACTION_NUMERIC,
                                CUSPARSE_INDEX_BASE_ZERO, CUSPARSE_CSR2CSC_ALG1, &bytes);
  expect(cusparseCsr2cscEx2(handle, m, n, count, s.v->p, s.o->p, s.x->p, values.p, columnOffsets.p,
                            rowIndices.p, CUDA_R_64F, CUSPARSE_ACTION_NUMERIC, CUSPARSE_INDEX_BASE_ZERO,
                            CUSPARSE_CSR2CSC_ALG1, room(bytes)) == 0, "csr2csc");
  expect(values.get() == t.values && columnOffsets.get() == t.offsets && rowIndices.get() == t.indices,
         "csr2csc result");
}

static void tridiagonal() {
  const int m = 40, columns = 3;
  std::vector<double> l(m), d(m), u(m), x(m * columns), b(m * columns);
  for (int pass = 0; pass < 2; ++pass) {
    for (int i = 0; i < m; ++i) {
      l[i] = i ? noise() : 0;
      u[i] = i < m - 1 ? noise() : 0;
      d[i] = pass ? noise() * 0.2 : 3 + noise(); // needs exchanges
    }
    for (double &e : x)
      e = noise();
    for (int c = 0; c < columns; ++c)
      for (int i = 0; i < m; ++i)
        b[c * m + i] = d[i] * x[c * m + i] + (i ? l[i] * x[c * m + i - 1] : 0) +
                       (i < m - 1 ? u[i] * x[c * m + i + 1] : 0);
    Array<double> dl(l), dd(d), du(u), db(b), dc(b);
    size_t bytes;
    expect(cusparseDgtsv2_bufferSizeExt(handle, m, columns, dl.p, dd.p, du.p, db.p, m, &bytes) == 0, "gtsv2 size");
    expect(cusparseDgtsv2(handle, m, columns, dl.p, dd.p, du.p, db.p, m, room(bytes)) == 0, "gtsv2");
    auto right = [&](const Array<double> &result) {
      std::vector<double> got = result.get();
      for (size_t i = 0; i < got.size(); ++i)
        if (std::fabs(got[i] - x[i]) > 1e-7)
          return false;
      return true;
    };
    expect(right(db), "gtsv2 result");
    if (pass)
      break;
    cusparseDgtsv2_nopivot_bufferSizeExt(handle, m, columns, dl.p, dd.p, du.p, dc.p, m, &bytes);
    expect(cusparseDgtsv2_nopivot(handle, m, columns, dl.p, dd.p, du.p, dc.p, m, room(bytes)) == 0 && right(dc),
           "gtsv2_nopivot");
    // Batches: strided, and interleaved.
    std::vector<double> ls, ds, us, li(m * columns), di(li), ui(li), bi(li), got;
    for (int c = 0; c < columns; ++c) {
      ls.insert(ls.end(), l.begin(), l.end());
      ds.insert(ds.end(), d.begin(), d.end());
      us.insert(us.end(), u.begin(), u.end());
      for (int i = 0; i < m; ++i) {
        li[i * columns + c] = l[i];
        di[i * columns + c] = d[i];
        ui[i * columns + c] = u[i];
        bi[i * columns + c] = b[c * m + i];
      }
    }
    Array<double> al(ls), ad(ds), au(us), ab(b), il(li), id(di), iu(ui), ib(bi);
    cusparseDgtsv2StridedBatch_bufferSizeExt(handle, m, al.p, ad.p, au.p, ab.p, columns, m, &bytes);
    expect(cusparseDgtsv2StridedBatch(handle, m, al.p, ad.p, au.p, ab.p, columns, m, room(bytes)) == 0 && right(ab),
           "gtsv2StridedBatch");
    cusparseDgtsvInterleavedBatch_bufferSizeExt(handle, 0, m, il.p, id.p, iu.p, ib.p, columns, &bytes);
    expect(cusparseDgtsvInterleavedBatch(handle, 0, m, il.p, id.p, iu.p, ib.p, columns, room(bytes)) == 0,
           "gtsvInterleavedBatch");
    got = ib.get();
    bool ok = true;
    for (int c = 0; c < columns; ++c)
      for (int i = 0; i < m; ++i)
        ok &= std::fabs(got[i * columns + c] - x[c * m + i]) < 1e-7;
    expect(ok, "gtsvInterleavedBatch result");
  }
}

// The matrix of a grid: LU and Cholesky's factors agree with it on its pattern.
static void incomplete() {
  const int side = 7, n = side * side;
  Dense<double> a(n, std::vector<double>(n, 0));
  for (int i = 0; i < n; ++i) {
    a[i][i] = 4.5;
    if (i % side)
      a[i][i - 1] = a[i - 1][i] = -1;
    if (i >= side)
      a[i][i - side] = a[i - side][i] = -1;
  }
  cusparseMatDescr_t descr;
  cusparseCreateMatDescr(&descr);
  cusparseSetMatType(descr, CUSPARSE_MATRIX_TYPE_GENERAL);
  expect(cusparseGetMatIndexBase(descr) == CUSPARSE_INDEX_BASE_ZERO, "base");
  for (bool cholesky : {false, true}) {
    Sparse<double, int> s(a, CUSPARSE_FORMAT_CSR, 0);
    int count = int(s.values.size()), bytes = 0, position = -7;
    if (cholesky) {
      csric02Info_t info;
      cusparseCreateCsric02Info(&info);
      cusparseDcsric02_bufferSize(handle, n, count, descr, s.v->p, s.o->p, s.x->p, info, &bytes);
      cusparseDcsric02_analysis(handle, n, count, descr, s.v->p, s.o->p, s.x->p, info,
                                CUSPARSE_SOLVE_POLICY_NO_LEVEL, room(bytes));
      expect(cusparseDcsric02(handle, n, count, descr, s.v->p, s.o->p, s.x->p, info,
                              CUSPARSE_SOLVE_POLICY_NO_LEVEL, room(bytes)) == 0, "csric02");
      expect(cusparseXcsric02_zeroPivot(handle, info, &position) == 0 && position == -1, "no zero pivot");
      cusparseDestroyCsric02Info(info);
    } else {
      csrilu02Info_t info;
      cusparseCreateCsrilu02Info(&info);
      cusparseDcsrilu02_bufferSize(handle, n, count, descr, s.v->p, s.o->p, s.x->p, info, &bytes);
      cusparseDcsrilu02_analysis(handle, n, count, descr, s.v->p, s.o->p, s.x->p, info,
                                 CUSPARSE_SOLVE_POLICY_NO_LEVEL, room(bytes));
      expect(cusparseDcsrilu02(handle, n, count, descr, s.v->p, s.o->p, s.x->p, info,
                               CUSPARSE_SOLVE_POLICY_NO_LEVEL, room(bytes)) == 0, "csrilu02");
      expect(cusparseXcsrilu02_zeroPivot(handle, info, &position) == 0 && position == -1, "no zero pivot");
      cusparseDestroyCsrilu02Info(info);
    }
    std::vector<double> v = s.v->get();
    Dense<double> lower(n, std::vector<double>(n, 0)), upper = lower;
    for (int i = 0; i < n; ++i) {
      lower[i][i] = 1;
      for (int p = s.offsets[i]; p < s.offsets[i + 1]; ++p) {
        int j = s.indices[p];
        if (cholesky ? j <= i : j < i)
          lower[i][j] = v[p];
        if (!cholesky && j >= i)
          upper[i][j] = v[p];
      }
    }
    if (cholesky)
      upper = apply(lower, CUSPARSE_OPERATION_TRANSPOSE);
    Dense<double> lu = product(lower, upper);
    bool right = true;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        right &= a[i][j] == 0 || std::fabs(lu[i][j] - a[i][j]) < 1e-12;
    expect(right, cholesky ? "csric02 result" : "csrilu02 result");
  }
  cusparseDestroyMatDescr(descr);
}

static void statuses() {
  cusparseDnVecDescr_t v;
  Array<double> d(4);
  expect(cusparseCreateDnVec(&v, -1, d.p, CUDA_R_64F) == CUSPARSE_STATUS_INVALID_VALUE, "negative size");
  cusparseSpMatDescr_t s;
  Array<int> i(5);
  expect(cusparseCreateCsr(&s, -4, 4, 4, i.p, i.p, d.p, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                           CUSPARSE_INDEX_BASE_ZERO, CUDA_R_64F) == CUSPARSE_STATUS_INVALID_VALUE,
         "negative rows");
  expect(cusparseSetStream(nullptr, nullptr) == CUSPARSE_STATUS_INVALID_VALUE, "no handle");
  expect(cusparseXcoo2csr(nullptr, i.p, 0, 1, i.p, CUSPARSE_INDEX_BASE_ZERO) ==
             CUSPARSE_STATUS_NOT_INITIALIZED, "no handle, older interface");
  expect(cusparseDestroy(nullptr) == CUSPARSE_STATUS_SUCCESS, "destroy nothing");
  Sparse<double, int> real({{1, 2}, {3, 4}}, CUSPARSE_FORMAT_CSR, 0);
  double one = 1;
  size_t bytes;
  cusparseCreateDnVec(&v, 2, d.p, CUDA_R_64F);
  expect(cusparseSpMV_bufferSize(handle, CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE, &one, real.descr, v,
                                 &one, v, CUDA_R_64F, CUSPARSE_SPMV_ALG_DEFAULT,
                                 &bytes) == CUSPARSE_STATUS_INVALID_VALUE,
         "conjugate of a real matrix");
  cusparseDestroyDnVec(v);
  int version = 0;
  expect(cusparseGetVersion(handle, &version) == 0 && version >= 11000, "version");
}

int main() {
  expect(cusparseCreate(&handle) == CUSPARSE_STATUS_SUCCESS, "create");
  products<float, int>();
  products<double, int>();
  products<double, int64_t>();
  products<std::complex<float>, int>();
  products<std::complex<double>, int64_t>();
  triangles<double>();
  triangles<std::complex<double>>();
  sparseProducts<float>();
  sparseProducts<double>();
  sparseProducts<std::complex<double>>();
  conversions();
  tridiagonal();
  incomplete();
  statuses();
  expect(cusparseDestroy(handle) == CUSPARSE_STATUS_SUCCESS, "destroy");
  std::puts(failures ? "FAILED" : "PASSED");
  return failures != 0;
}

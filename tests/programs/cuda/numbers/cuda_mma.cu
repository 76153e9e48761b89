// Products of small matrices by a warp: types, shapes and layouts of mma.h
// against sums on the host. One level of processors, for such kernels take long
// to compile.
// FLAGS: -arch=sm_80 -march=x86-64-v2
#include <cmath>
#include <cstdio>
#include <initializer_list>
#include <mma.h>
using namespace nvcuda;

template <class T> struct Stored {
  typedef T type;
};
template <> struct Stored<wmma::precision::tf32> {
  typedef float type;
};

/// d = 2 (a b + c), where c and d lie in rows, or in columns.
template <class T, class D, int m, int n, int k, class LayoutA, class LayoutB>
__global__ void product(D *d, const typename Stored<T>::type *a,
                        const typename Stored<T>::type *b, const D *c,
                        unsigned lda, unsigned ldb, bool rows) {
  wmma::fragment<wmma::matrix_a, m, n, k, T, LayoutA> x;
  wmma::fragment<wmma::matrix_b, m, n, k, T, LayoutB> y;
  wmma::fragment<wmma::accumulator, m, n, k, D> sum, old;
  wmma::load_matrix_sync(x, a, lda);
  wmma::load_matrix_sync(y, b, ldb);
  wmma::layout_t layout = rows ? wmma::mem_row_major : wmma::mem_col_major;
  unsigned ldc = rows ? n : m;
  wmma::load_matrix_sync(old, c, ldc, layout);
  wmma::fill_fragment(sum, D(0));
  wmma::mma_sync(sum, x, y, sum);
  for (int i = 0; i < sum.num_elements; ++i)
    sum.x[i] = D((float)sum.x[i] + (float)old.x[i]) * D(2);
  wmma::store_matrix_sync(d, sum, ldc, layout);
}

static int wrong = 0;

template <class T, class D, int m, int n, int k, class LayoutA, class LayoutB>
static void check(const char *name) {
  typedef typename Stored<T>::type Element;
  Element *a, *b;
  D *c, *d;
  const int space = 40; // leading dimensions beyond what is needed
  cudaMallocManaged(&a, space * space * sizeof(Element));
  cudaMallocManaged(&b, space * space * sizeof(Element));
  cudaMallocManaged(&c, m * n * sizeof(D));
  cudaMallocManaged(&d, m * n * sizeof(D));
  for (int i = 0; i < space * space; ++i) {
    a[i] = Element(float(i * 7 % 11));
    b[i] = Element(float(i * 5 % 13));
  }
  for (int i = 0; i < m * n; ++i)
    c[i] = D(float(i % 17));
  const bool columnsA = __is_same(LayoutA, wmma::col_major);
  const bool columnsB = __is_same(LayoutB, wmma::col_major);
  const unsigned lda = 32, ldb = 32;
  for (int rows = 0; rows < 2; ++rows) {
    product<T, D, m, n, k, LayoutA, LayoutB>
        <<<1, 32>>>(d, a, b, c, lda, ldb, rows);
    if (cudaDeviceSynchronize() != cudaSuccess)
      ++wrong;
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < n; ++j) {
        const int at = rows ? i * n + j : j * m + i;
        float sum = c[at];
        for (int l = 0; l < k; ++l)
          sum += (float)a[columnsA ? l * lda + i : i * lda + l] *
                 (float)b[columnsB ? j * ldb + l : l * ldb + j];
        if (!(std::fabs((float)d[at] - 2 * sum) <= 2e-3f * 2 * sum)) {
          if (++wrong < 10)
            printf("%s %dx%dx%d %d %d: %g not %g\n", name, m, n, k, i, j,
                   (float)d[at], 2 * sum);
        }
      }
  }
  cudaFree(a);
  cudaFree(b);
  cudaFree(c);
  cudaFree(d);
}

/// A sum that an int cannot hold.
__global__ void saturate(int *d, bool saturates) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, signed char, wmma::row_major> a;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, signed char, wmma::col_major> b;
  wmma::fragment<wmma::accumulator, 16, 16, 16, int> c;
  wmma::fill_fragment(a, (signed char)100);
  wmma::fill_fragment(b, (signed char)100);
  wmma::fill_fragment(c, 0x7ffffff0);
  wmma::mma_sync(c, a, b, c, saturates);
  wmma::store_matrix_sync(d, c, 16, wmma::mem_row_major);
}

int main() {
  using wmma::col_major;
  using wmma::row_major;
  check<__half, float, 16, 16, 16, row_major, col_major>("half");
  check<__half, __half, 32, 8, 16, col_major, row_major>("half in half");
  check<__nv_bfloat16, float, 8, 32, 16, row_major, row_major>("bfloat16");
  check<unsigned char, int, 16, 16, 16, col_major, col_major>("uint8");
  check<wmma::precision::tf32, float, 16, 16, 8, row_major, col_major>("tf32");
  check<double, double, 8, 8, 4, col_major, row_major>("double");
  int *d;
  cudaMallocManaged(&d, 256 * sizeof(int));
  for (bool saturates : {true, false}) {
    saturate<<<1, 32>>>(d, saturates);
    if (cudaDeviceSynchronize() != cudaSuccess ||
        d[77] != (saturates ? 0x7fffffff : int(0x7ffffff0u + 160000u))) {
      printf("saturate %d: %d\n", saturates, d[77]);
      ++wrong;
    }
  }
  puts(wrong ? "FAILED" : "PASSED");
}

// Conversions of numbers that an integer cannot hold: a GPU gives the nearest
// that it can, and zero for what is no number.
#include <cmath>
#include <cstdio>

template <typename T> struct Results {
  int small;
  unsigned positive;
  long long large;
  unsigned long long largest;
};

template <typename T>
__global__ void convert(int n, const T *x, Results<T> *results) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    results[i] = {(int)x[i], (unsigned)x[i], (long long)x[i],
                  (unsigned long long)x[i]};
}

template <typename I, typename T> I nearest(T x, I least, I most) {
  return x <= T(least) ? least : x >= T(most) ? most : I(x);
}

template <typename T> int wrong() {
  constexpr int n = 64;
  T *x;
  Results<T> *results;
  cudaMallocManaged(&x, n * sizeof(T));
  cudaMallocManaged(&results, n * sizeof(Results<T>));
  const T some[] = {0,    7.9f,  1e9f,  2147483520, 3e9f,
                    5e9f, 1e18f, 1e19f, 3e38f,      T(INFINITY)};
  for (int i = 0; i < n; ++i)
    x[i] = some[i / 2 % 10] * (i % 2 ? -1 : 1) + (i > 30 ? T(0.25) : 0);
  convert<<<2, 32>>>(n, x, results);
  cudaDeviceSynchronize();
  int found = 0;
  for (int i = 0; i < n; ++i) {
    const Results<T> &r = results[i];
    found += r.small != nearest<int>(x[i], -2147483647 - 1, 2147483647) ||
             r.positive != nearest<unsigned>(x[i], 0, 4294967295) ||
             r.large != nearest<long long>(x[i], -9223372036854775807 - 1,
                                           9223372036854775807) ||
             r.largest !=
                 nearest<unsigned long long>(x[i], 0, 18446744073709551615u);
  }
  cudaFree(x);
  cudaFree(results);
  return found;
}

int main() {
  int single = wrong<float>(), both = wrong<double>();
  float *nan;
  Results<float> *zero;
  cudaMallocManaged(&nan, sizeof(float));
  cudaMallocManaged(&zero, sizeof(Results<float>));
  *nan = NAN;
  convert<<<1, 1>>>(1, nan, zero);
  cudaDeviceSynchronize();
  bool fine = !single && !both && zero->small == 0 && zero->positive == 0;
  if (!fine)
    printf("%d %d %d %u\n", single, both, zero->small, zero->positive);
  printf(fine ? "PASSED\n" : "FAILED\n");
}

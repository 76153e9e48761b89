// Thrust, from Debian's package or another place.
// NEEDS: thrust/sort.h
// FLAGS: -march=x86-64-v2
// VARIANTS: cpu cuda
// SLOW:
#include <cstdio>
#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/unique.h>

struct Square {
  __host__ __device__ int operator()(int x) const { return x * x % 1000; }
};

struct IsOdd {
  __host__ __device__ bool operator()(int x) const { return x % 2 != 0; }
};

static int wrong = 0;
static void expect(bool holds, const char *what) {
  if (holds)
    return;
  std::printf("wrong: %s\n", what);
  ++wrong;
}

int main() {
  const int n = 20000;
  thrust::host_vector<int> keys(n);
  for (int i = 0; i < n; ++i)
    keys[i] = int(i * 7919ll % 20011);
  thrust::device_vector<int> d = keys, e(n);

  bool holds;
#ifdef SORT // whose kernels take most of the compiler's time
  thrust::sequence(e.begin(), e.end());
  thrust::sort_by_key(d.begin(), d.end(), e.begin());
  thrust::host_vector<int> sorted = d, from = e;
  holds = true;
  for (int i = 0; i < n; ++i)
    holds &=
        keys[from[i]] == sorted[i] && (i == 0 || sorted[i - 1] <= sorted[i]);
  expect(holds, "sort_by_key");
#endif

  thrust::sequence(d.begin(), d.end());
  thrust::transform(d.begin(), d.end(), e.begin(), Square());
  int sum = 0;
  for (int i = 0; i < n; ++i)
    sum += Square()(i);
  expect(thrust::reduce(e.begin(), e.end()) == sum, "transform, reduce");

  thrust::exclusive_scan(d.begin(), d.end(), e.begin());
  thrust::host_vector<int> scanned = e;
  holds = scanned[0] == 0;
  for (int i = 1; i < n; ++i)
    holds &= scanned[i] == scanned[i - 1] + i - 1;
  expect(holds, "exclusive_scan");

  auto end = thrust::copy_if(d.begin(), d.end(), e.begin(), IsOdd());
  expect(end - e.begin() == n / 2 && e[0] == 1 && e[n / 2 - 1] == n - 1,
         "copy_if");

  for (int i = 0; i < n; ++i)
    keys[i] = i / 3;
  d = keys;
  end = thrust::unique(d.begin(), d.end());
  expect(end - d.begin() == (n + 2) / 3 && d[100] == 100, "unique");
  if (!wrong)
    std::puts("PASSED");
}

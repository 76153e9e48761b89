// Thrust and CUB with a toolkit's headers.
#include <cstdio>
#include <cub/cub.cuh>
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/transform.h>

struct Square {
  __host__ __device__ int operator()(int x) const { return x * x % 1000; }
};

int main() {
  const int n = 20000;
  thrust::host_vector<int> keys(n);
  for (int i = 0; i < n; ++i)
    keys[i] = int(i * 7919ll % 20011);
  thrust::device_vector<int> d = keys, e(n);
  thrust::sort(d.begin(), d.end());
  thrust::host_vector<int> sorted = d;
  int wrong = 0;
  for (int i = 1; i < n; ++i)
    wrong += sorted[i - 1] > sorted[i];
  thrust::sequence(d.begin(), d.end());
  thrust::transform(d.begin(), d.end(), e.begin(), Square());
  int sum = thrust::reduce(e.begin(), e.end());
  for (int i = 0; i < n; ++i)
    sum -= Square()(i);
  thrust::exclusive_scan(d.begin(), d.end(), e.begin());
  thrust::host_vector<int> scanned = e;
  for (int i = 1; i < n; ++i)
    wrong += scanned[i] != scanned[i - 1] + i - 1;
  int *total;
  void *space = nullptr;
  size_t bytes = 0;
  cudaMallocManaged(&total, sizeof(int));
  for (int pass = 0; pass < 2; ++pass) {
    cub::DeviceReduce::Sum(space, bytes, thrust::raw_pointer_cast(d.data()),
                           total, n);
    if (!pass)
      cudaMalloc(&space, bytes);
  }
  cudaDeviceSynchronize();
  std::printf("wrong: %d, sum: %d, cub: %d\n", wrong, sum,
              *total - n / 2 * (n - 1));
}

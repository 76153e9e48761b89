// CUB on the CPU: scans in one pass over the data, whose blocks look back at
// those before them, against a reduction and a scan by kernels of our own, and
// its radix sort against std::sort on one thread: lines "row NAME CUB other
// unit target". Nothing where CUB is not installed.
#if !__has_include(<cub/cub.cuh>)
int main() {}
#else
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>
#include <vector>

constexpr int Threads = 128, PerThread = 16, Tile = Threads * PerThread;

__device__ int scanOfBlock(int value, int *shared) {
  const int t = threadIdx.x;
  shared[t] = value;
  for (int distance = 1; distance < Threads; distance *= 2) {
    __syncthreads();
    const int before = t >= distance ? shared[t - distance] : 0;
    __syncthreads();
    shared[t] += before;
  }
  __syncthreads();
  return shared[t];
}

__global__ void reduceTiles(const int *a, int *sums) {
  __shared__ int shared[Threads];
  int sum = 0;
  for (int i = 0; i < PerThread; ++i)
    sum += a[blockIdx.x * Tile + i * Threads + threadIdx.x];
  sum = scanOfBlock(sum, shared);
  if (threadIdx.x == Threads - 1)
    sums[blockIdx.x] = sum;
}

__global__ void scanSums(int *sums, int n) {
  __shared__ int shared[Threads];
  int carried = 0;
  for (int start = 0; start < n; start += Threads) {
    const int i = start + threadIdx.x;
    const int value = i < n ? sums[i] : 0;
    const int sum = scanOfBlock(value, shared);
    if (i < n)
      sums[i] = carried + sum - value;
    __syncthreads();
    carried += shared[Threads - 1];
    __syncthreads();
  }
}

__global__ void scanTiles(const int *a, const int *sums, int *b) {
  __shared__ int shared[Threads], tile[Tile + Threads];
  const int t = threadIdx.x;
  for (int i = 0; i < PerThread; ++i) {
    const int k = i * Threads + t;
    tile[k + k / PerThread] = a[blockIdx.x * Tile + k];
  }
  __syncthreads();
  int sum = 0;
  for (int i = 0; i < PerThread; ++i)
    sum += tile[t * (PerThread + 1) + i];
  int before = sums[blockIdx.x] + scanOfBlock(sum, shared) - sum;
  for (int i = 0; i < PerThread; ++i) {
    const int value = tile[t * (PerThread + 1) + i];
    tile[t * (PerThread + 1) + i] = before;
    before += value;
  }
  __syncthreads();
  for (int i = 0; i < PerThread; ++i) {
    const int k = i * Threads + t;
    b[blockIdx.x * Tile + k] = tile[k + k / PerThread];
  }
}

template <typename Work> static double seconds(Work work) {
  using Clock = std::chrono::steady_clock;
  double best = 1e30;
  for (int round = 0; round < 5; ++round) {
    auto begin = Clock::now();
    work();
    cudaDeviceSynchronize();
    best = std::min(
        best, std::chrono::duration<double>(Clock::now() - begin).count());
  }
  return best;
}

template <typename T> static T *allocate(size_t n) {
  T *p = nullptr;
  if (cudaMallocManaged(&p, n * sizeof(T)) != cudaSuccess)
    std::exit(1);
  return p;
}

int main() {
  const int n = 1 << 24, tiles = n / Tile;
  int *a = allocate<int>(n), *b = allocate<int>(n), *c = allocate<int>(n),
      *sums = allocate<int>(tiles);
  for (int i = 0; i < n; ++i)
    a[i] = int(i * 2654435761u >> 8) % 1000;
  size_t scanBytes = 0, sortBytes = 0;
  cub::DeviceScan::ExclusiveSum(nullptr, scanBytes, a, b, n);
  cub::DeviceRadixSort::SortKeys(nullptr, sortBytes, a, b, n);
  void *space = allocate<char>(std::max(scanBytes, sortBytes));

  const double one = seconds(
      [&] { cub::DeviceScan::ExclusiveSum(space, scanBytes, a, b, n); });
  const double two = seconds([&] {
    reduceTiles<<<tiles, Threads>>>(a, sums);
    scanSums<<<1, Threads>>>(sums, tiles);
    scanTiles<<<tiles, Threads>>>(a, sums, c);
  });
  if (!std::equal(b, b + n, c))
    return 1;
  std::printf("row scan n=2^24 %.2f %.2f GB/s 0.50\n", 8e-9 * n / one,
              8e-9 * n / two);

  for (int i = 0; i < n; ++i)
    a[i] = int(i * 2654435761u) >> 1;
  const double sort = seconds(
      [&] { cub::DeviceRadixSort::SortKeys(space, sortBytes, a, b, n); });
  std::vector<int> host(a, a + n);
  auto begin = std::chrono::steady_clock::now();
  std::sort(host.begin(), host.end());
  const double direct =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin)
          .count();
  if (!std::equal(b, b + n, host.begin()))
    return 1;
  std::printf("row radix_sort n=2^24 %.2f %.2f Mkey/s 0.50\n", 1e-6 * n / sort,
              1e-6 * n / direct);
}
#endif

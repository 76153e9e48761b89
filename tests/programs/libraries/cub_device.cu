// CUB's algorithms for a whole device, from Debian's package or another place:
// blocks that look back at what those before them have found.
// NEEDS: cub/cub.cuh
// FLAGS: -march=x86-64-v2
#include <cstdio>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_select.cuh>
#include <vector>

template <class T> class Array {
public:
  explicit Array(size_t n) { cudaMallocManaged(&data, n * sizeof(T)); }
  ~Array() { cudaFree(data); }
  operator T *() { return data; }

private:
  T *data;
};

// An algorithm, which asks for its memory first.
#define CALL(...)                                                              \
  {                                                                            \
    void *space = nullptr;                                                     \
    size_t bytes = 0;                                                          \
    __VA_ARGS__;                                                               \
    cudaMalloc(&space, bytes);                                                 \
    __VA_ARGS__;                                                               \
    expect(cudaDeviceSynchronize() == cudaSuccess, #__VA_ARGS__);              \
    cudaFree(space);                                                           \
  }

static int wrong = 0;
static void expect(bool holds, const char *what) {
  if (holds)
    return;
  std::printf("wrong: %s\n", what);
  ++wrong;
}

struct IsOdd {
  __host__ __device__ bool operator()(int x) const { return x % 2 != 0; }
};

int main() {
  const int n = 30011;
  Array<int> a(n), b(n), number(1);
  std::vector<int> host(n);
  for (int i = 0; i < n; ++i)
    host[i] = a[i] = int(i * 7919ll % 1009) / 3;

  CALL(cub::DeviceScan::InclusiveSum(space, bytes, (int *)a, (int *)b, n));
  int sum = 0, differ = 0;
  for (int i = 0; i < n; ++i)
    differ += b[i] != (sum += host[i]);
  expect(differ == 0, "sums");

  CALL(cub::DeviceSelect::If(space, bytes, (int *)a, (int *)b, (int *)number, n,
                             IsOdd()));
  int found = 0;
  differ = 0;
  for (int i = 0; i < n; ++i)
    if (host[i] % 2)
      differ += b[found++] != host[i];
  expect(differ == 0 && number[0] == found, "odd ones");

  if (!wrong)
    std::puts("PASSED");
}

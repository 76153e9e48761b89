// Loops from -r to r, where r is the thread's own, with atomic operations and
// with loops within: the driver's compiler counts the iterations of some forms of
// them wrongly, which the compiler has to keep out of its way.
#include <cstdio>
#include <cstdlib>

constexpr int Count = 512, Most = 9, Width = Count + 4 * Most;

__global__ void add(const int *radii, int *sums) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  int r = radii[t];
  for (int i = -r; i <= r; i++)
    atomicAdd(&sums[t + 2 * Most + i], 1);
}

__global__ void addWide(const int *radii, int *sums) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  long long r = radii[t];
  for (long long i = -r; i < r + 1; i++)
    atomicAdd(&sums[t + 2 * Most + i], 1);
}

__global__ void addInSteps(const int *radii, int *sums) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  int r = radii[t];
  for (int i = -r; i < r + 2; i += 2)
    atomicAdd(&sums[t + 2 * Most + i], 1);
}

__global__ void addInSquares(const int *radii, int *sums, int width) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  int r = radii[t];
  for (int i = -r; i < r + 1; i++)
    for (int j = -r; j < r + 1; j++)
      if (r != 3)
        atomicAdd(&sums[(i + Most) * width + t + 2 * Most + j], 1);
}

__global__ void grow(const int *radii, int *sums, int width, int most) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  int r = 1, q = 1, sum = 0;
  while (sum < radii[t] * 4 && q < most) {
    r = q;
    sum = 0;
    for (int i = -r; i < r + 1; i++)
      for (int j = -r; j < r + 1; j++)
        sum += (i + j + t) & 1;
    q++;
  }
  for (int i = -r; i < r + 1; i++)
    for (int j = -r; j < r + 1; j++)
      if (sum != 0)
        atomicAdd(&sums[(i + Most) * width + t + 2 * Most + j], sum);
}

static int radiusOf(int t) { return (t * 7 + t / 5) % (Most + 1); }

static int failures;

static void check(const char *what, const int *device, const int *expected,
                  int n) {
  int *sums = static_cast<int *>(malloc(n * sizeof(int)));
  cudaMemcpy(sums, device, n * sizeof(int), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i)
    if (sums[i] != expected[i]) {
      printf("%s: element %d is %d, not %d\n", what, i, sums[i], expected[i]);
      ++failures;
      break;
    }
  free(sums);
}

int main() {
  constexpr int Rows = 2 * Most + 1;
  static int radii[Count], expected[Rows * Width];
  for (int t = 0; t < Count; ++t)
    radii[t] = radiusOf(t);
  int *onDevice, *sums;
  cudaMalloc(&onDevice, sizeof radii);
  cudaMalloc(&sums, sizeof expected);
  cudaMemcpy(onDevice, radii, sizeof radii, cudaMemcpyHostToDevice);
  auto clear = [&] {
    cudaMemset(sums, 0, sizeof expected);
    for (int &each : expected)
      each = 0;
  };

  clear();
  add<<<Count / 64, 64>>>(onDevice, sums);
  for (int t = 0; t < Count; ++t)
    for (int i = 2 * Most - radii[t]; i != 2 * Most + radii[t] + 1; ++i)
      ++expected[t + i];
  check("add", sums, expected, Width);
  cudaMemset(sums, 0, sizeof expected);
  addWide<<<Count / 64, 64>>>(onDevice, sums);
  check("addWide", sums, expected, Width);

  clear();
  addInSteps<<<Count / 64, 64>>>(onDevice, sums);
  for (int t = 0; t < Count; ++t)
    for (int i = 0; i != radii[t] + 1; ++i)
      ++expected[t + 2 * Most - radii[t] + 2 * i];
  check("addInSteps", sums, expected, Width);

  clear();
  addInSquares<<<Count / 64, 64>>>(onDevice, sums, Width);
  for (int t = 0; t < Count; ++t)
    if (radii[t] != 3)
      for (int y = Most - radii[t]; y != Most + radii[t] + 1; ++y)
        for (int x = 2 * Most - radii[t]; x != 2 * Most + radii[t] + 1; ++x)
          ++expected[y * Width + t + x];
  check("addInSquares", sums, expected, Rows * Width);

  clear();
  grow<<<Count / 64, 64>>>(onDevice, sums, Width, Most + 1);
  for (int t = 0; t < Count; ++t) {
    int r = 1, sum = 0;
    for (int q = 1; sum < radii[t] * 4 && q < Most + 1; ++q) {
      r = q;
      // Of the (2r + 1) squared numbers every second one is odd.
      int all = (2 * r + 1) * (2 * r + 1);
      sum = t % 2 ? all - all / 2 : all / 2;
    }
    for (int y = Most - r; y != Most + r + 1 && sum; ++y)
      for (int x = 2 * Most - r; x != 2 * Most + r + 1; ++x)
        expected[y * Width + t + x] += sum;
  }
  check("grow", sums, expected, Rows * Width);

  if (!failures)
    printf("PASSED\n");
  return failures != 0;
}

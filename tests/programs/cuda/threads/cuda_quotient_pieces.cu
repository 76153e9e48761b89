// Rows and columns of an index: quotients and remainders that many threads side
// by side share, with divisors of all sizes, numbers on both sides of zero and
// at the ends of their types, and divisions that not every thread comes to.
#include <climits>
#include <cstdio>
#include <vector>

struct Tile {
  int width, height;
};

template <class Number>
__host__ __device__ void rowAndColumn(Number i, Number width, Number from,
                                      long *out) {
  Number row = (i + from) / width, column = (i + from) % width;
  out[0] = (long)row * 3 + (long)column;
  out[1] =
      (long)((column + 1) % width) * 5 + (long)((column + width - 1) % width);
}

// Three axes, a uniform division, one under a condition and one by zero under
// it.
__host__ __device__ void axes(int i, int from, Tile tile, int zero, long *out) {
  int number = i + from;
  int x = number % tile.width, rest = number / tile.width;
  int y = rest % tile.height, z = rest / tile.height;
  long sum = x + 7L * y + 1000L * z;
  if (x > 2)
    sum += number / (tile.width + 3);
  if (zero != 0)
    sum += i / zero;
  sum += 10000000L * (number % 97) + 1000000000L * (number / 64);
  out[0] = sum;
  out[1] = (x == 0) + 2 * (y == 0) + 4 * (long)(x - 1) / 40;
}

// The sum of a window of columns, as pooling layers have it: strides and sizes
// are known at run time, a window may lie outside.
__host__ __device__ void window(int i, int columns, int stride, int size,
                                long *out) {
  int width = (columns + size) / stride + 1;
  int x = i % width, y = i / width;
  long sum = 0;
  for (int k = 0; k < size; ++k) {
    int column = x * stride - size / 2 + k;
    if (column >= 0 && column < columns)
      sum += column * 3L + y;
  }
  out[0] = sum;
  out[1] = x * stride + y * columns;
}

__global__ void windows(int n, int columns, int stride, int size, long *out) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += blockDim.x * gridDim.x)
    window(i, columns, stride, size, out + 2 * (long)i);
}
// Every window is read.
__global__ void pool(int n, const int *in, int columns, int stride, int size,
                     long *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int width = (columns + size) / stride + 1;
  int x = i % width, y = i / width;
  long sum = 0;
  for (int k = 0; k < size; ++k) {
    int column = x * stride - size / 2 + k;
    if (column >= 0 && column < columns)
      sum += in[column] + y;
  }
  out[2 * (long)i] = sum;
  out[2 * (long)i + 1] = x * stride + y * columns;
}

template <class Number>
__global__ void rows(Number width, Number from, long *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  rowAndColumn<Number>(i, width, from, out + 2 * (long)i);
}
__global__ void threeAxes(int n, int from, Tile tile, int zero, long *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    axes(i, from, tile, zero, out + 2 * (long)i);
}

static long *device;
static int wrong = 0;
constexpr int most = 4096;

template <class Launch, class Expected>
void check(const char *what, long number, int n, Launch launch,
           Expected expected) {
  cudaMemset(device, 0x55, most * 16);
  launch();
  std::vector<long> out(2 * most);
  cudaMemcpy(out.data(), device, most * 16, cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i) {
    long right[2];
    expected(i, right);
    if (out[2 * i] != right[0] || out[2 * i + 1] != right[1]) {
      printf("%s %ld: %d: %ld %ld, not %ld %ld\n", what, number, i, out[2 * i],
             out[2 * i + 1], right[0], right[1]);
      ++wrong;
      return;
    }
  }
  for (int i = 2 * n; i < 2 * most; ++i)
    if (out[i] != 0x5555555555555555) {
      printf("%s: %d was written\n", what, i);
      ++wrong;
      return;
    }
}

template <class Number>
void checkRows(const char *what, std::vector<Number> froms) {
  for (Number from : froms)
    for (long width : {1, 7, 31, 32, 33, 64, 100, 257, 1000, 5000, 1 << 30})
      for (int threads : {24, 96, 256})
        check(
            what, width, 10 * threads,
            [&] { rows<Number><<<10, threads>>>((Number)width, from, device); },
            [&](int i, long *out) {
              rowAndColumn<Number>(i, (Number)width, from, out);
            });
}

int main() {
  cudaMalloc(&device, most * 16);
  checkRows<int>("int", {0, -1, -700, -100000, INT_MIN, INT_MAX - most});
  checkRows<unsigned>("unsigned", {0u, 5u, (1u << 31) - 300, 0u - 700});
  checkRows<long>("long", {0, -700, INT_MAX - 100L, LONG_MIN, 1L << 40});
  checkRows<unsigned long>("unsigned long", {0, 0ul - 700, UINT_MAX - 100ul});
  for (Tile tile :
       {Tile{40, 3}, Tile{512, 2}, Tile{1, 1}, Tile{33, 1000000000}})
    for (int from : {0, -5000, 1 << 20})
      for (int zero : {0, 50})
        check(
            "axes", tile.width, 2000,
            [&] { threeAxes<<<16, 128>>>(2000, from, tile, zero, device); },
            [&](int i, long *out) { axes(i, from, tile, zero, out); });
  int *triples;
  cudaMallocManaged(&triples, most * sizeof(int));
  for (int i = 0; i < most; ++i)
    triples[i] = 3 * i;
  for (int columns : {1, 30, 47, 64, 200, 1000})
    for (int stride : {1, 2, 3, -1})
      for (int size : {0, 1, 3}) {
        auto expected = [&](int i, long *out) {
          window(i, columns, stride, size, out);
        };
        if ((columns + size) / stride + 1 == 0)
          continue;
        check(
            "windows", columns, 2000,
            [&] { windows<<<3, 160>>>(2000, columns, stride, size, device); },
            expected);
        check(
            "pool", columns, 2000,
            [&] {
              pool<<<13, 160>>>(2000, triples, columns, stride, size, device);
            },
            expected);
      }
  printf(wrong ? "FAILED\n" : "PASSED\n");
  return wrong != 0;
}

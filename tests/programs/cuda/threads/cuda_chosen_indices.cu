// Tiles in shared memory whose threads read neighbours at indices that are cut
// off at the ends, under conditions that leave out the threads at the border:
// vectors of which some lanes count, at the start and the end of the memory.
#include "../../Inputs/check.h"
#include <vector>

template <class T> struct Device {
  T *at;
  size_t count;
  explicit Device(const std::vector<T> &host) : count(host.size()) {
    cudaMalloc(&at, count * sizeof(T));
    cudaMemcpy(at, host.data(), count * sizeof(T), cudaMemcpyHostToDevice);
  }
  ~Device() { cudaFree(at); }
  std::vector<T> read() const {
    std::vector<T> host(count);
    cudaMemcpy(host.data(), at, count * sizeof(T), cudaMemcpyDeviceToHost);
    return host;
  }
};

// Some iterations of a stencil in a tile that shrinks by one at each side; what was
// computed is copied back, and a word on either side of the tile must stay.
template <class T, int Width, int Height>
__global__ void shrink(const T *in, T *out, int *guards, int columns, int rows,
                       int iterations) {
  __shared__ int before[Width];
  __shared__ T tile[Height][Width];
  __shared__ T next[Height][Width];
  __shared__ int behind[Width];
  int tx = threadIdx.x, ty = threadIdx.y;
  int left = (Width - 2 * iterations) * blockIdx.x - iterations;
  int top = (Height - 2 * iterations) * blockIdx.y - iterations;
  int x = left + tx, y = top + ty;
  if (ty == 0)
    before[tx] = behind[tx] = tx + 5;
  if (x >= 0 && x < columns && y >= 0 && y < rows)
    tile[ty][tx] = in[y * columns + x];
  __syncthreads();
  int xMin = left < 0 ? -left : 0, yMin = top < 0 ? -top : 0;
  int xMax = left + Width > columns ? columns - 1 - left : Width - 1;
  int yMax = top + Height > rows ? rows - 1 - top : Height - 1;
  int north = ty - 1 < yMin ? yMin : ty - 1;
  int south = ty + 1 > yMax ? yMax : ty + 1;
  int west = tx - 1 < xMin ? xMin : tx - 1;
  int east = tx + 1 > xMax ? xMax : tx + 1;
  bool computed = false;
  for (int iteration = 0; iteration < iterations; ++iteration) {
    computed = false;
    if (tx >= iteration + 1 && tx <= Width - 2 - iteration && ty >= iteration + 1 &&
        ty <= Height - 2 - iteration && tx >= xMin && tx <= xMax && ty >= yMin &&
        ty <= yMax) {
      computed = true;
      next[ty][tx] = tile[ty][tx] + 2 * tile[north][tx] + 3 * tile[south][tx] +
                     5 * tile[ty][west] + 7 * tile[ty][east];
    }
    __syncthreads();
    if (iteration == iterations - 1)
      break;
    if (computed)
      tile[ty][tx] = next[ty][tx];
    __syncthreads();
  }
  if (computed)
    out[y * columns + x] = next[ty][tx];
  if (ty == 0 && (before[tx] != tx + 5 || behind[tx] != tx + 5))
    atomicAdd(guards, 1);
}

template <class T, int Width, int Height>
static void testShrink(int columns, int rows, int iterations, dim3 block) {
  std::vector<T> in(columns * rows), out(columns * rows);
  for (size_t i = 0; i < in.size(); ++i)
    in[i] = T(i * 37 % 11) - 4;
  Device<T> from(in), to(out);
  Device<int> guards(std::vector<int>(1));
  int wide = Width - 2 * iterations, high = Height - 2 * iterations;
  dim3 grid((columns + wide - 1) / wide, (rows + high - 1) / high);
  shrink<T, Width, Height>
      <<<grid, block>>>(from.at, to.at, guards.at, columns, rows, iterations);
  for (int iteration = 0; iteration < iterations; ++iteration) {
    for (int y = 0; y < rows; ++y)
      for (int x = 0; x < columns; ++x) {
        auto at = [&](int j, int i) {
          j = j < 0 ? 0 : j >= rows ? rows - 1 : j;
          i = i < 0 ? 0 : i >= columns ? columns - 1 : i;
          return in[j * columns + i];
        };
        out[y * columns + x] = at(y, x) + 2 * at(y - 1, x) + 3 * at(y + 1, x) +
                               5 * at(y, x - 1) + 7 * at(y, x + 1);
      }
    in = out;
  }
  EXPECT(to.read() == out);
  EXPECT(guards.read()[0] == 0);
}

// The memory has no more elements than threads, so that vectors reach beyond
// both of its ends; limits as functions.
__global__ void ends(const int *in, int *out, int n) {
  extern __shared__ int all[];
  int t = threadIdx.x, base = blockIdx.x * n;
  if (t < n)
    all[t] = in[base + t];
  __syncthreads();
  int sum = 0;
  if (t > 0 && t < n - 1)
    sum = all[max(t - 3, 0)] + 10 * all[min(t + 3, n - 1)] +
          100 * all[t & 1 ? t - 1 : t];
  __syncthreads();
  if (t > 0 && t < n - 1)
    all[t] = sum;
  __syncthreads();
  if (t < n)
    out[base + t] = all[t];
}

static void testEnds(int n, int threads) {
  const int blocks = 9;
  std::vector<int> in(blocks * n), out(in.size());
  for (size_t i = 0; i < in.size(); ++i)
    in[i] = i * 29 % 101;
  Device<int> from(in), to(out);
  ends<<<blocks, threads, n * sizeof(int)>>>(from.at, to.at, n);
  for (int block = 0; block < blocks; ++block)
    for (int t = 0; t < n; ++t) {
      const int *all = &in[block * n];
      out[block * n + t] = t == 0 || t == n - 1
                               ? all[t]
                               : all[t < 3 ? 0 : t - 3] +
                                     10 * all[t + 3 < n ? t + 3 : n - 1] +
                                     100 * all[t % 2 ? t - 1 : t];
    }
  EXPECT(to.read() == out);
}

// In global memory, where nothing beside an array may be touched.
__global__ void line(const double *in, double *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int left = i > 0 ? i - 1 : n - 1, right = i < n - 1 ? i + 1 : 0;
  out[i] = in[i] + 2 * in[left] + 4 * in[right];
}

static void testLine(int n) {
  std::vector<double> in(n), out(n);
  for (int i = 0; i < n; ++i)
    in[i] = i * 13 % 19;
  Device<double> from(in), to(out);
  line<<<(n + 63) / 64, 64>>>(from.at, to.at, n);
  for (int i = 0; i < n; ++i)
    out[i] = in[i] + 2 * in[(i + n - 1) % n] + 4 * in[(i + 1) % n];
  EXPECT(to.read() == out);
}

int main(int argc, char **) {
  const unsigned one = argc;
  testShrink<float, 16, 16>(61, 50, 2, dim3(16, 16));
  testShrink<double, 16, 8>(61, 50, 2, dim3(16, 8));
  testShrink<int, 32, 8>(100, 33, 3, dim3(32, 8));
  testShrink<float, 21, 7>(40, 40, 1, dim3(21, 7));
  testShrink<float, 16, 16>(61, 50, 3, dim3(16 * one, 16 * one));
  testShrink<double, 24, 8>(61, 50, 2, dim3(24 * one, 8 * one));
  for (int n : {5, 16, 31, 64, 100, 128})
    testEnds(n, 128);
  testEnds(33, 33 * one);
  for (int n : {2, 3, 64, 1000})
    testLine(n);
  CHECK(cudaGetLastError());
  printf("PASSED\n");
}

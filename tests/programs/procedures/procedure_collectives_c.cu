// What threads do together in procedures that stay procedures on the CPU:
// virtual functions, a table of functions, recursion; a call through a pointer
// beside warp operations in the kernel; barriers of the grid; a kernel that
// fails there.
// CHECKS: memory
#include "../Inputs/check.h"
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

struct Step {
  __device__ virtual int take(int x, int *shared) = 0;
};

struct Barrier : Step {
  __device__ int take(int x, int *shared) override {
    shared[threadIdx.x] = x;
    __syncthreads();
    int other = shared[blockDim.x - 1 - threadIdx.x];
    __syncthreads();
    return other;
  }
};

struct Shuffle : Step {
  __device__ int take(int x, int *) override {
    for (int by = 16; by; by /= 2)
      x += __shfl_xor_sync(0xffffffff, x, by);
    return x;
  }
};

struct Match : Step {
  __device__ int take(int x, int *shared) override {
    unsigned same = __match_any_sync(0xffffffff, x % 3);
    int leader = __ffs(same) - 1;
    if (threadIdx.x % 32 == leader)
      shared[threadIdx.x / 32 * 32 + leader] = __popc(same);
    __syncwarp();
    int r = shared[threadIdx.x / 32 * 32 + leader];
    __syncwarp();
    return r;
  }
};

__global__ void virtuals(int *out, int which) {
  __shared__ int shared[1024];
  Barrier barrier;
  Shuffle shuffle;
  Match match;
  Step *steps[3] = {&barrier, &shuffle, &match};
  int x = threadIdx.x + 1;
  for (int i = 0; i < 3; ++i)
    x = steps[(i + which) % 3]->take(x, shared);
  out[blockIdx.x * blockDim.x + threadIdx.x] = x;
}

static int hostVirtuals(int n, int t, int which) {
  static int x[1024], y[1024];
  for (int i = 0; i < n; ++i)
    x[i] = i + 1;
  for (int s = 0; s < 3; ++s) {
    for (int i = 0; i < n; ++i)
      switch ((s + which) % 3) {
      case 0:
        y[i] = x[n - 1 - i];
        break;
      case 1:
        y[i] = 0;
        for (int j = i / 32 * 32; j < i / 32 * 32 + 32; ++j)
          y[i] += x[j];
        break;
      default:
        y[i] = 0;
        for (int j = i / 32 * 32; j < i / 32 * 32 + 32; ++j)
          y[i] += x[j] % 3 == x[i] % 3;
      }
    for (int i = 0; i < n; ++i)
      x[i] = y[i];
  }
  return x[t];
}

typedef int (*Function)(int);

__device__ int up(int x) { return __shfl_up_sync(0xffffffff, x, 1); }
__device__ int down(int x) { return __shfl_down_sync(0xffffffff, x, 1); }
__device__ int any(int x) {
  return __any_sync(0xffffffff, x == 7) * 2 + __syncthreads_or(x == 7);
}
__device__ Function table[3] = {up, down, any};

__global__ void fromTable(int *out, const int *which, int count) {
  int x = threadIdx.x;
  for (int i = 0; i < count; ++i)
    x = table[which[i]](x) + 1;
  out[threadIdx.x] = x;
}

__device__ int square(int x) { return x * x; }
__device__ int half(int x) { return x / 2; }
__device__ Function plain[2] = {square, half};

// The operation is the kernel's own, the call of a procedure without any.
__global__ void beside(int *out, int which) {
  int x = plain[which](threadIdx.x);
  x += __shfl_xor_sync(0xffffffff, x, 3);
  out[threadIdx.x] = x;
}

__device__ __noinline__ int gridSums(int *data, int level, int n) {
  cg::grid_group grid = cg::this_grid();
  int i = grid.thread_rank();
  if (level <= 1)
    return data[0];
  int part = i < level / 2 ? data[i] + data[level - 1 - i] : 0;
  grid.sync();
  if (i < level / 2)
    data[i] = part;
  grid.sync();
  return gridSums(data, (level + 1) / 2, n);
}

__global__ void grids(int *out, int *data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  data[i] = i;
  cg::this_grid().sync();
  out[i] = gridSums(data, n, n);
}

__device__ int fall(int *to, int depth) {
  __syncthreads();
  if (depth == 0) {
    *to = 1;
    return 0;
  }
  return 1 + fall(to, depth - 1);
}

__global__ void faults(int *out, int *to) { out[threadIdx.x] = fall(to, 3); }

int main() {
  int *out, *which, *data;
  static int host[4096];
  CHECK(cudaMalloc(&out, sizeof host));
  CHECK(cudaMalloc(&data, sizeof host));
  CHECK(cudaMalloc(&which, 16 * sizeof(int)));
  const int sizes[] = {32, 256, 1024};
  for (int n : sizes)
    for (int first = 0; first < 3; ++first) {
      virtuals<<<2, n>>>(out, first);
      CHECK(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
      for (int i = 0; i < 2 * n; ++i)
        if (host[i] != hostVirtuals(n, i % n, first)) {
          printf("virtuals %d %d: %d\n", n, i, host[i]);
          return 1;
        }
    }
  const int order[4] = {0, 1, 2, 0};
  CHECK(cudaMemcpy(which, order, sizeof order, cudaMemcpyHostToDevice));
  fromTable<<<1, 64>>>(out, which, 4);
  CHECK(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
  // up, down: x + 2 in lanes 1 to 30, so lanes 5 hold 7; then 3 or 1, plus one.
  for (int i = 0; i < 64; ++i)
    if (host[i] != (i < 32 ? 3 : 1) + 2) {
      printf("table %d: %d\n", i, host[i]);
      return 1;
    }
  for (int w = 0; w < 2; ++w) {
    beside<<<1, 96>>>(out, w);
    CHECK(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 96; ++i) {
      int j = i ^ 3;
      if (host[i] != (w ? i / 2 + j / 2 : i * i + j * j)) {
        printf("beside %d: %d\n", i, host[i]);
        return 1;
      }
    }
  }
  int n = 4 * 96;
  void *arguments[] = {&out, &data, &n};
  CHECK(cudaLaunchCooperativeKernel((void *)grids, 4, 96, arguments, 0, 0));
  CHECK(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; ++i)
    if (host[i] != n * (n - 1) / 2) {
      printf("grids %d: %d\n", i, host[i]);
      return 1;
    }
  faults<<<1, 64>>>(out, which);
  CHECK(cudaDeviceSynchronize());
  faults<<<1, 64>>>(out, nullptr);
  // The checkers report the access and do not make it.
  const bool isChecked = getenv("CUFORT_CHECK_REPORT");
  if (cudaDeviceSynchronize() !=
      (isChecked ? cudaSuccess : cudaErrorIllegalAddress)) {
    printf("no error\n");
    return 1;
  }
  puts("PASSED");
}

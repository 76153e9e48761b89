// Locks and flags for which threads of one warp wait, beside warp operations
// and within their own: lanes cannot go in step there.
#include <cstdio>

__device__ int lock, total;
__device__ volatile int order[1024];

// Each lane of a warp takes the lock in its turn.
__global__ void oneByOne(int *out) {
  bool done = false;
  while (!done) {
    if (atomicCAS(&lock, 0, 1) == 0) {
      __threadfence();
      int before = *(volatile int *)&total;
      *(volatile int *)&total = before + 1;
      order[before] = threadIdx.x;
      __threadfence();
      atomicExch(&lock, 0);
      done = true;
    }
  }
  __syncwarp();
  out[threadIdx.x] = __popc(__ballot_sync(0xffffffff, done));
}

// The lock is given back behind an operation of the lanes that hold it: one of
// each pair does, and its partner comes along.
__global__ void held(int *out, int *locks) {
  const int lane = threadIdx.x % 32;
  const unsigned pair = 3u << (lane & ~1);
  int seen = 0;
  for (bool done = false; !done;) {
    int taken = lane % 2 ? 0 : atomicCAS(locks, 0, 1) == 0;
    taken = __shfl_sync(pair, taken, lane & ~1);
    if (taken) {
      __threadfence();
      int mine = lane % 2 ? 0 : ++*(volatile int *)(locks + 1);
      seen = __shfl_sync(pair, mine, lane & ~1);
      __threadfence();
      if (lane % 2 == 0)
        atomicExch(locks, 0);
      done = true;
    }
  }
  out[threadIdx.x] = seen;
}

// A lane waits for a flag that a later one of its warp sets.
__global__ void flag(int *out, int *flags) {
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  if (lane == 0)
    while (atomicAdd(&flags[warp], 0) == 0)
      ;
  if (lane == 31)
    atomicExch(&flags[warp], threadIdx.x);
  __syncwarp();
  out[threadIdx.x] = __shfl_sync(0xffffffff, lane ? 0 : flags[warp], 0);
}

int main() {
  const int n = 96;
  static int host[1024], places[1024];
  int *out, *locks;
  cudaMalloc(&out, sizeof host);
  cudaMalloc(&locks, sizeof host);
  cudaMemset(locks, 0, sizeof host);
  oneByOne<<<1, n>>>(out);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  cudaMemcpyFromSymbol(places, order, sizeof places);
  int seen = 0;
  for (int i = 0; i < n; ++i) {
    seen += places[i] + 1;
    if (host[i] != 32) {
      printf("one by one %d: %d\n", i, host[i]);
      return 1;
    }
  }
  if (seen != n * (n + 1) / 2) {
    puts("not each has had the lock once");
    return 1;
  }
  held<<<1, n>>>(out, locks);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  seen = 0;
  for (int i = 0; i < n; i += 2) {
    seen += host[i];
    if (host[i] != host[i + 1]) {
      printf("held %d: %d %d\n", i, host[i], host[i + 1]);
      return 1;
    }
  }
  if (seen != n / 2 * (n / 2 + 1) / 2) {
    printf("held: %d\n", seen);
    return 1;
  }
  cudaMemset(locks, 0, sizeof host);
  flag<<<1, n>>>(out, locks);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i)
    if (host[i] != i / 32 * 32 + 31) {
      printf("flag %d: %d\n", i, host[i]);
      return 1;
    }
  if (cudaError_t error = cudaDeviceSynchronize()) {
    puts(cudaGetErrorString(error));
    return 1;
  }
  puts("PASSED");
}

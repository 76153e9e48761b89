// Inline PTX with labels and branches: loops, choices, carries, threads that
// end; masks of lanes, and votes as CUB writes them.
// CHECKS: sync
#include <cstdio>

// The sum of 1 to n, by a loop; none where n is 0.
__device__ unsigned sum(unsigned n) {
  unsigned r;
  asm volatile("{\n\t.reg .pred p, q;\n\t.reg .u32 i, %%s<2>;\n\t"
               "mov.u32 %%s0, 0;\n\tmov.u32 i, %1;\n\t"
               "setp.eq.u32 p, i, 0;\n\t@p bra.uni DONE;\n"
               "LOOP:\n\tadd.u32 %%s0, %%s0, i;\n\tsub.u32 i, i, 1;\n\t"
               "setp.ne.u32 q, i, 0;\n\t@q bra LOOP;\n"
               "DONE: mov.u32 %0, %%s0;\n\t}"
               : "=r"(r)
               : "r"(n));
  return r;
}

// Twice in one kernel, so that labels need their unique number.
__device__ float choose(float x, int which) {
  float r;
  asm("{ .reg .pred p; setp.lt.s32 p, %2, 5;\n"
      "@p bra SMALL%=;\n mul.f32 %0, %1, 0f40000000; bra END%=;\n"
      "SMALL%=: add.f32 %0, %1, 0f3f800000; @!p bra SMALL%=;\n END%=: }"
      : "=f"(r)
      : "f"(x), "r"(which));
  return r;
}

// Carries go through a branch.
__device__ unsigned high(unsigned a, unsigned b, int add) {
  unsigned r;
  asm volatile("{ .reg .pred p; .reg .u32 t; mov.u32 %0, 10;"
               "add.cc.u32 t, %1, %2; setp.eq.s32 p, %3, 0; @p bra SKIP%=;"
               "addc.u32 %0, %0, 0; SKIP%=: }"
               : "=r"(r)
               : "r"(a), "r"(b), "r"(add));
  return r;
}

// Which lanes have the bits of mine, as CUB asks.
__device__ unsigned match(unsigned value, unsigned bit) {
  unsigned r;
  asm volatile("{\n    .reg .pred p;\n    and.b32 %0, %1, %2;"
               "    setp.eq.u32 p, %0, %2;\n"
               "    vote.ballot.sync.b32 %0, p, 0xffffffff;\n"
               "    @!p not.b32 %0, %0;\n}\n"
               : "=r"(r)
               : "r"(value), "r"(bit));
  return r;
}

__device__ unsigned masks() {
  unsigned le, ge, lt, gt, eq;
  asm("mov.u32 %0, %%lanemask_le;" : "=r"(le));
  asm("mov.u32 %0, %%lanemask_ge;" : "=r"(ge));
  asm("mov.u32 %0, %%lanemask_lt;" : "=r"(lt));
  asm("mov.u32 %0, %%lanemask_gt;" : "=r"(gt));
  asm("mov.u32 %0, %%lanemask_eq;" : "=r"(eq));
  return (le & ge) == eq && (lt | eq) == le && (gt | eq) == ge &&
         (lt | gt | eq) == ~0u && __popc(eq) == 1;
}

// Ends of threads, before a barrier as well.
__global__ void ends(int *out) {
  __shared__ int tile[64];
  int t = threadIdx.x;
  tile[t] = t;
  out[t] = 1;
  asm volatile("{ .reg .pred p; setp.gt.s32 p, %0, 40; @p exit; }" ::"r"(t));
  out[t] = 2;
  __syncthreads();
  if (t % 2)
    asm volatile("exit;");
  out[t] = tile[40 - t] + 100;
}

__global__ void kernel(unsigned *sums, float *chosen, unsigned *highs,
                       unsigned *matched) {
  int t = threadIdx.x;
  sums[t] = sum(t);
  chosen[t] = choose(t, t) + choose(100, t % 10);
  __syncthreads();
  highs[t] = high(0xfffffff0u, t, t & 1);
  matched[t] = match(t, 4) + masks();
}

int main() {
  const int n = 64;
  unsigned *sums, *highs, *matched;
  int *ended;
  float *chosen;
  cudaMallocManaged(&sums, n * sizeof *sums);
  cudaMallocManaged(&highs, n * sizeof *highs);
  cudaMallocManaged(&chosen, n * sizeof *chosen);
  cudaMallocManaged(&matched, n * sizeof *matched);
  cudaMallocManaged(&ended, n * sizeof *ended);
  kernel<<<1, n>>>(sums, chosen, highs, matched);
  ends<<<1, n>>>(ended);
  bool right = cudaDeviceSynchronize() == cudaSuccess;
  for (int t = 0; t < n; ++t) {
    float expected = (t < 5 ? t + 1.f : 2.f * t) + (t % 10 < 5 ? 101.f : 200.f);
    unsigned carried = 10 + ((t & 1) && t >= 16);
    unsigned lanes = t & 4 ? 0xf0f0f0f0u : 0x0f0f0f0fu;
    int end = t > 40 ? 1 : t % 2 ? 2 : 140 - t;
    if (matched[t] != lanes + 1 || ended[t] != end ||
        sums[t] != t * (t + 1) / 2 || chosen[t] != expected ||
        highs[t] != carried) {
      printf("%d: %u %g %u %x %d\n", t, sums[t], chosen[t], highs[t],
             matched[t], ended[t]);
      right = false;
    }
  }
  puts(right ? "PASSED" : "FAILED");
}

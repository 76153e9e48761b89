// cuRAND's device functions, each in a kernel of its own, for its three
// pseudorandom generators: bench/gpu/kernels bench/gpu/random.cu
#include <cstdio>
#include <curand_kernel.h>

constexpr int Threads = 1 << 18, Block = 256;

__device__ int thread() { return blockIdx.x * blockDim.x + threadIdx.x; }

template <class State>
__global__ void init(State *states, unsigned long long seed) {
  curand_init(seed, thread(), 0, states + thread());
}
template <class State>
__global__ void init_offset(State *states, unsigned long long seed) {
  curand_init(seed, 0, thread() * 4099ull, states + thread());
}

/// A kernel that adds up n of what the expression gives of a state.
#define SUM(name, Type, expression)                                            \
  template <class State>                                                       \
  __global__ void name(State *states, double *out, int n) {                    \
    State state = states[thread()];                                            \
    Type sum = 0;                                                              \
    for (int k = 0; k < n; ++k)                                                \
      sum += expression;                                                       \
    states[thread()] = state;                                                  \
    out[thread()] = sum;                                                       \
  }

__device__ float product(float2 v) { return v.x * v.y; }
__device__ float product(float4 v) { return v.x * v.y + v.z * v.w; }
template <class State> __device__ int isInCircle(State *state) {
  float x = curand_uniform(state), y = curand_uniform(state);
  return x * x + y * y <= 1;
}

SUM(bits, unsigned, curand(&state))
SUM(uniform, float, curand_uniform(&state))
SUM(uniform_double, double, curand_uniform_double(&state))
SUM(circle, int, isInCircle(&state))
SUM(normal, float, curand_normal(&state))
SUM(normal2, float, product(curand_normal2(&state)))
SUM(normal_double, double, curand_normal_double(&state))
SUM(log_normal, float, curand_log_normal(&state, 0.0f, 1.0f))
SUM(poisson, unsigned, curand_poisson(&state, 5.0))
SUM(poisson_large, unsigned, curand_poisson(&state, 500.0))
SUM(uniform4, float, product(curand_uniform4(&state)))
SUM(normal4, float, product(curand_normal4(&state)))

template <class State> static void all(double *out) {
  State *states;
  cudaMalloc(&states, sizeof(State) * Threads);
  const int blocks = Threads / Block;
  for (int round = 0; round < 3; ++round) {
    init_offset<<<blocks, Block>>>(states, 99ull);
    init<<<blocks, Block>>>(states, 1234ull);
    bits<<<blocks, Block>>>(states, out, 400);
    uniform<<<blocks, Block>>>(states, out, 400);
    uniform_double<<<blocks, Block>>>(states, out, 100);
    circle<<<blocks, Block>>>(states, out, 200);
    normal<<<blocks, Block>>>(states, out, 200);
    normal2<<<blocks, Block>>>(states, out, 100);
    normal_double<<<blocks, Block>>>(states, out, 50);
    log_normal<<<blocks, Block>>>(states, out, 100);
    poisson<<<blocks, Block>>>(states, out, 40);
    poisson_large<<<blocks, Block>>>(states, out, 10);
  }
  cudaFree(states);
}

int main() {
  double *out;
  cudaMalloc(&out, sizeof(double) * Threads);
  all<curandState>(out);
  all<curandStateMRG32k3a>(out);
  all<curandStatePhilox4_32_10_t>(out);
  curandStatePhilox4_32_10_t *states;
  cudaMalloc(&states, sizeof *states * Threads);
  for (int round = 0; round < 3; ++round) {
    init<<<Threads / Block, Block>>>(states, 1234ull);
    uniform4<<<Threads / Block, Block>>>(states, out, 100);
    normal4<<<Threads / Block, Block>>>(states, out, 100);
  }
  const bool failed = cudaDeviceSynchronize() != cudaSuccess;
  puts(failed ? "FAIL" : "PASS");
  return failed;
}

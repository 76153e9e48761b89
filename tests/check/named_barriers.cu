// Barriers for part of a block: producers that arrive, consumers that wait.
#include "Inputs/cases.h"
#include <cuda/barrier>
constexpr int half = 32, nt = 2 * half;

// The statements of named barriers are in the kernels: reports name them.
#define SYNC(ID) asm volatile("bar.sync %0, 64;" ::"r"(ID) : "memory")
#define ARRIVE(ID) asm volatile("bar.arrive %0, 64;" ::"r"(ID) : "memory")

// CASE producer_consumer: RIGHT
__global__ void producer_consumer_kernel(int *out, int rounds) {
  __shared__ int buffer[half];
  const int lane = threadIdx.x % half;
  if (threadIdx.x < half) {
    for (int r = 0; r < rounds; ++r) {
      SYNC(2); // it is empty
      buffer[lane] = r;
      ARRIVE(1); // it is full
    }
    return;
  }
  int sum = 0;
  for (int r = 0; r < rounds; ++r) {
    ARRIVE(2);
    SYNC(1);
    sum += buffer[half - 1 - lane];
  }
  out[blockIdx.x * half + lane] = sum;
}
static void producer_consumer() {
  int *a = numbers(2 * half);
  producer_consumer_kernel<<<2, nt>>>(a, 5);
  expect(fetch(a, 2 * half)[3] == 10, "producer_consumer");
  cudaFree(a);
}

// CASE two_buffers: RIGHT
__global__ void two_buffers_kernel(int *out, int rounds) {
  __shared__ int buffer[2][half];
  const int lane = threadIdx.x % half;
  if (threadIdx.x < half) {
    for (int r = 0; r < rounds; ++r) {
      SYNC(3 + r % 2);
      buffer[r % 2][lane] = r;
      ARRIVE(1 + r % 2);
    }
    return;
  }
  ARRIVE(3);
  ARRIVE(4);
  int sum = 0;
  for (int r = 0; r < rounds; ++r) {
    SYNC(1 + r % 2);
    sum += buffer[r % 2][half - 1 - lane];
    if (r + 2 < rounds)
      ARRIVE(3 + r % 2);
  }
  out[lane] = sum;
}
static void two_buffers() {
  int *a = numbers(half);
  two_buffers_kernel<<<1, nt>>>(a, 5);
  expect(fetch(a, half)[3] == 10, "two_buffers");
  cudaFree(a);
}

// CASE whole_block: RIGHT
__global__ void whole_block_kernel(int *a) {
  __shared__ int s[nt];
  s[threadIdx.x] = a[threadIdx.x];
  asm volatile("barrier.cta.sync 0;" ::: "memory");
  a[threadIdx.x] = s[nt - 1 - threadIdx.x];
}
static void whole_block() {
  int *a = numbers(nt);
  whole_block_kernel<<<1, nt>>>(a);
  expect(fetch(a, nt)[0] == nt - 1, "whole_block");
  cudaFree(a);
}

// CASE barrier_object: RIGHT
__global__ void barrier_object_kernel(int *a) {
  __shared__ int s[nt];
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  if (threadIdx.x == 0)
    init(&bar, blockDim.x);
  __syncthreads();
  s[threadIdx.x] = a[threadIdx.x];
  auto token = bar.arrive();
  bar.wait(std::move(token));
  const int other = s[nt - 1 - threadIdx.x];
  bar.arrive_and_wait();
  s[threadIdx.x] = other;
  bar.arrive_and_wait();
  a[threadIdx.x] = s[threadIdx.x ^ 1];
}
static void barrier_object() {
  int *a = numbers(nt);
  barrier_object_kernel<<<1, nt>>>(a);
  expect(fetch(a, nt)[0] == nt - 2, "barrier_object");
  cudaFree(a);
}

// CASE written_after_arriving: FAULTY race buffer
__global__ void written_after_arriving_kernel(int *out) {
  __shared__ int buffer[half];
  if (threadIdx.x < half) {
    ARRIVE(3);
    buffer[threadIdx.x] = 1; // CHECK-RACE: write
  } else {
    SYNC(3);
    out[threadIdx.x - half] =         // MAY-INIT: read
        buffer[nt - 1 - threadIdx.x]; // CHECK-RACE: read
  }
}
static void written_after_arriving() {
  int *a = numbers(half);
  written_after_arriving_kernel<<<1, nt>>>(a);
  cudaDeviceSynchronize();
  cudaFree(a);
}

// CASE arriving_learns_nothing: FAULTY race later
__global__ void arriving_learns_nothing_kernel(int *out) {
  __shared__ int buffer[half], later[half];
  if (threadIdx.x < half) {
    buffer[threadIdx.x] = 1;
    ARRIVE(3);
    out[half + threadIdx.x] =
        later[threadIdx.x]; // CHECK-RACE: read ! MAY-INIT: read
  } else {
    later[threadIdx.x - half] = 1; // CHECK-RACE: write
    SYNC(3);
    out[threadIdx.x - half] = buffer[nt - 1 - threadIdx.x];
  }
}
static void arriving_learns_nothing() {
  int *a = numbers(nt);
  arriving_learns_nothing_kernel<<<1, nt>>>(a);
  cudaDeviceSynchronize();
  cudaFree(a);
}

// CASE token_taken_early: FAULTY race s
__global__ void token_taken_early_kernel(int *a) {
  __shared__ int s[nt];
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  if (threadIdx.x == 0)
    init(&bar, blockDim.x);
  __syncthreads();
  auto token = bar.arrive();
  s[threadIdx.x] = a[threadIdx.x]; // CHECK-RACE: write
  bar.wait(std::move(token));
  a[threadIdx.x] = s[nt - 1 - threadIdx.x]; // CHECK-RACE: read
}
static void token_taken_early() {
  int *a = numbers(nt);
  token_taken_early_kernel<<<1, nt>>>(a);
  cudaDeviceSynchronize();
  cudaFree(a);
}

// CASE wrong_count: FAULTY sync ALONE
__global__ void wrong_count_kernel(int *out) {
  if (threadIdx.x < half)
    asm volatile("bar.arrive 3, 96;" ::: "memory");
  else
    asm volatile("bar.sync 3, 96;" ::: "memory"); // CHECK-SYNC: barrier
  out[threadIdx.x] = 1;
}
static void wrong_count() {
  int *a = numbers(nt);
  wrong_count_kernel<<<1, nt>>>(a);
  cudaDeviceSynchronize();
}
// END CASES

int main(int argc, char **argv) {
  count = argc;
  names = argv;
#define RUN(NAME)                                                              \
  if (run(#NAME))                                                              \
    NAME();
  RUN(producer_consumer)
  RUN(two_buffers)
  RUN(whole_block)
  RUN(barrier_object)
  RUN(written_after_arriving)
  RUN(arriving_learns_nothing)
  RUN(token_taken_early)
  RUN(wrong_count)
  return finish();
}

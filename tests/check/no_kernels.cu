// Programs without device code: what the host allocates, copies and frees.
// ENV: CUFORT_CHECK_LEAKS=1
#include "Inputs/cases.h"
#include <cstdlib>
constexpr int n = 256;

// CASE double_free: FAULTY memory
static void double_free() {
  int *a;
  cudaMalloc(&a, n * 4); // MAY-MEMORY: host
  cudaFree(a);           // CHECK-MEMORY: host
  cudaFree(a);           // CHECK-MEMORY: host
}

// CASE foreign_free: FAULTY memory
static void foreign_free() {
  void *a = std::malloc(n);
  cudaFree(a); // CHECK-MEMORY: host
  std::free(a);
}

// CASE copy_from_freed: FAULTY memory
static void copy_from_freed() {
  int *a, host[n];
  cudaMalloc(&a, n * 4);
  cudaFree(a);                                         // CHECK-MEMORY: host
  cudaMemcpy(host, a, sizeof host, cudaMemcpyDefault); // CHECK-MEMORY: copy
}

// CASE leak: FAULTY leak
static void leak() {
  int *a;
  cudaMalloc(&a, n * 4); // CHECK-LEAK: host
  cudaMemset(a, 0, n * 4);
}

// CASE host_writes: FAULTY memory ALONE
static void host_writes() {
  int *a;
  cudaMalloc(&a, n * 4);
  a[3] = 1; // CHECK-MEMORY: host
}

// CASE managed_early: FAULTY race
static void managed_early() {
  int *m;
  cudaMallocManaged(&m, n * 4);
  cudaMemsetAsync(m, 1, n * 4); // CHECK-RACE: copy
  expect(m[0] != 0, "");        // CHECK-RACE: host
  cudaDeviceSynchronize();
  cudaFree(m);
}

// CASE pinned_early: FAULTY race
static void pinned_early() {
  int *host, *a;
  cudaMallocHost(&host, n * 4);
  cudaMalloc(&a, n * 4);
  cudaMemcpyAsync(a, host, n * 4, cudaMemcpyDefault); // CHECK-RACE: copy
  host[0] = 3;                                        // CHECK-RACE: host
  cudaDeviceSynchronize();
  cudaFree(a);
  cudaFreeHost(host);
}

// CASE all_in_order: RIGHT
static void all_in_order() {
  int *m, *host, *a = numbers(n);
  cudaMallocManaged(&m, n * 4);
  cudaMallocHost(&host, n * 4);
  cudaMemcpyAsync(m, a, n * 4, cudaMemcpyDefault);
  cudaDeviceSynchronize();
  expect(m[7] == 7, "all_in_order");
  m[7] = 8;
  cudaMemcpyAsync(host, m, n * 4, cudaMemcpyDefault);
  cudaStreamSynchronize(nullptr);
  expect(host[7] == 8, "all_in_order");
  cudaFree(nullptr);
  cudaFree(a);
  cudaFree(m);
  cudaFreeHost(host);
}
// END CASES

int main(int argc, char **argv) {
  count = argc;
  names = argv;
#define RUN(NAME)                                                              \
  if (run(#NAME))                                                              \
    NAME();
  RUN(double_free)
  RUN(foreign_free)
  RUN(copy_from_freed)
  RUN(leak)
  RUN(host_writes)
  RUN(managed_early)
  RUN(pinned_early)
  RUN(all_in_order)
  return finish();
}

// What kernels allocate and free: malloc, new.
// ENV: CUFORT_CHECK_LEAKS=1
#include "Inputs/cases.h"
constexpr int nt = 64;

// CASE used_after_free: FAULTY memory p
__global__ void used_after_free(int *out) {
  int *p = (int *)malloc(4 * sizeof(int));
  p[0] = 1;
  free(p);                 // CHECK-MEMORY: host
  out[threadIdx.x] = p[0]; // CHECK-MEMORY: read
}

// CASE freed_twice: FAULTY memory p
__global__ void freed_twice(int *) {
  int *p = (int *)malloc(4 * sizeof(int)); // CHECK-MEMORY: host
  free(p);                                 // CHECK-MEMORY: host
  free(p);                                 // CHECK-MEMORY: host
}

// CASE list_walked_while_freed: FAULTY memory
struct Node {
  int value;
  Node *next;
};
__global__ void list_walked_while_freed(int *out) {
  Node *head = nullptr;
  for (int i = 0; i < 4; ++i)
    head = new Node{i, head};
  int sum = 0;
  for (Node *n = head; n; n = n->next) { // CHECK-MEMORY: read
    sum += n->value;
    delete n; // CHECK-MEMORY: host
  }
  out[threadIdx.x] = sum;
}

// CASE beyond_block: FAULTY memory p
__global__ void beyond_block(int *out) {
  int *p = new int[4];
  p[4] = 1; // CHECK-MEMORY: write
  out[threadIdx.x] = 0;
  delete[] p;
}

// CASE inside_block: FAULTY memory
__global__ void inside_block(int *) {
  int *p = (int *)malloc(4 * sizeof(int));
  free(p + 1); // CHECK-MEMORY: host
  free(p);
}

// CASE of_the_host: FAULTY memory out
__global__ void of_the_host(int *out) {
  free(out); // CHECK-MEMORY: host
}

// CASE freed_by_another_launch: FAULTY memory kept
__device__ int *kept;
__global__ void allocates() { kept = (int *)malloc(nt * sizeof(int)); }
__global__ void uses(int *out) {
  out[threadIdx.x] = 1;
  kept[threadIdx.x] = 1; // CHECK-MEMORY: write
}
__global__ void frees() {
  free(kept); // CHECK-MEMORY: host
}
static void freed_by_another_launch(int *out) {
  allocates<<<1, 1>>>();
  uses<<<1, nt>>>(out);
  frees<<<1, 1>>>();
  uses<<<1, nt>>>(out);
}

// CASE never_freed: FAULTY leak
__global__ void never_freed(int *out) {
  int *p = (int *)malloc(4 * sizeof(int)); // CHECK-LEAK: host
  p[0] = 2;
  out[0] = p[0];
}

// CASE blocks_again_and_again: RIGHT
__global__ void blocks_again_and_again(int *out) {
  int sum = 0;
  for (int i = 1; i < 100; ++i) {
    int *p = (int *)malloc(i * sizeof(int));
    for (int j = 0; j < i; ++j)
      p[j] = j;
    sum += p[i - 1];
    free(p);
  }
  free(nullptr);
  out[threadIdx.x] = sum;
}

// CASE handed_on: RIGHT
__global__ void makes(int **blocks) {
  int *p = new int(threadIdx.x);
  blocks[threadIdx.x] = p;
}
__global__ void takes(int **blocks, int *out) {
  int *p = blocks[nt - 1 - threadIdx.x];
  out[threadIdx.x] = *p;
  delete p;
}
static void handed_on(int *out) {
  int **blocks;
  cudaMalloc(&blocks, nt * sizeof(int *));
  makes<<<1, nt>>>(blocks);
  takes<<<1, nt>>>(blocks, out);
  expect(fetch(out, nt)[0] == nt - 1, "handed_on");
  cudaFree(blocks);
}
// END CASES

int main(int argc, char **argv) {
  count = argc;
  names = argv;
  int *out = numbers(nt);
#define RUN(NAME)                                                              \
  if (run(#NAME))                                                              \
    NAME<<<1, nt>>>(out);
  RUN(used_after_free)
  RUN(freed_twice)
  RUN(list_walked_while_freed)
  RUN(beyond_block)
  RUN(inside_block)
  RUN(of_the_host)
  RUN(never_freed)
  if (run("freed_by_another_launch"))
    freed_by_another_launch(out);
  if (run("blocks_again_and_again")) {
    blocks_again_and_again<<<4, nt>>>(out);
    expect(fetch(out, nt)[0] == 98 * 99 / 2, "blocks_again_and_again");
  }
  if (run("handed_on"))
    handed_on(out);
  cudaDeviceSynchronize();
  cudaFree(out);
  return finish();
}

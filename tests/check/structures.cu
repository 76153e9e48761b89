// Indices that leave an array within a structure, but not the structure.
#include "Inputs/cases.h"
constexpr int nt = 64;
struct Pair {
  int x[8], y[8];
};
struct Grid {
  int m[4][8], tag;
};
struct Box {
  int low[3], high[3];
};
struct Bins {
  int total, bins[16], spare;
};
struct Tail {
  int n, data[1];
};
struct Nested {
  Pair pairs[4];
  int end;
};

// CASE member_overrun: FAULTY memory
__global__ void member_overrun(Pair *p) {
  p->x[threadIdx.x % 9] = 1; // CHECK-MEMORY: write
}

// CASE member_before: FAULTY memory
__global__ void member_before(const Pair *p, int *b) {
  b[threadIdx.x] = p->y[int(threadIdx.x % 8) - 1]; // CHECK-MEMORY: read
}

// CASE argument_overrun: FAULTY memory
__global__ void argument_overrun(Box box, int *b) {
  b[threadIdx.x] = box.low[threadIdx.x % 4]; // CHECK-MEMORY: read
}

// CASE row_overrun: FAULTY memory
__global__ void row_overrun(Grid *g) {
  g->m[threadIdx.x % 5][0] = 1; // CHECK-MEMORY: write
}

// CASE column_overrun: FAULTY memory
__global__ void column_overrun(Grid *g) {
  g->m[1][threadIdx.x % 9] = 1; // CHECK-MEMORY: write
}

// CASE private_member: FAULTY memory
__global__ void private_member(int *b) {
  Pair p;
  for (int i = 0; i < 8; ++i)
    p.x[i] = p.y[i] = i;
  b[threadIdx.x] = p.x[threadIdx.x % 9]; // CHECK-MEMORY: read
}

// CASE shared_member: FAULTY memory
__global__ void shared_member(int *b) {
  __shared__ Pair p[nt];
  const int i = threadIdx.x;
  for (int k = 0; k <= 8; ++k)
    p[i].x[k] = k; // CHECK-MEMORY: write
  b[i] = p[i].x[3];
}

// CASE first_of_shared: FAULTY memory r
__global__ void first_of_shared(int *b) {
  __shared__ Pair r;
  r.x[threadIdx.x % 8] = r.y[threadIdx.x % 8] = 1;
  __syncthreads();
  b[threadIdx.x] = r.x[threadIdx.x % 9]; // CHECK-MEMORY: read
}

// CASE first_of_module: FAULTY memory
__device__ Pair pairs_of_module[2];
__global__ void first_of_module(int *b) {
  b[threadIdx.x] = pairs_of_module[1].x[threadIdx.x % 9]; // CHECK-MEMORY: read
}

// CASE atomic_member: FAULTY memory
__global__ void atomic_member(Bins *bins) {
  atomicAdd(&bins->bins[threadIdx.x % 17], 1); // CHECK-MEMORY: write
}

// CASE nested_member: FAULTY memory
__device__ int element(const Pair &p, int i) {
  return p.y[i]; // CHECK-MEMORY: read
}
__global__ void nested_member(const Nested *nested, int *b) {
  b[threadIdx.x] = element(nested->pairs[threadIdx.x % 4], threadIdx.x % 9);
}

// CASE fits: RIGHT
__global__ void fits(Pair *p, Grid *g, Bins *bins, int *b) {
  const int i = threadIdx.x;
  if (i < 8) {
    p->x[i] = i;
    p->y[7 - i] = i;
    for (int row = 0; row < 4; ++row)
      g->m[row][i] = row;
  }
  atomicAdd(&bins->bins[i % 16], 1);
  Pair own = {};
  own.y[i % 8] = i;
  b[i] = own.y[i % 8] + own.x[(i + 3) % 8];
}

// CASE tail: RIGHT
__global__ void tail(Tail *t) { t->data[threadIdx.x] = threadIdx.x; }

// CASE backwards: RIGHT
__device__ int last(const int *end) { return end[-1]; }
__global__ void backwards(const Pair *p, int *b) {
  b[threadIdx.x] = last(&p->x[8 - threadIdx.x % 2]);
}

// CASE by_value: RIGHT
union Bits {
  double numbers[2];
  unsigned words[4];
};
__device__ __noinline__ double part(Bits bits, int i) {
  return bits.numbers[i & 1] + bits.words[i & 3];
}
__global__ void by_value(double given, int *b) {
  const int i = threadIdx.x;
  Bits bits;
  bits.numbers[0] = given;
  bits.numbers[1] = given + 1;
  b[i] = int(part(bits, i) - bits.words[i & 3]);
}

// CASE whole: RIGHT
__global__ void whole(Nested *nested, Pair *out) {
  out[threadIdx.x % 4] = nested->pairs[threadIdx.x % 4];
  const int *all = &nested->pairs[0].x[0];
  nested->end = all[1];
}
// END CASES

int main(int argc, char **argv) {
  count = argc;
  names = argv;
  int *a = numbers(1024), *b = numbers(1024);
  if (run("member_overrun"))
    member_overrun<<<1, 9>>>((Pair *)a);
  if (run("member_before"))
    member_before<<<1, 8>>>((Pair *)a, b);
  if (run("argument_overrun"))
    argument_overrun<<<1, 4>>>({{1, 2, 3}, {4, 5, 6}}, b);
  if (run("row_overrun"))
    row_overrun<<<1, 5>>>((Grid *)a);
  if (run("column_overrun"))
    column_overrun<<<1, 9>>>((Grid *)a);
  if (run("private_member"))
    private_member<<<1, nt>>>(b);
  if (run("shared_member"))
    shared_member<<<1, nt>>>(b);
  if (run("first_of_shared"))
    first_of_shared<<<1, nt>>>(b);
  if (run("first_of_module"))
    first_of_module<<<1, nt>>>(b);
  if (run("atomic_member"))
    atomic_member<<<1, nt>>>((Bins *)a);
  if (run("nested_member"))
    nested_member<<<1, nt>>>((Nested *)a, b);
  if (run("fits")) {
    fits<<<1, nt>>>((Pair *)a, (Grid *)(a + 64), (Bins *)(a + 128), b);
    expect(fetch(a, 8)[5] == 5, "fits");
  }
  if (run("tail")) {
    tail<<<1, nt>>>((Tail *)a);
    expect(fetch(a, nt)[11] == 10, "tail");
  }
  if (run("backwards"))
    backwards<<<1, nt>>>((Pair *)a, b);
  if (run("by_value")) {
    by_value<<<1, nt>>>(3.0, b);
    expect(fetch(b, nt)[5] == 4, "by_value");
  }
  if (run("whole"))
    whole<<<1, 1>>>((Nested *)a, (Pair *)b);
  cudaDeviceSynchronize();
  cudaFree(a);
  cudaFree(b);
  return finish();
}

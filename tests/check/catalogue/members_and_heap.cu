// Arrays within structures, two dynamic arrays, misaligned vectors, the
// device's heap.
#include "../Inputs/cases.h"
constexpr int nt = 32, n = 128;
#define T threadIdx.x
// CASE heap_neighbours: RIGHT
__global__ void heap_neighbours(const int *a, int *b) {
  __shared__ int *p;
  if (T == 0)
    p = (int *)malloc(nt * 4);
  __syncthreads();
  p[T] = a[T];
  __syncthreads();
  b[T] = p[nt - 1 - T];
  __syncthreads();
  if (T == 0)
    free(p);
}
// CASE freed_too_early: FAULTY memory
__global__ void freed_too_early(const int *a, int *b) {
  __shared__ int *p;
  if (T == 0)
    p = (int *)malloc(nt * 4);
  __syncthreads();
  p[T] = a[T];
  __syncthreads();
  if (T == 0)
    free(p); // CHECK-MEMORY: host
  __syncthreads();
  b[T] = p[nt - 1 - T]; // CHECK-MEMORY: read
}
// CASE heap_overrun: FAULTY memory
__global__ void heap_overrun(const int *a, int *b) {
  int *p = (int *)malloc(10 * 4);
  for (int i = 0; i <= 10; ++i)
    p[i] = i; // CHECK-MEMORY: write
  b[T] = p[3];
  free(p);
}
// CASE heap_unset: FAULTY init
__global__ void heap_unset(const int *a, int *b) {
  int *p = (int *)malloc(10 * 4);
  for (int i = 0; i < 9; ++i)
    p[i] = i;
  int s = 0;
  for (int i = 0; i < 10; ++i)
    s += p[i]; // CHECK-INIT: read
  b[T] = s;
  free(p);
}
// CASE new_delete: RIGHT
struct node {
  int v;
  node *next;
};
__global__ void new_delete(const int *a, int *b) {
  node *head = nullptr;
  for (int i = 0; i < 5; ++i)
    head = new node{a[i], head};
  int s = 0;
  while (head) {
    node *x = head->next;
    s += head->v;
    delete head;
    head = x;
  }
  b[T] = s;
}
// CASE deleted_twice: FAULTY memory
__global__ void deleted_twice(const int *a, int *b) {
  int *p = new int[4]; // MAY-MEMORY: host
  p[0] = 1;
  b[T] = p[0];
  delete[] p; // MAY-MEMORY: host
  if (T == 3)
    delete[] p; // CHECK-MEMORY: host
}
// CASE freed_in_middle: FAULTY memory
__global__ void freed_in_middle(const int *a, int *b) {
  int *p = (int *)malloc(64); // MAY-MEMORY: host
  p[1] = 3;
  b[T] = p[1];
  free(p + 1); // CHECK-MEMORY: host
}
// CASE kept_between_launches: RIGHT
__device__ int *kept[nt];
__global__ void kept_make(const int *a) {
  kept[T] = (int *)malloc(8);
  kept[T][0] = a[T];
  kept[T][1] = 2;
}
__global__ void kept_use(int *b) {
  b[T] = kept[T][0] * kept[T][1];
  free(kept[T]);
}
// CASE used_in_next_launch: FAULTY memory
__device__ int *stale[nt];
__global__ void stale_make(const int *a) {
  stale[T] = (int *)malloc(8);
  stale[T][0] = a[T];
  free(stale[T]); // CHECK-MEMORY: host
}
__global__ void stale_use(int *b) { b[T] = stale[T][0]; } // CHECK-MEMORY: read
// CASE heap_race: FAULTY race
__global__ void heap_race(const int *a, int *b) {
  __shared__ int *p;
  if (T == 0)
    p = (int *)malloc(nt * 4);
  __syncthreads();
  p[T] = a[T];          // CHECK-RACE: write
  b[T] = p[nt - 1 - T]; // CHECK-RACE: read ! MAY-INIT: read
  __syncthreads();
  if (T == 0)
    free(p); // MAY-RACE: host
}
// CASE float4_misaligned: FAULTY memory
__global__ void float4_misaligned(const float *a, float *b) {
  auto *at = reinterpret_cast<const float4 *>(a + 4 * T % 64 + 2);
  float4 v = *at; // CHECK-MEMORY: read
  b[T] = v.x;
}
// CASE double_at_odd_word: FAULTY memory
__global__ void double_at_odd_word(const float *a, float *b) {
  ((double *)(b + 1))[0] = T; // CHECK-MEMORY: write
}
// CASE packed_struct: RIGHT
struct __attribute__((packed)) packed {
  char c;
  int i;
};
__global__ void packed_struct(const packed *a, int *b) { b[T] = a[T].i; }
// CASE null_pointer: FAULTY memory
__global__ void null_pointer(const int *a, int *b, int *none) {
  if (T == 5)
    none[T] = a[T]; // CHECK-MEMORY: write
  b[T] = 1;
}
// CASE second_dynamic_array: FAULTY race
__global__ void second_dynamic_array(const int *a, int *b) {
  extern __shared__ int room[];
  int *first = room, *second = room + nt; // nt too small: first has nt + 1
  first[T] = a[T];                        // MAY-RACE: write
  if (T == 1)
    first[nt] = a[nt];    // CHECK-RACE: write
  second[T] = a[T] + 100; // CHECK-RACE: write
  __syncthreads();
  b[T] = first[T] + second[T];
}
// CASE dynamic_by_one: FAULTY memory
__global__ void dynamic_by_one(const int *a, int *b) {
  extern __shared__ int room[];
  room[2 * T] = 0;
  room[2 * T + 1] = a[T];
  if (T == nt - 1)
    room[2 * T + 2] = 4; // CHECK-MEMORY: write
  __syncthreads();
  b[T] = room[T];
}
// CASE shared_struct_member: FAULTY memory
struct rows {
  int a[8];
  int b[8];
};
__global__ void shared_struct_member(const int *a, int *b) {
  __shared__ rows r;
  r.a[T % 8] = a[T % 8];
  r.b[T % 8] = 0;
  __syncthreads();
  b[T] = r.a[T % 8 + T / 31]; // CHECK-MEMORY: read
}
// CASE constant_by_one: FAULTY memory
__constant__ int table[16];
__global__ void constant_by_one(const int *a, int *b) {
  b[T] = table[T % 17]; // CHECK-MEMORY: read
}
// CASE local_by_one: FAULTY memory
__global__ void local_by_one(const int *a, int *b) {
  int own[6];
  for (int i = 0; i < 6; ++i)
    own[i] = a[i];
  int s = 0;
  for (int i = 0; i <= a[6]; ++i)
    s += own[i]; // CHECK-MEMORY: read
  b[T] = s;
}
// CASE two_dimensional_row: RIGHT
__device__ int grid2[8][8];
__global__ void two_dimensional_row(const int *a, int *b) {
  int *flat = &grid2[0][0];
  flat[T] = a[T];
  flat[T + 32] = a[T];
  __syncthreads();
  b[T] = grid2[T / 8][T % 8];
}
// CASE module_2d_by_one: FAULTY memory
__global__ void module_2d_by_one(const int *a, int *b) {
  b[T] = grid2[T % 9][7]; // CHECK-MEMORY: read
}
// CASE far_beyond: FAULTY memory
__device__ int *leaked;
__global__ void pass_on(const int *a) {
  int *h = (int *)a;
  leaked = h + n;
}
__global__ void far_beyond(int *b) {
  b[T] = leaked[T + 4000]; // CHECK-MEMORY: read
}
// END CASES
int main(int argc, char **argv) {
  count = argc;
  names = argv;
  int *a = numbers(n), *b = numbers(n);
  float *f;
  cudaMalloc(&f, 4 * n);
  cudaMemset(f, 0, 4 * n);
  std::vector<int> r;
#define RUN(NAME)                                                              \
  if (run(#NAME))                                                              \
    NAME<<<1, nt, 2 * nt * 4>>>(a, b);
#define RIGHT(NAME, H)                                                         \
  if (run(#NAME)) {                                                            \
    NAME<<<1, nt, 2 * nt * 4>>>(a, b);                                         \
    r = fetch(b, n);                                                           \
    expect(H, #NAME);                                                          \
  }
  RIGHT(heap_neighbours, r[0] == 31);
  RUN(freed_too_early);
  RUN(heap_overrun);
  RUN(heap_unset);
  RIGHT(new_delete, r[0] == 10);
  RUN(deleted_twice);
  RUN(freed_in_middle);
  if (run("kept_between_launches")) {
    kept_make<<<1, nt>>>(a);
    kept_use<<<1, nt>>>(b);
    expect(fetch(b, n)[3] == 6, "kept");
  }
  if (run("used_in_next_launch")) {
    stale_make<<<1, nt>>>(a);
    stale_use<<<1, nt>>>(b);
  }
  RUN(heap_race);
  if (run("float4_misaligned"))
    float4_misaligned<<<1, nt>>>(f, f);
  if (run("double_at_odd_word"))
    double_at_odd_word<<<1, 1>>>(f, f);
  if (run("packed_struct")) {
    packed_struct<<<1, 20>>>((packed *)a, b);
    expect(true, "");
  }
  if (run("null_pointer"))
    null_pointer<<<1, nt>>>(a, b, nullptr);
  RUN(second_dynamic_array);
  RUN(dynamic_by_one);
  RUN(shared_struct_member);
  RUN(constant_by_one);
  RUN(local_by_one);
  RIGHT(two_dimensional_row, r[9] == 9);
  RUN(module_2d_by_one);
  if (run("far_beyond")) {
    pass_on<<<1, 1>>>(a);
    far_beyond<<<1, nt>>>(b);
  }
  cudaDeviceSynchronize();
  return finish();
}

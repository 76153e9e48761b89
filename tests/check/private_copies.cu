// Structures that are copied, of which a part was never written.
#include "Inputs/cases.h"
constexpr int nt = 64;

struct Cell {
  float x, y, z;
  int n;
};

__global__ void fill(Cell *cells) {
  Cell &own = cells[threadIdx.x];
  own.x = 1;
  own.z = 2;
  own.n = threadIdx.x;
}

__device__ Cell doubled(Cell cell) {
  cell.x *= 2;
  return cell;
}

__device__ float4 plus(float4 a, float4 b) {
  return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, 0);
}

// CASE used_behind_copy: FAULTY init cells
__global__ void used_behind_copy(const Cell *cells, float *out) {
  Cell own = cells[threadIdx.x];    // CHECK-INIT: read
  out[threadIdx.x] = own.x + own.y; // CHECK-INIT: read
}

// CASE used_in_procedure: FAULTY init cells
__device__ float sum(Cell cell) {
  return cell.x + cell.y; // MAY-INIT: read
}

__global__ void used_in_procedure(const Cell *cells, float *out) {
  Cell own = doubled(cells[threadIdx.x]); // CHECK-INIT: read
  out[threadIdx.x] = sum(own);            // MAY-INIT: read
}

// CASE vectors: FAULTY init points
__global__ void vectors(const float4 *points, float4 *out) {
  float4 a = points[threadIdx.x], b = points[0]; // CHECK-INIT: read
  float w = b.w;                                 // MAY-INIT: read
  a.y = w * 2;                                   // CHECK-INIT: read
  out[threadIdx.x] = a;
}

// CASE array_of_copies: FAULTY init cells
__global__ void array_of_copies(const Cell *cells, float *out) {
  Cell near[4];
  for (int i = 0; i < 4; ++i)
    near[i] = cells[(threadIdx.x + i) % nt]; // CHECK-INIT: read
  float all = 0;
  for (int i = 0; i < 4; ++i)
    all += near[i].y; // CHECK-INIT: read
  out[threadIdx.x] = all;
}

// CASE shared_copy: FAULTY init s
__global__ void shared_copy(float *out) {
  __shared__ Cell s[nt];
  s[threadIdx.x].x = 1;
  __syncthreads();
  Cell other = s[nt - 1 - threadIdx.x]; // CHECK-INIT: read
  out[threadIdx.x] = other.n;           // CHECK-INIT: read
}

// CASE copied_back: FAULTY init copies
__global__ void copy(const Cell *cells, Cell *copies) {
  copies[threadIdx.x] = cells[threadIdx.x];
}
__global__ void copied_back(const Cell *copies, float *out) {
  out[threadIdx.x] = 2 * copies[threadIdx.x].y; // CHECK-INIT: read
}

// CASE copied_back_through_private: FAULTY init copies
__global__ void change(const Cell *cells, Cell *copies) {
  Cell own = doubled(cells[threadIdx.x]);
  own.n += 1;
  copies[threadIdx.x] = own;
}
__global__ void copied_back_through_private(const Cell *copies, float *out) {
  out[threadIdx.x] = 2 * copies[threadIdx.x].y; // CHECK-INIT: read
}

// CASE races_behind_copy: FAULTY race cells
__global__ void races_behind_copy(Cell *cells, float *out) {
  Cell near[2];
  for (int i = 0; i < 2; ++i)
    near[i] = cells[(threadIdx.x + i) % nt]; // CHECK-RACE: read
  cells[threadIdx.x].n = 0;                  // CHECK-RACE: write
  float all = 0;
  for (int i = 0; i < 2; ++i)
    all += near[i].x;
  out[threadIdx.x] = all;
}

// CASE unused_part: RIGHT
__global__ void unused_part(const Cell *cells, Cell *copies, float *out) {
  Cell own = cells[threadIdx.x], other = own, third = doubled(other);
  copies[threadIdx.x] = third;
  if (own.n > 1000)
    out[threadIdx.x] = own.y;
  else
    out[threadIdx.x] = third.x + third.z;
}

// CASE unused_component: RIGHT
__global__ void unused_component(const float4 *points, float4 *out) {
  out[threadIdx.x] = plus(points[threadIdx.x], points[0]);
}

// CASE set_behind_copy: RIGHT
__global__ void set_behind_copy(const Cell *cells, float *out) {
  Cell own = cells[threadIdx.x];
  own.y = 3;
  Cell again = own;
  out[threadIdx.x] = again.x + again.y;
}

// CASE each_iteration: RIGHT
__global__ void each_iteration(const Cell *cells, float *out) {
  float all = 0;
  for (int i = 0; i < 4; ++i) {
    Cell own;
    if (i == 0)
      own = cells[threadIdx.x];
    else
      own = {1, 1, 1, 1};
    if (i > 0)
      all += own.y;
  }
  out[threadIdx.x] = all;
}
// END CASES

static Cell *halfFilled() {
  Cell *cells;
  cudaMalloc(&cells, nt * sizeof(Cell));
  fill<<<1, nt>>>(cells);
  return cells;
}

static float last(const float *out) {
  float host[nt];
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  return host[nt - 1];
}

int main(int argc, char **argv) {
  count = argc, names = argv;
  float *out;
  float4 *points, *sums;
  cudaMalloc(&out, nt * sizeof(float));
  cudaMalloc(&points, nt * sizeof(float4));
  cudaMalloc(&sums, nt * sizeof(float4));
  // The last component stays as it is.
  cudaMemset2D(points, sizeof(float4), 0, 3 * sizeof(float), nt);
  Cell *cells = halfFilled(), *copies;
  cudaMalloc(&copies, nt * sizeof(Cell));
  if (run("used_behind_copy"))
    used_behind_copy<<<1, nt>>>(cells, out);
  if (run("used_in_procedure"))
    used_in_procedure<<<1, nt>>>(cells, out);
  if (run("vectors"))
    vectors<<<1, nt>>>(points, sums);
  if (run("array_of_copies"))
    array_of_copies<<<1, nt>>>(cells, out);
  if (run("shared_copy"))
    shared_copy<<<1, nt>>>(out);
  if (run("copied_back")) {
    copy<<<1, nt>>>(cells, copies);
    copied_back<<<1, nt>>>(copies, out);
  }
  if (run("copied_back_through_private")) {
    change<<<1, nt>>>(cells, copies);
    copied_back_through_private<<<1, nt>>>(copies, out);
  }
  if (run("races_behind_copy"))
    races_behind_copy<<<1, nt>>>(cells, out);
  if (run("unused_part")) {
    unused_part<<<1, nt>>>(cells, copies, out);
    expect(last(out) == 4, "unused_part");
  }
  if (run("unused_component"))
    unused_component<<<1, nt>>>(points, sums);
  if (run("set_behind_copy")) {
    set_behind_copy<<<1, nt>>>(cells, out);
    expect(last(out) == 4, "set_behind_copy");
  }
  if (run("each_iteration")) {
    each_iteration<<<1, nt>>>(cells, out);
    expect(last(out) == 3, "each_iteration");
  }
  cudaDeviceSynchronize();
  return finish();
}

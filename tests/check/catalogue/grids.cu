// Barriers of the grid that not all threads come to.
#include "../Inputs/cases.h"
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
constexpr int nt = 64, nb = 4, n = nt * nb;
// CASE blocks_leave_before_grid: FAULTY sync ALONE
__global__ void blocks_leave_before_grid(const int *a, int *b) {
  auto grid = cg::this_grid();
  if (blockIdx.x >= 2)
    return;
  b[grid.thread_rank()] = a[0];
  grid.sync(); // CHECK-SYNC: barrier
  b[grid.thread_rank()] = 1;
}
// CASE threads_leave_before_grid: FAULTY sync ALONE
__global__ void threads_leave_before_grid(const int *a, int *b) {
  auto grid = cg::this_grid();
  if (grid.thread_rank() >= n - 10)
    return;
  grid.sync(); // CHECK-SYNC: barrier
  b[grid.thread_rank()] = 1;
}
// CASE grid_at_two_places: FAULTY sync ALONE
__global__ void grid_at_two_places(const int *a, int *b) {
  auto grid = cg::this_grid();
  if (threadIdx.x % 2)
    grid.sync(); // CHECK-SYNC: barrier
  else
    grid.sync(); // CHECK-SYNC: barrier
  b[grid.thread_rank()] = 1;
}
// CASE block_dependent_trips: FAULTY sync ALONE
__global__ void block_dependent_trips(const int *a, int *b) {
  auto grid = cg::this_grid();
  for (int i = 0; i <= (int)blockIdx.x; ++i) {
    b[grid.thread_rank()] = i;
    grid.sync(); // CHECK-SYNC: barrier
  }
}
// CASE by_block: RIGHT
__global__ void by_block(const int *a, int *b) {
  auto grid = cg::this_grid();
  b[grid.thread_rank()] = a[1];
  if (blockIdx.x % 2)
    grid.sync();
  else
    grid.sync();
  if (blockIdx.x == 3)
    return;
  b[grid.thread_rank()] = b[n - 1 - grid.thread_rank() % nt];
}
// END CASES
int main(int argc, char **argv) {
  count = argc;
  names = argv;
  int *a = numbers(n), *b = numbers(n);
#define COOP(NAME)                                                             \
  if (run(#NAME)) {                                                            \
    void *args[] = {&a, &b};                                                   \
    cudaLaunchCooperativeKernel((void *)NAME, nb, nt, args);                   \
  }
  COOP(blocks_leave_before_grid);
  COOP(threads_leave_before_grid);
  COOP(grid_at_two_places);
  COOP(block_dependent_trips);
  COOP(by_block);
  return finish();
}

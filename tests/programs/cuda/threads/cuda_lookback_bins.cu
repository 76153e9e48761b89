// A scan in one pass over rows of counters, as radix sorts have it: each thread
// has a column, writes what its block has counted, and looks back at the same
// column of the blocks before it until it finds a sum.
#include <cstdio>
#include <cstdlib>

constexpr int Columns = 256;
constexpr unsigned Partial = 1u << 30, Inclusive = 1u << 31,
                   Value = Partial - 1;

__global__ void __launch_bounds__(Columns)
    scan(const unsigned *counts, unsigned *table, unsigned *before,
         int *ticket) {
  __shared__ int drawn;
  if (threadIdx.x == 0)
    drawn = atomicAdd(ticket, 1);
  __syncthreads();
  const int block = drawn, column = threadIdx.x;
  const unsigned own = counts[block * Columns + column];
  volatile unsigned *state = table;
  if (block > 0)
    state[block * Columns + column] = own | Partial;
  unsigned sum = own;
  unsigned lanes = ~0u;
  for (int other = block - 1; other >= 0; --other) {
    unsigned found;
    do
      found = state[other * Columns + column];
    while (found == 0);
    sum += found & Value;
    lanes = __ballot_sync(lanes, !(found & Inclusive));
    if (found & Inclusive)
      break;
  }
  state[block * Columns + column] = sum | Inclusive;
  before[block * Columns + column] = sum - own;
}

int main() {
  const int blocks = 300;
  unsigned *counts, *table, *before;
  int *ticket;
  const size_t bytes = blocks * Columns * sizeof(unsigned);
  cudaMallocManaged(&counts, bytes);
  cudaMallocManaged(&before, bytes);
  cudaMallocManaged(&ticket, sizeof(int));
  cudaMalloc(&table, bytes);
  cudaMemset(table, 0, bytes);
  *ticket = 0;
  for (int i = 0; i < blocks * Columns; ++i)
    counts[i] = unsigned(i * 7919ll % 101);
  scan<<<blocks, Columns>>>(counts, table, before, ticket);
  if (cudaDeviceSynchronize() != cudaSuccess)
    return EXIT_FAILURE;
  for (int column = 0; column < Columns; ++column) {
    unsigned sum = 0;
    for (int block = 0; block < blocks; ++block) {
      const int i = block * Columns + column;
      if (before[i] != sum) {
        std::printf("column %d, block %d: %u, not %u\n", column, block,
                    before[i], sum);
        return EXIT_FAILURE;
      }
      sum += counts[i];
    }
  }
  std::puts("PASSED");
}

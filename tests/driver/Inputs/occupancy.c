/* Random devices, kernels and states: what cuda_occupancy.h answers, every
   hundredth of them as a line, and a number over all. */
#include <cuda_occupancy.h>
#include <stdio.h>

static unsigned long long word = 88172645463325252ull;
static unsigned anyBelow(unsigned limit) {
  word ^= word << 13;
  word ^= word >> 7;
  word ^= word << 17;
  return (unsigned)(word >> 33) % limit;
}

static unsigned long long all = 14695981039346656037ull;
static int shown;
static void answer(const char *name, long long value) {
  all = (all ^ (unsigned long long)value) * 1099511628211ull;
  if (shown)
    printf(" %s=%lld", name, value);
}

static size_t twelveBytesEach(int threads) { return (size_t)threads * 12; }

static const int capabilities[][2] = {
    {2, 0},  {3, 0},  {3, 7},  {4, 0},  {5, 0},  {5, 2},  {5, 3},
    {6, 0},  {6, 1},  {6, 2},  {7, 0},  {7, 2},  {7, 5},  {8, 0},
    {8, 6},  {8, 7},  {8, 9},  {9, 0},  {10, 0}, {10, 1}, {10, 2},
    {10, 3}, {11, 0}, {11, 1}, {11, 3}, {12, 0}, {12, 1}, {13, 0}};
static const size_t kilobytes[] = {48, 64, 96, 100, 112, 164, 228, 300};

/* Zero in C, and what the constructors set in C++. */
static cudaOccDeviceProp noDevice;
static cudaOccFuncAttributes noKernel;
static cudaOccDeviceState noState;
static cudaOccResult noResult;

int main(void) {
  int i;
  for (i = 0; i < 50000; ++i) {
    cudaOccDeviceProp device = noDevice;
    cudaOccFuncAttributes kernel = noKernel;
    cudaOccDeviceState state = noState;
    cudaOccResult result = noResult;
    const int *capability = capabilities[anyBelow(28)];
    int blockSize = (int)anyBelow(1100) - 1, grid = -1, best = -1, blocks;
    size_t dynamic = anyBelow(2) ? anyBelow(100000) : 0, left = 0;
    device.computeMajor = capability[0];
    device.computeMinor = capability[1];
    device.maxThreadsPerBlock = anyBelow(50) ? 1024 : 512;
    device.maxThreadsPerMultiprocessor = anyBelow(2) ? 2048 : 1536;
    device.regsPerBlock = anyBelow(3) ? 65536 : 32768;
    device.regsPerMultiprocessor = 65536 << anyBelow(2);
    device.warpSize = 32;
    device.sharedMemPerBlock = 49152;
    device.sharedMemPerMultiprocessor = kilobytes[anyBelow(8)] * 1024;
    device.numSms = anyBelow(80) ? (int)anyBelow(132) + 1 : 0;
    device.sharedMemPerBlockOptin = device.sharedMemPerMultiprocessor - 1024;
    device.reservedSharedMemPerBlock = device.computeMajor >= 8 ? 1024 : 0;
    kernel.maxThreadsPerBlock = anyBelow(4) ? 1024 : (int)anyBelow(1100);
    kernel.numRegs = (int)anyBelow(anyBelow(3) ? 80 : 260);
    if (anyBelow(100) == 0)
      kernel.numRegs = -1;
    kernel.sharedSizeBytes = anyBelow(3) ? anyBelow(20000) : 0;
    kernel.partitionedGCConfig = (cudaOccPartitionedGCConfig)anyBelow(3);
    kernel.shmemLimitConfig = (cudaOccFuncShmemConfig)anyBelow(2);
    kernel.maxDynamicSharedSizeBytes = anyBelow(2) ? 200000 : anyBelow(100000);
    kernel.numBlockBarriers = (int)anyBelow(4);
    kernel.virtualResourceCount = anyBelow(3) ? 0 : (int)anyBelow(40);
    state.cacheConfig = (cudaOccCacheConfig)anyBelow(4);
    state.carveoutConfig = anyBelow(3) ? -1 : (int)anyBelow(104) - 2;
    blocks = (int)anyBelow(9);

    shown = i % 100 == 0;
    if (shown)
      printf("%d.%d:", capability[0], capability[1]);
    answer("status",
           cudaOccMaxActiveBlocksPerMultiprocessor(&result, &device, &kernel,
                                                   &state, blockSize, dynamic));
    answer("active", result.activeBlocksPerMultiprocessor);
    answer("factors", result.limitingFactors);
    answer("registers", result.blockLimitRegs);
    answer("shared", result.blockLimitSharedMem);
    answer("warps", result.blockLimitWarps);
    answer("blocks", result.blockLimitBlocks);
    answer("barriers", result.blockLimitBarriers);
    answer("virtual", result.blockLimitVirtual);
    answer("block-registers", result.allocatedRegistersPerBlock);
    answer("block-shared", (long long)result.allocatedSharedMemPerBlock);
    answer("caching", result.partitionedGCConfig);
    answer("search", cudaOccMaxPotentialOccupancyBlockSize(
                         &grid, &best, &device, &kernel, &state,
                         i & 1 ? twelveBytesEach : NULL, dynamic));
    answer("grid", grid);
    answer("block", best);
    answer("dynamic", cudaOccAvailableDynamicSMemPerBlock(
                          &left, &device, &kernel, &state, blocks, blockSize));
    answer("left", (long long)left);
    if (shown)
      printf("\n");
  }
  printf("all: %llx\n", all);
  return 0;
}

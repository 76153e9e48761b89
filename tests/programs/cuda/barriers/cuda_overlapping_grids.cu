// Programmatic dependent launch: grids that may begin before the one before
// them has ended, and wait for it themselves, by functions and by PTX, with
// launches of the runtime and of the driver API.
#include <cstdio>
#include <cuda.h>

constexpr int Blocks = 64, Threads = 128, Count = Blocks * Threads;

extern "C" __global__ void twice(int *to, const int *from) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  // What does not depend on the grid before.
  int mine = i % 7;
  cudaGridDependencySynchronize();
  // Others' elements.
  to[i] = 2 * from[Count - 1 - i] + mine;
  cudaTriggerProgrammaticLaunchCompletion();
}
__global__ void plus(int *to, const int *from, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  asm volatile("griddepcontrol.wait;" ::: "memory");
  asm volatile("griddepcontrol.launch_dependents;");
  to[i] = from[Count - 1 - i] + n;
}

#define TRY(call)                                                              \
  if (int error = (int)(call))                                                 \
  return printf("%s: %d\n", #call, error), 1

int main() {
  int *a, *b;
  cudaStream_t stream;
  TRY(cudaMallocManaged(&a, Count * sizeof(int)));
  TRY(cudaMallocManaged(&b, Count * sizeof(int)));
  TRY(cudaStreamCreate(&stream));
  for (int i = 0; i < Count; ++i)
    a[i] = i % 5;

  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attribute.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = Blocks;
  config.blockDim = Threads;
  config.stream = stream;
  config.attrs = &attribute;
  config.numAttrs = 1;
  const int *from = a;
  int add = 3;
  void *parameters[] = {&a, &b, &add};

  CUlaunchAttribute driverAttribute{};
  driverAttribute.id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION;
  driverAttribute.value.programmaticStreamSerializationAllowed = 1;
  CUlaunchConfig driverConfig{};
  driverConfig.gridDimX = Blocks;
  driverConfig.gridDimY = driverConfig.gridDimZ = 1;
  driverConfig.blockDimX = Threads;
  driverConfig.blockDimY = driverConfig.blockDimZ = 1;
  driverConfig.hStream = stream;
  driverConfig.attrs = &driverAttribute;
  driverConfig.numAttrs = 1;
  cudaFunction_t function;
  TRY(cudaGetFuncBySymbol(&function, (const void *)twice));
  void *driverParameters[] = {&b, &from};

  for (int iteration = 0; iteration < 4; ++iteration) {
    TRY(cudaLaunchKernelEx(&config, twice, b, from));
    TRY(cudaLaunchKernelExC(&config, (const void *)plus, parameters));
    TRY(cuLaunchKernelEx(&driverConfig, (CUfunction)function, driverParameters,
                         nullptr));
    TRY(cudaLaunchKernelEx(&config, plus, a, (const int *)b, add));
  }
  TRY(cudaStreamSynchronize(stream));
  int expected[Count], other[Count], wrong = 0;
  for (int i = 0; i < Count; ++i)
    expected[i] = i % 5;
  for (int iteration = 0; iteration < 8; ++iteration) {
    for (int i = 0; i < Count; ++i)
      other[i] = 2 * expected[Count - 1 - i] + i % 7;
    for (int i = 0; i < Count; ++i)
      expected[i] = other[Count - 1 - i] + 3;
  }
  for (int i = 0; i < Count; ++i)
    wrong += a[i] != expected[i];
  printf(wrong ? "FAILED: %d\n" : "PASSED\n", wrong);
  return wrong != 0;
}

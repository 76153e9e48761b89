// MODULE: ../../Inputs/driver_kernels.cu
// FLAGS: -lcuda
// Libraries of the runtime API: code that is loaded while the program runs, its
// kernels launched, asked for attributes and put into graphs as the program's
// own, its variables; the same after a reset of the device.
#include "../../Inputs/check.h"
#include "../../Inputs/driver_module.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#include <string>
#include <vector>

struct Pair {
  char tag;
  double value;
};

__global__ void own(int *a) { *a = 7; }

constexpr int N = 3000;

static void launches(cudaLibrary_t library) {
  cudaKernel_t scale, again, reduce;
  CHECK(cudaLibraryGetKernel(&scale, library, "scale"));
  CHECK(cudaLibraryGetKernel(&again, library, "scale"));
  EXPECT(scale == again);
  CHECK(cudaLibraryGetKernel(&reduce, library, "reduce"));
  EXPECT(cudaLibraryGetKernel(&again, library, "none") ==
         cudaErrorSymbolNotFound);

  float factors[4] = {0.5f, 1.5f, 2.5f, 3.5f};
  void *constant, *total;
  size_t bytes = 0;
  CHECK(cudaLibraryGetGlobal(&constant, &bytes, library, "factors"));
  EXPECT(bytes == sizeof(factors));
  CHECK(cudaMemcpy(constant, factors, bytes, cudaMemcpyHostToDevice));
  EXPECT(cudaLibraryGetGlobal(&total, &bytes, library, "none") ==
         cudaErrorSymbolNotFound);

  std::vector<float> host(N), back(N);
  for (int i = 0; i < N; ++i)
    host[i] = float(i);
  float *a;
  CHECK(cudaMalloc(&a, N * sizeof(float)));
  CHECK(cudaMemcpy(a, host.data(), N * sizeof(float), cudaMemcpyHostToDevice));
  int n = N;
  Pair by{2, 3.0};
  short shift = 100;
  void *parameters[] = {&a, &n, &by, &shift};
  CHECK(cudaLaunchKernel((const void *)scale, dim3((N + 127) / 128), dim3(128),
                         parameters, 0, nullptr));
  cudaLaunchConfig_t configuration{};
  configuration.gridDim = dim3((N + 127) / 128);
  configuration.blockDim = dim3(128);
  CHECK(cudaLaunchKernelExC(&configuration, (const void *)scale, parameters));
  CHECK(cudaMemcpy(back.data(), a, N * sizeof(float), cudaMemcpyDeviceToHost));
  for (int i = 0; i < N; ++i)
    EXPECT(back[i] == (host[i] * 3 + 102.5f) * 3 + 102.5f);

  // In a graph, which says what it launches.
  cudaGraph_t graph;
  cudaGraphNode_t node;
  cudaGraphExec_t exec;
  CHECK(cudaGraphCreate(&graph, 0));
  cudaKernelNodeParams launch{};
  launch.func = (void *)scale;
  launch.gridDim = dim3((N + 127) / 128);
  launch.blockDim = dim3(128);
  launch.kernelParams = parameters;
  CHECK(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &launch));
  cudaKernelNodeParams what{};
  CHECK(cudaGraphKernelNodeGetParams(node, &what));
  EXPECT(what.func == (void *)scale && what.blockDim.x == 128);
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  CHECK(cudaMemcpy(a, host.data(), N * sizeof(float), cudaMemcpyHostToDevice));
  CHECK(cudaGraphLaunch(exec, nullptr));
  CHECK(cudaMemcpy(back.data(), a, N * sizeof(float), cudaMemcpyDeviceToHost));
  EXPECT(back[0] == 102.5f && back[N - 1] == host[N - 1] * 3 + 102.5f);
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));

  // Attributes, occupancy, dynamic shared memory.
  cudaFuncAttributes attributes;
  CHECK(cudaFuncGetAttributes(&attributes, (const void *)reduce));
  EXPECT(attributes.maxThreadsPerBlock >= 256);
  const char *name = nullptr;
  CHECK(cudaFuncGetName(&name, (const void *)reduce));
  EXPECT(!std::strcmp(name, "reduce"));
  int blocks = 0;
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
      &blocks, (const void *)reduce, 256, 1024));
  EXPECT(blocks >= 1);
  CHECK(cudaKernelSetAttributeForDevice(
      reduce, cudaFuncAttributeMaxDynamicSharedMemorySize, 60000, 0));
  std::vector<int> numbers(N);
  int sum = 0, result = 1000, *ints;
  for (int i = 0; i < N; ++i)
    sum += numbers[i] = i % 17 - 5;
  CHECK(cudaMalloc(&ints, N * sizeof(int)));
  CHECK(cudaMemcpy(ints, numbers.data(), N * sizeof(int),
                   cudaMemcpyHostToDevice));
  CHECK(cudaLibraryGetGlobal(&total, nullptr, library, "total"));
  CHECK(cudaMemcpy(total, &result, sizeof(int), cudaMemcpyHostToDevice));
  void *of[] = {&ints, &n};
  CHECK(cudaLaunchKernel((const void *)reduce, dim3(1), dim3(256), of, 60000,
                         nullptr));
  CHECK(cudaMemcpy(&result, total, sizeof(int), cudaMemcpyDeviceToHost));
  EXPECT(result == sum + 1000 + 6);
  CHECK(cudaFree(ints));
  CHECK(cudaFree(a));
}

// Counting and naming all of them.
static void kernels(cudaLibrary_t library) {
  unsigned count = 0;
  const cudaError_t error = cudaLibraryGetKernelCount(&count, library);
  if (error == cudaErrorCallRequiresNewerDriver) {
    cudaGetLastError();
    return;
  }
  CHECK(error);
  EXPECT(count == 5);
  cudaKernel_t all[8] = {}, scale;
  CHECK(cudaLibraryEnumerateKernels(all, 8, library));
  CHECK(cudaLibraryGetKernel(&scale, library, "scale"));
  bool found = false;
  for (unsigned i = 0; i < count; ++i) {
    EXPECT(all[i]);
    found |= all[i] == scale;
  }
  EXPECT(found && !all[5]);
}

// One variable for host and device (cuda_library_devices: for all devices).
static void managed(cudaLibrary_t library) {
  void *address = nullptr;
  size_t bytes = 0;
  EXPECT(cudaLibraryGetManaged(&address, &bytes, library, "table") ==
         cudaErrorSymbolNotFound);
  CHECK(cudaLibraryGetManaged(&address, &bytes, library, "counted"));
  EXPECT(bytes == sizeof(int));
  int *counted = static_cast<int *>(address), by = 4;
  *counted = 10;
  cudaKernel_t count;
  CHECK(cudaLibraryGetKernel(&count, library, "count_up"));
  void *parameters[] = {&by};
  CHECK(cudaLaunchKernel((const void *)count, dim3(2), dim3(3), parameters, 0,
                         nullptr));
  CHECK(cudaDeviceSynchronize());
  EXPECT(*counted == 10 + 2 * 3 * 4);
}

/// PTX of any compiler is for GPUs.
static void ptx() {
  const char *text = ".version 7.0\n.target sm_70\n.address_size 64\n"
                     ".visible .entry answer(.param .u64 at) {\n"
                     "  .reg .b64 %a;\n  .reg .b32 %v;\n"
                     "  ld.param.u64 %a, [at];\n  cvta.to.global.u64 %a, %a;\n"
                     "  mov.u32 %v, 42;\n  st.global.u32 [%a], %v;\n  ret;\n"
                     "}\n";
  cudaLibrary_t library;
  const char *device = std::getenv("CUFORT_DEVICE");
  if (device && !std::strcmp(device, "cpu")) {
    EXPECT(cudaLibraryLoadData(&library, text) == cudaErrorInvalidKernelImage);
    return;
  }
  CHECK(cudaLibraryLoadData(&library, text));
  cudaKernel_t answer;
  CHECK(cudaLibraryGetKernel(&answer, library, "answer"));
  int *a, result = 0;
  CHECK(cudaMalloc(&a, sizeof(int)));
  void *parameters[] = {&a};
  CHECK(cudaLaunchKernel((const void *)answer, dim3(1), dim3(1), parameters, 0,
                         nullptr));
  CHECK(cudaMemcpy(&result, a, sizeof(int), cudaMemcpyDeviceToHost));
  EXPECT(result == 42);
  CHECK(cudaFree(a));
  CHECK(cudaLibraryUnload(library));
}

int main() {
  cudaLibrary_t library, file, none;
  EXPECT(cudaLibraryLoadFromFile(&none, "/no/such/file") ==
         cudaErrorFileNotFound);
  EXPECT(cudaLibraryLoadData(nullptr, module_begin) == cudaErrorInvalidValue);
  EXPECT(cudaLibraryLoadData(&none, nullptr) == cudaErrorInvalidValue);
  // The library keeps a copy of the code.
  std::string code(module_begin, module_end);
  cudaLibraryOption options[] = {cudaLibraryBinaryIsPreserved};
  CHECK(cudaLibraryLoadData(&library, code.data()));
  CHECK(cudaLibraryLoadData(&file, module_begin, nullptr, nullptr, 0, options,
                            nullptr, 1));
  code.assign(code.size(), 'x');
  cudaGetLastError();
  launches(library);
  kernels(library);
  managed(library);
  ptx();
  cudaGetLastError();
  // Each library has variables of its own.
  void *mine, *other;
  CHECK(cudaLibraryGetGlobal(&mine, nullptr, library, "total"));
  CHECK(cudaLibraryGetGlobal(&other, nullptr, file, "total"));
  EXPECT(mine != other);
  CHECK(cudaLibraryUnload(file));
  EXPECT(cudaLibraryUnload(file) == cudaErrorInvalidResourceHandle);
  // What is loaded after that starts anew.
  for (int round = 0; round < 3; ++round) {
    int table[3] = {};
    CHECK(cudaLibraryLoadData(&file, module_begin));
    CHECK(cudaLibraryGetGlobal(&other, nullptr, file, "table"));
    CHECK(cudaMemcpy(table, other, sizeof(table), cudaMemcpyDeviceToHost));
    EXPECT(table[0] == 5 && table[1] == 6 && table[2] == 7);
    CHECK(cudaMemset(other, 1, sizeof(table)));
    CHECK(cudaLibraryUnload(file));
  }
  EXPECT(cudaLibraryGetUnifiedFunction(&mine, library, "scale") ==
         cudaErrorSymbolNotFound);

  // A reset unloads the module; the next use loads it again.
  CHECK(cudaDeviceReset());
  launches(library);

  cudaKernel_t handle;
  CHECK(cudaGetKernel(&handle, (const void *)own));
  int *a, result = 0;
  CHECK(cudaMalloc(&a, sizeof(int)));
  void *parameters[] = {&a};
  CHECK(cudaLaunchKernel((const void *)handle, dim3(1), dim3(1), parameters, 0,
                         nullptr));
  CHECK(cudaMemcpy(&result, a, sizeof(int), cudaMemcpyDeviceToHost));
  EXPECT(result == 7);
  CHECK(cudaLibraryGetKernel(&handle, library, "nothing"));
  CHECK(cudaLibraryUnload(library));
  EXPECT(cudaLaunchKernel((const void *)handle, dim3(1), dim3(1), nullptr, 0,
                          nullptr) == cudaErrorInvalidDeviceFunction);
  cudaGetLastError();
  std::puts("PASSED");
}

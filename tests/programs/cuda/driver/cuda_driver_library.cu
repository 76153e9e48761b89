// MODULE: ../../Inputs/driver_kernels.cu
// FLAGS: -lcuda
// The driver API's libraries, kernels as functions, launches with attributes,
// and the program's own kernels as functions.
#include "../../Inputs/driver_check.h"
#include "../../Inputs/driver_module.h"
#include <cstring>
#include <vector>

__global__ void own(int *a) { a[threadIdx.x] += threadIdx.x; }

static CUlibrary library;

static void arguments() {
  CUlibrary none = CUlibrary(&library);
  CUkernel kernel, wrong = CUkernel(&library);
  CUfunction function;
  CUmodule module;
  CUdeviceptr address;
  size_t bytes = 0;
  unsigned count = 0;
  int value = 0;
  const char *name;
  const auto bad = CUDA_ERROR_INVALID_VALUE,
             unknown = CUDA_ERROR_INVALID_HANDLE;
  EXPECT(cuLibraryLoadData(nullptr, module_begin, nullptr, nullptr, 0, nullptr,
                           nullptr, 0) == bad);
  EXPECT(cuLibraryLoadData(&none, nullptr, nullptr, nullptr, 0, nullptr,
                           nullptr, 0) == bad);
  EXPECT(cuLibraryLoadFromFile(&none, "/no/such/file", nullptr, nullptr, 0,
                               nullptr, nullptr,
                               0) == CUDA_ERROR_FILE_NOT_FOUND);
  none = CUlibrary(&library);
  EXPECT(cuLibraryUnload(none) == unknown);
  EXPECT(cuLibraryGetKernel(&kernel, none, "scale") == unknown);
  EXPECT(cuLibraryGetKernel(&kernel, library, nullptr) == bad);
  EXPECT(cuLibraryGetKernel(&kernel, library, "none") == CUDA_ERROR_NOT_FOUND);
  EXPECT(cuLibraryGetKernelCount(nullptr, library) == bad);
  EXPECT(cuLibraryGetKernelCount(&count, none) == unknown);
  EXPECT(cuLibraryEnumerateKernels(nullptr, 1, library) == bad);
  EXPECT(cuLibraryGetModule(nullptr, library) == bad);
  EXPECT(cuLibraryGetModule(&module, none) == unknown);
  EXPECT(cuLibraryGetGlobal(&address, &bytes, library, "none") ==
         CUDA_ERROR_NOT_FOUND);
  EXPECT(cuLibraryGetManaged(&address, &bytes, library, "table") ==
         CUDA_ERROR_NOT_FOUND);
  EXPECT(cuLibraryGetUnifiedFunction((void **)&function, library, "scale") ==
         CUDA_ERROR_NOT_FOUND);
  EXPECT(cuKernelGetFunction(&function, wrong) == unknown);
  EXPECT(cuKernelGetLibrary(&none, wrong) == unknown);
  EXPECT(cuKernelGetName(&name, wrong) == unknown);
  EXPECT(cuKernelGetParamInfo(wrong, 0, &bytes, nullptr) == unknown);
  EXPECT(cuKernelGetAttribute(&value, CU_FUNC_ATTRIBUTE_NUM_REGS, wrong, 0) ==
         unknown);
  EXPECT(cuKernelSetCacheConfig(wrong, CU_FUNC_CACHE_PREFER_L1, 0) == unknown);
  CHECK(cuLibraryGetKernel(&kernel, library, "scale"));
  EXPECT(cuKernelGetFunction(nullptr, kernel) == bad);
  EXPECT(cuKernelGetAttribute(nullptr, CU_FUNC_ATTRIBUTE_NUM_REGS, kernel, 0) ==
         bad);
  EXPECT(cuKernelGetAttribute(&value, CU_FUNC_ATTRIBUTE_NUM_REGS, kernel, 77) ==
         CUDA_ERROR_INVALID_DEVICE);
  EXPECT(cuLaunchKernelEx(nullptr, CUfunction(kernel), nullptr, nullptr) ==
         bad);
  CUlaunchConfig wrongConfig{1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, 1};
  EXPECT(cuLaunchKernelEx(&wrongConfig, CUfunction(kernel), nullptr, nullptr) ==
         bad);
  EXPECT(cudaGetLastError() == cudaSuccess);
}

// The module of a library on this device, its functions.
static void module() {
  CUmodule module, again, of;
  CUlibrary whose;
  CUkernel kernel;
  CUfunction byModule, byKernel;
  const char *name = nullptr;
  CHECK(cuLibraryGetModule(&module, library));
  CHECK(cuLibraryGetModule(&again, library));
  EXPECT(module == again);
  EXPECT(cuModuleUnload(module) == CUDA_ERROR_INVALID_HANDLE);
  CHECK(cuModuleGetFunction(&byModule, module, "nothing"));
  CHECK(cuLibraryGetKernel(&kernel, library, "nothing"));
  CHECK(cuKernelGetFunction(&byKernel, kernel));
  CHECK(cuKernelGetLibrary(&whose, kernel));
  EXPECT(whose == library);
  CHECK(cuKernelGetName(&name, kernel));
  EXPECT(!std::strcmp(name, "nothing"));
  for (CUfunction each : {byModule, byKernel, CUfunction(kernel)}) {
    CHECK(cuFuncGetName(&name, each));
    EXPECT(!std::strcmp(name, "nothing"));
    CHECK(cuFuncGetModule(&of, each));
    EXPECT(of == module);
    CHECK(cuLaunchKernel(each, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr));
  }
  unsigned count = 0;
  const CUresult result = cuModuleGetFunctionCount(&count, module);
  if (result == CUDA_ERROR_CALL_REQUIRES_NEWER_DRIVER)
    return;
  CHECK(result);
  EXPECT(count == 5);
  CUfunction all[5] = {};
  CHECK(cuModuleEnumerateFunctions(all, 5, module));
  bool found = false;
  for (CUfunction each : all)
    found |= each == byModule;
  EXPECT(found);
  size_t offset = 0, bytes = 0;
  CHECK(cuLibraryGetKernel(&kernel, library, "scale"));
  CHECK(cuKernelGetParamInfo(kernel, 2, &offset, &bytes));
  EXPECT(offset == 16 && bytes == 16);
  EXPECT(cuKernelGetParamInfo(kernel, 4, &offset, &bytes) ==
         CUDA_ERROR_INVALID_VALUE);
}

static void launches() {
  CUkernel reduce;
  CUdeviceptr ints, total;
  std::vector<int> numbers(1000, 3);
  int n = 1000, result = 0, value = 0;
  CHECK(cuLibraryGetKernel(&reduce, library, "reduce"));
  CHECK(cuKernelSetAttribute(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                             50000, reduce, 0));
  CHECK(cuKernelGetAttribute(
      &value, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, reduce, 0));
  EXPECT(value >= 50000);
  CHECK(cuMemAlloc(&ints, n * sizeof(int)));
  CHECK(cuMemcpyHtoD(ints, numbers.data(), n * sizeof(int)));
  CHECK(cuLibraryGetGlobal(&total, nullptr, library, "total"));
  CHECK(cuMemsetD32(total, 0, 1));
  void *parameters[] = {&ints, &n};
  CUlaunchAttribute attributes[2]{};
  attributes[0].id = CU_LAUNCH_ATTRIBUTE_PRIORITY;
  attributes[1].id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE;
  attributes[1].value.cooperative = 1;
  CUlaunchConfig config{1, 1, 1, 128, 1, 1, 50000, nullptr, attributes, 2};
  CHECK(cuLaunchKernelEx(&config, CUfunction(reduce), parameters, nullptr));
  struct {
    CUdeviceptr a;
    int n;
  } packed = {ints, n};
  size_t packedBytes = offsetof(decltype(packed), n) + sizeof(int);
  void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &packed,
                   CU_LAUNCH_PARAM_BUFFER_SIZE, &packedBytes,
                   CU_LAUNCH_PARAM_END};
  config.numAttrs = 1;
  CHECK(cuLaunchKernelEx(&config, CUfunction(reduce), nullptr, extra));
  CHECK(cuMemcpyDtoH(&result, total, sizeof(result)));
  EXPECT(result == 2 * (3000 + 6));
  attributes[0].id = CUlaunchAttributeID(77);
  EXPECT(cuLaunchKernelEx(&config, CUfunction(reduce), parameters, nullptr) ==
         CUDA_ERROR_INVALID_VALUE);
  attributes[0].id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT;
  EXPECT(cuLaunchKernelEx(&config, CUfunction(reduce), parameters, nullptr) ==
         CUDA_ERROR_NOT_SUPPORTED);
  attributes[0].id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
  attributes[0].value.clusterDim = {2, 1, 1};
  config.gridDimX = 4;
  int has = 0, clusters = 0;
  CHECK(cuDeviceGetAttribute(&has, CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH, 0));
  if (has) {
    config.sharedMemBytes = 1024;
    CHECK(cuOccupancyMaxActiveClusters(&clusters, CUfunction(reduce), &config));
    EXPECT(clusters >= 1);
    CHECK(cuOccupancyMaxPotentialClusterSize(&clusters, CUfunction(reduce),
                                             &config));
    EXPECT(clusters >= 1);
    CHECK(cuMemsetD32(total, 0, 1));
    CHECK(cuLaunchKernelEx(&config, CUfunction(reduce), parameters, nullptr));
    CHECK(cuMemcpyDtoH(&result, total, sizeof(result)));
    EXPECT(result == 4 * (3000 + 6));
  }
  CHECK(cuMemFree(ints));
}

// A kernel of the program as a function.
static void symbol() {
  cudaFunction_t function, again;
  int back[4];
  CUdeviceptr a;
  EXPECT(cudaGetFuncBySymbol(&function, (const void *)own) == cudaSuccess);
  EXPECT(cudaGetFuncBySymbol(&again, (const void *)own) == cudaSuccess);
  EXPECT(function == again);
  CHECK(cuMemAlloc(&a, sizeof(back)));
  CHECK(cuMemsetD32(a, 5, 4));
  void *parameters[] = {&a};
  CHECK(cuLaunchKernel(function, 1, 1, 1, 4, 1, 1, 0, nullptr, parameters,
                       nullptr));
  CHECK(cuMemcpyDtoH(back, a, sizeof(back)));
  EXPECT(back[0] == 5 && back[3] == 8);
  CHECK(cuMemFree(a));
  int threads = 0;
  CHECK(cuFuncGetAttribute(&threads, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK,
                           function));
  EXPECT(threads >= 32);
  CUmodule module;
  EXPECT(cuFuncGetModule(&module, function) == CUDA_ERROR_INVALID_HANDLE);
  EXPECT(cudaGetFuncBySymbol(&function, &library) ==
         cudaErrorInvalidDeviceFunction);
  cudaGetLastError();
}

int main() {
  CUcontext context;
  CHECK(cuInit(0));
  CHECK(cuDevicePrimaryCtxRetain(&context, 0));
  CHECK(cuCtxSetCurrent(context));
  CHECK(cuLibraryLoadData(&library, module_begin, nullptr, nullptr, 0, nullptr,
                          nullptr, 0));
  arguments();
  module();
  launches();
  symbol();
  CHECK(cuLibraryUnload(library));
  EXPECT(cuLibraryUnload(library) == CUDA_ERROR_INVALID_HANDLE);
  std::puts("PASSED");
}

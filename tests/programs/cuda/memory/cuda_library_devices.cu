// MODULE: ../../Inputs/driver_kernels.cu
// FLAGS: -lcuda
// A library on several devices: each has its own variables, but a managed one
// is the same for all of them and the host, by both APIs, also after one device
// was reset.
// ENV: CUFORT_CPU_DEVICES=3
#include "../../Inputs/check.h"
#include "../../Inputs/driver_module.h"
#include <cstdio>
#include <cuda.h>
#include <cuda_runtime.h>

static int devices = 0;

static int *managed(cudaLibrary_t library) {
  void *address = nullptr, *only = nullptr;
  size_t bytes = 0;
  CHECK(cudaLibraryGetManaged(&address, &bytes, library, "counted"));
  EXPECT(bytes == sizeof(int));
  CHECK(cudaLibraryGetManaged(&only, nullptr, library, "counted"));
  EXPECT(only == address);
  CUdeviceptr driver = 0;
  EXPECT(cuLibraryGetManaged(&driver, &bytes, CUlibrary(library), "counted") ==
         CUDA_SUCCESS);
  EXPECT(driver == reinterpret_cast<CUdeviceptr>(address));
  EXPECT(cudaLibraryGetManaged(&address, &bytes, library, "total") ==
         cudaErrorSymbolNotFound);
  cudaGetLastError();
  cudaPointerAttributes attributes;
  CHECK(cudaPointerGetAttributes(&attributes, only));
  EXPECT(attributes.type == cudaMemoryTypeManaged);
  return static_cast<int *>(only);
}

static void count(cudaLibrary_t library, int by) {
  cudaKernel_t kernel;
  CHECK(cudaLibraryGetKernel(&kernel, library, "count_up"));
  void *parameters[] = {&by};
  CHECK(cudaLaunchKernel((const void *)kernel, dim3(2), dim3(3), parameters, 0,
                         nullptr));
  CHECK(cudaDeviceSynchronize());
}

static int *own(cudaLibrary_t library) {
  void *address = nullptr;
  CHECK(cudaLibraryGetGlobal(&address, nullptr, library, "total"));
  return static_cast<int *>(address);
}

int main() {
  CHECK(cudaGetDeviceCount(&devices));
  cudaLibrary_t library, another;
  CHECK(cudaLibraryLoadData(&library, module_begin));
  CHECK(cudaLibraryLoadData(&another, module_begin));
  int *counted = managed(library), expected = 3;
  EXPECT(managed(another) != counted);
  int *totals[64] = {};
  for (int d = 0; d < devices; ++d) {
    CHECK(cudaSetDevice(d));
    EXPECT(managed(library) == counted);
    EXPECT(*counted == expected);
    count(library, d + 1);
    expected += 6 * (d + 1);
    EXPECT(*counted == expected);
    *counted = expected += 1000;
    int value = 10 * d, table[3] = {};
    totals[d] = own(library);
    CHECK(cudaMemcpy(totals[d], &value, sizeof(int), cudaMemcpyHostToDevice));
    void *initial = nullptr;
    CHECK(cudaLibraryGetGlobal(&initial, nullptr, library, "table"));
    CHECK(cudaMemcpy(table, initial, sizeof(table), cudaMemcpyDeviceToHost));
    EXPECT(table[0] == 5 && table[2] == 7);
  }
  for (int d = 0; d < devices; ++d) {
    CHECK(cudaSetDevice(d));
    int value = -1;
    CHECK(cudaMemcpy(&value, own(library), sizeof(int), cudaMemcpyDefault));
    EXPECT(value == 10 * d && own(library) == totals[d]);
    for (int other = 0; other < d; ++other)
      EXPECT(totals[other] != totals[d]);
  }
  // The code goes from one device; the variable stays where others have it.
  if (devices > 1) {
    CHECK(cudaSetDevice(0));
    CHECK(cudaDeviceReset());
    EXPECT(*counted == expected);
    EXPECT(managed(library) == counted);
    count(library, 1);
    EXPECT(*counted == (expected += 6));
    CHECK(cudaSetDevice(1));
    count(library, 2);
    EXPECT(*counted == (expected += 12));
  }
  CHECK(cudaLibraryUnload(library));
  EXPECT(*managed(another) == 3);
  CHECK(cudaLibraryUnload(another));
  std::puts("PASSED");
}

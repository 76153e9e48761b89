// FLAGS: -lcuda
// CHECKS: memory
// Memory and addresses apart: a range that grows, made of several pieces; two
// addresses of one piece; who may use what; handles that are released before
// what they mean; another process's handle; errors.
#include "../../Inputs/driver_check.h"
#include <cstdlib>
#include <cstring>
#include <unistd.h>
#include <vector>

static const auto bad = CUDA_ERROR_INVALID_VALUE;

__global__ void add(int *a, size_t n, int value) {
  const size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
  if (i < n)
    a[i] += value;
}

static bool onCpu() {
  const char *device = std::getenv("CUFORT_DEVICE");
  return device && !std::strcmp(device, "cpu");
}

static CUmemAllocationProp onDevice() {
  CUmemAllocationProp p{};
  p.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  p.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  p.location.id = 0;
  return p;
}

static const CUmemAccessDesc everything{{CU_MEM_LOCATION_TYPE_DEVICE, 0},
                                        CU_MEM_ACCESS_FLAGS_PROT_READWRITE};

static size_t granule() {
  size_t bytes = 0, recommended = 0;
  const CUmemAllocationProp p = onDevice();
  CHECK(cuMemGetAllocationGranularity(&bytes, &p,
                                      CU_MEM_ALLOC_GRANULARITY_MINIMUM));
  CHECK(cuMemGetAllocationGranularity(&recommended, &p,
                                      CU_MEM_ALLOC_GRANULARITY_RECOMMENDED));
  EXPECT(bytes && recommended % bytes == 0 && (bytes & (bytes - 1)) == 0);
  return bytes;
}

// Maps \p bytes of fresh memory, of which only the address keeps a handle.
static void grow(CUdeviceptr at, size_t bytes) {
  CUmemGenericAllocationHandle handle = 0;
  const CUmemAllocationProp p = onDevice();
  CHECK(cuMemCreate(&handle, bytes, &p, 0));
  CHECK(cuMemMap(at, bytes, 0, handle, 0));
  CHECK(cuMemRelease(handle));
  CHECK(cuMemSetAccess(at, bytes, &everything, 1));
}

static void growingRange(size_t piece) {
  constexpr int Pieces = 4;
  CUdeviceptr range = 0;
  CHECK(cuMemAddressReserve(&range, Pieces * piece, 0, 0, 0));
  EXPECT(range % piece == 0);
  for (int i = 0; i < Pieces; ++i) {
    grow(range + i * piece, piece);
    // All of it so far, by one copy, one fill and one kernel.
    const size_t count = (i + 1) * piece / sizeof(int);
    if (!i)
      CHECK(cuMemsetD32(range, 5, count));
    else
      CHECK(cuMemsetD32(range + i * piece, 5 + i, piece / sizeof(int)));
    add<<<unsigned((count + 255) / 256), 256>>>((int *)range, count, 1);
    std::vector<int> back(count);
    CHECK(cuMemcpyDtoH(back.data(), range, count * sizeof(int)));
    for (size_t k = 0; k < count; k += 511)
      EXPECT(back[k] == 5 + i + 1);
    EXPECT(back[count - 1] == 5 + i + 1);
  }
  // What is mapped cannot be mapped again, nor its address given up.
  CUmemGenericAllocationHandle handle = 0, same = 0;
  const CUmemAllocationProp p = onDevice();
  CHECK(cuMemCreate(&handle, piece, &p, 0));
  EXPECT(cuMemMap(range, piece, 0, handle, 0) != CUDA_SUCCESS);
  CHECK(cuMemRelease(handle));
  // A handle of what lies at an address.
  CHECK(cuMemRetainAllocationHandle(&same, (void *)(range + piece + 16)));
  CUmemAllocationProp found{};
  CHECK(cuMemGetAllocationPropertiesFromHandle(&found, same));
  EXPECT(found.type == CU_MEM_ALLOCATION_TYPE_PINNED &&
         found.location.type == CU_MEM_LOCATION_TYPE_DEVICE &&
         found.location.id == 0);
  CHECK(cuMemRelease(same));
  CHECK(cuMemUnmap(range, Pieces * piece));
  CHECK(cuMemAddressFree(range, Pieces * piece));
}

static void twoAddresses(size_t piece) {
  CUdeviceptr range = 0;
  CUmemGenericAllocationHandle handle = 0;
  const CUmemAllocationProp p = onDevice();
  unsigned long long flags = 99;
  CHECK(cuMemAddressReserve(&range, 2 * piece, 8 * piece, 0, 0));
  EXPECT(range % (8 * piece) == 0);
  CHECK(cuMemCreate(&handle, piece, &p, 0));
  CHECK(cuMemMap(range, piece, 0, handle, 0));
  CHECK(cuMemMap(range + piece, piece, 0, handle, 0));
  CHECK(cuMemRelease(handle));
  CHECK(cuMemGetAccess(&flags, &everything.location, range));
  EXPECT(flags == CU_MEM_ACCESS_FLAGS_PROT_NONE);
  CHECK(cuMemSetAccess(range, 2 * piece, &everything, 1));
  CHECK(cuMemGetAccess(&flags, &everything.location, range + piece));
  EXPECT(flags == CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
  CHECK(cuMemsetD32(range, 40, piece / sizeof(int)));
  add<<<1, 32>>>((int *)(range + piece), 32, 2);
  int back = 0;
  CHECK(cuMemcpyDtoH(&back, range + 31 * sizeof(int), sizeof(back)));
  EXPECT(back == 42);
  CHECK(cuCtxSynchronize());
  CHECK(cuMemUnmap(range + piece, piece));
  // The other address keeps the memory.
  CHECK(cuMemcpyDtoH(&back, range, sizeof(back)));
  EXPECT(back == 42);
  CHECK(cuMemUnmap(range, piece));
  CHECK(cuMemAddressFree(range, 2 * piece));
}

static void otherProcesses(size_t piece) {
  CUmemGenericAllocationHandle handle = 0, imported = 0;
  CUmemAllocationProp p = onDevice();
  p.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
  CHECK(cuMemCreate(&handle, piece, &p, 0));
  int file = -1;
  CHECK(cuMemExportToShareableHandle(
      &file, handle, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
  EXPECT(file >= 0);
  CHECK(
      cuMemImportFromShareableHandle(&imported, (void *)(uintptr_t)file,
                                     CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR));
  close(file);
  CUdeviceptr range = 0;
  CHECK(cuMemAddressReserve(&range, 2 * piece, 0, 0, 0));
  CHECK(cuMemMap(range, piece, 0, handle, 0));
  CHECK(cuMemMap(range + piece, piece, 0, imported, 0));
  CHECK(cuMemSetAccess(range, 2 * piece, &everything, 1));
  CHECK(cuMemsetD32(range, 7, 16));
  int back = 0;
  CHECK(cuMemcpyDtoH(&back, range + piece, sizeof(back)));
  EXPECT(back == 7);
  CHECK(cuMemUnmap(range, piece));
  CHECK(cuMemUnmap(range + piece, piece));
  CHECK(cuMemRelease(handle));
  CHECK(cuMemRelease(imported));
  CHECK(cuMemAddressFree(range, 2 * piece));
}

static void errors(size_t piece) {
  CUmemGenericAllocationHandle handle = 0;
  const CUmemAllocationProp p = onDevice();
  CUdeviceptr range = 0;
  EXPECT(cuMemCreate(&handle, piece + 1, &p, 0) == bad);
  EXPECT(cuMemCreate(&handle, size_t(1) << 50, &p, 0) ==
         CUDA_ERROR_OUT_OF_MEMORY);
  EXPECT(cuMemAddressReserve(&range, piece + 1, 0, 0, 0) == bad);
  CHECK(cuMemAddressReserve(&range, 2 * piece, 0, 0, 0));
  CHECK(cuMemCreate(&handle, piece, &p, 0));
  EXPECT(cuMemMap(range + 1, piece, 0, handle, 0) == bad);
  // NVIDIA's driver has nothing against it.
  if (onCpu())
    EXPECT(cuMemUnmap(range, piece) == bad);
  EXPECT(cuMemSetAccess(range, piece, &everything, 1) == bad);
  EXPECT(cuMemAddressFree(range, piece) == bad);
  CHECK(cuMemMap(range, piece, 0, handle, 0));
  EXPECT(cuMemFree(range) == bad);
  CHECK(cuMemUnmap(range, piece));
  CHECK(cuMemRelease(handle));
  CHECK(cuMemAddressFree(range, 2 * piece));
  // What is given back can be had again, as often as one likes.
  size_t before = 0, after = 0, all = 0;
  CHECK(cuMemGetInfo(&before, &all));
  CHECK(cuMemCreate(&handle, piece, &p, 0));
  CHECK(cuMemGetInfo(&after, &all));
  CHECK(cuMemRelease(handle));
  for (int i = 0; i < 200; ++i) {
    CHECK(cuMemAddressReserve(&range, piece, 0, 0, 0));
    grow(range, piece);
    CHECK(cuMemUnmap(range, piece));
    CHECK(cuMemAddressFree(range, piece));
  }
}

int main() {
  CUcontext context;
  int has = 0;
  CHECK(cuInit(0));
  CHECK(cuDevicePrimaryCtxRetain(&context, 0));
  CHECK(cuCtxSetCurrent(context));
  CHECK(cuDeviceGetAttribute(
      &has, CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, 0));
  EXPECT(has);
  const size_t piece = granule();
  growingRange(piece);
  twoAddresses(piece);
  otherProcesses(piece);
  errors(piece);
  std::puts("PASSED");
}

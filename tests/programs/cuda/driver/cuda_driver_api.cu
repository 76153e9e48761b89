// MODULE: ../../Inputs/driver_kernels.cu
// FLAGS: -lcuda
// CHECKS: memory
// The driver API: contexts, modules, launches with both forms of parameters,
// memory, copies, fills, streams, events, occupancy; beside the runtime API.
#include "../../Inputs/driver_check.h"
#include "../../Inputs/driver_module.h"
#include <cmath>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

// A kernel of the program itself: both APIs use the same memory.
__global__ void addOne(float *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    a[i] += 1;
}

struct Pair {
  char tag;
  double value;
};

constexpr int N = 5000;

static CUmodule module;

static void start() {
  int count = 0;
  EXPECT(cuDeviceGetCount(&count) == CUDA_ERROR_NOT_INITIALIZED);
  CUdevice device;
  EXPECT(cuDeviceGet(&device, 0) == CUDA_ERROR_NOT_INITIALIZED);
  EXPECT(cuInit(1) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuInit(0));
  int version = 0;
  CHECK(cuDriverGetVersion(&version));
  EXPECT(version >= 11000);
  CHECK(cuDeviceGetCount(&count));
  EXPECT(count >= 1);
  CHECK(cuDeviceGet(&device, 0));
  EXPECT(cuDeviceGet(&device, count) == CUDA_ERROR_INVALID_DEVICE);
  char name[100], start[4];
  CHECK(cuDeviceGetName(name, sizeof(name), 0));
  CHECK(cuDeviceGetName(start, sizeof(start), 0));
  EXPECT(std::strlen(name) > 3 && !std::strncmp(name, start, 3) && !start[3]);
  size_t bytes = 0;
  CHECK(cuDeviceTotalMem(&bytes, 0));
  EXPECT(bytes > 1 << 20);
  int warp = 0, major = 0;
  CHECK(cuDeviceGetAttribute(&warp, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 0));
  CHECK(cuDeviceGetAttribute(&major,
                             CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, 0));
  cudaDeviceProp properties;
  EXPECT(cudaGetDeviceProperties(&properties, 0) == cudaSuccess);
  EXPECT(warp == 32 && major == properties.major);
  EXPECT(!std::strcmp(name, properties.name));
  const char *text = nullptr;
  CHECK(cuGetErrorName(CUDA_ERROR_OUT_OF_MEMORY, &text));
  EXPECT(!std::strcmp(text, "CUDA_ERROR_OUT_OF_MEMORY"));
  CHECK(cuGetErrorString(CUDA_ERROR_OUT_OF_MEMORY, &text));
  EXPECT(text && *text);
  EXPECT(cuGetErrorName(CUresult(12345), &text) == CUDA_ERROR_INVALID_VALUE);
  EXPECT(!text);
}

static void contexts() {
  CUcontext first, second, current, primary;
  CUdevice device = -1;
  CHECK(cuCtxCreate(&first, CU_CTX_MAP_HOST, 0));
  CHECK(cuCtxGetCurrent(&current));
  EXPECT(current == first);
  CHECK(cuCtxCreate(&second, nullptr, 0, 0)); // CUDA 13's form
  CHECK(cuCtxGetDevice(&device));
  EXPECT(device == 0);
  unsigned long long one = 0, two = 0, id = 0;
  CHECK(cuCtxGetId(first, &one));
  CHECK(cuCtxGetId(nullptr, &two));
  EXPECT(one != two);
  CHECK(cuCtxPopCurrent(&current));
  EXPECT(current == second);
  CHECK(cuCtxGetCurrent(&current));
  EXPECT(current == first);
  CHECK(cuCtxGetId(nullptr, &id));
  EXPECT(id == one);
  unsigned flags = 0;
  CHECK(cuCtxSetFlags(CU_CTX_SCHED_BLOCKING_SYNC | CU_CTX_MAP_HOST));
  CHECK(cuCtxGetFlags(&flags));
  EXPECT((flags & CU_CTX_SCHED_MASK) == CU_CTX_SCHED_BLOCKING_SYNC);
  size_t width = 0;
  CHECK(cuDeviceGetTexture1DLinearMaxWidth(&width, CU_AD_FORMAT_HALF, 4, 0));
  EXPECT(width >= 1 << 16);
  CHECK(cuCtxPushCurrent(second));
  CHECK(cuCtxDestroy(second));
  CHECK(cuCtxGetCurrent(&current));
  EXPECT(current == first);
  EXPECT(cuCtxPushCurrent(second) == CUDA_ERROR_INVALID_CONTEXT);
  CHECK(cuCtxSetCurrent(nullptr));
  CHECK(cuCtxGetCurrent(&current));
  EXPECT(!current);
  CUdeviceptr memory;
  EXPECT(cuMemAlloc(&memory, 16) == CUDA_ERROR_INVALID_CONTEXT);
  // Another thread has none of its own, and may take this one's.
  std::thread([&] {
    CHECK(cuCtxSetCurrent(first));
    CHECK(cuMemAlloc(&memory, 16));
    CHECK(cuMemFree(memory));
  }).join();
  int active = 0;
  CHECK(cuDevicePrimaryCtxRetain(&primary, 0));
  CHECK(cuDevicePrimaryCtxGetState(0, &flags, &active));
  EXPECT(active);
  CHECK(cuCtxSetCurrent(primary));
  CHECK(cuCtxDestroy(first));
  // cudaSetDevice makes the device's own context current again.
  CHECK(cuCtxSetCurrent(nullptr));
  EXPECT(cuMemAlloc(&memory, 16) == CUDA_ERROR_INVALID_CONTEXT);
  EXPECT(cudaSetDevice(0) == cudaSuccess);
  CHECK(cuCtxGetCurrent(&current));
  EXPECT(current == primary);
  CHECK(cuMemAlloc(&memory, 16));
  CHECK(cuMemFree(memory));
  size_t limit = 0;
  CHECK(cuCtxGetLimit(&limit, CU_LIMIT_PRINTF_FIFO_SIZE));
  EXPECT(limit > 0);
  size_t set = 0;
  CHECK(cuCtxSetLimit(CU_LIMIT_PRINTF_FIFO_SIZE, 2 * limit));
  CHECK(cuCtxGetLimit(&set, CU_LIMIT_PRINTF_FIFO_SIZE));
  EXPECT(set >= 2 * limit);
  CHECK(cuCtxSetLimit(CU_LIMIT_PRINTF_FIFO_SIZE, limit));
  CHECK(cuCtxSynchronize());
}

static void modules() {
  EXPECT(cuModuleLoad(&module, "/no/such/file") == CUDA_ERROR_FILE_NOT_FOUND);
  EXPECT(cuModuleLoadData(nullptr, module_begin) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuModuleLoadData(&module, module_begin));
  CUfunction function, again;
  CHECK(cuModuleGetFunction(&function, module, "scale"));
  CHECK(cuModuleGetFunction(&again, module, "scale"));
  EXPECT(function == again);
  EXPECT(cuModuleGetFunction(&function, module, "none") ==
         CUDA_ERROR_NOT_FOUND);
  CUdeviceptr address;
  size_t bytes = 0;
  CHECK(cuModuleGetGlobal(&address, &bytes, module, "table"));
  EXPECT(bytes == 12);
  int values[3];
  CHECK(cuMemcpyDtoH(values, address, bytes));
  EXPECT(values[0] == 5 && values[2] == 7);
  EXPECT(cuModuleGetGlobal(&address, &bytes, module, "none") ==
         CUDA_ERROR_NOT_FOUND);

  // From a file; a module's variables are its own.
  char path[] = "/tmp/cufort-module-XXXXXX"; // tests run beside each other
  FILE *file = fdopen(mkstemp(path), "wb");
  EXPECT(file);
  std::fwrite(module_begin, 1, size_t(module_end - module_begin), file);
  std::fclose(file);
  CUmodule second;
  CHECK(cuModuleLoad(&second, path));
  std::remove(path);
  CUdeviceptr mine, other;
  CHECK(cuModuleGetGlobal(&mine, nullptr, module, "total"));
  CHECK(cuModuleGetGlobal(&other, nullptr, second, "total"));
  EXPECT(mine != other);
  int one = 1, two = 2, back = 0;
  CHECK(cuMemcpyHtoD(mine, &one, 4));
  CHECK(cuMemcpyHtoD(other, &two, 4));
  CHECK(cuMemcpyDtoH(&back, mine, 4));
  EXPECT(back == 1);
  CUmodule of = nullptr;
  CHECK(cuModuleGetFunction(&again, second, "nothing"));
  CHECK(cuFuncGetModule(&of, again));
  EXPECT(of == second);
  CHECK(cuLaunchKernel(again, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr));
  CHECK(cuModuleUnload(second));
  EXPECT(cuModuleUnload(second) == CUDA_ERROR_INVALID_HANDLE);
}

static void launches() {
  CUfunction scale, reduce;
  CHECK(cuModuleGetFunction(&scale, module, "scale"));
  CHECK(cuModuleGetFunction(&reduce, module, "reduce"));
  float factors[4] = {0.5f, 1.5f, 2.5f, 3.5f};
  CUdeviceptr constant, a;
  size_t bytes;
  CHECK(cuModuleGetGlobal(&constant, &bytes, module, "factors"));
  EXPECT(bytes == sizeof(factors));
  CHECK(cuMemcpyHtoD(constant, factors, bytes));
  std::vector<float> host(N), back(N);
  for (int i = 0; i < N; ++i)
    host[i] = float(i);
  CHECK(cuMemAlloc(&a, N * sizeof(float)));
  CHECK(cuMemcpyHtoD(a, host.data(), N * sizeof(float)));
  CUstream stream;
  CHECK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));

  // One pointer for each parameter, then all of them packed.
  int n = N;
  Pair by{2, 3.0};
  short shift = 100;
  void *parameters[] = {&a, &n, &by, &shift};
  CHECK(cuLaunchKernel(scale, (N + 127) / 128, 1, 1, 128, 1, 1, 0, stream,
                       parameters, nullptr));
  struct {
    CUdeviceptr a;
    int n;
    Pair by;
    short shift;
  } packed = {a, N, {1, 2.0}, -1};
  // Up to the end of the last parameter, without the structure's padding.
  size_t packedBytes = sizeof(packed);
  void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &packed,
                   CU_LAUNCH_PARAM_BUFFER_SIZE, &packedBytes,
                   CU_LAUNCH_PARAM_END};
  EXPECT(cuLaunchKernel(scale, (N + 127) / 128, 1, 1, 128, 1, 1, 0, stream,
                        nullptr, extra) == CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES);
  packedBytes = offsetof(decltype(packed), shift) + sizeof(packed.shift);
  CHECK(cuLaunchKernel(scale, (N + 127) / 128, 1, 1, 128, 1, 1, 0, stream,
                       nullptr, extra));
  CHECK(cuMemcpyDtoHAsync(back.data(), a, N * sizeof(float), stream));
  CHECK(cuStreamSynchronize(stream));
  for (int i = 0; i < N; ++i) {
    const float expected = (host[i] * 3 + 2.5f + 100) * 2 + 1.5f - 1;
    if (back[i] != expected) {
      std::printf("element %d is %g, not %g\n", i, back[i], expected);
      std::exit(1);
    }
  }

  // The program's kernel, by the runtime API, on the driver API's memory.
  addOne<<<(N + 255) / 256, 256, 0, stream>>>(reinterpret_cast<float *>(a), N);
  float first = 0;
  CHECK(cuStreamSynchronize(stream));
  CHECK(cuMemcpyDtoH(&first, a, sizeof(first)));
  EXPECT(first == back[0] + 1);

  // Dynamic shared memory.
  std::vector<int> numbers(N);
  int sum = 0;
  for (int i = 0; i < N; ++i)
    sum += numbers[i] = i % 17 - 5;
  CUdeviceptr ints, total;
  CHECK(cuMemAlloc(&ints, N * sizeof(int)));
  CHECK(cuMemcpyHtoD(ints, numbers.data(), N * sizeof(int)));
  CHECK(cuModuleGetGlobal(&total, nullptr, module, "total"));
  CHECK(cuMemsetD32(total, 1000, 1));
  void *of[] = {&ints, &n};
  CHECK(cuLaunchKernel(reduce, 1, 1, 1, 256, 1, 1, 256 * sizeof(int), nullptr,
                       of, nullptr));
  int result = 0;
  CHECK(cuMemcpyDtoH(&result, total, sizeof(result)));
  EXPECT(result == sum + 1000 + 6);

  // Wrong launches.
  EXPECT(cuLaunchKernel(nullptr, 1, 1, 1, 1, 1, 1, 0, nullptr, of, nullptr) ==
         CUDA_ERROR_INVALID_HANDLE);
  EXPECT(cuLaunchKernel(scale, 1, 1, 1, 5000, 1, 1, 0, stream, parameters,
                        nullptr) != CUDA_SUCCESS);
  EXPECT(cuLaunchKernel(scale, 0, 1, 1, 32, 1, 1, 0, stream, parameters,
                        nullptr) != CUDA_SUCCESS);
  EXPECT(cuLaunchKernel(scale, 1, 1, 1, 32, 1, 1, 0, stream, parameters,
                        extra) == CUDA_ERROR_INVALID_VALUE);
  // The runtime API has noticed none of them.
  EXPECT(cudaGetLastError() == cudaSuccess);

  int value = 0, blocks = 0, grid = 0, block = 0;
  CHECK(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK,
                           scale));
  EXPECT(value >= 128);
  CHECK(cuFuncSetAttribute(
      reduce, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 40000));
  CHECK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, scale, 128, 0));
  EXPECT(blocks >= 1);
  CHECK(
      cuOccupancyMaxPotentialBlockSize(&grid, &block, scale, nullptr, 0, 256));
  EXPECT(grid >= 1 && block >= 32 && block <= 256);
  CHECK(cuStreamDestroy(stream));
  CHECK(cuMemFree(ints));
  CHECK(cuMemFree(a));
}

static void memory() {
  size_t free = 0, total = 0;
  CHECK(cuMemGetInfo(&free, &total));
  EXPECT(free && free <= total);
  CUdeviceptr a, base, managed;
  CHECK(cuMemAlloc(&a, 4000));
  EXPECT(cuMemAlloc(&base, 0) == CUDA_ERROR_INVALID_VALUE);
  EXPECT(cuMemAlloc(&base, size_t(1) << 60) == CUDA_ERROR_OUT_OF_MEMORY);
  size_t bytes = 0;
  CHECK(cuMemGetAddressRange(&base, &bytes, a + 100));
  EXPECT(base == a && bytes == 4000);
  unsigned type = 0, isManaged = 7;
  int ordinal = -1;
  CHECK(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, a));
  EXPECT(type == CU_MEMORYTYPE_DEVICE);
  CHECK(
      cuPointerGetAttribute(&ordinal, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, a));
  EXPECT(ordinal == 0);
  CHECK(cuPointerGetAttribute(&isManaged, CU_POINTER_ATTRIBUTE_IS_MANAGED, a));
  EXPECT(!isManaged);
  int local = 0;
  EXPECT(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
                               CUdeviceptr(&local)) ==
         CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMemAllocManaged(&managed, 400, CU_MEM_ATTACH_GLOBAL));
  CHECK(cuPointerGetAttribute(&isManaged, CU_POINTER_ATTRIBUTE_IS_MANAGED,
                              managed));
  EXPECT(isManaged);

  void *pinned, *same = nullptr;
  CHECK(cuMemHostAlloc(&pinned, 4000, CU_MEMHOSTALLOC_DEVICEMAP));
  CUdeviceptr mapped;
  CHECK(cuMemHostGetDevicePointer(&mapped, pinned, 0));
  CHECK(
      cuPointerGetAttribute(&same, CU_POINTER_ATTRIBUTE_HOST_POINTER, mapped));
  EXPECT(same == pinned);
  CHECK(cuMemsetD16(a, 0x1234, 2000));
  CHECK(cuMemsetD8(a + 3998, 0xff, 2));
  CHECK(cuMemcpyDtoH(pinned, a, 4000));
  EXPECT(static_cast<unsigned short *>(pinned)[0] == 0x1234);
  EXPECT(static_cast<unsigned short *>(pinned)[1998] == 0x1234);
  EXPECT(static_cast<unsigned short *>(pinned)[1999] == 0xffff);

  // Rows: 10 x 4 ints out of the middle of 16 x 8.
  int from[8][16], to[8][16];
  for (int y = 0; y < 8; ++y)
    for (int x = 0; x < 16; ++x)
      from[y][x] = 100 * y + x;
  std::memset(to, 0, sizeof(to));
  CUdeviceptr rows;
  size_t pitch = 0;
  CHECK(cuMemAllocPitch(&rows, &pitch, 10 * sizeof(int), 4, 4));
  EXPECT(pitch >= 40);
  CUDA_MEMCPY2D in{}, out{};
  in.srcMemoryType = CU_MEMORYTYPE_HOST;
  in.srcHost = from;
  in.srcPitch = sizeof(from[0]);
  in.srcXInBytes = 3 * sizeof(int);
  in.srcY = 2;
  in.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  in.dstDevice = rows;
  in.dstPitch = pitch;
  in.WidthInBytes = 10 * sizeof(int);
  in.Height = 4;
  CHECK(cuMemcpy2D(&in));
  CHECK(cuMemsetD2D32(rows + 4, pitch, 77, 2, 3));
  out.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  out.srcDevice = rows;
  out.srcPitch = pitch;
  out.dstMemoryType = CU_MEMORYTYPE_HOST;
  out.dstHost = to;
  out.dstPitch = sizeof(to[0]);
  out.dstY = 4;
  out.WidthInBytes = 10 * sizeof(int);
  out.Height = 4;
  CHECK(cuMemcpy2DAsync(&out, nullptr));
  CHECK(cuCtxSynchronize());
  for (int y = 0; y < 8; ++y)
    for (int x = 0; x < 16; ++x) {
      int expected = 0;
      if (y >= 4 && x < 10)
        expected = x >= 1 && x < 3 && y < 7 ? 77 : from[y - 4 + 2][x + 3];
      EXPECT(to[y][x] == expected);
    }
  in.srcMemoryType = CUmemorytype(9);
  EXPECT(cuMemcpy2D(&in) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMemFree(rows));
  CHECK(cuMemFree(managed));
  CHECK(cuMemFreeHost(pinned));
  CHECK(cuMemFree(a));
  EXPECT(cuMemFree(a) == CUDA_ERROR_INVALID_VALUE);
}

static void streams() {
  int calls = 0, *flag;
  CHECK(cuMemHostAlloc(reinterpret_cast<void **>(&flag), sizeof(int),
                       CU_MEMHOSTALLOC_DEVICEMAP));
  *flag = 0;
  CUstream first, second;
  CUevent start, end;
  CHECK(cuStreamCreate(&first, CU_STREAM_NON_BLOCKING));
  CHECK(cuStreamCreateWithPriority(&second, CU_STREAM_NON_BLOCKING, 0));
  CHECK(cuEventCreate(&start, CU_EVENT_DEFAULT));
  CHECK(cuEventCreate(&end, CU_EVENT_DEFAULT));
  CUfunction wait;
  CHECK(cuModuleGetFunction(&wait, module, "wait_for"));
  CUdeviceptr mapped;
  CHECK(cuMemHostGetDevicePointer(&mapped, flag, 0));
  void *parameters[] = {&mapped};
  CHECK(cuEventRecord(start, first));
  CHECK(cuLaunchKernel(wait, 1, 1, 1, 1, 1, 1, 0, first, parameters, nullptr));
  CHECK(cuLaunchHostFunc(
      first, [](void *count) { ++*static_cast<int *>(count); }, &calls));
  CHECK(cuEventRecord(end, first));
  CHECK(cuStreamWaitEvent(second, end, 0));
  EXPECT(cuStreamQuery(first) == CUDA_ERROR_NOT_READY);
  EXPECT(cuStreamQuery(second) == CUDA_ERROR_NOT_READY);
  EXPECT(cuEventQuery(end) == CUDA_ERROR_NOT_READY);
  *static_cast<volatile int *>(flag) = 1;
  CHECK(cuStreamSynchronize(second));
  EXPECT(calls == 1);
  CHECK(cuEventSynchronize(end));
  float time = -1;
  CHECK(cuEventElapsedTime(&time, start, end));
  EXPECT(time >= 0);
  EXPECT(cuStreamDestroy(CUstream(&calls)) == CUDA_ERROR_INVALID_HANDLE);
  CHECK(cuEventDestroy(start));
  CHECK(cuEventDestroy(end));
  CHECK(cuStreamDestroy(first));
  CHECK(cuStreamDestroy(second));
  CHECK(cuMemFreeHost(flag));
}

int main() {
  start();
  contexts();
  modules();
  launches();
  memory();
  streams();
  CHECK(cuModuleUnload(module));
  CHECK(cuDevicePrimaryCtxRelease(0));
  std::puts("PASSED");
}

// FLAGS: -DCUDA_API_PER_THREAD_DEFAULT_STREAM -lcuda
// The macro gives the driver API's functions, too, a default stream for each
// thread; that of another thread is not waited for.
#include "../../Inputs/driver_check.h"
#include <atomic>
#include <thread>

__global__ void add(int *a, int value) { a[threadIdx.x] += value; }

static std::atomic<bool> go{false}, begun{false};

static void holdUp(void *) {
  begun = true;
  while (!go)
    std::this_thread::yield();
}

int main() {
  CHECK(cuInit(0));
  CUdevice device;
  CUcontext context;
  CHECK(cuDeviceGet(&device, 0));
  CHECK(cuDevicePrimaryCtxRetain(&context, device));
  CHECK(cuCtxSetCurrent(context));

  // The legacy default stream refuses to be captured.
  CUgraph graph;
  size_t count = 0;
  CUdeviceptr a;
  CHECK(cuMemAlloc(&a, 128));
  CHECK(cuStreamBeginCapture(nullptr, CU_STREAM_CAPTURE_MODE_RELAXED));
  CHECK(cuMemsetD32Async(a, 5, 32, nullptr));
  CHECK(cuStreamEndCapture(nullptr, &graph));
  CHECK(cuGraphGetNodes(graph, nullptr, &count));
  EXPECT(count == 1);
  CHECK(cuGraphDestroy(graph));
  CHECK(cuMemsetD32(a, 0, 32));

  // What is loaded when it is first used may wait for all streams.
  CUfunction function;
  CHECK(cudaGetFuncBySymbol(&function, (const void *)add));
  int value = 0;
  void *parameters[] = {&a, &value};
  CHECK(cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, nullptr, parameters,
                       nullptr));
  CHECK(cuStreamSynchronize(nullptr));
  value = 1;

  // Another thread's stream is busy.
  std::thread other([&] {
    CHECK(cuCtxSetCurrent(context));
    CHECK(cuLaunchHostFunc(nullptr, holdUp, nullptr));
    CHECK(cuStreamSynchronize(nullptr));
  });
  while (!begun)
    std::this_thread::yield();
  int host[32], back[32] = {};
  for (int i = 0; i < 32; ++i)
    host[i] = i;
  CHECK(cuMemcpyHtoD(a, host, sizeof(host)));
  CHECK(cuMemsetD32(a, 7, 8));
  CHECK(cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, nullptr, parameters,
                       nullptr));
  CUlaunchConfig configuration = {};
  configuration.gridDimX = configuration.gridDimY = configuration.gridDimZ = 1;
  configuration.blockDimX = 32;
  configuration.blockDimY = configuration.blockDimZ = 1;
  CHECK(cuLaunchKernelEx(&configuration, function, parameters, nullptr));
  CHECK(cuMemcpyDtoH(back, a, sizeof(back)));
  for (int i = 0; i < 32; ++i)
    EXPECT(back[i] == (i < 8 ? 7 : i) + 2);
  CHECK(cuStreamQuery(nullptr));
  go = true;
  other.join();
  CHECK(cuMemFree(a));
  CHECK(cuDevicePrimaryCtxRelease(device));
  std::printf("PASSED\n");
}

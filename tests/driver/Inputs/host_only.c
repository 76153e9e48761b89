/* A host-only program of the CUDA runtime API, C99 and C++. */
#include <cuda_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check(cudaError_t error, const char *what) {
  if (error != cudaSuccess) {
    printf("%s: %s: %s\n", what, cudaGetErrorName(error),
           cudaGetErrorString(error));
    exit(1);
  }
}

static int calls = 0;

static void call(void *data) { calls += *(int *)data; }

int main(void) {
  enum { Count = 1000 };
  int count, i, number = 3, *host, back[Count];
  void *device, *other;
  cudaStream_t stream;
  cudaEvent_t start, end;
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaArray_t array;
  float milliseconds;
  size_t nodes = 0;
  struct cudaDeviceProp properties;
  struct cudaPointerAttributes attributes;
  struct cudaChannelFormatDesc format =
      cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindSigned);
  struct cudaMemcpy3DParms box;
  memset(&box, 0, sizeof box);

  check(cudaGetDeviceCount(&count), "count");
  check(cudaGetDeviceProperties(&properties, 0), "properties");
  if (properties.warpSize != 32 || !properties.name[0])
    return 2;
  check(cudaMallocHost((void **)&host, sizeof back), "cudaMallocHost");
  check(cudaMalloc(&device, sizeof back), "cudaMalloc");
  check(cudaMalloc(&other, sizeof back), "cudaMalloc");
  check(cudaPointerGetAttributes(&attributes, device), "attributes");
  if (attributes.type != cudaMemoryTypeDevice)
    return 3;
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "stream");
  check(cudaEventCreate(&start), "event");
  check(cudaEventCreate(&end), "event");
  for (i = 0; i < Count; ++i)
    host[i] = i;
  check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), "begin");
  check(cudaMemcpyAsync(device, host, sizeof back, cudaMemcpyHostToDevice,
                        stream),
        "copy");
  check(cudaMemcpyAsync(other, device, sizeof back, cudaMemcpyDeviceToDevice,
                        stream),
        "copy");
  check(cudaMemsetAsync(other, 0, sizeof(int), stream), "fill");
  check(cudaLaunchHostFunc(stream, call, &number), "host function");
  check(cudaStreamEndCapture(stream, &graph), "end");
  check(cudaGraphGetNodes(graph, NULL, &nodes), "nodes");
  if (nodes != 4)
    return 4;
  check(cudaGraphInstantiate(&exec, graph, 0), "instantiate");
  check(cudaEventRecord(start, stream), "record");
  check(cudaGraphLaunch(exec, stream), "launch");
  check(cudaEventRecord(end, stream), "record");
  check(cudaStreamSynchronize(stream), "wait");
  check(cudaEventElapsedTime(&milliseconds, start, end), "time");
  check(cudaMemcpy(back, other, sizeof back, cudaMemcpyDeviceToHost), "back");
  for (i = 0; i < Count; ++i)
    if (back[i] != i)
      return 5;
  if (calls != 3 || milliseconds < 0)
    return 6;

  check(cudaMallocArray(&array, &format, 10, 10, 0), "array");
  box.srcPtr = make_cudaPitchedPtr(host, 10 * sizeof(int), 10, 10);
  box.dstArray = array;
  box.extent = make_cudaExtent(10, 10, 1);
  box.kind = cudaMemcpyHostToDevice;
  check(cudaMemcpy3D(&box), "box");
  check(cudaMemcpy2DFromArray(back, 5 * sizeof(int), array, 2 * sizeof(int), 3,
                              5 * sizeof(int), 4, cudaMemcpyDeviceToHost),
        "from array");
  for (i = 0; i < 20; ++i)
    if (back[i] != (i / 5 + 3) * 10 + i % 5 + 2)
      return 7;
  if (cudaMalloc(NULL, 1) != cudaErrorInvalidValue ||
      cudaGetLastError() != cudaErrorInvalidValue ||
      cudaGetLastError() != cudaSuccess)
    return 8;
  check(cudaFreeArray(array), "free");
  check(cudaGraphExecDestroy(exec), "destroy");
  check(cudaGraphDestroy(graph), "destroy");
  check(cudaFree(device), "free");
  check(cudaFree(other), "free");
  check(cudaFreeHost(host), "free");
  check(cudaDeviceReset(), "reset");
  puts("PASSED");
  return 0;
}

// Functions of the runtime API that nothing else here needs: each does what
// its more common relative does.
#include "../../Inputs/check.h"
#include <cstring>

__global__ void add(int *a, int value) { a[threadIdx.x] += value; }

// Arrays and streams.
static void arrays(cudaStream_t stream) {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
  cudaArray_t array;
  int *host, *back;
  CHECK(cudaMallocArray(&array, &format, 8, 4));
  CHECK(cudaMallocHost(&host, 32 * sizeof(int)));
  CHECK(cudaMallocHost(&back, 32 * sizeof(int)));
  for (int i = 0; i < 32; ++i)
    host[i] = i;
  CHECK(cudaMemcpyToArrayAsync(array, 0, 0, host, 128, cudaMemcpyHostToDevice,
                               stream));
  CHECK(cudaMemcpyFromArrayAsync(back, array, 0, 1, 32, cudaMemcpyDeviceToHost,
                                 stream));
  CHECK(cudaStreamSynchronize(stream));
  for (int i = 0; i < 8; ++i)
    EXPECT(back[i] == 8 + i);
  // The upper left of the host's rows to the lower right of the array.
  CHECK(cudaMemcpy2DToArrayAsync(array, 16, 2, host, 32, 16, 2,
                                 cudaMemcpyHostToDevice, stream));
  CHECK(cudaMemcpy2DFromArrayAsync(back, 16, array, 16, 1, 16, 3,
                                   cudaMemcpyDeviceToHost, stream));
  CHECK(cudaStreamSynchronize(stream));
  for (int i = 0; i < 4; ++i)
    EXPECT(back[i] == 12 + i && back[4 + i] == i && back[8 + i] == 8 + i);
  CHECK(cudaFreeArray(array));
  CHECK(cudaFreeHost(host));
  CHECK(cudaFreeHost(back));
}

static void peers(cudaStream_t stream) {
  cudaPitchedPtr from, to;
  const cudaExtent extent = make_cudaExtent(20, 3, 2);
  CHECK(cudaMalloc3D(&from, extent));
  CHECK(cudaMalloc3D(&to, extent));
  CHECK(cudaMemset3D(from, 7, extent));
  CHECK(cudaMemset3D(to, 1, extent));
  cudaMemcpy3DPeerParms copy = {};
  copy.srcPtr = from;
  copy.dstPtr = to;
  copy.extent = make_cudaExtent(10, 2, 2);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaMemcpy3DPeerAsync(&copy, stream));
  CHECK(cudaStreamSynchronize(stream));
  unsigned char rows[6][20];
  for (int z = 0; z < 2; ++z)
    CHECK(cudaMemcpy2D(rows[3 * z], 20,
                       (char *)to.ptr + z * to.pitch * to.ysize, to.pitch, 20,
                       3, cudaMemcpyDeviceToHost));
  for (int y = 0; y < 6; ++y)
    for (int x = 0; x < 20; ++x)
      EXPECT(rows[y][x] == (x < 10 && y % 3 < 2 ? 7 : 1));
  CHECK(cudaFree(from.ptr));
  CHECK(cudaFree(to.ptr));
}

static void graphs(cudaStream_t stream, int *a) {
  CHECK(cudaMemset(a, 0, 32 * sizeof(int)));
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  add<<<1, 32, 0, stream>>>(a, 3);
  add<<<1, 32, 0, stream>>>(a, 4);
  CHECK(cudaStreamEndCapture(stream, &graph));
  CHECK(cudaGraphInstantiateWithFlags(&executable, graph, 0));
  CHECK(cudaGraphUpload(executable, stream));
  CHECK(cudaGraphLaunch(executable, stream));
  CHECK(cudaStreamSynchronize(stream));
  int value = 0;
  CHECK(cudaMemcpy(&value, a + 31, sizeof(value), cudaMemcpyDeviceToHost));
  EXPECT(value == 7);
  CHECK(cudaGraphExecDestroy(executable));
  CHECK(cudaGraphDestroy(graph));
}

static void attributesOfMemory() {
  int *managed;
  CHECK(cudaMallocManaged(&managed, 4096));
  int device = 0, concurrent = 0;
  CHECK(cudaDeviceGetAttribute(&concurrent, cudaDevAttrConcurrentManagedAccess,
                               0));
  if (concurrent) {
    CHECK(cudaMemAdvise(managed, 4096, cudaMemAdviseSetReadMostly, 0));
    CHECK(cudaMemAdvise(managed, 4096, cudaMemAdviseSetPreferredLocation,
                        cudaCpuDeviceId));
    int readMostly = 0;
    void *data[] = {&readMostly, &device};
    size_t sizes[] = {sizeof(readMostly), sizeof(device)};
    cudaMemRangeAttribute attributes[] = {
        cudaMemRangeAttributeReadMostly,
        cudaMemRangeAttributePreferredLocation};
    CHECK(cudaMemRangeGetAttributes(data, sizes, attributes, 2, managed, 4096));
    EXPECT(readMostly == 1 && device == cudaCpuDeviceId);
  }
  CHECK(cudaFree(managed));
}

static void textures() {
  int *memory;
  CHECK(cudaMalloc(&memory, 4096));
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = memory;
  resource.res.linear.desc = cudaCreateChannelDesc<int>();
  resource.res.linear.sizeInBytes = 4096;
  cudaTextureDesc wanted = {}, found = {};
  wanted.addressMode[0] = cudaAddressModeClamp;
  wanted.readMode = cudaReadModeElementType;
  cudaTextureObject_t texture;
  CHECK(cudaCreateTextureObject(&texture, &resource, &wanted, nullptr));
  CHECK(cudaGetTextureObjectTextureDesc(&found, texture));
  EXPECT(found.addressMode[0] == wanted.addressMode[0] &&
         found.readMode == wanted.readMode &&
         found.normalizedCoords == wanted.normalizedCoords);
  CHECK(cudaDestroyTextureObject(texture));
  CHECK(cudaFree(memory));
}

int main() {
  int device = -1, *a;
  cudaStream_t stream;
  CHECK(cudaInitDevice(0, 0, 0));
  CHECK(cudaInitDevice(0, cudaDeviceScheduleYield,
                       cudaInitDeviceFlagsAreValid));
  unsigned flags = 0;
  CHECK(cudaGetDeviceFlags(&flags));
  EXPECT((flags & 7) == cudaDeviceScheduleYield);
  EXPECT(cudaInitDevice(0, 3, cudaInitDeviceFlagsAreValid) ==
         cudaErrorInvalidValue);
  CHECK(cudaGetDevice(&device));
  EXPECT(device == 0);
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaMalloc(&a, 32 * sizeof(int)));
  arrays(stream);
  peers(stream);
  graphs(stream, a);
  attributesOfMemory();
  textures();
  CHECK(cudaFree(a));
  CHECK(cudaStreamDestroy(stream));
  std::printf("PASSED\n");
}

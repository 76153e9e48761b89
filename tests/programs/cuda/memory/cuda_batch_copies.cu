// Many copies with one call, pools that other devices reach, and managed memory
// in pieces.
#include "../../Inputs/check.h"
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#include <cstring>
constexpr int N = 5, Each = 1000;

int main() {
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  static int host[N][Each], back[N][Each];
  int *device[N];
  void *to[N];
  const void *from[N];
  size_t sizes[N];
  for (int k = 0; k < N; ++k) {
    sizes[k] = sizeof(int) * (Each - k);
    CHECK(cudaMalloc(&device[k], sizeof(host[k])));
    for (int i = 0; i < Each; ++i)
      host[k][i] = 1000 * k + i;
    to[k] = device[k];
    from[k] = host[k];
  }
  // The first two may be read whenever it suits, the others are done with when
  // the call returns.
  cudaMemcpyAttributes attributes[2] = {};
  attributes[0].srcAccessOrder = cudaMemcpySrcAccessOrderStream;
  attributes[1].srcAccessOrder = cudaMemcpySrcAccessOrderDuringApiCall;
  size_t places[2] = {0, 2};
  CHECK(
      cudaMemcpyBatchAsync(to, from, sizes, N, attributes, places, 2, stream));
  for (int k = 2; k < N; ++k)
    std::memset(host[k], 0, sizeof(host[k]));
  for (int k = 0; k < N; ++k) {
    to[k] = back[k];
    from[k] = device[k];
  }
  CHECK(cudaMemcpyBatchAsync(to, from, sizes, N, attributes[0], stream));
  CHECK(cudaStreamSynchronize(stream));
  for (int k = 0; k < N; ++k)
    for (int i = 0; i < Each; ++i)
      EXPECT(back[k][i] == (i < Each - k ? 1000 * k + i : 0));
  // The default stream is none for it, and what holds for nothing is wrong.
  EXPECT(cudaMemcpyBatchAsync(to, from, sizes, N, attributes, places, 2, 0) ==
         cudaErrorInvalidValue);
  places[0] = 1;
  EXPECT(cudaMemcpyBatchAsync(to, from, sizes, N, attributes, places, 2,
                              stream) == cudaErrorInvalidValue);
  cudaGetLastError();

  // Boxes: out of the middle of a plane into an array, and back.
  constexpr int W = 16, H = 6;
  static float plane[H + 2][W + 4], result[H][W];
  for (int y = 0; y < H + 2; ++y)
    for (int x = 0; x < W + 4; ++x)
      plane[y][x] = 100 * y + x;
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array;
  CHECK(cudaMallocArray(&array, &format, W, H));
  cudaMemcpy3DBatchOp boxes[2] = {};
  boxes[0].src.type = cudaMemcpyOperandTypePointer;
  boxes[0].src.op.ptr.ptr = &plane[1][2];
  boxes[0].src.op.ptr.rowLength = W + 4;
  boxes[0].src.op.ptr.layerHeight = H;
  boxes[0].dst.type = cudaMemcpyOperandTypeArray;
  boxes[0].dst.op.array.array = array;
  boxes[0].extent = make_cudaExtent(W, H, 1);
  boxes[0].srcAccessOrder = cudaMemcpySrcAccessOrderDuringApiCall;
  boxes[1].src.type = cudaMemcpyOperandTypeArray;
  boxes[1].src.op.array.array = array;
  boxes[1].dst.type = cudaMemcpyOperandTypePointer;
  boxes[1].dst.op.ptr.ptr = result;
  boxes[1].extent = make_cudaExtent(W, H, 1);
  boxes[1].srcAccessOrder = cudaMemcpySrcAccessOrderStream;
  CHECK(cudaMemcpy3DBatchAsync(2, boxes, 0, stream));
  CHECK(cudaStreamSynchronize(stream));
  for (int y = 0; y < H; ++y)
    for (int x = 0; x < W; ++x)
      EXPECT(result[y][x] == plane[y + 1][x + 2]);
  CHECK(cudaFreeArray(array));

  // Managed memory in pieces.
  char *managed;
  CHECK(cudaMallocManaged(&managed, 1 << 20));
  void *pieces[] = {managed, managed + (1 << 19)};
  size_t bytes[] = {1 << 19, 1 << 19};
  cudaMemLocation where[] = {{cudaMemLocationTypeDevice, 0},
                             {cudaMemLocationTypeHost, 0}};
  size_t begins[] = {0, 1};
  int concurrent = 0;
  CHECK(cudaDeviceGetAttribute(&concurrent, cudaDevAttrConcurrentManagedAccess,
                               0));
  if (concurrent) {
    CHECK(cudaMemPrefetchBatchAsync(pieces, bytes, 2, where, begins, 2, 0,
                                    stream));
    CHECK(cudaMemDiscardAndPrefetchBatchAsync(pieces, bytes, 2, where, begins,
                                              2, 0, stream));
    CHECK(cudaMemPrefetchAsync(managed, 1 << 20, where[1], 0, stream));
    CHECK(cudaMemAdvise(managed, 1 << 20, cudaMemAdviseSetPreferredLocation,
                        where[0]));
  }
  CHECK(cudaMemDiscardBatchAsync(pieces, bytes, 2, 0, stream));
  CHECK(cudaStreamSynchronize(stream));
  void *local[] = {host};
  EXPECT(cudaMemDiscardBatchAsync(local, bytes, 1, 0, stream) ==
         cudaErrorInvalidValue);
  cudaGetLastError();
  CHECK(cudaFree(managed));

  // Who reaches a pool's memory.
  cudaMemPool_t pool, same;
  cudaMemPoolProps properties = {};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location = where[0];
  CHECK(cudaMemPoolCreate(&pool, &properties));
  // Handles of another system, and devices that are not there.
  cudaMemPoolProps foreign = properties, absent = properties;
  foreign.handleTypes = cudaMemHandleTypeWin32;
  absent.location.id = 77;
  EXPECT(cudaMemPoolCreate(&same, &foreign) == cudaErrorInvalidValue);
  EXPECT(cudaMemPoolCreate(&same, &absent) == cudaErrorInvalidValue);
  cudaMemAccessFlags flags;
  CHECK(cudaMemPoolGetAccess(&flags, pool, &where[0]));
  EXPECT(flags == cudaMemAccessFlagsProtReadWrite);
  cudaMemAccessDesc access = {where[0], cudaMemAccessFlagsProtReadWrite};
  CHECK(cudaMemPoolSetAccess(pool, &access, 1));
  CHECK(cudaMemPoolDestroy(pool));
  CHECK(
      cudaMemGetDefaultMemPool(&pool, &where[0], cudaMemAllocationTypePinned));
  CHECK(cudaDeviceGetDefaultMemPool(&same, 0));
  EXPECT(pool == same);
  CHECK(cudaMemSetMemPool(&where[0], cudaMemAllocationTypePinned, pool));
  CHECK(cudaMemGetMemPool(&same, &where[0], cudaMemAllocationTypePinned));
  EXPECT(pool == same);

  for (int *each : device)
    CHECK(cudaFree(each));
  CHECK(cudaStreamDestroy(stream));
  std::puts("PASSED");
}

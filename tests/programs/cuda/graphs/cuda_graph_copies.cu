// Copies of boxes as graph nodes, and the parameters of nodes read back: of
// nodes made by hand and of those of a captured stream.
#include "../../Inputs/check.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>

#define REFUSED(call)                                                          \
  do {                                                                         \
    EXPECT((call) != cudaSuccess);                                             \
    cudaGetLastError();                                                        \
  } while (0)

constexpr int W = 20, H = 6, D = 4;

__global__ void scale(float *a, long n, float x, char bias) {
  long i = blockIdx.x * (long)blockDim.x + threadIdx.x;
  if (i < n)
    a[i] = a[i] * x + bias;
}

static int calls = 0;
static void call(void *by) { calls += *static_cast<int *>(by); }

static int host[D][H][W], back[D][H][W];

// A box of 7 x 3 x 2 elements from (2, 1, 1) of `host` to device memory with
// rows of its own, and on to (5, 2, 0) of `back`.
static void boxes() {
  for (int z = 0; z < D; ++z)
    for (int y = 0; y < H; ++y)
      for (int x = 0; x < W; ++x)
        host[z][y][x] = 10000 * z + 100 * y + x;
  cudaPitchedPtr device;
  CHECK(cudaMalloc3D(&device, make_cudaExtent(W * sizeof(int), H, D)));
  cudaMemcpy3DParms in{}, out{};
  in.srcPtr = make_cudaPitchedPtr(host, W * sizeof(int), W * sizeof(int), H);
  in.srcPos = make_cudaPos(2 * sizeof(int), 1, 1);
  in.dstPtr = device;
  in.extent = make_cudaExtent(7 * sizeof(int), 3, 2);
  in.kind = cudaMemcpyHostToDevice;
  out.srcPtr = device;
  out.dstPtr = make_cudaPitchedPtr(back, W * sizeof(int), W * sizeof(int), H);
  out.dstPos = make_cudaPos(5 * sizeof(int), 2, 0);
  out.extent = in.extent;
  out.kind = cudaMemcpyDeviceToHost;
  cudaGraph_t graph;
  CHECK(cudaGraphCreate(&graph, 0));
  cudaGraphNode_t first, second;
  CHECK(cudaGraphAddMemcpyNode(&first, graph, nullptr, 0, &in));
  CHECK(cudaGraphAddMemcpyNode(&second, graph, &first, 1, &out));
  cudaGraphExec_t exec;
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  const auto run = [&](int tx, int ty, int tz, int height) {
    std::memset(back, 0xff, sizeof(back));
    CHECK(cudaGraphLaunch(exec, 0));
    CHECK(cudaDeviceSynchronize());
    for (int z = 0; z < D; ++z)
      for (int y = 0; y < H; ++y)
        for (int x = 0; x < W; ++x) {
          const bool inside = x >= tx && x < tx + 7 && y >= ty &&
                              y < ty + height && z >= tz && z < tz + 2;
          const int expected =
              inside ? host[z - tz + 1][y - ty + 1][x - tx + 2] : -1;
          if (back[z][y][x] != expected) {
            std::printf("(%d, %d, %d) is %d, not %d\n", x, y, z, back[z][y][x],
                        expected);
            std::exit(1);
          }
        }
  };
  run(5, 2, 0, 3);

  cudaMemcpy3DParms p{};
  CHECK(cudaGraphMemcpyNodeGetParams(second, &p));
  EXPECT(p.srcArray == nullptr && p.dstArray == nullptr);
  EXPECT(p.srcPtr.ptr == device.ptr && p.srcPtr.pitch == device.pitch);
  EXPECT(p.dstPtr.ptr == back && p.dstPtr.pitch == W * sizeof(int));
  EXPECT(p.dstPtr.ysize == H);
  EXPECT(p.dstPos.x == 5 * sizeof(int) && p.dstPos.y == 2 && p.dstPos.z == 0);
  EXPECT(p.srcPos.x == 0 && p.srcPos.y == 0 && p.srcPos.z == 0);
  EXPECT(p.extent.width == 7 * sizeof(int) && p.extent.height == 3 &&
         p.extent.depth == 2);
  EXPECT(p.kind == cudaMemcpyDeviceToHost || p.kind == cudaMemcpyDefault);

  // In an executable graph only lines can be changed; a box can be set to what
  // it is.
  CHECK(cudaGraphExecMemcpyNodeSetParams(exec, second, &p));
  // What was read, changed and set again in the graph, which the executable one
  // does not notice.
  p.dstPos = make_cudaPos(13 * sizeof(int), 4, 1);
  p.extent.height = 2;
  CHECK(cudaGraphMemcpyNodeSetParams(second, &p));
  run(5, 2, 0, 3);
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  run(13, 4, 1, 2);

  // A line as a box; a clone keeps its parameters.
  cudaGraph_t lines, clone;
  cudaGraphNode_t line;
  CHECK(cudaGraphCreate(&lines, 0));
  CHECK(cudaGraphAddMemcpyNode1D(&line, lines, nullptr, 0, device.ptr, host, 40,
                                 cudaMemcpyHostToDevice));
  CHECK(cudaGraphClone(&clone, lines));
  CHECK(cudaGraphDestroy(lines));
  size_t count = 1;
  CHECK(cudaGraphGetNodes(clone, &line, &count));
  CHECK(cudaGraphMemcpyNodeGetParams(line, &p));
  EXPECT(p.srcPtr.ptr == host && p.dstPtr.ptr == device.ptr);
  EXPECT(p.extent.width == 40 && p.extent.height == 1 && p.extent.depth == 1);
  cudaGraphExec_t lineExec;
  CHECK(cudaGraphInstantiate(&lineExec, clone, 0));
  p.srcPtr.ptr = host[2];
  CHECK(cudaGraphExecMemcpyNodeSetParams(lineExec, line, &p));
  REFUSED(cudaGraphExecMemcpyNodeSetParams(lineExec, line, &in));
  CHECK(cudaGraphLaunch(lineExec, 0));
  int first10[10];
  CHECK(cudaMemcpy(first10, device.ptr, 40, cudaMemcpyDeviceToHost));
  EXPECT(first10[0] == host[2][0][0] && first10[9] == host[2][0][9]);
  CHECK(cudaGraphExecDestroy(lineExec));
  CHECK(cudaGraphDestroy(clone));

  // Nothing to copy; memory on both sides and an array on one; other nodes.
  cudaMemcpy3DParms none = in;
  none.extent.depth = 0;
  REFUSED(cudaGraphAddMemcpyNode(&line, graph, nullptr, 0, &none));
  none = in;
  none.dstPtr.ptr = nullptr;
  REFUSED(cudaGraphAddMemcpyNode(&line, graph, nullptr, 0, &none));
  REFUSED(cudaGraphAddMemcpyNode(&line, graph, nullptr, 0, nullptr));
  REFUSED(cudaGraphMemcpyNodeGetParams(first, nullptr));
  cudaKernelNodeParams k;
  REFUSED(cudaGraphKernelNodeGetParams(first, &k));

  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaFree(device.ptr));
}

// Elements count where an array takes part.
static void arrays() {
  cudaChannelFormatDesc format =
      cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindSigned);
  cudaArray_t array;
  CHECK(cudaMallocArray(&array, &format, W, H));
  cudaMemcpy3DParms in{};
  in.srcPtr = make_cudaPitchedPtr(host, W * sizeof(int), W, H);
  in.srcPos = make_cudaPos(sizeof(int), 1, 0); // memory counts in bytes
  in.dstArray = array;
  in.dstPos = make_cudaPos(4, 2, 0);
  in.extent = make_cudaExtent(5, 3, 1);
  in.kind = cudaMemcpyHostToDevice;
  cudaGraph_t graph;
  cudaGraphNode_t node;
  CHECK(cudaGraphCreate(&graph, 0));
  CHECK(cudaGraphAddMemcpyNode(&node, graph, nullptr, 0, &in));
  cudaMemcpy3DParms p{};
  CHECK(cudaGraphMemcpyNodeGetParams(node, &p));
  EXPECT(p.dstArray == array && p.dstPos.x == 4 && p.dstPos.y == 2);
  EXPECT(p.extent.width == 5 && p.extent.height == 3 && p.extent.depth == 1);
  EXPECT(p.srcPtr.ptr == host && p.dstPtr.ptr == nullptr);
  cudaGraphExec_t exec;
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  CHECK(cudaGraphLaunch(exec, 0));
  CHECK(cudaDeviceSynchronize());
  std::memset(back, 0, sizeof(back));
  CHECK(cudaMemcpy2DFromArray(back, W * sizeof(int), array, 4 * sizeof(int), 2,
                              5 * sizeof(int), 3, cudaMemcpyDeviceToHost));
  EXPECT(p.srcPos.x == sizeof(int) && p.srcPos.y == 1);
  const int *from = &host[0][1][1];
  EXPECT(back[0][0][0] == from[0] && back[0][2][4] == from[2 * W + 4]);
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaFreeArray(array));
}

// The nodes that a captured stream leaves, found by their types.
static void captured() {
  constexpr long N = 1000;
  float *a, *pinned;
  CHECK(cudaMalloc(&a, N * sizeof(float)));
  CHECK(cudaMallocHost(&pinned, N * sizeof(float)));
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  int one = 1, ten = 10;
  cudaGraph_t graph;
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  CHECK(cudaMemsetAsync(a, 0, N * sizeof(float), stream));
  scale<<<8, 128, 0, stream>>>(a, N, 2.0f, 3);
  CHECK(cudaMemcpyAsync(pinned, a, N * sizeof(float), cudaMemcpyDeviceToHost,
                        stream));
  CHECK(cudaLaunchHostFunc(stream, call, &one));
  CHECK(cudaStreamEndCapture(stream, &graph));
  cudaGraphNode_t nodes[4], of[4];
  size_t count = 4;
  CHECK(cudaGraphGetNodes(graph, nodes, &count));
  EXPECT(count == 4);
  for (cudaGraphNode_t node : nodes) {
    cudaGraphNodeType type;
    CHECK(cudaGraphNodeGetType(node, &type));
    EXPECT(type <= cudaGraphNodeTypeHost);
    of[type] = node;
  }
  cudaGraphExec_t exec;
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  const auto run = [&](float expected, int by) {
    calls = 0;
    CHECK(cudaGraphLaunch(exec, stream));
    CHECK(cudaStreamSynchronize(stream));
    EXPECT(pinned[0] == expected && pinned[N - 1] == expected);
    EXPECT(calls == by);
  };
  run(3, 1);

  cudaMemsetParams fill{};
  CHECK(cudaGraphMemsetNodeGetParams(of[cudaGraphNodeTypeMemset], &fill));
  EXPECT(fill.dst == a && fill.value == 0);
  EXPECT(fill.width * fill.elementSize * fill.height == N * sizeof(float));
  cudaMemcpy3DParms copy{};
  CHECK(cudaGraphMemcpyNodeGetParams(of[cudaGraphNodeTypeMemcpy], &copy));
  EXPECT(copy.srcPtr.ptr == a && copy.dstPtr.ptr == pinned);
  EXPECT(copy.extent.width == N * sizeof(float) && copy.extent.height == 1);
  cudaHostNodeParams function{};
  CHECK(cudaGraphHostNodeGetParams(of[cudaGraphNodeTypeHost], &function));
  EXPECT(function.fn == call && function.userData == &one);
  cudaKernelNodeParams kernel{};
  CHECK(cudaGraphKernelNodeGetParams(of[cudaGraphNodeTypeKernel], &kernel));
  EXPECT(kernel.func == reinterpret_cast<void *>(scale));
  EXPECT(kernel.gridDim.x == 8 && kernel.gridDim.y == 1);
  EXPECT(kernel.blockDim.x == 128 && kernel.blockDim.z == 1);
  EXPECT(kernel.sharedMemBytes == 0);
  EXPECT(*static_cast<float **>(kernel.kernelParams[0]) == a);
  EXPECT(*static_cast<long *>(kernel.kernelParams[1]) == N);
  EXPECT(*static_cast<float *>(kernel.kernelParams[2]) == 2.0f);
  EXPECT(*static_cast<char *>(kernel.kernelParams[3]) == 3);

  // One argument of four is another one.
  char bias = 7;
  void *arguments[] = {kernel.kernelParams[0], kernel.kernelParams[1],
                       kernel.kernelParams[2], &bias};
  cudaKernelNodeParams changed = kernel;
  changed.kernelParams = arguments;
  changed.gridDim = dim3(16);
  changed.blockDim = dim3(64);
  CHECK(cudaGraphExecKernelNodeSetParams(exec, of[cudaGraphNodeTypeKernel],
                                         &changed));
  function.userData = &ten;
  CHECK(cudaGraphExecHostNodeSetParams(exec, of[cudaGraphNodeTypeHost],
                                       &function));
  run(7, 10);
  CHECK(cudaGraphKernelNodeSetParams(of[cudaGraphNodeTypeKernel], &changed));
  CHECK(cudaGraphKernelNodeGetParams(of[cudaGraphNodeTypeKernel], &kernel));
  EXPECT(kernel.gridDim.x == 16 && kernel.blockDim.x == 64);
  EXPECT(*static_cast<char *>(kernel.kernelParams[3]) == 7);
  EXPECT(*static_cast<long *>(kernel.kernelParams[1]) == N);

  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaStreamDestroy(stream));
  CHECK(cudaFree(a));
  CHECK(cudaFreeHost(pinned));
}

int main() {
  boxes();
  arrays();
  captured();
  std::puts("PASSED");
}

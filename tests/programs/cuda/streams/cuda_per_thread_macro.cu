// FLAGS: -DCUDA_API_PER_THREAD_DEFAULT_STREAM
// The macro on the command line is what the option -default-stream=per-thread
// defines: chevrons without a stream are in the thread's own, too.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void nothing() {}

int main() {
  cudaGraph_t graph;
  size_t count = 0;
  // The legacy default stream refuses to be captured.
  if (cudaStreamBeginCapture(0, cudaStreamCaptureModeGlobal) != cudaSuccess)
    return 1;
  nothing<<<1, 1>>>();
  if (cudaStreamEndCapture(0, &graph) != cudaSuccess ||
      cudaGraphGetNodes(graph, nullptr, &count) != cudaSuccess || count != 1)
    return 2;
  std::puts("PASSED");
}

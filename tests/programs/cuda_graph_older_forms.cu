// Graphs as programs older than CUDA 12 instantiate and update them, with a
// node and a text for errors; memory of a pool through typed pointers.

#include <cstdio>

__global__ void add(int *sum, int value) { *sum += value; }

static cudaGraph_t capture(cudaStream_t stream, int *sum, int value,
                           bool twice) {
  cudaGraph_t graph;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  add<<<1, 1, 0, stream>>>(sum, value);
  if (twice)
    add<<<1, 1, 0, stream>>>(sum, value);
  cudaStreamEndCapture(stream, &graph);
  return graph;
}

int main() {
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaMemPool_t pool;
  cudaDeviceGetDefaultMemPool(&pool, 0);
  int *sum, *other;
  bool right =
      cudaMallocFromPoolAsync(&sum, sizeof *sum, pool, stream) == cudaSuccess &&
      cudaMallocAsync(&other, sizeof *other, pool, stream) == cudaSuccess &&
      sum != other;
  cudaMemsetAsync(sum, 0, sizeof *sum, stream);
  cudaStreamSynchronize(stream);

  cudaGraph_t first = capture(stream, sum, 1, false);
  cudaGraph_t same = capture(stream, sum, 10, false);
  cudaGraph_t larger = capture(stream, sum, 100, true);

  cudaGraphExec_t exec = nullptr;
  cudaGraphNode_t wrong = nullptr;
  char messages[64] = "not touched";
  right &= cudaGraphInstantiate(&exec, first, &wrong, messages,
                                sizeof messages) == cudaSuccess &&
           !wrong && !messages[0];
  right &= cudaGraphLaunch(exec, stream) == cudaSuccess;

  cudaGraphExecUpdateResult result = cudaGraphExecUpdateError;
  right &= cudaGraphExecUpdate(exec, same, &wrong, &result) == cudaSuccess &&
           result == cudaGraphExecUpdateSuccess;
  right &= cudaGraphLaunch(exec, stream) == cudaSuccess;

  right &= cudaGraphExecUpdate(exec, larger, &wrong, &result) ==
               cudaErrorGraphExecUpdateFailure &&
           result == cudaGraphExecUpdateErrorTopologyChanged;
  right &= cudaGetLastError() == cudaErrorGraphExecUpdateFailure;
  right &= cudaGraphLaunch(exec, stream) == cudaSuccess;

  cudaGraphExec_t another;
  right &= cudaGraphInstantiate(&another, larger, nullptr, nullptr, 0) ==
               cudaSuccess &&
           cudaGraphLaunch(another, stream) == cudaSuccess;

  int host = 0;
  cudaMemcpyAsync(&host, sum, sizeof host, cudaMemcpyDeviceToHost, stream);
  right &= cudaStreamSynchronize(stream) == cudaSuccess;
  printf("%d\n", host);
  right &= host == 1 + 10 + 10 + 200;
  puts(right ? "PASSED" : "FAILED");
}

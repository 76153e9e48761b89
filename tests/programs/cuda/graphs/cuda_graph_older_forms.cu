// Graphs as programs older than CUDA 12 instantiate and update them, with a
// node and a text for errors; memory of a pool through typed pointers.

#include "../../Inputs/count.h"

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
  OK(cudaStreamCreate(&stream));
  cudaMemPool_t pool;
  OK(cudaDeviceGetDefaultMemPool(&pool, 0));
  int *sum, *other;
  OK(cudaMallocFromPoolAsync(&sum, sizeof *sum, pool, stream));
  OK(cudaMallocAsync(&other, sizeof *other, pool, stream));
  CHECK(sum != other);
  OK(cudaMemsetAsync(sum, 0, sizeof *sum, stream));
  OK(cudaStreamSynchronize(stream));

  cudaGraph_t first = capture(stream, sum, 1, false);
  cudaGraph_t same = capture(stream, sum, 10, false);
  cudaGraph_t larger = capture(stream, sum, 100, true);

  cudaGraphExec_t exec = nullptr;
  cudaGraphNode_t wrong = nullptr;
  char messages[64] = "not touched";
  OK(cudaGraphInstantiate(&exec, first, &wrong, messages, sizeof messages));
  CHECK(!wrong && !messages[0]);
  OK(cudaGraphLaunch(exec, stream));

  cudaGraphExecUpdateResult result = cudaGraphExecUpdateError;
  OK(cudaGraphExecUpdate(exec, same, &wrong, &result));
  CHECK(result == cudaGraphExecUpdateSuccess);
  OK(cudaGraphLaunch(exec, stream));

  CHECK(cudaGraphExecUpdate(exec, larger, &wrong, &result) ==
        cudaErrorGraphExecUpdateFailure);
  CHECK(cudaGetLastError() == cudaErrorGraphExecUpdateFailure);
  if (result != cudaGraphExecUpdateErrorTopologyChanged)
    printf("the reason is %d\n", int(result));
  CHECK(result != cudaGraphExecUpdateSuccess);
  OK(cudaGraphLaunch(exec, stream));

  cudaGraphExec_t another;
  OK(cudaGraphInstantiate(&another, larger, nullptr, nullptr, 0));
  OK(cudaGraphLaunch(another, stream));

  int host = 0;
  OK(cudaMemcpyAsync(&host, sum, sizeof host, cudaMemcpyDeviceToHost, stream));
  OK(cudaStreamSynchronize(stream));
  printf("%d\n", host);
  CHECK(host == 1 + 10 + 10 + 200);
  puts(bad ? "FAILED" : "PASSED");
}

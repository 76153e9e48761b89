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

static bool right = true;

#define EXPECT(condition)                                                      \
  do {                                                                         \
    if (!(condition)) {                                                        \
      printf("line %d: not %s\n", __LINE__, #condition);                       \
      right = false;                                                           \
    }                                                                          \
  } while (0)
#define CHECK(call) EXPECT((call) == cudaSuccess)

int main() {
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  cudaMemPool_t pool;
  CHECK(cudaDeviceGetDefaultMemPool(&pool, 0));
  int *sum, *other;
  CHECK(cudaMallocFromPoolAsync(&sum, sizeof *sum, pool, stream));
  CHECK(cudaMallocAsync(&other, sizeof *other, pool, stream));
  EXPECT(sum != other);
  CHECK(cudaMemsetAsync(sum, 0, sizeof *sum, stream));
  CHECK(cudaStreamSynchronize(stream));

  cudaGraph_t first = capture(stream, sum, 1, false);
  cudaGraph_t same = capture(stream, sum, 10, false);
  cudaGraph_t larger = capture(stream, sum, 100, true);

  cudaGraphExec_t exec = nullptr;
  cudaGraphNode_t wrong = nullptr;
  char messages[64] = "not touched";
  CHECK(cudaGraphInstantiate(&exec, first, &wrong, messages, sizeof messages));
  EXPECT(!wrong && !messages[0]);
  CHECK(cudaGraphLaunch(exec, stream));

  cudaGraphExecUpdateResult result = cudaGraphExecUpdateError;
  CHECK(cudaGraphExecUpdate(exec, same, &wrong, &result));
  EXPECT(result == cudaGraphExecUpdateSuccess);
  CHECK(cudaGraphLaunch(exec, stream));

  EXPECT(cudaGraphExecUpdate(exec, larger, &wrong, &result) ==
         cudaErrorGraphExecUpdateFailure);
  EXPECT(cudaGetLastError() == cudaErrorGraphExecUpdateFailure);
  if (result != cudaGraphExecUpdateErrorTopologyChanged)
    printf("the reason is %d\n", int(result));
  EXPECT(result != cudaGraphExecUpdateSuccess);
  CHECK(cudaGraphLaunch(exec, stream));

  cudaGraphExec_t another;
  CHECK(cudaGraphInstantiate(&another, larger, nullptr, nullptr, 0));
  CHECK(cudaGraphLaunch(another, stream));

  int host = 0;
  CHECK(
      cudaMemcpyAsync(&host, sum, sizeof host, cudaMemcpyDeviceToHost, stream));
  CHECK(cudaStreamSynchronize(stream));
  printf("%d\n", host);
  EXPECT(host == 1 + 10 + 10 + 200);
  puts(right ? "PASSED" : "FAILED");
}

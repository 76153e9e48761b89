// DEVICES: cpu
// Recording a launch in a graph is none: it prints nothing. Nor does the launch
// of the graph; its kernels' text is kept as that of others. CUDA's guide
// leaves this open.
#include "../../Inputs/printed.h"

__global__ void say(int n) { printf("said %d\n", n); }

int main() {
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  std::string recorded, launched, after;
  {
    const Printed printed;
    say<<<1, 1, 0, stream>>>(1);
    letEnd(stream);
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    say<<<1, 1, 0, stream>>>(2);
    CHECK(cudaStreamEndCapture(stream, &graph));
    CHECK(cudaGraphInstantiate(&executable, graph, 0));
    recorded = printed.text();
    CHECK(cudaGraphLaunch(executable, stream));
    letEnd(stream);
    launched = printed.text();
    say<<<1, 1, 0, stream>>>(3);
    after = printed.text();
    CHECK(cudaStreamSynchronize(stream));
  }
  EXPECT(recorded.empty() && launched.empty());
  EXPECT(after == "said 1\nsaid 2\n");
  std::puts("PASSED");
}

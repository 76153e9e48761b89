// ENV: CUDA_LAUNCH_BLOCKING=1
// Where launches wait for their kernels, they print at their end (CUDA C guide
// B.14.2).
#include "../../Inputs/printed.h"

__global__ void say(int n) { printf("said %d\n", n); }

int main() {
  CHECK(cudaFree(nullptr));
  std::string first, both;
  {
    const Printed printed;
    say<<<1, 1>>>(1);
    first = printed.text();
    say<<<1, 1>>>(2);
    both = printed.text();
  }
  EXPECT(first == "said 1\n" && both == "said 1\nsaid 2\n");
  std::puts("PASSED");
}

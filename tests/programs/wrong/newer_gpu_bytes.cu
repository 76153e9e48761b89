// RUN: not %cufort -arch=sm_80 %s -o %t 2>&1 | FileCheck %s
// RUN: %cufort %s -o %t
// What only newer GPUs have, for an older one.
#include <cuda/barrier>

using Barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void k() {
  __shared__ Barrier barrier;
  init(&barrier, 1);
  // CHECK: error: {{.*}}GPUs have it from compute capability 9.0 on
  cuda::device::barrier_expect_tx(barrier, 16);
}

int main() { k<<<1, 1>>>(); }

#ifdef THRUST
#include <thrust/device_vector.h>
#endif
#include <cooperative_groups.h>
#include <cuda/pipeline>
namespace cg = cooperative_groups;
__global__ void child(int *p) { *p = 1; }
__global__ void parent(int *p) {
#ifdef LAUNCH
  child<<<1, 1>>>(p);
#endif
#ifdef WAIT
  cudaDeviceSynchronize();
#endif
#ifdef MULTI
  cg::this_multi_grid();
#endif
#ifdef ROLES
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  auto pipe = cuda::make_pipeline(cg::this_thread_block(), &state, 16);
#endif
}
int main() { parent<<<1, 1>>>(nullptr); }

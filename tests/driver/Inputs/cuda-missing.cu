#ifdef THRUST
#include <thrust/device_vector.h>
#endif
#ifdef MTGP
#include <curand_kernel.h>
__device__ curandStateMtgp32_t state;
#endif
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void parent(int *p) {
#ifdef WAIT
  cudaDeviceSynchronize();
#endif
#ifdef MULTI
  cg::this_multi_grid();
#endif
}
int main() { parent<<<1, 1>>>(nullptr); }

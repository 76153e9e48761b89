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

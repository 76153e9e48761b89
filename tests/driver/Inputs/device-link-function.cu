__device__ int factor = 2;
__device__ int triple(int x) { return 3 * x; }

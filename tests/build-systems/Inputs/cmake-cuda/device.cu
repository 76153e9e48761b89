__device__ int plus(int i) { return i + 2; }

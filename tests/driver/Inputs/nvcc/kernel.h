__device__ int square(int x);
__global__ void fill(int *a, int n);
int check(const int *a, int n);

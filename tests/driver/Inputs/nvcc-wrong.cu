#pragma clang diagnostic warning "-Wunused-variable"
static inline __host__ __device__ void both() { int unused; }
int onHost();
__global__ void kernel(int *a) {
  *a = onHost();
}

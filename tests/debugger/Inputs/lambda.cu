template <typename F> __global__ void apply(float *a, F f) {
  __shared__ float tile[32];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x] = a[i];
  __syncthreads();
  a[i] = f(tile[31 - threadIdx.x]);
}
static __global__ void ends(int thread) {
  if (threadIdx.x == thread)
    __trap();
}
int main(int argc, char **) {
  float *a, shift = 10;
  cudaMallocManaged(&a, 64 * sizeof(float));
  for (int i = 0; i < 64; ++i)
    a[i] = i;
  apply<<<2, 32>>>(a, [shift] __device__(float x) {
    float y = x + shift;
    return y;
  });
  if (cudaDeviceSynchronize() != cudaSuccess || a[0] != 41)
    return 1;
  if (argc > 1)
    ends<<<1, 32>>>(5);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 3;
}

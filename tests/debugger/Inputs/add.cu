struct Pair {
  int first;
  float second[2];
};
__device__ float factor = 3;
__device__ float scaled(float x, int i) {
  Pair pair{i, {x, 2 * x}};
  return pair.second[1] * factor;
}
__global__ void add(const float *a, float *b, int n) {
  __shared__ float tile[32];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x] = i < n ? a[i] : 0;
  __syncthreads();
  if (i < n)
    b[i] = scaled(tile[31 - threadIdx.x], i);
}
int main() {
  float *a, *b;
  cudaMallocManaged(&a, 400);
  cudaMallocManaged(&b, 400);
  for (int i = 0; i < 100; ++i)
    a[i] = i;
  add<<<4, 32>>>(a, b, 100);
  return cudaDeviceSynchronize();
}

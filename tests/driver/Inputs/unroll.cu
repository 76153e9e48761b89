template <int Radius> __global__ void sums(float *a, const float *b, int n) {
  float s[Radius];
#pragma unroll
  for (int i = 0; i < Radius; i++)
    s[i] = b[threadIdx.x + i];
#pragma unroll 9
  for (int z = 0; z < n; z++) {
    s[Radius - 1] = b[z + threadIdx.x];
    __syncthreads();
    float sum = 0;
#pragma unroll
    for (int i = 0; i < Radius; i++)
      sum += s[i];
    a[threadIdx.x + z] = sum;
    __syncthreads();
  }
}

int main() {
  float *a = nullptr;
  cudaMalloc(&a, 1 << 16);
  sums<4><<<1, 32>>>(a, a + 1000, 10);
  return cudaDeviceSynchronize();
}

__global__ void race(int *b) {
  __shared__ int s[128];
  s[threadIdx.x] = threadIdx.x;
  b[threadIdx.x] = s[127 - threadIdx.x];
}
__global__ void outside(int *a) {
  if (threadIdx.x >= 100)
    a[threadIdx.x + 28] = 1;
}
int main() {
  int *b;
  cudaMalloc(&b, 512);
  race<<<1, 128>>>(b);
  outside<<<1, 128>>>(b);
  cudaDeviceSynchronize();
  return 3;
}

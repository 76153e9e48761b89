__global__ void answer(int *x) { *x = 300; }
extern "C" int kernel_part() {
  int *x, y = 0;
  cudaMalloc(&x, sizeof(int));
  answer<<<1, 1>>>(x);
  cudaMemcpy(&y, x, sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(x);
  return y;
}

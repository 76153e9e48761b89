// What nvcc's cuda_runtime.h brings along is there without being included.
__global__ void twice(int *values) {
  assert(blockDim.x == 4);
  for (auto offset : {0, 4})
    values[threadIdx.x + offset] *= 2;
  if (threadIdx.x == 0 && values[0] != 0)
    printf("first %d\n", values[0]);
}

int main() {
  const clock_t start = clock();
  int *values;
  if (cudaMallocManaged(&values, 8 * sizeof(int)) != cudaSuccess)
    return EXIT_FAILURE;
  int first[8] = {0, 1, 2, 3, 4, 5, 6, 7};
  memcpy(values, first, sizeof(first));
  twice<<<1, 4>>>(values);
  if (cudaDeviceSynchronize() != cudaSuccess)
    return EXIT_FAILURE;
  auto ends = std::make_pair(values[0], std::move(values[7]));
  if (ends.first != 0 || ends.second != 14 || clock() < start)
    return EXIT_FAILURE;
  printf("PASSED\n");
}

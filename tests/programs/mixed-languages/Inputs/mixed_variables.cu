#include <cstdio>
#include <string>
static std::string built = "before main"; // a constructor under Fortran's main
extern "C" {
extern __device__ double device_values[3];
extern __constant__ double constant_values[3];
extern __managed__ int managed_count;
__device__ double both_device[2];
__constant__ double both_constant[2];
__managed__ int both_managed;
__global__ void collect(double *o, int first);
void set();
int managed_sum();
int check();
}
__global__ void collect_too(double *o) {
  o[0] = device_values[1];
  o[1] = constant_values[2];
  o[2] = managed_count;
  o[3] = both_device[1];
  o[4] = both_constant[0];
  o[5] = both_managed;
}
static double *out;
static int compare(const char *what, const double (&want)[12]) {
  int bad = cudaDeviceSynchronize() != cudaSuccess;
  for (int i = 0; i < 12; ++i)
    if (out[i] != want[i])
      printf("%s, %d: %g, not %g\n", what, i, out[i], want[i]), ++bad;
  return bad;
}
int check() {
  cudaMallocManaged(&out, 12 * sizeof(double));
  int bad = built != "before main";
  set();
  collect<<<1, 1>>>(out, 1);
  collect_too<<<1, 1>>>(out + 6);
  bad += compare("set by Fortran", {1, 5, 7, 10, 13, 14, 2, 6, 7, 11, 12, 14});
  bad += managed_count != 7 || both_managed != 14;

  const double values[3] = {21, 22, 23};
  bad += cudaMemcpyToSymbol(device_values, values, 24) != cudaSuccess;
  bad += cudaMemcpyToSymbol(constant_values, values, 24) != cudaSuccess;
  bad += cudaMemcpyToSymbol(both_device, values, 16) != cudaSuccess;
  bad += cudaMemcpyToSymbol(both_constant, values, 16) != cudaSuccess;
  managed_count = 30;
  both_managed = 40;
  // The kernel by its address: launched, asked about, called.
  int first = 1;
  void *arguments[] = {&out, &first};
  bad += cudaLaunchKernel(collect, dim3(1), dim3(1), arguments, 0, nullptr) !=
         cudaSuccess;
  collect_too<<<1, 1>>>(out + 6);
  bad += compare("set by C", {21, 22, 30, 21, 22, 40, 22, 23, 30, 22, 21, 40});
  bad += managed_sum() != 70;
  cudaFuncAttributes attributes;
  bad += cudaFuncGetAttributes(&attributes, collect) != cudaSuccess ||
         attributes.maxThreadsPerBlock < 1;
  int blocks = 0;
  bad += cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, collect, 32,
                                                       0) != cudaSuccess ||
         blocks < 1;
  void (*kernel)(double *, int) = collect;
  managed_count = 31;
  kernel<<<1, 1>>>(out, 1);
  bad += compare("through a pointer",
                 {21, 22, 31, 21, 22, 40, 22, 23, 30, 22, 21, 40});
  size_t bytes = 0;
  bad +=
      cudaGetSymbolSize(&bytes, constant_values) != cudaSuccess || bytes != 24;
  return bad;
}

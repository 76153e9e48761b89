// An address of shared memory has 32 bits on a GPU: unsigned indices below zero
// lead back.
#include <cstdio>
#include <cuda_runtime.h>

template <class T> __global__ void backwards(const T *in, T *out) {
  __shared__ T both[256];
  T *second = both + 128, *end = both + 256;
  const unsigned i = threadIdx.x, minus = 0u - i;
  both[i] = in[i];
  both[i + 128] = in[i + 128];
  __syncthreads();
  out[i] = end[~i];                                      // in[255 - i]
  out[i + 128] = i < 64 ? second[minus] : second[i - 1]; // in[128 - i]
}

template <class T> int test() {
  T *in, *out;
  cudaMallocManaged(&in, 256 * sizeof(T));
  cudaMallocManaged(&out, 256 * sizeof(T));
  for (int i = 0; i < 256; ++i)
    in[i] = T(i * 3 + 1);
  backwards<<<1, 128>>>(in, out);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("%s\n", cudaGetErrorString(error));
  int wrong = 0;
  for (int i = 0; i < 128; ++i) {
    wrong += out[i] != in[255 - i];
    wrong += out[i + 128] != in[i < 64 ? 128 - i : 127 + i];
  }
  cudaFree(in);
  cudaFree(out);
  return wrong;
}

int main() {
  const int wrong = test<int>() + test<double>() + test<short>();
  std::printf(wrong ? "%d wrong\n" : "PASSED\n", wrong);
  return wrong != 0;
}

// What nvcc takes without a word, and Clang warns about.
#include <cstdio>

struct Adder {
  template <typename T> __host__ __device__ T add(T a, T b) const {
    return a + b;
  }
};

template <typename Op> __global__ void apply(Op op, unsigned *out) {
  *out = op.template add(1u, threadIdx.x);
#if __CUDA_ARCH__ >= 800
  *out += __reduce_add_sync(~0u, threadIdx.x);
#endif
}

int main() {
  unsigned *out;
  cudaMallocManaged(&out, sizeof(*out));
  apply<<<1, 1>>>(Adder(), out);
  cudaDeviceSynchronize();
  std::printf("%u\n", *out);
}

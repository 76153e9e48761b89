// For two kinds of programs: those that know nvcc alone show their operators
// for the device to device code alone, and host code beside them is nobody's
// mistake; those that know Clang, too, ask for nvcc first.
#ifdef WITHOUT_NVCC
#ifdef __NVCC__
#error __NVCC__ is defined
#endif
#elif !defined(__NVCC__) || __CUDACC_VER_MAJOR__ < 12
#error __NVCC__ is not defined
#endif
// Programs write "#if" of it, and refuse to compile without lambdas.
#if !__CUDACC__ || !__CUDACC_EXTENDED_LAMBDA__ || !__CUDACC_RELAXED_CONSTEXPR__
#error a macro of nvcc is not 1
#endif
struct Small {
  float value;
  __host__ __device__ explicit Small(float value) : value(value) {}
  __host__ __device__ operator float() const { return value; }
  __host__ __device__ operator double() const { return value; }
};
#ifdef __CUDA_ARCH__
__device__ Small operator-(const Small &a, const Small &b) {
  return Small(a.value - b.value);
}
#else
__host__ __device__ Small operator-(const Small &a, const Small &b) {
  return Small(a.value - b.value);
}
#endif
static inline Small difference(const Small &a, const Small &b) { return a - b; }
__global__ void k(float *p) { p[1] = Small(p[0]) - Small(1); }
int main() { return difference(Small(2), Small(2)).value != 0; }

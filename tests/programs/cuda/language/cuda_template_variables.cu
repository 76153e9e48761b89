// Device variables that more than one file may define: of templates, inline,
// static members. The host reaches each by its name.

#include <cstdio>

template <class T> __constant__ T weights[4];
template <class T> __device__ T offsets[4];
inline __device__ int factor = 3;
inline __constant__ int shift = 5;
template <int Kind> struct Table {
  static __device__ int entry;
};
template <int Kind> __device__ int Table<Kind>::entry = 10 * Kind;

template <class T> __global__ void combine(T *out) {
  int i = threadIdx.x;
  out[i] = weights<T>[i] * factor + offsets<T>[i] + shift + Table<1>::entry +
           Table<2>::entry;
}

template <class T> bool works() {
  T w[4] = {1, 2, 3, 4}, o[4] = {10, 20, 30, 40}, result[4], *d;
  cudaMalloc(&d, sizeof result);
  bool right = cudaMemcpyToSymbol(weights<T>, w, sizeof w) == cudaSuccess &&
               cudaMemcpyToSymbol(offsets<T>, o, sizeof o) == cudaSuccess;
  combine<<<1, 4>>>(d);
  right &= cudaMemcpy(result, d, sizeof result, cudaMemcpyDeviceToHost) ==
           cudaSuccess;
  int f, s, e;
  right &= cudaMemcpyFromSymbol(&f, factor, sizeof f) == cudaSuccess &&
           cudaMemcpyFromSymbol(&s, shift, sizeof s) == cudaSuccess &&
           cudaMemcpyFromSymbol(&e, Table<2>::entry, sizeof e) == cudaSuccess;
  right &= e == 20;
  for (int i = 0; i < 4; ++i)
    right &= result[i] == w[i] * f + o[i] + s + 30;
  cudaFree(d);
  return right;
}

int main() {
  bool right = works<double>() && works<int>();
  int f = 7;
  right &=
      cudaMemcpyToSymbol(factor, &f, sizeof f) == cudaSuccess && works<float>();
  puts(right ? "PASSED" : "FAILED");
}

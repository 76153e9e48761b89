template <int N> struct Buffer {
  int data[N * 98];
  __device__ int &operator[](int i) { return data[i]; }
  template <typename F> __device__ void odd(int at, F f) {
    for (int i = 0; i < N / 2 - 1; i++) {
      int p = at + i * 196;
      f(data[p], data[p + 98], data[p + 196]);
    }
  }
};
struct Predict {
  __device__ void operator()(int p, int &c, int n) const { c -= (p + n) / 2; }
};
template <int N> struct Transform {
  Buffer<N> buffer;
  __device__ void run(const int *in, int *out, int n, int steps) {
    int at = threadIdx.x, from = at, step = n;
    for (int s = 0; s < steps; s++) {
      for (int i = 0; i < N; i++) {
        buffer[at + i * 98] = in[from];
        from += step;
        if (from >= n * 100) { step = -step; from += 2 * step; }
      }
      buffer.odd(at, Predict());
      __syncthreads();
      out[at + s * n] = buffer[(at ^ 1) + 98];
      __syncthreads();
    }
  }
};
__global__ void transform(const int *in, int *out, int n, int steps) {
  __shared__ Transform<8> t;
  t.run(in, out, n, steps);
}

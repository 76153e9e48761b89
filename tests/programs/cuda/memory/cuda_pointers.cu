// Function pointers, virtual functions, device lambdas, recursion.
#include <cstdio>
typedef float (*Op)(float, float);
__device__ float add(float a, float b) { return a + b; }
__device__ float mul(float a, float b) { return a * b; }
__device__ Op table[2] = {add, mul};
__device__ Op chosen = mul;
struct Shape {
  __device__ virtual float area() const = 0;
  __device__ virtual ~Shape() {}
};
struct Square : Shape {
  float a;
  __device__ Square(float a) : a(a) {}
  __device__ float area() const override { return a * a; }
};
struct Circle : Shape {
  float r;
  __device__ Circle(float r) : r(r) {}
  __device__ float area() const override { return 3 * r * r; }
};
__global__ void kernel(Op passed, float *out) {
  int t = threadIdx.x;
  float v = table[t & 1](t, 2);
  v += chosen(t, 10);
  v += passed(t, 100);
  Shape *s = (t % 3) ? (Shape *)new Square(t) : (Shape *)new Circle(t);
  v += s->area();
  delete s;
  out[t] = v;
}
template <class F> __global__ void apply(F f, int *x) {
  x[threadIdx.x] = f(threadIdx.x);
}
__device__ int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
__global__ void fibs(int *x) { x[threadIdx.x] = fib(threadIdx.x); }
int main() {
  Op host;
  cudaMemcpyFromSymbol(&host, chosen, sizeof host);
  float *d, h[64];
  cudaMalloc(&d, sizeof h);
  kernel<<<1, 64>>>(host, d);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  int bad = 0;
  for (int t = 0; t < 64; ++t) {
    float w =
        (t & 1 ? t * 2 : t + 2) + t * 10 + t * 100 + ((t % 3) ? 1 : 3) * t * t;
    if (h[t] != w) {
      ++bad;
      printf("%d: %g %g\n", t, h[t], w);
    }
  }
  int k = 7, *dx, hx[32];
  cudaMalloc(&dx, sizeof hx);
  apply<<<1, 32>>>([k] __device__(int i) { return i * k; }, dx);
  cudaMemcpy(hx, dx, sizeof hx, cudaMemcpyDeviceToHost);
  bad += hx[5] != 35;
  fibs<<<1, 20>>>(dx);
  cudaMemcpy(hx, dx, 20 * 4, cudaMemcpyDeviceToHost);
  bad += hx[19] != 4181;
  if (!bad)
    printf("PASSED\n");
}

// Structures by value between the languages: see mixed_structures.cuf.
struct Body {
  float x, y;
  int n;
  double w[2];
};
struct Pair {
  float a, b;
};
extern "C" {
__device__ double fortran_sum(Body b, int k, Pair p);
__device__ Pair fortran_pair(float x);
__device__ double c_sum(Body b, int k, Pair p) {
  b.n += k; // its own copy
  return b.x + 10 * b.y + 100 * b.n + b.w[0] + b.w[1] + 1000 * (p.a + 10 * p.b);
}
__device__ Pair c_pair(float x) { return {x, 2 * x}; }
__global__ void c_kernel(Body b, Pair p, double *out) {
  out[0] = c_sum(b, 1, p);
  out[1] = fortran_sum(b, 1, p);
  Pair q = fortran_pair(3);
  out[2] = q.a + 10 * q.b;
  out[3] = b.n + b.w[1];
}
__global__ void fortran_kernel(Body b, float s, Pair p, double *out);
void launch_fortran_kernel(double *out) {
  Body b{1, 2, 3, {.25, .5}};
  Pair p{4, 5};
  fortran_kernel<<<1, 1>>>(b, 7, p, out);
}
}

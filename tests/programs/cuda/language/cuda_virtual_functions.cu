// Virtual functions, pure ones among them, destructors, several and virtual
// bases, objects that live from kernel to kernel, new, delete and malloc.
#include <cstdio>
#include <new>
struct Shape {
  __device__ virtual float area() const = 0;
  __device__ virtual ~Shape() { atomicAdd(count, 1); }
  int *count;
  __device__ Shape(int *c) : count(c) {}
};
struct Sq : Shape {
  float a;
  __device__ Sq(int *c, float a) : Shape(c), a(a) {}
  __device__ float area() const override { return a * a; }
  __device__ ~Sq() override { atomicAdd(count, 10); }
};
struct Ci : Shape {
  float r;
  __device__ Ci(int *c, float r) : Shape(c), r(r) {}
  __device__ float area() const override { return 3 * r * r; }
};
struct A {
  int a = 1;
  __device__ virtual int f() { return a; }
};
struct B {
  int b = 2;
  __device__ virtual int g() { return b; }
};
struct AB : A, B {
  int c = 3;
  __device__ int f() override { return a + c; }
  __device__ int g() override { return b + c; }
};
struct VB {
  int v = 7;
  __device__ virtual int h() { return v; }
};
struct L : virtual VB {};
struct R : virtual VB {};
struct D : L, R {
  __device__ int h() override { return v + 1; }
};
__device__ Shape *table[64];
__global__ void make(int *c) {
  int i = threadIdx.x;
  if (i % 2)
    table[i] = new Sq(c, i);
  else
    table[i] = new Ci(c, i);
}
__global__ void use(float *o) {
  int i = threadIdx.x;
  o[i] = table[i]->area();
}
__global__ void drop() { delete table[threadIdx.x]; }
__global__ void multi(int *o) {
  AB ab;
  A *a = &ab;
  B *b = &ab;
  o[0] = a->f();
  o[1] = b->g();
  D d;
  R *r = &d;
  VB *v = r;
  o[2] = v->h();
  o[3] = r->h();
  alignas(AB) char raw[sizeof(AB)];
  AB *p = new (raw) AB;
  p->a = 50;
  o[4] = static_cast<A *>(p)->f();
  p->~AB();
  int *arr = new int[10];
  for (int i = 0; i < 10; i++)
    arr[i] = i;
  int s = 0;
  for (int i = 0; i < 10; i++)
    s += arr[i];
  delete[] arr;
  o[5] = s;
  AB *objs = new AB[3];
  o[6] = objs[2].f();
  delete[] objs;
  int (A::*mf)() = &A::f;
  o[7] = (a->*mf)();
  int AB::*md = &AB::c;
  o[8] = ab.*md;
  void *m = malloc(64);
  o[9] = ((size_t)m % 16) == 0;
  free(m);
}
int main() {
  int *c;
  float *o;
  cudaMallocManaged(&c, 4);
  cudaMallocManaged(&o, 64 * 4);
  *c = 0;
  make<<<1, 64>>>(c);
  use<<<1, 64>>>(o);
  drop<<<1, 64>>>();
  int *q;
  cudaMallocManaged(&q, 64);
  multi<<<1, 1>>>(q);
  cudaError_t e = cudaDeviceSynchronize();
  int bad = e + cudaGetLastError();
  for (int i = 0; i < 64; i++)
    if (o[i] != (i % 2 ? (float)i * i : 3.f * i * i))
      bad++;
  if (*c != 64 + 320)
    bad += 100;
  int w[] = {4, 5, 8, 8, 53, 45, 4, 4, 3, 1};
  for (int i = 0; i < 10; i++)
    if (q[i] != w[i]) {
      printf("q%d=%d want %d\n", i, q[i], w[i]);
      bad++;
    }
  printf(bad ? "%d wrong\n" : "PASSED\n", bad);
  return bad != 0;
}

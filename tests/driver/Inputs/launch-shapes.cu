#include <string>
__global__ void first(int *a) { *a = 1; }
__global__ void second(int *a) { *a = 2; }
template <int N> __global__ void third(int *a) { *a = N; }
void either(int *a, bool which) {
  dim3 block(16, 8);
  if (which)
    first<<<4, block>>>(a);
  else
    second<<<4, block>>>(a);
}
void throwing(int *a) {
  std::string text(100, 'x');
  third<4><<<1, 128>>>(a);
  cudaMemcpy(a, text.data(), 4, cudaMemcpyHostToDevice);
}
__global__ void fourth(int *a) { *a = 4; }
__global__ void fifth(int *a) { *a = 5; }
void other(int *a, int i);
// What follows the second loop must not be taken for its launch's surroundings.
void inLoops(int *a, int n) {
  for (int i = 1; i <= n; ++i)
    fourth<<<i, 96>>>(a);
  for (int i = n; i >= 1; --i)
    fifth<<<i, dim3(1, 48)>>>(a);
#define SOME(N)                                                                \
  if (n % (N) == 1)                                                            \
    other(a, N);
#define MANY(N) SOME(N) SOME(N + 1) SOME(N + 2) SOME(N + 3) SOME(N + 4)
  MANY(2) MANY(7) MANY(12) MANY(17) MANY(22) MANY(27) MANY(32)
}

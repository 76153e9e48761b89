// printf in kernels as the CUDA C guide has it (B.14): its listings, at most 32
// arguments, what it returns, flags and sizes, what flushes the buffer. What is
// printed last and waited for by nobody is not printed.
// EXPECT: Hello thread 0, f=1.234500
// EXPECT: Hello thread 1, f=1.234500
// EXPECT: Hello thread 2, f=1.234500
// EXPECT: Hello thread 3, f=1.234500
// EXPECT: Hello thread 4, f=1.234500
// EXPECT: only thread 0, f=1.234500
// EXPECT: 01234567890123456789012345678901
// EXPECT: |+42|  42|42  |00042|0x2a|052| 42|
// EXPECT: | 3.14|3.14e+00|3.14|0x1.8p+1|3.142 |
// EXPECT: |-7|4294967295|-1099511627776|18446744073709551615|A|
// EXPECT: |text|   te|(null)|
// EXPECT: stream event copy launch
// EXPECT: returned 32 0 -1 7
// EXPECT: PASSED
// FLAGS: -Wno-format -Wno-format-security
#include <cstdio>
// printf() is only supported
// for devices of compute capability 2.0 and above
#if defined(__CUDA_ARCH__) && (__CUDA_ARCH__ < 200)
#define printf(f, ...) ((void)(f, __VA_ARGS__), 0)
#endif

__global__ void helloCUDA(float f) {
  printf("Hello thread %d, f=%f\n", threadIdx.x, f);
}
__global__ void helloOne(float f) {
  if (threadIdx.x == 0)
    printf("only thread %d, f=%f\n", threadIdx.x, f);
}

__global__ void many(int *r) {
  r[0] = printf(
      "%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d\n", 0,
      1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3, 4, 5,
      6, 7, 8, 9, 0, 1);
  r[2] = printf("");
  const char *nothing = nullptr;
  r[3] = printf(nothing);
  r[4] =
      printf("|%+d|%4d|%-4d|%05d|%#x|%#o|% d|\n", 42, 42, 42, 42, 42, 42, 42);
}
__global__ void forms(const char *none) {
  printf("|%5.2f|%.2e|%.3g|%a|%-6.3f|\n", 3.14159, 3.14159, 3.14159, 3.0,
         3.14159f);
  printf("|%hd|%u|%lld|%llu|%c|\n", (short)-7, ~0u, -(1ll << 40), ~0ull, 'A');
  printf("|%s|%5.2s|%s|\n", "text", "text", none);
}
__global__ void say(const char what) {
  if (what == 's')
    printf("stream ");
  else if (what == 'e')
    printf("event ");
  else if (what == 'c')
    printf("copy ");
  else if (what == 'l')
    printf("launch\n");
}

int main() {
  helloCUDA<<<1, 5>>>(1.2345f);
  cudaDeviceReset();
  helloOne<<<1, 5>>>(1.2345f);
  cudaDeviceReset();

  int *r, h[5];
  cudaMalloc(&r, sizeof(h));
  many<<<1, 1>>>(r);
  if (cudaMemcpy(h, r, sizeof(h), cudaMemcpyDeviceToHost) != cudaSuccess)
    return 1;
  forms<<<1, 1>>>(nullptr);
  cudaDeviceSynchronize();

  // Each of these prints what was said before.
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  say<<<1, 1, 0, stream>>>('s');
  cudaStreamSynchronize(stream);
  cudaEvent_t event;
  cudaEventCreate(&event);
  say<<<1, 1>>>('e');
  cudaEventRecord(event);
  cudaEventSynchronize(event);
  say<<<1, 1>>>('c');
  cudaMemcpy(h, r, sizeof(h), cudaMemcpyDeviceToHost);
  say<<<1, 1>>>('l');
  cudaDeviceSynchronize();
  fflush(stdout);

  // The guide leaves open what is returned where arguments are ignored.
  printf("returned %d %d %d %d\n", h[0], h[2], h[3], h[4]);
  if (h[0] == 32 && h[2] == 0 && h[3] == -1 && h[4] == 7)
    printf("PASSED\n");
  say<<<1, 1>>>('x');
}

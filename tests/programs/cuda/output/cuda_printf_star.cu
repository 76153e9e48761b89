// DEVICES: cpu
//
// Widths and precisions that are arguments of a kernel's printf mean what they
// mean on the host: a negative width is the flag '-', a negative precision
// none. CUDA's guide promises '*' for widths only (B.14.1).
// EXPECT: |    42|42    |42    |000042|42    |
// EXPECT: |0042|42|42|42|    42|
// EXPECT: |3.14|3.141590|3.141590|      3|3.1   |
// EXPECT: |te|text|text|  te|te  |
// EXPECT: returned 10 11 12
// EXPECT: |    42|42    |42    |000042|42    |
// EXPECT: |0042|42|42|42|    42|
// EXPECT: |3.14|3.141590|3.141590|      3|3.1   |
// EXPECT: |te|text|text|  te|te  |
// EXPECT: PASSED
#include <cstdio>

#define WIDTHS                                                                 \
  "|%*d|%*d|%-*d|%0*d|%0*d|\n", 6, 42, -6, 42, -6, 42, 6, 42, -6, 42
#define PRECISIONS                                                             \
  "|%.*d|%.*d|%.*d|%.*d|%*.*d|\n", 4, 42, -1, 42, -9, 42, 0, 42, 6, -1, 42
#define REALS                                                                  \
  "|%.*f|%.*f|%.*f|%*.*f|%*.*f|\n", 2, 3.14159, -1, 3.14159, -7, 3.14159, 7,   \
      0, 3.14159, -6, 1, 3.14159
#define TEXTS                                                                  \
  "|%.*s|%.*s|%.*s|%*.*s|%*.*s|\n", 2, "text", -1, "text", -2, "text", 4, 2,   \
      "text", -4, 2, "text"

__global__ void stars(int *r) {
  r[0] = printf(WIDTHS);
  r[1] = printf(PRECISIONS);
  printf(REALS);
  r[2] = printf(TEXTS);
}

int main() {
  int *r, h[3];
  cudaMalloc(&r, sizeof(h));
  stars<<<1, 1>>>(r);
  if (cudaMemcpy(h, r, sizeof(h), cudaMemcpyDeviceToHost) != cudaSuccess)
    return 1;
  std::printf("returned %d %d %d\n", h[0], h[1], h[2]);
  std::printf(WIDTHS);
  std::printf(PRECISIONS);
  std::printf(REALS);
  std::printf(TEXTS);
  std::puts("PASSED");
}

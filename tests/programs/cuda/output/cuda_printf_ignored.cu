// Arguments of printf beyond 32 are ignored, and what asks for them is printed
// as it stands (CUDA C guide B.14.2). On a GPU its driver prints, which does
// otherwise.
// EXPECT: 01234567890123456789012345678901%d|
// EXPECT: PASSED
// DEVICES: cpu
// FLAGS: -Wno-format -Wno-format-security
#include <cstdio>

__global__ void many() {
  printf(
      "%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d|\n",
      0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3, 4,
      5, 6, 7, 8, 9, 0, 1, 2);
}

int main() {
  many<<<1, 1>>>();
  if (cudaDeviceSynchronize() == cudaSuccess)
    std::puts("PASSED");
}

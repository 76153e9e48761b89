// What editors and older programs write and nvcc takes: launches with blanks
// within their brackets, "#pragma unroll" before anything and with numbers
// of every kind.
// FLAGS: -w
#include <cstdio>
#include <iostream>

#define PRAGMA(text) _Pragma(#text)
#define UNROLL(n) PRAGMA(unroll n)
#define COUNT 4
constexpr int Half = COUNT / 2;

template <int n> __global__ void sum(const int *from, int *to) {
  int s = 0;
#pragma unroll n
  for (int i = 0; i < n; ++i)
    s += from[i];
#pragma unroll
  if (s > 3)
    s += 1;
  UNROLL(COUNT)
  for (int i = 0; i < n; ++i)
    s += from[i];
  UNROLL((Half * 2))
  for (int i = 0; i < n; ++i)
    s += from[i];
#pragma unroll n - 8
  for (int i = 0; i < n; ++i)
    s += from[i];
#pragma unroll
#pragma unroll 2
  for (int i = 0; i < n; ++i)
    s += from[i];
#pragma unroll
  {
    *to = s;
  }
}
template <class T> struct Shown {
  T value;
};
// These are no launches.
template <class T>
std::ostream &operator<<(std::ostream &to, const Shown<T> &s) {
  return to << s.value;
}
template <>
std::ostream &operator<< <int>(std::ostream &to, const Shown<int> &s) {
  return to << "int " << s.value;
}

int main() {
  int *from, *to;
  cudaMallocManaged(&from, 4 * sizeof(int));
  cudaMallocManaged(&to, 4 * sizeof(int));
  for (int i = 0; i < 4; ++i)
    from[i] = i + 1;
  // clang-format off
  sum<4> << <1, 1 >> > (from, to);
  sum<3> << < dim3(1),
              {1, 1} /* a block */
         >> >
      (from, to + 1);
  sum<2><<<1, 1>> >(from, to + 2);
  auto kernel = sum<1>; kernel << <(1 << 4) >> 4, 2 > 1 ? 1 : 2>>>(from, to + 3);
  // clang-format on
  cudaDeviceSynchronize();
  const bool right = to[0] == 51 && to[1] == 31 && to[2] == 15 && to[3] == 5;
  if (!right)
    printf("%d %d %d %d\n", to[0], to[1], to[2], to[3]);
  printf(right ? "PASSED\n" : "FAILED\n");
}

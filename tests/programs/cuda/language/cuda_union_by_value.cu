// Unions and structures with holes by value, where a call is one: a union has
// the type of one of its members, and others lie in what that leaves free.
#include <cmath>
#include <cstdio>

union Bits {
  struct {
    char first;
    double second;
  } parts;
  double numbers[2];
  unsigned words[4];
};

struct Tagged {
  char kind;
  union {
    short shorts[6];
    struct {
      char c;
      int i;
    } pairs[2];
  };
  long long after;
};

union Large {
  struct {
    char c;
    double d;
  } pairs[20];
  double numbers[40];
};

__device__ __noinline__ double element(Bits bits, int i) {
  return bits.numbers[i & 1] + bits.words[i & 3];
}

__device__ __noinline__ long long sum(Tagged tagged, int n) {
  long long result = tagged.kind + tagged.after;
  for (int i = 0; i < n; ++i)
    result += tagged.shorts[i];
  tagged.after = 0; // the copy's
  return result;
}

__device__ __noinline__ double last(Large large, int n) {
  return large.numbers[n - 2] + large.numbers[n - 1];
}

struct Reader {
  virtual __device__ double read(Bits bits, int i) const {
    return bits.numbers[i];
  }
};
struct Doubler : Reader {
  __device__ double read(Bits bits, int i) const override {
    return 2 * bits.numbers[i];
  }
};

__global__ void kernel(double *result, Bits given, Tagged tagged, int n) {
  Bits bits;
  bits.numbers[0] = 1.23456789;
  bits.numbers[1] = given.numbers[0];
  for (int i = 0; i < n; ++i)
    result[i] = element(bits, i) - bits.words[i];
  result[n] = sum(tagged, 6) + tagged.after;
  Reader reader;
  Doubler doubler;
  const Reader *readers[2] = {&reader, &doubler};
  for (int i = 0; i < 2; ++i)
    result[n + 1 + i] = readers[(i + n) & 1]->read(given, 0);
  Large large;
  for (int i = 0; i < 10 * n; ++i)
    large.numbers[i] = i + 0.1;
  result[n + 3] = last(large, 10 * n);
}

int main() {
  double *result;
  cudaMallocManaged(&result, 8 * sizeof(double));
  Bits bits;
  bits.numbers[0] = 9.87654321;
  bits.numbers[1] = 0;
  Tagged tagged = {};
  tagged.kind = 1;
  for (int i = 0; i < 6; ++i)
    tagged.shorts[i] = short(100 * i + 1);
  tagged.after = 100000;
  kernel<<<1, 1>>>(result, bits, tagged, 4);
  if (cudaError_t error = cudaDeviceSynchronize()) {
    std::printf("%s\n", cudaGetErrorString(error));
    return 1;
  }
  const double expected[8] = {1.23456789, 9.87654321, 1.23456789,  9.87654321,
                              201507,     9.87654321, 19.75308642, 77.2};
  for (int i = 0; i < 8; ++i)
    if (std::fabs(result[i] - expected[i]) > 1e-6) {
      std::printf("%d: %.9g, not %.9g\n", i, result[i], expected[i]);
      return 1;
    }
  std::puts("PASSED");
}

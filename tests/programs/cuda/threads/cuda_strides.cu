// Loops in steps that are known at run time only: any number of iterations, also
// none, unsigned counters that wrap, a first iteration without a condition, ends
// next to the largest number. The same functions on the host are the reference.
#include <climits>
#include <cstdio>
#include <cstdlib>

constexpr int Size = 1000;

struct Range {
  long long first, limit, step;
};

template <typename T>
__host__ __device__ void below(const int *from, int *to, Range range) {
  T limit = range.limit, step = range.step;
  for (T i = range.first; i < limit; i += step)
    to[i] = to[i] * 3 + from[i];
}

template <typename T>
__host__ __device__ void upTo(const int *from, int *to, Range range) {
  T limit = range.limit, step = range.step;
  for (T i = range.first; i <= limit; i += step)
    to[i] = to[i] * 5 + from[i];
}

template <typename T>
__host__ __device__ void once(const int *from, int *to, Range range) {
  T limit = range.limit, step = range.step, i = range.first;
  do {
    to[i] = to[i] * 7 + from[i];
    i += step;
  } while (i < limit);
}

__host__ __device__ void down(const int *from, int *to, Range range) {
  int step = range.step;
  for (int i = range.limit; i >= range.first; i -= step)
    to[i] = to[i] * 11 + from[i];
}

// The elements lie next to the largest int.
__host__ __device__ void last(const int *from, int *to, Range range) {
  int limit = range.limit, step = range.step;
  for (int i = range.first; i < limit; i += step)
    to[i - (INT_MAX - Size)] += from[i - (INT_MAX - Size)];
}

__host__ __device__ void sum(const int *from, int *to, Range range) {
  int limit = range.limit, step = range.step, total = 0;
  for (int i = range.first; i < limit; i += step)
    total = total * 3 + from[i];
  to[0] += total;
}

enum Kind {
  Below,
  BelowUnsigned,
  BelowLong,
  UpTo,
  UpToUnsigned,
  Once,
  OnceUnsigned,
  Down,
  Last,
  Sum,
  Kinds
};

__host__ __device__ void run(int kind, const int *from, int *to, Range range) {
  switch (kind) {
  case Below:
    return below<int>(from, to, range);
  case BelowUnsigned:
    return below<unsigned>(from, to, range);
  case BelowLong:
    return below<unsigned long long>(from, to, range);
  case UpTo:
    return upTo<int>(from, to, range);
  case UpToUnsigned:
    return upTo<unsigned>(from, to, range);
  case Once:
    return once<int>(from, to, range);
  case OnceUnsigned:
    return once<unsigned>(from, to, range);
  case Down:
    return down(from, to, range);
  case Last:
    return last(from, to, range);
  case Sum:
    return sum(from, to, range);
  }
}

template <int Kind>
__global__ void kernel(const int *from, int *to, Range range) {
  run(Kind, from, to, range);
}

template <int Kind> void compare(Range range) {
  static int from[Size], to[Size], expected[Size];
  for (int i = 0; i < Size; ++i) {
    from[i] = i % 17 + 1;
    to[i] = expected[i] = i % 5;
  }
  int *deviceFrom, *deviceTo;
  cudaMalloc(&deviceFrom, sizeof from);
  cudaMalloc(&deviceTo, sizeof to);
  cudaMemcpy(deviceFrom, from, sizeof from, cudaMemcpyHostToDevice);
  cudaMemcpy(deviceTo, to, sizeof to, cudaMemcpyHostToDevice);
  kernel<Kind><<<1, 1>>>(deviceFrom, deviceTo, range);
  cudaMemcpy(to, deviceTo, sizeof to, cudaMemcpyDeviceToHost);
  run(Kind, from, expected, range);
  for (int i = 0; i < Size; ++i)
    if (to[i] != expected[i]) {
      printf("kind %d, from %lld to %lld by %lld: element %d is %d, not %d\n",
             Kind, range.first, range.limit, range.step, i, to[i], expected[i]);
      exit(1);
    }
  cudaFree(deviceFrom);
  cudaFree(deviceTo);
}

int main() {
  for (int step : {1, 2, 3, 7, 31, 999})
    for (int iterations = 0; iterations < 12; ++iterations) {
      Range range = {4, 4ll + iterations * step, step};
      if (range.limit >= Size)
        continue;
      compare<Below>(range);
      compare<BelowUnsigned>(range);
      compare<BelowLong>(range);
      compare<UpTo>(range);
      compare<UpToUnsigned>(range);
      compare<Once>(range);
      compare<OnceUnsigned>(range);
      compare<Down>(range);
      compare<Sum>(range);
      compare<Last>(
          {INT_MAX - range.limit - step + 4, INT_MAX - step + 1, step});
    }
  // Far beyond the limit, and nothing to do.
  for (Range range :
       {Range{900, 10, 1}, Range{900, 10, 5000}, Range{10, 10, 1}}) {
    compare<Below>(range);
    compare<BelowUnsigned>(range);
    compare<BelowLong>(range);
    compare<UpToUnsigned>(range);
    compare<Sum>(range);
  }
  // One iteration: the step goes down, and the limit is below.
  compare<Once>({50, 10, -3});
  compare<Once>({50, 10, -40});
  // What wraps: 100, 50, 0 and an end at 2^32 - 50.
  compare<BelowUnsigned>({100, 200, -50});
  compare<BelowLong>({100, 200, -50});
  compare<UpToUnsigned>({100, 200, -50});
  compare<OnceUnsigned>({100, 200, -50});
  compare<OnceUnsigned>({900, 200, -350});
  puts("PASSED");
}

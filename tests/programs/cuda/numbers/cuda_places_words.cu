// Elements that go to places of their own between barriers; bytes that are put
// together.
#include "../../Inputs/check.h"
#include <cstdint>
#include <cstring>
#include <vector>

// A stable division of a block's keys by one bit, twice: keys go to places that
// are known before a barrier and used behind it, too.
__global__ void divide(const unsigned *keys, const unsigned *values,
                       unsigned *keysOut, unsigned *valuesOut) {
  __shared__ unsigned place[128], zeros;
  const unsigned t = threadIdx.x, i = blockIdx.x * 128 + t;
  unsigned key = keys[i], value = values[i];
  for (unsigned bit = 0; bit < 2; ++bit) {
    const bool isZero = !(key >> bit & 1);
    place[t] = isZero;
    __syncthreads();
    unsigned before = 0;
    for (unsigned k = 0; k < t; ++k)
      before += place[k];
    if (t == 127)
      zeros = before + isZero;
    __syncthreads();
    const unsigned rank = isZero ? before : zeros + t - before;
    place[rank] = key;
    __syncthreads();
    key = place[t];
    __syncthreads();
    place[rank] = value;
    __syncthreads();
    value = place[t];
    __syncthreads();
  }
  keysOut[i] = key;
  valuesOut[i] = value;
}

static void testDivide() {
  constexpr int n = 1024;
  unsigned *all;
  CHECK(cudaMallocManaged(&all, 4 * n * sizeof(unsigned)));
  for (unsigned i = 0; i < n; ++i) {
    all[i] = (i * 2654435761u) >> 11;
    all[n + i] = i;
  }
  divide<<<n / 128, 128>>>(all, all + n, all + 2 * n, all + 3 * n);
  CHECK(cudaDeviceSynchronize());
  for (unsigned i = 0; i < n; ++i) {
    const unsigned key = all[2 * n + i], from = all[3 * n + i];
    EXPECT(all[from] == key && from / 128 == i / 128);
    if (i % 128) {
      const unsigned last = all[2 * n + i - 1] & 3;
      EXPECT(last < (key & 3) ||
             (last == (key & 3) && all[3 * n + i - 1] < from));
    }
  }
  CHECK(cudaFree(all));
}

// Each thread goes through its own number of words, which begin anywhere.
__global__ void mix(const uint8_t *bytes, const unsigned *starts,
                    const unsigned *counts, uint64_t *out) {
  const unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
  const uint8_t *from = bytes + starts[t];
  uint64_t sum = t;
  for (unsigned k = 0; k < counts[t]; ++k) {
    uint64_t word = 0;
    for (unsigned j = 0; j < 8; ++j)
      word |= uint64_t(from[8 * k + j]) << 8 * j;
    sum = (sum ^ word * 0x9e3779b97f4a7c15u) + (word >> 3);
  }
  out[t] = sum;
}

static void testMix() {
  constexpr unsigned n = 256;
  uint8_t *bytes;
  unsigned *starts;
  uint64_t *out;
  CHECK(cudaMallocManaged(&bytes, 8192));
  CHECK(cudaMallocManaged(&starts, 2 * n * sizeof(unsigned)));
  CHECK(cudaMallocManaged(&out, n * sizeof(uint64_t)));
  for (unsigned i = 0; i < 8192; ++i)
    bytes[i] = i * i + 7 * i;
  for (unsigned i = 0; i < n; ++i) {
    starts[i] = i * 29;
    starts[n + i] = i % 23;
  }
  mix<<<2, n / 2>>>(bytes, starts, starts + n, out);
  CHECK(cudaDeviceSynchronize());
  for (unsigned i = 0; i < n; ++i) {
    uint64_t sum = i;
    for (unsigned k = 0; k < starts[n + i]; ++k) {
      uint64_t word;
      std::memcpy(&word, bytes + starts[i] + 8 * k, 8);
      sum = (sum ^ word * 0x9e3779b97f4a7c15u) + (word >> 3);
    }
    EXPECT(out[i] == sum);
  }
  CHECK(cudaFree(bytes));
  CHECK(cudaFree(starts));
  CHECK(cudaFree(out));
}

int main() {
  testDivide();
  testMix();
  std::printf("PASSED\n");
}

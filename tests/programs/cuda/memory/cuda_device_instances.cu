// Every device has its own variables, also on the CPU: initialised, constant,
// static ones, those that hold addresses of others and of functions; managed
// ones exist once. Threads of the host drive one device each at the same time.
// ENV: CUFORT_CPU_DEVICES=3
#include "../../Inputs/check.h"
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <thread>
#include <vector>

constexpr int N = 40000;
__device__ int values[N];
__device__ int counter = 5;
__device__ int *toCounter = &counter;
__constant__ int factor = 2;
__managed__ int total = 100;
static __device__ double sums[4] = {1, 2, 3, 4};

__device__ int bump(int by) { return atomicAdd(&counter, by); }
typedef int (*Function)(int);
__device__ Function function = bump;

struct Shape {
  __device__ virtual int sides() const { return counter * 0 + 3; }
};
struct Square : Shape {
  __device__ int sides() const override {
    return atomicAdd(toCounter, 0) * 0 + 4;
  }
};

__global__ void work(int device) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N)
    values[i] = i * factor + device;
  if (i == 0) {
    function(device);
    atomicAdd(toCounter, 1000);
    atomicAdd(&total, device + 1);
    sums[device % 4] += 10;
    Square square;
    const Shape *shape = &square;
    sums[3] += shape->sides();
  }
}

__global__ void read(int *result) {
  result[0] = counter;
  result[1] = *toCounter;
  result[2] = static_cast<int>(sums[0] + sums[1] + sums[2] + sums[3]);
}

static int failures = 0;
static void expect(const char *what, int device, int is, int should) {
  if (is == should)
    return;
  std::printf("%s on device %d: %d, not %d\n", what, device, is, should);
  ++failures;
}

int main() {
  int count;
  CHECK(cudaGetDeviceCount(&count));
  std::vector<std::thread> threads;
  for (int device = 0; device < count; ++device)
    threads.emplace_back([device] {
      CHECK(cudaSetDevice(device));
      int own = device + 2;
      CHECK(cudaMemcpyToSymbol(factor, &own, sizeof(own)));
      for (int round = 0; round < 50; ++round)
        work<<<(N + 127) / 128, 128>>>(device);
      CHECK(cudaDeviceSynchronize());
    });
  for (std::thread &thread : threads)
    thread.join();
  std::vector<int> host(N);
  std::vector<void *> addresses;
  for (int device = 0; device < count; ++device) {
    CHECK(cudaSetDevice(device));
    CHECK(cudaMemcpyFromSymbol(host.data(), values, sizeof(values)));
    for (int i = 0; i < N; i += 997)
      expect("values", device, host[i], i * (device + 2) + device);
    int *result, read3[3];
    CHECK(cudaMalloc(&result, sizeof(read3)));
    read<<<1, 1>>>(result);
    CHECK(cudaMemcpy(read3, result, sizeof(read3), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(result));
    expect("counter", device, read3[0], 5 + 50 * (device + 1000));
    expect("through the pointer", device, read3[1], 5 + 50 * (device + 1000));
    expect("sums", device, read3[2], 10 + 50 * 14);
    void *address;
    CHECK(cudaGetSymbolAddress(&address, values));
    cudaPointerAttributes attributes;
    CHECK(cudaPointerGetAttributes(&attributes, address));
    expect("memory type", device, attributes.type, cudaMemoryTypeDevice);
    expect("device", device, attributes.device, device);
    for (void *other : addresses)
      expect("another address", device, address == other, 0);
    addresses.push_back(address);
  }
  expect("total", 0, total, 100 + 50 * count * (count + 1) / 2);
  CHECK(cudaDeviceSynchronize());
  if (!failures)
    std::puts("PASSED");
  return failures;
}

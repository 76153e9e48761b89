// What the runtime costs: launches, streams, events, allocation and copies.
//
// One program for cufort (on the CPU and on a GPU) and nvcc. Prints a line
// "row NAME VALUE UNIT" for each figure, the best of many rounds; microseconds
// (us) of one operation, or GB/s. On the CPU also what memcpy reaches there
// with one thread and with several.
#include <cuda_runtime.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#define CHECK(call)                                                            \
  do {                                                                         \
    cudaError_t status = (call);                                               \
    if (status != cudaSuccess) {                                               \
      std::printf("%s: %s\n", #call, cudaGetErrorString(status));              \
      std::exit(1);                                                            \
    }                                                                          \
  } while (0)

__global__ void nothing() {}

struct Box {
  double values[6];
};

__global__ void parameters(double *a, const double *b, int n, int m, float x,
                           double y, Box box, int *flags) {
  if (n < 0)
    a[m] = b[n] + x + y + box.values[flags[0]];
}

using Clock = std::chrono::steady_clock;

static double microseconds(Clock::time_point start) {
  return std::chrono::duration<double, std::micro>(Clock::now() - start)
      .count();
}

static void row(const char *name, double value, const char *unit) {
  std::printf("row %-44s %12.4f %s\n", name, value, unit);
}

/// The best of \p rounds of the microseconds that \p operation takes for one of
/// \p count; \p after runs outside of the clock.
template <typename Operation, typename After>
static double best(int rounds, int count, Operation operation, After after) {
  double least = 1e30;
  for (int round = 0; round < rounds; ++round) {
    const Clock::time_point start = Clock::now();
    for (int i = 0; i < count; ++i)
      operation(i);
    least = std::min(least, microseconds(start) / count);
    after();
  }
  return least;
}

static void wait() { CHECK(cudaDeviceSynchronize()); }
static void none() {}

static void launches() {
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  nothing<<<1, 32>>>();
  parameters<<<1, 32>>>(nullptr, nullptr, 0, 0, 0, 0, Box(), nullptr);
  wait();
  // Few enough at a time that the device's queue takes them all.
  row("launch", best(300, 200, [](int) { nothing<<<1, 32>>>(); }, wait), "us");
  row("launch in a stream",
      best(
          300, 200, [&](int) { nothing<<<1, 32, 0, stream>>>(); }, wait),
      "us");
  row("launch with 8 parameters",
      best(
          300, 200,
          [](int) {
            parameters<<<1, 32>>>(nullptr, nullptr, 0, 0, 0, 0, Box(), nullptr);
          },
          wait),
      "us");
  row("launches in a row",
      best(5, 20000, [](int) { nothing<<<1, 32>>>(); }, wait), "us");
  row("launch and cudaDeviceSynchronize",
      best(
          20, 1000,
          [](int) {
            nothing<<<1, 32>>>();
            cudaDeviceSynchronize();
          },
          none),
      "us");
  row("launch and cudaStreamSynchronize",
      best(
          20, 1000,
          [&](int) {
            nothing<<<1, 32, 0, stream>>>();
            cudaStreamSynchronize(stream);
          },
          none),
      "us");
  CHECK(cudaGetLastError());
  CHECK(cudaStreamDestroy(stream));
}

static void streamsAndEvents(int live, const char *suffix) {
  const auto name = [&](const char *what) {
    return std::string(what) + suffix;
  };
  std::vector<cudaStream_t> streams(live);
  std::vector<cudaEvent_t> events(live);
  Clock::time_point start = Clock::now();
  for (cudaStream_t &stream : streams)
    CHECK(cudaStreamCreate(&stream));
  row(name("cudaStreamCreate").c_str(), microseconds(start) / live, "us");
  start = Clock::now();
  for (cudaEvent_t &event : events)
    CHECK(cudaEventCreate(&event));
  row(name("cudaEventCreate").c_str(), microseconds(start) / live, "us");
  for (int i = 0; i < live; ++i)
    nothing<<<1, 32, 0, streams[i]>>>();
  wait();
  row(name("launch in a stream").c_str(),
      best(
          20, 1000, [&](int i) { nothing<<<1, 32, 0, streams[i % live]>>>(); },
          wait),
      "us");
  row(name("launch and cudaDeviceSynchronize").c_str(),
      best(
          20, 200,
          [](int) {
            nothing<<<1, 32>>>();
            cudaDeviceSynchronize();
          },
          none),
      "us");
  row(name("cudaEventRecord").c_str(),
      best(
          20, 1000,
          [&](int i) { cudaEventRecord(events[i % live], streams[i % live]); },
          wait),
      "us");
  row(name("cudaEventRecord, cudaStreamWaitEvent").c_str(),
      best(
          20, 500,
          [&](int i) {
            cudaEventRecord(events[i % live], streams[i % live]);
            cudaStreamWaitEvent(streams[(i + 1) % live], events[i % live], 0);
          },
          wait),
      "us");
  row(name("cudaEventQuery").c_str(),
      best(
          20, 1000, [&](int i) { cudaEventQuery(events[i % live]); }, none),
      "us");
  row(name("cudaStreamQuery").c_str(),
      best(
          20, 1000, [&](int i) { cudaStreamQuery(streams[i % live]); }, none),
      "us");
  row(name("cudaStreamSynchronize, nothing to wait for").c_str(),
      best(
          20, 1000, [&](int i) { cudaStreamSynchronize(streams[i % live]); },
          none),
      "us");
  CHECK(cudaGetLastError());
  start = Clock::now();
  for (cudaEvent_t event : events)
    CHECK(cudaEventDestroy(event));
  row(name("cudaEventDestroy").c_str(), microseconds(start) / live, "us");
  start = Clock::now();
  for (cudaStream_t stream : streams)
    CHECK(cudaStreamDestroy(stream));
  row(name("cudaStreamDestroy").c_str(), microseconds(start) / live, "us");
}

/// One stream and one event at a time, again and again.
static void creation() {
  cudaStream_t stream;
  cudaEvent_t event;
  row("cudaStreamCreate, cudaStreamDestroy",
      best(
          20, 50,
          [&](int) {
            cudaStreamCreate(&stream);
            cudaStreamDestroy(stream);
          },
          none),
      "us");
  row("cudaEventCreate, cudaEventDestroy",
      best(
          20, 200,
          [&](int) {
            cudaEventCreate(&event);
            cudaEventDestroy(event);
          },
          none),
      "us");
  CHECK(cudaGetLastError());
}

/// Functions of the program's: waited for by the runtime and by the program.
static void hostFunctions() {
  static std::atomic<int> calls;
  const auto count = [](void *) {
    calls.fetch_add(1, std::memory_order_release);
  };
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  row("host function and cudaStreamSynchronize",
      best(
          20, 200,
          [&](int) {
            cudaLaunchHostFunc(stream, count, nullptr);
            cudaStreamSynchronize(stream);
          },
          none),
      "us");
  row("host function, polled for",
      best(
          20, 200,
          [&](int) {
            const int before = calls.load(std::memory_order_acquire);
            cudaLaunchHostFunc(stream, count, nullptr);
            while (calls.load(std::memory_order_acquire) == before)
              ;
          },
          wait),
      "us");
  CHECK(cudaGetLastError());
  CHECK(cudaStreamDestroy(stream));
}

static void allocations() {
  const size_t sizes[] = {4096, 1 << 20, 64 << 20};
  const char *names[] = {"4 KB", "1 MB", "64 MB"};
  void *memory = nullptr;
  const auto measure = [&](const std::string &what, auto pair, auto after) {
    for (int i = 0; i < 3; ++i)
      row((what + " of " + names[i]).c_str(),
          best(20, 50, [&](int) { pair(sizes[i]); }, after), "us");
  };
  measure(
      "cudaMalloc, cudaFree",
      [&](size_t bytes) {
        cudaMalloc(&memory, bytes);
        cudaFree(memory);
      },
      none);
  measure(
      "cudaMallocAsync, cudaFreeAsync",
      [&](size_t bytes) {
        cudaMallocAsync(&memory, bytes, 0);
        cudaFreeAsync(memory, 0);
      },
      wait);
  row("cudaMallocHost, cudaFreeHost of 1 MB",
      best(
          5, 10,
          [&](int) {
            cudaMallocHost(&memory, 1 << 20);
            cudaFreeHost(memory);
          },
          none),
      "us");
  CHECK(cudaGetLastError());
}

static void copies(size_t bytes, const char *size, int rounds, int count) {
  char *device, *other, *pinned;
  char *pageable = static_cast<char *>(std::malloc(bytes));
  CHECK(cudaMalloc(&device, bytes));
  CHECK(cudaMalloc(&other, bytes));
  CHECK(cudaMallocHost(&pinned, bytes));
  for (size_t i = 0; i < bytes; ++i)
    pageable[i] = static_cast<char>(i * 7 + i / 4096);
  std::memcpy(pinned, pageable, bytes);
  CHECK(cudaMemset(other, 1, bytes));
  const bool large = bytes >= size_t(16) << 20;
  const auto measure = [&](const char *what, auto copy, auto after) {
    const double time = best(rounds, count, [&](int) { copy(); }, after);
    const std::string name = std::string(what) + ", " + size;
    row(name.c_str(), large ? bytes / time * 1e-3 : time,
        large ? "GB/s" : "us");
  };
  measure(
      "pageable to device",
      [&] { cudaMemcpy(device, pageable, bytes, cudaMemcpyHostToDevice); },
      none);
  std::memset(pinned, 0, bytes);
  measure(
      "device to pinned",
      [&] { cudaMemcpy(pinned, device, bytes, cudaMemcpyDeviceToHost); }, none);
  if (std::memcmp(pinned, pageable, bytes))
    std::puts("the copy is wrong"), std::exit(1);
  std::memset(pageable, 0, bytes);
  measure(
      "pinned to device",
      [&] { cudaMemcpy(device, pinned, bytes, cudaMemcpyHostToDevice); }, none);
  measure(
      "device to device",
      [&] {
        cudaMemcpy(other, device, bytes, cudaMemcpyDeviceToDevice);
        cudaDeviceSynchronize();
      },
      none);
  measure(
      "device to pageable",
      [&] { cudaMemcpy(pageable, other, bytes, cudaMemcpyDeviceToHost); },
      none);
  if (std::memcmp(pinned, pageable, bytes))
    std::puts("the copy is wrong"), std::exit(1);
  const double time = best(
      rounds, count,
      [&](int) {
        cudaMemcpyAsync(device, pinned, bytes, cudaMemcpyHostToDevice, 0);
      },
      wait);
  row((std::string("cudaMemcpyAsync alone, ") + size).c_str(), time, "us");
  CHECK(cudaGetLastError());
  CHECK(cudaFree(device));
  CHECK(cudaFree(other));
  CHECK(cudaFreeHost(pinned));
  std::free(pageable);
}

/// memcpy of as many bytes with \p threads threads, each its own part.
static void referenceCopy(unsigned threads) {
  const size_t bytes = size_t(256) << 20, part = bytes / threads;
  char *from = static_cast<char *>(std::malloc(bytes));
  char *to = static_cast<char *>(std::malloc(bytes));
  std::memset(from, 1, bytes);
  std::memset(to, 2, bytes);
  const double time = best(
      15, 1,
      [&](int) {
        std::vector<std::thread> others;
        for (unsigned i = 1; i < threads; ++i)
          others.emplace_back(
              [=] { std::memcpy(to + i * part, from + i * part, part); });
        std::memcpy(to, from, part);
        for (std::thread &other : others)
          other.join();
      },
      none);
  if (to[bytes / threads * threads - 1] != 1)
    std::exit(1);
  const std::string name = "memcpy with " + std::to_string(threads) +
                           (threads == 1 ? " thread" : " threads") + ", 256 MB";
  row(name.c_str(), bytes / time * 1e-3, "GB/s");
  std::free(from);
  std::free(to);
}

int main() {
  launches();
  creation();
  streamsAndEvents(10, ", 10 live");
  streamsAndEvents(10000, ", 10000 live");
  hostFunctions();
  allocations();
  copies(4096, "4 KB", 20, 200);
  copies(65536, "64 KB", 20, 100);
  copies(1 << 20, "1 MB", 20, 50);
  copies(size_t(256) << 20, "256 MB", 15, 1);
  referenceCopy(1);
  const unsigned cores = std::thread::hardware_concurrency();
  for (unsigned threads = 2; threads <= std::min(16u, cores); threads *= 2)
    referenceCopy(threads);
}

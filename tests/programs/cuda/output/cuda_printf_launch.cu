// DEVICES: cpu
// MODULE: ../../Inputs/driver_kernels.cu
// FLAGS: -lcuda
// ENV: CUFORT_NUM_THREADS=4
// What kernels that have ended have printed comes at the start of the next
// launch, however that is made, and when a module is loaded or unloaded (CUDA C
// guide B.14.2); asking whether they have ended prints nothing. Driver 580 of
// NVIDIA's prints at neither, in nvcc's programs as in ours.
#include "../../Inputs/driver_check.h"
#include "../../Inputs/driver_module.h"
#include "../../Inputs/printed.h"
#include <thread>
#include <vector>

__global__ void say(int n) { printf("%d from %d\n", n, int(threadIdx.x)); }
__global__ void nothing() {}
__global__ void waitFor(volatile int *flag) {
  while (!*flag)
    ;
}

static CUmodule module;
static CUfunction inModule;

/// Whether \p action prints what a kernel in \p stream has printed, and nothing
/// does before.
template <typename Action>
static bool prints(Action action, cudaStream_t stream = nullptr) {
  std::string before, after;
  {
    const Printed printed;
    say<<<1, 3, 0, stream>>>(7);
    letEnd(stream);
    before = printed.text();
    action();
    after = printed.text();
  }
  CHECK(cudaDeviceSynchronize());
  return before.empty() && after == "7 from 0\n7 from 1\n7 from 2\n";
}

static void loadModule() {
  CHECK(cuModuleLoadData(&module, module_begin));
  CHECK(cuModuleGetFunction(&inModule, module, "nothing"));
}

static void byRuntime(cudaStream_t stream, cudaStream_t other) {
  EXPECT(prints([] { nothing<<<1, 1>>>(); }));
  EXPECT(prints([] { nothing<<<1, 1>>>(); }, stream));
  EXPECT(prints([&] { nothing<<<1, 1, 0, other>>>(); }, stream));
  EXPECT(prints([] {
    CHECK(cudaLaunchKernel(reinterpret_cast<const void *>(nothing), 1, 1,
                           nullptr, 0, nullptr));
  }));
  EXPECT(prints([] {
    CHECK(cudaLaunchCooperativeKernel(reinterpret_cast<const void *>(nothing),
                                      1, 1, nullptr, 0, nullptr));
  }));
  EXPECT(prints([] {
    cudaLaunchConfig_t configuration{};
    configuration.gridDim = configuration.blockDim = 1;
    CHECK(cudaLaunchKernelEx(&configuration, nothing));
  }));
}

static void byDriver() {
  EXPECT(prints(loadModule));
  EXPECT(prints([] {
    CHECK(cuLaunchKernel(inModule, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr,
                         nullptr));
  }));
  EXPECT(prints([] {
    CHECK(cuLaunchCooperativeKernel(inModule, 1, 1, 1, 1, 1, 1, 0, nullptr,
                                    nullptr));
  }));
  EXPECT(prints([] {
    CUlaunchConfig configuration{};
    configuration.gridDimX = configuration.gridDimY = configuration.gridDimZ =
        1;
    configuration.blockDimX = configuration.blockDimY =
        configuration.blockDimZ = 1;
    CHECK(cuLaunchKernelEx(&configuration, inModule, nullptr, nullptr));
  }));
  EXPECT(prints([] { CHECK(cuModuleUnload(module)); }));
}

// Beside a kernel that runs: what the other one has printed, and once only.
static void besideOthers(cudaStream_t stream, cudaStream_t other) {
  int *flag;
  CHECK(cudaHostAlloc(&flag, sizeof(*flag), cudaHostAllocMapped));
  *flag = 0;
  std::string text;
  {
    const Printed printed;
    waitFor<<<1, 1, 0, other>>>(flag);
    say<<<1, 1, 0, stream>>>(1);
    letEnd(stream);
    say<<<1, 1, 0, stream>>>(2);
    text = printed.text();
    letEnd(stream);
    nothing<<<1, 1, 0, stream>>>();
    text += "then\n" + printed.text();
    *flag = 1;
    CHECK(cudaDeviceSynchronize());
    text += "then\n" + printed.text();
  }
  EXPECT(text == "1 from 0\n"
                 "then\n1 from 0\n2 from 0\n"
                 "then\n1 from 0\n2 from 0\n");
  CHECK(cudaFreeHost(flag));
}

// Several threads of the host launch at the same time: every line comes once,
// those of a stream in their order.
static void fromThreads() {
  constexpr int Threads = 4, Launches = 300;
  std::string text;
  {
    const Printed printed;
    std::vector<std::thread> threads;
    for (int t = 0; t < Threads; ++t)
      threads.emplace_back([t] {
        cudaStream_t own;
        CHECK(cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking));
        for (int i = 0; i < Launches; ++i) {
          say<<<1, 1, 0, own>>>(t * Launches + i);
          if (i % 7 == t)
            letEnd(own);
        }
        CHECK(cudaStreamSynchronize(own));
      });
    for (std::thread &thread : threads)
      thread.join();
    CHECK(cudaDeviceSynchronize());
    text = printed.text();
  }
  std::vector<int> next(Threads);
  for (size_t at = 0; at < text.size(); at = text.find('\n', at) + 1) {
    const int number = std::atoi(text.c_str() + at), t = number / Launches;
    EXPECT(t < Threads && number == t * Launches + next[t]++);
  }
  EXPECT(next == std::vector<int>(Threads, Launches));
}

int main() {
  CHECK(cudaFree(nullptr));
  cudaStream_t stream, other;
  CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  CHECK(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
  byRuntime(stream, other);
  byDriver();
  besideOthers(stream, other);
  fromThreads();
  std::puts("PASSED");
}

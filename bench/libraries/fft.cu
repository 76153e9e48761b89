// cuFFT on the CPU against FFTW called directly, with measured plans and the
// same number of threads: lines "row NAME ours direct GFLOP/s target". FFTW has
// one planner and one way of running threads for all of a process, so the
// direct calls are another process's, in turn with ours.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cufft.h>
#include <dlfcn.h>
#include <thread>
#include <unistd.h>
#include <vector>

struct Transform {
  const char *name;
  int rank, n[3], batch;
  bool isReal, isDouble;
};
static const Transform All[] = {
    {"c2c-1024x2048", 1, {1024}, 2048, false, false},
    {"z2z-1024x1024", 1, {1024}, 1024, false, true},
    {"z2z-945x1024", 1, {945}, 1024, false, true},
    {"z2z-2^20", 1, {1 << 20}, 1, false, true},
    {"c2c-1260^2", 2, {1260, 1260}, 1, false, false},
    {"z2z-1024^2", 2, {1024, 1024}, 1, false, true},
    {"d2z-1024^2", 2, {1024, 1024}, 1, true, true},
    {"c2c-128^3", 3, {128, 128, 128}, 1, false, false},
    {"z2z-105^3", 3, {105, 105, 105}, 1, false, true},
    {"d2z-128^3", 3, {128, 128, 128}, 1, true, true},
};
constexpr int Rounds = 12;

static double now() {
  using Clock = std::chrono::steady_clock;
  return std::chrono::duration<double>(Clock::now().time_since_epoch()).count();
}
static double length(const Transform &t) {
  double product = 1;
  for (int i = 0; i < t.rank; ++i)
    product *= t.n[i];
  return product;
}
static double operations(const Transform &t) {
  return (t.isReal ? 2.5 : 5) * length(t) * std::log2(length(t)) * t.batch;
}
static int calls(const Transform &t) {
  return std::max(1, int(2e9 / operations(t)));
}

// The other process: answers the number of a transform with seconds a call.
template <typename T> static double direct(const Transform &t, void *library) {
  const char *prefix = sizeof(T) == 8 ? "fftw" : "fftwf";
  const auto find = [&](const char *name) {
    char whole[64];
    std::snprintf(whole, sizeof whole, "%s_%s", prefix, name);
    return dlsym(library, whole);
  };
  struct Kept {
    const Transform *of;
    void *plan;
  };
  static std::vector<Kept> kept;
  void *plan = nullptr;
  for (Kept &each : kept)
    if (each.of == &t)
      plan = each.plan;
  if (!plan) {
    ((int (*)())find("init_threads"))();
    ((void (*)(int))find("plan_with_nthreads"))(
        (int)std::thread::hardware_concurrency());
    ((void (*)(double))find("set_timelimit"))(2);
    const size_t bytes = size_t(length(t)) * t.batch * 2 * sizeof(T) + 65536 +
                         size_t(length(t) / t.n[t.rank - 1]) * 4 * sizeof(T);
    void *in = aligned_alloc(64, bytes / 64 * 64);
    void *out = aligned_alloc(64, bytes / 64 * 64);
    const int size = int(length(t));
    if (t.isReal)
      plan = ((void *(*)(int, const int *, int, void *, const int *, int, int,
                         void *, const int *, int, int,
                         unsigned))find("plan_many_dft_r2c"))(
          t.rank, t.n, t.batch, in, nullptr, 1, size, out, nullptr, 1,
          size / t.n[t.rank - 1] * (t.n[t.rank - 1] / 2 + 1), 0);
    else
      plan = ((void *(*)(int, const int *, int, void *, const int *, int, int,
                         void *, const int *, int, int, int,
                         unsigned))find("plan_many_dft"))(
          t.rank, t.n, t.batch, in, nullptr, 1, size, out, nullptr, 1, size, -1,
          0);
    for (size_t i = 0; i < size_t(size) * t.batch * (t.isReal ? 1 : 2); ++i)
      ((T *)in)[i] = T(i % 17) - 8;
    kept.push_back({&t, plan});
  }
  const auto execute = (void (*)(void *))find("execute");
  execute(plan);
  const double begin = now();
  for (int i = 0; i < calls(t); ++i)
    execute(plan);
  return (now() - begin) / calls(t);
}

static void serve(int requests, int answers) {
  void *library[] = {dlopen("libfftw3f_threads.so.3", RTLD_NOW),
                     dlopen("libfftw3_threads.so.3", RTLD_NOW)};
  int which;
  while (read(requests, &which, sizeof which) == sizeof which) {
    const Transform &t = All[which];
    double seconds = -1;
    if (library[t.isDouble])
      seconds = t.isDouble ? direct<double>(t, library[1])
                           : direct<float>(t, library[0]);
    if (write(answers, &seconds, sizeof seconds) != sizeof seconds)
      break;
  }
  _exit(0);
}

int main() {
  int requests[2], answers[2];
  if (pipe(requests) || pipe(answers))
    return 1;
  if (!fork()) {
    close(requests[1]);
    serve(requests[0], answers[1]);
  }
  close(requests[0]);
  for (int which = 0; which < int(sizeof All / sizeof *All); ++which) {
    const Transform &t = All[which];
    const size_t bytes = size_t(length(t)) * t.batch * (t.isDouble ? 16 : 8) +
                         65536 + size_t(length(t) / t.n[t.rank - 1]) * 32;
    char *in, *out;
    cudaMallocManaged(&in, bytes);
    cudaMallocManaged(&out, bytes);
    for (size_t i = 0; i < bytes / (t.isDouble ? 8 : 4); ++i)
      if (t.isDouble)
        ((double *)in)[i] = i % 17 - 8.0;
      else
        ((float *)in)[i] = i % 17 - 8.0f;
    cufftHandle plan;
    int n[3] = {t.n[0], t.n[1], t.n[2]};
    const cufftType type = t.isReal     ? CUFFT_D2Z
                           : t.isDouble ? CUFFT_Z2Z
                                        : CUFFT_C2C;
    if (cufftPlanMany(&plan, t.rank, n, nullptr, 1, 0, nullptr, 1, 0, type,
                      t.batch) != CUFFT_SUCCESS)
      return std::puts("no plan"), 1;
    const auto execute = [&] {
      if (t.isReal)
        cufftExecD2Z(plan, (double *)in, (cufftDoubleComplex *)out);
      else if (t.isDouble)
        cufftExecZ2Z(plan, (cufftDoubleComplex *)in, (cufftDoubleComplex *)out,
                     CUFFT_FORWARD);
      else
        cufftExecC2C(plan, (cufftComplex *)in, (cufftComplex *)out,
                     CUFFT_FORWARD);
    };
    double ours = 1e30, theirs = 1e30;
    for (int round = 0; round < Rounds; ++round) {
      execute();
      cudaDeviceSynchronize();
      const double begin = now();
      for (int i = 0; i < calls(t); ++i)
        execute();
      cudaDeviceSynchronize();
      ours = std::min(ours, (now() - begin) / calls(t));
      double seconds;
      if (write(requests[1], &which, sizeof which) != sizeof which ||
          read(answers[0], &seconds, sizeof seconds) != sizeof seconds ||
          seconds < 0)
        return std::puts("no FFTW"), 1;
      theirs = std::min(theirs, seconds);
    }
    std::printf("row %s %.2f %.2f GFLOP/s 0.95\n", t.name,
                operations(t) / ours / 1e9, operations(t) / theirs / 1e9);
    std::fflush(stdout);
    cufftDestroy(plan);
    cudaFree(in);
    cudaFree(out);
  }
}

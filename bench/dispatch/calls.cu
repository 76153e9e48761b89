// What a call of a library's function costs on its way to NVIDIA's library, more
// than a direct call of it: lines "nanoseconds NUMBER WHAT". The library is
// nothing.c, which does nothing, or on a GPU machine NVIDIA's own.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cublas_v2.h>
#include <dlfcn.h>

static double now() {
  using Clock = std::chrono::steady_clock;
  return std::chrono::duration<double>(Clock::now().time_since_epoch()).count();
}

template <typename Ours, typename Direct>
static void row(const char *what, Ours ours, Direct direct) {
  constexpr int Calls = 1000000;
  double with = 1e30, without = 1e30;
  for (int round = 0; round < 7; ++round) {
    double begin = now();
    for (int i = 0; i < Calls; ++i)
      ours();
    with = std::min(with, now() - begin);
    begin = now();
    for (int i = 0; i < Calls; ++i)
      direct();
    without = std::min(without, now() - begin);
  }
  std::printf("nanoseconds %.2f %s\n", (with - without) / Calls * 1e9, what);
}

int main() {
  void *library = dlopen("libcublas.so.13", RTLD_NOW);
  if (!library)
    library = dlopen("/usr/local/cuda/lib64/libcublas.so.13", RTLD_NOW);
  using Set = cublasStatus_t (*)(cublasHandle_t, cublasAtomicsMode_t);
  const auto set = library ? (Set)dlsym(library, "cublasSetAtomicsMode") : nullptr;
  const auto gemm =
      library ? (decltype(&cublasDgemm_v2))dlsym(library, "cublasDgemm_v2") : nullptr;
  // NVIDIA's own has handles; the one that does nothing takes any, which
  // cufort's functions do not.
  cublasHandle_t h = nullptr;
  const bool isReal = library && dlsym(library, "cublasCreate_v2");
  if (isReal && cublasCreate(&h) != CUBLAS_STATUS_SUCCESS)
    return std::puts("no handle"), 1;
  if (!set || !gemm || cublasSetAtomicsMode(h, CUBLAS_ATOMICS_ALLOWED)) {
    std::puts("the calls do not go to the library");
    return 1;
  }
  row("two arguments", [=] { cublasSetAtomicsMode(h, CUBLAS_ATOMICS_ALLOWED); },
      [=] { set(h, CUBLAS_ATOMICS_ALLOWED); });
  const double one = 1;
  double *a = nullptr;
  // No rows: NVIDIA's returns at once.
  row("fourteen arguments",
      [&] {
        cublasDgemm_v2(h, CUBLAS_OP_N, CUBLAS_OP_T, 0, 2, 3, &one, a, 4, a, 5, &one, a, 6);
      },
      [&] { gemm(h, CUBLAS_OP_N, CUBLAS_OP_T, 0, 2, 3, &one, a, 4, a, 5, &one, a, 6); });
}

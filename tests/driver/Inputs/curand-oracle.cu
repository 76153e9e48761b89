// Calls the same of cufort's cuRAND and of NVIDIA's library, which is opened by
// the name that is given: words, uniform and Poisson numbers are equal, normal
// ones but for rounding. NVIDIA's generators are the host's.
#include <cmath>
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>
#include <curand.h>
#include <dlfcn.h>
#include <random>
#include <vector>

static void *library;
template <typename Function> static Function *find(Function &, const char *of) {
  void *address = dlsym(library, of);
  if (!address)
    std::printf("no %s\n", of);
  return reinterpret_cast<Function *>(address);
}
#define NVIDIA(name) (*find(name, #name))

static std::mt19937_64 choice(2024);
static size_t below(size_t n) { return choice() % n; }

/// The generators of one test: NVIDIA's, ours of the host and of the device.
struct Generators {
  curandGenerator_t nvidia, host, device;
  template <typename Call> int all(Call ours, Call theirs) {
    const int wanted = theirs(nvidia);
    return wanted == ours(host) && wanted == ours(device) ? wanted : -1;
  }
};

static int failures = 0;
struct Name {
  int type, ordering;
  const char *what;
  double lambda = 0;
};

template <typename T>
static void compare(const Name &name, const std::vector<T> &a, const T *b,
                    double tolerance, size_t allowed) {
  size_t wrong = 0, first = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    const double x = a[i], y = b[i];
    const double near = tolerance * (1 + std::fabs(y));
    if (tolerance ? std::fabs(x - y) <= near
                  : !std::memcmp(&a[i], &b[i], sizeof(T)))
      continue;
    if (!wrong++)
      first = i;
  }
  if (wrong <= allowed)
    return;
  ++failures;
  std::printf("wrong: %s of %d in ordering %d: %zu of %zu, at %zu %.17g for "
              "%.17g (mean %g)\n",
              name.what, name.type, name.ordering, wrong, a.size(), first,
              (double)b[first], (double)a[first], name.lambda);
}

/// Ours of the host and of the device against NVIDIA's. \p generate(function,
/// generator, array): calls the function.
template <typename T, typename Function, typename Generate>
static void numbers(const Generators &of, const Name &name, size_t count,
                    Function &ours, Function &theirs, double tolerance,
                    size_t allowed, Generate generate) {
  std::vector<T> wanted(count), host(count);
  T *device;
  cudaMallocManaged(&device, count * sizeof(T));
  const int status = generate(theirs, of.nvidia, wanted.data());
  const int here = generate(ours, of.host, host.data());
  const int there = generate(ours, of.device, device);
  cudaDeviceSynchronize();
  if (status != here || status != there) {
    ++failures;
    std::printf("wrong: %s of %d: status %d and %d, not %d\n", name.what,
                name.type, here, there, status);
  } else if (!status) {
    compare(name, wanted, host.data(), tolerance, allowed);
    compare(name, wanted, device, tolerance, allowed);
  }
  cudaFree(device);
}

#define NUMBERS(T, function, tolerance, allowed, ...)                          \
  numbers<T>(of, {type, ordering, #function, lambda}, count, function,         \
             NVIDIA(function), tolerance, allowed,                             \
             [&](auto &call, curandGenerator_t generator, T *array) {          \
               return call(generator, array,                                   \
                           count __VA_OPT__(, ) __VA_ARGS__);                  \
             })

static void call(const Generators &of, int type, int ordering,
                 unsigned dimensions) {
  size_t count = below(4) ? 1 + below(3000) : 1 + below(200000);
  count *= dimensions;
  const bool isLong = type == 203 || type == 204;
  // How far single and double precision's normal numbers may be away.
  const double single = 6e-6, twice = type == 141 ? 1e-6 : 1e-13;
  const double means[] = {0.5 + below(30), 30.5 + below(900),
                          1000.5 + below(5000), 8001 + below(20000) + 0.0};
  const double lambda = means[below(4)];
  switch (below(9)) {
  case 0:
    return NUMBERS(unsigned, curandGenerate, 0, 0);
  case 1:
    if (isLong)
      return NUMBERS(unsigned long long, curandGenerateLongLong, 0, 0);
    return NUMBERS(unsigned, curandGenerate, 0, 0);
  case 2:
    return NUMBERS(float, curandGenerateUniform, 0, 0);
  case 3:
    return NUMBERS(double, curandGenerateUniformDouble, 0, 0);
  case 4:
    return NUMBERS(float, curandGenerateNormal, single, 0, 1.5f, 0.25f);
  case 5:
    return NUMBERS(double, curandGenerateNormalDouble, twice, 0, 1.5, 0.25);
  case 6:
    return NUMBERS(float, curandGenerateLogNormal, single, 0, 1.5f, 0.25f);
  case 7:
    return NUMBERS(double, curandGenerateLogNormalDouble, twice, 0, 1.5, 0.25);
  default:
    return NUMBERS(unsigned, curandGeneratePoisson, 0, 3 + count / 2000,
                   lambda);
  }
}

int main(int count, char **arguments) {
  library = count == 2 ? dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL) : nullptr;
  if (!library)
    return std::printf("no library\n"), 1;
  int calls = 0;
  for (int type : {101, 121, 141, 142, 161, 201, 202, 203, 204})
    for (int ordering : {100, 101, 102, 103, 104, 201}) {
      Generators of;
      NVIDIA(curandCreateGeneratorHost)(&of.nvidia, (curandRngType)type);
      curandCreateGeneratorHost(&of.host, (curandRngType)type);
      curandCreateGenerator(&of.device, (curandRngType)type);
      const int status = NVIDIA(curandSetGeneratorOrdering)(
          of.nvidia, (curandOrdering)ordering);
      if (status !=
          curandSetGeneratorOrdering(of.host, (curandOrdering)ordering)) {
        ++failures;
        std::printf("wrong: ordering %d of %d is %d\n", ordering, type, status);
      }
      curandSetGeneratorOrdering(of.device, (curandOrdering)ordering);
      const unsigned long long seed = choice(), offset = below(300000);
      const unsigned dimensions = type > 200 ? 1 + below(60) : 1;
      // MT19937 has one ordering by two names, and NVIDIA's takes seconds to
      // begin.
      if (!status && !(type == 142 && ordering == 103)) {
        if (type > 200)
          NVIDIA(curandSetQuasiRandomGeneratorDimensions)(of.nvidia,
                                                          dimensions);
        else
          NVIDIA(curandSetPseudoRandomGeneratorSeed)(of.nvidia, seed);
        const int moved = NVIDIA(curandSetGeneratorOffset)(of.nvidia, offset);
        for (curandGenerator_t ours : {of.host, of.device}) {
          if (type > 200)
            curandSetQuasiRandomGeneratorDimensions(ours, dimensions);
          else
            curandSetPseudoRandomGeneratorSeed(ours, seed);
          if (curandSetGeneratorOffset(ours, offset) != moved) {
            ++failures;
            std::printf("wrong: offset of %d is %d\n", type, moved);
          }
        }
        for (int i = 0; i != 9; ++i, ++calls)
          call(of, type, ordering, dimensions);
      }
      NVIDIA(curandDestroyGenerator)(of.nvidia);
      curandDestroyGenerator(of.host);
      curandDestroyGenerator(of.device);
    }
  std::printf("%d calls, %d failures\n", calls, failures);
  return failures != 0;
}

// The functions of <cmath> in single and double precision, by their C++ names,
// in device code as on the host.
#include <cmath>
#include <cstdio>

static int bad = 0;

#define FUNCTIONS(F)                                                           \
  F(acosh(x + 2))                                                              \
  F(asinh(x))                                                                  \
  F(atanh(x / 8))                                                              \
  F(cbrt(x))                                                                   \
  F(copysign(x, -y))                                                           \
  F(erf(x)) F(erfc(x)) F(exp2(x)) F(expm1(x)) F(fdim(y, x)) F(fma(x, y, x))    \
      F(fmax(x, y)) F(fmin(x, y)) F(hypot(x, y)) F(ilogb(y)) F(lgamma(y))      \
          F(llrint(y)) F(llround(y)) F(log1p(x)) F(log2(y)) F(logb(y))         \
              F(lrint(y)) F(lround(y)) F(nearbyint(y)) F(nextafter(x, y))      \
                  F(remainder(y, x)) F(rint(y)) F(round(y)) F(scalbn(x, 3))    \
                      F(scalbln(x, 3l)) F(tgamma(y)) F(trunc(y)) F(sin(x))     \
                          F(cos(x)) F(tan(x)) F(exp(x)) F(log(y)) F(log10(y))  \
                              F(pow(y, x)) F(sqrt(y)) F(fabs(-x)) F(floor(y))  \
                                  F(ceil(y)) F(fmod(y, x)) F(atan2(y, x))      \
                                      F(ldexp(x, 4)) F(sinh(x)) F(cosh(x))     \
                                          F(tanh(x)) F(asin(x / 2))            \
                                              F(acos(x / 2))

template <class T> __host__ __device__ int all(T x, T y, double *out) {
  int n = 0;
#define PUT(call)                                                              \
  out[n++] = std::call;                                                        \
  out[n++] = ::call;                                                           \
  static_assert(sizeof(std::call) != sizeof(T) || sizeof(T) == 8 ||            \
                    sizeof(std::call) == 4,                                    \
                "single precision stays single");
  FUNCTIONS(PUT)
  int quotient = 0;
  out[n++] = std::remquo(y, x, &quotient);
  out[n++] = quotient & 7;
  out[n++] = std::isnan(std::nan("")) + 2 * std::isnan(std::nanf(""));
  return n;
}
__global__ void singles(float x, float y, double *out) { all(x, y, out); }
__global__ void doubles(double x, double y, double *out) { all(x, y, out); }

// Two results each, also of what is no ordinary number.
template <class T> __host__ __device__ void parts(T x, T y, double *out) {
  int n = 0;
  T whole = 0;
  out[0] = std::frexp(x, &n);
  out[1] = x - x == 0 ? n : 0; // of infinity and NaN it is not said
  out[2] = std::modf(x, &whole);
  out[3] = whole;
  out[4] = std::remquo(x, y, &n);
  out[5] = x - x == 0 && y == y && y != 0 ? n % 8 : 0;
}
constexpr int Values = 11;
template <class T> __global__ void inParts(const double *v, double *out) {
  parts((T)v[threadIdx.x], (T)v[blockIdx.x],
        out + 6 * (blockIdx.x * blockDim.x + threadIdx.x));
}
template <class T> static void tryParts(const char *kind) {
  static double h[6 * Values * Values];
  const double v[Values] = {0.0,    -0.0, 2.75,     -3.25,     1e30, 1e-40,
                            1e-310, 7,    INFINITY, -INFINITY, NAN};
  double *d, *in;
  cudaMalloc(&d, sizeof(h));
  cudaMalloc(&in, sizeof(v));
  cudaMemcpy(in, v, sizeof(v), cudaMemcpyHostToDevice);
  inParts<T><<<Values, Values>>>(in, d);
  cudaMemcpy(h, d, sizeof(h), cudaMemcpyDeviceToHost);
  for (int j = 0; j < Values; ++j)
    for (int i = 0; i < Values; ++i) {
      double want[6], *is = h + 6 * (j * Values + i);
      parts((T)v[i], (T)v[j], want);
      for (int k = 0; k < 6; ++k)
        if (want[k] != want[k]
                ? is[k] == is[k]
                : is[k] != want[k] ||
                      std::signbit(is[k]) != std::signbit(want[k])) {
          printf("%s parts %d of %g, %g: %g, not %g\n", kind, k, v[i], v[j],
                 is[k], want[k]);
          ++bad;
        }
    }
}

static void compare(const char *kind, const double *device, const double *host,
                    int n, double tolerance) {
  for (int i = 0; i < n; ++i)
    if (!(std::fabs(device[i] - host[i]) <=
          tolerance * std::fmax(1.0, std::fabs(host[i])))) {
      printf("%s %d: %.17g, not %.17g\n", kind, i, device[i], host[i]);
      ++bad;
    }
}

int main() {
  double h[256], device[256], *d;
  cudaMalloc(&d, sizeof(device));
  const int n = all(0.7f, 3.6f, h);
  singles<<<1, 1>>>(0.7f, 3.6f, d);
  cudaMemcpy(device, d, sizeof(device), cudaMemcpyDeviceToHost);
  compare("single", device, h, n, 2e-6);
  all(0.7, 3.6, h);
  doubles<<<1, 1>>>(0.7, 3.6, d);
  cudaMemcpy(device, d, sizeof(device), cudaMemcpyDeviceToHost);
  compare("double", device, h, n, 1e-14);

  tryParts<float>("single");
  tryParts<double>("double");

  // Names of the runtime as they were before CUDA 4 and 13.
  size_t bytes = 0;
  if (cudaThreadSetLimit(cudaLimitPrintfFifoSize, 1 << 16) != cudaSuccess ||
      cudaThreadGetLimit(&bytes, cudaLimitPrintfFifoSize) != cudaSuccess ||
      cudaThreadSetCacheConfig(cudaFuncCachePreferL1) != cudaSuccess ||
      cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, singles, 1, 32) !=
          cudaSuccess ||
      bytes == 0 ||
      cudaFuncSetAttribute(singles,
                           cudaFuncAttributePreferredSharedMemoryCarveout,
                           cudaSharedmemCarveoutMaxShared) != cudaSuccess)
    ++bad;
  printf(bad ? "FAILED\n" : "PASSED\n");
  return bad != 0;
}

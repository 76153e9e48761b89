// Device functions that cuFFT calls for each element that it reads or writes,
// against kernels that do the same before and after: all types, in place and
// not, strided batches, constant memory, shared memory of a call. NVIDIA's
// library has them where it is linked statically.
#include <cmath>
#include <cstdio>
#include <cstring>
#include <cufftXt.h>
#include <vector>

static int failures = 0;
static void expect(bool right, const char *what, int number = 0) {
  if (!right && ++failures <= 20)
    std::printf("wrong: %s %d\n", what, number);
}

struct Parameters {
  int cut, step;
};
__constant__ float factor = 0.5f;

// Every second element is halved, by a place that the program gives.
template <typename T> __device__ T scaled(T x, size_t i, void *info) {
  const Parameters &p = *static_cast<Parameters *>(info);
  return i % p.step ? x : T(x * factor);
}
__device__ float2 scaled(float2 x, size_t i, void *info) {
  return make_float2(scaled(x.x, i, info), x.y);
}
__device__ double2 scaled(double2 x, size_t i, void *info) {
  return make_double2(scaled(x.x, i, info), -x.y);
}
template <typename T> __device__ T nothing(T) { return T(0); }
__device__ float2 nothing(float2) { return make_float2(0, 0); }
__device__ double2 nothing(double2) { return make_double2(0, 0); }

template <typename T>
__device__ T load(void *data, size_t i, void *info, void *shared) {
  if (shared) // as scratch memory
    static_cast<T *>(shared)[0] = static_cast<T *>(data)[i];
  return scaled(static_cast<T *>(shared ? shared : data)[shared ? 0 : i], i,
                info);
}
template <typename T>
__device__ void store(void *data, size_t i, T x, void *info, void *) {
  const Parameters &p = *static_cast<Parameters *>(info);
  static_cast<T *>(data)[i] =
      int(i) % 32 < p.cut ? scaled(x, i, info) : nothing(x);
}
__device__ cufftCallbackLoadC loadC = load<cufftComplex>;
__device__ cufftCallbackLoadZ loadZ = load<cufftDoubleComplex>;
__device__ cufftCallbackLoadR loadR = load<cufftReal>;
__device__ cufftCallbackLoadD loadD = load<cufftDoubleReal>;
__device__ cufftCallbackStoreC storeC = store<cufftComplex>;
__device__ cufftCallbackStoreZ storeZ = store<cufftDoubleComplex>;
__device__ cufftCallbackStoreR storeR = store<cufftReal>;
__device__ cufftCallbackStoreD storeD = store<cufftDoubleReal>;

template <typename T> __global__ void loadAll(T *data, int n, void *info) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    data[i] = scaled(data[i], i, info);
}
template <typename T> __global__ void storeAll(T *data, int n, void *info) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    store<T>(data, i, data[i], info, nullptr);
}

constexpr int Rows = 6, Columns = 30, Batch = 3, Floats = 8192;

template <typename Function> static void *address(Function &onDevice) {
  void *result = nullptr;
  cudaMemcpyFromSymbol(&result, onDevice, sizeof result);
  return result;
}

/// Elements of a side in memory, with the columns that rows in place have more.
static int elements(bool isReal, bool isHalf, bool inPlace) {
  const int columns = isHalf              ? Columns / 2 + 1
                      : isReal && inPlace ? Columns + 2
                                          : Columns;
  return Batch * Rows * columns;
}

/// False: the library has no callbacks.
template <typename In, typename Out>
static bool test(cufftType type, cufftXtCallbackType loads,
                 cufftXtCallbackType stores, void *loader, void *storer,
                 bool inPlace, int which) {
  const bool realIn = type == CUFFT_R2C || type == CUFFT_D2Z;
  const bool realOut = type == CUFFT_C2R || type == CUFFT_Z2D;
  const int ins = elements(realIn, realOut, inPlace);
  const int outs = elements(realOut, realIn, inPlace);
  In *a, *b;
  Out *c, *d;
  Parameters *info;
  cudaMallocManaged(&a, Floats * 8);
  cudaMallocManaged(&b, Floats * 8);
  cudaMallocManaged(&c, Floats * 8);
  cudaMallocManaged(&d, Floats * 8);
  cudaMallocManaged(&info, sizeof *info);
  *info = {20, 2};
  if (inPlace)
    c = reinterpret_cast<Out *>(a), d = reinterpret_cast<Out *>(b);
  constexpr bool isDouble = sizeof(In) > sizeof(Out)
                                ? sizeof(Out) == 8
                                : sizeof(In) == 8 && sizeof(Out) == 16;
  const bool wide = isDouble || type == CUFFT_Z2Z;
  for (int i = 0; i < Floats * 2; ++i)
    if (!wide)
      ((float *)a)[i] = ((float *)b)[i] = float(i % 13) - 6;
    else if (i < Floats)
      ((double *)a)[i] = ((double *)b)[i] = double(i % 13) - 6;
  // What lies beside the rows of real numbers in place is nobody's.
  int n[2] = {Rows, Columns};
  cufftHandle plan, with;
  cufftPlanMany(&plan, 2, n, nullptr, 1, 0, nullptr, 1, 0, type, Batch);
  cufftPlanMany(&with, 2, n, nullptr, 1, 0, nullptr, 1, 0, type, Batch);
  void *infoOfCaller = info;
  const cufftResult set =
      cufftXtSetCallback(with, &loader, loads, &infoOfCaller);
  if (set != CUFFT_SUCCESS)
    return false;
  expect(cufftXtSetCallback(with, &storer, stores, &infoOfCaller) ==
             CUFFT_SUCCESS,
         "set", which);
  if (which % 2)
    cufftXtSetCallbackSharedSize(with, loads, 64);
  expect(cufftXtSetCallback(with, &loader, CUFFT_CB_UNDEFINED, nullptr) !=
             CUFFT_SUCCESS,
         "type", which);
  const int direction =
      type == CUFFT_C2R || type == CUFFT_Z2D ? CUFFT_INVERSE : CUFFT_FORWARD;
  expect(cufftXtExec(with, a, c, direction) == CUFFT_SUCCESS, "exec", which);
  loadAll<<<(ins + 127) / 128, 128>>>(b, ins, info);
  cufftXtExec(plan, b, d, direction);
  storeAll<<<(outs + 127) / 128, 128>>>(d, outs, info);
  expect(cudaDeviceSynchronize() == cudaSuccess, "device", which);
  double error = 0;
  constexpr int Parts = sizeof(Out) / (sizeof(Out) == 16 ? 8 : 4);
  for (int i = 0; i < outs; ++i) {
    // Elements that rows in place have more.
    if (realOut && inPlace && i % (Columns + 2) >= Columns)
      continue;
    for (int k = 0; k < (wide ? int(sizeof(Out) / 8) : Parts); ++k) {
      const double x = wide ? ((double *)&c[i])[k] : ((float *)&c[i])[k];
      const double y = wide ? ((double *)&d[i])[k] : ((float *)&d[i])[k];
      error = std::fmax(error, std::fabs(x - y));
    }
  }
  expect(error < 1e-3, "result", which);
  // And without them again.
  expect(cufftXtClearCallback(with, loads) == CUFFT_SUCCESS &&
             cufftXtClearCallback(with, stores) == CUFFT_SUCCESS,
         "clear", which);
  cufftDestroy(plan);
  cufftDestroy(with);
  return true;
}

int main() {
  for (const bool inPlace : {false, true}) {
    const int p = inPlace;
    if (!test<float2, float2>(CUFFT_C2C, CUFFT_CB_LD_COMPLEX,
                              CUFFT_CB_ST_COMPLEX, address(loadC),
                              address(storeC), inPlace, p)) {
      int device = 0;
      cudaDeviceProp properties;
      cudaGetDeviceProperties(&properties, device);
      const bool gpu = !std::strstr(properties.name, "CPU");
      std::puts(gpu ? "PASSED" : "no callbacks on the CPU");
      return !gpu;
    }
    test<double2, double2>(CUFFT_Z2Z, CUFFT_CB_LD_COMPLEX_DOUBLE,
                           CUFFT_CB_ST_COMPLEX_DOUBLE, address(loadZ),
                           address(storeZ), inPlace, 2 + p);
    test<float, float2>(CUFFT_R2C, CUFFT_CB_LD_REAL, CUFFT_CB_ST_COMPLEX,
                        address(loadR), address(storeC), inPlace, 4 + p);
    test<float2, float>(CUFFT_C2R, CUFFT_CB_LD_COMPLEX, CUFFT_CB_ST_REAL,
                        address(loadC), address(storeR), inPlace, 6 + p);
    test<double, double2>(CUFFT_D2Z, CUFFT_CB_LD_REAL_DOUBLE,
                          CUFFT_CB_ST_COMPLEX_DOUBLE, address(loadD),
                          address(storeZ), inPlace, 8 + p);
    test<double2, double>(CUFFT_Z2D, CUFFT_CB_LD_COMPLEX_DOUBLE,
                          CUFFT_CB_ST_REAL_DOUBLE, address(loadZ),
                          address(storeD), inPlace, 10 + p);
  }
  std::puts(failures ? "FAILED" : "PASSED");
  return failures != 0;
}

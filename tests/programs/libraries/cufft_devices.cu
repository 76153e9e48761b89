// GPUS: 2
// ENV: CUFORT_CPU_DEVICES=3
// cufftXt.h: transforms whose data one or several devices have, against those of
// cufft.h.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cufftXt.h>
#include <string>
#include <vector>

static int failures = 0;
static void expect(bool right, const char *what, int line) {
  if (!right && ++failures <= 20)
    std::printf("wrong (%d): %s\n", line, what);
}
#define EXPECT(condition) expect(condition, #condition, __LINE__)
#define OK(call) expect((call) == 0, #call, __LINE__)

static int devices;
static bool onCpu; // where one device may share data with itself alone
typedef std::vector<cufftComplex> Data;

static Data numbers(size_t n) {
  Data h(n);
  for (size_t i = 0; i < n; ++i)
    h[i] = {float(i * 7 % 11) - 5, float(i * 3 % 5)};
  return h;
}
/// Relative to the largest of \p b.
static double distance(const Data &a, const Data &b, float scale = 1) {
  double most = 0, largest = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    largest = std::fmax(largest, std::hypot(b[i].x, b[i].y));
    most = std::fmax(most, std::hypot(a[i].x * scale - b[i].x, a[i].y * scale - b[i].y));
  }
  return most / largest;
}
/// The same by the ordinary functions.
static Data plain(int rank, int *n, int batch, Data h) {
  cufftHandle plan;
  cufftComplex *d;
  OK(cufftPlanMany(&plan, rank, n, nullptr, 1, 0, nullptr, 1, 0, CUFFT_C2C, batch));
  OK(cudaMalloc(&d, h.size() * sizeof(h[0])));
  OK(cudaMemcpy(d, h.data(), h.size() * sizeof(h[0]), cudaMemcpyHostToDevice));
  OK(cufftExecC2C(plan, d, d, CUFFT_FORWARD));
  OK(cudaMemcpy(h.data(), d, h.size() * sizeof(h[0]), cudaMemcpyDeviceToHost));
  cudaFree(d);
  cufftDestroy(plan);
  return h;
}

static void complexTransform(int gpus, int rank, int *n, int batch) {
  size_t count = batch;
  for (int i = 0; i < rank; ++i)
    count *= n[i];
  int which[16];
  for (int i = 0; i < gpus; ++i)
    which[i] = devices - 1 - i;
  cufftHandle plan;
  size_t sizes[16];
  cudaLibXtDesc *desc, *second;
  OK(cufftCreate(&plan));
  OK(cufftXtSetGPUs(plan, gpus, which));
  OK(cufftMakePlanMany(plan, rank, n, nullptr, 1, 0, nullptr, 1, 0, CUFFT_C2C, batch, sizes));
  OK(cufftXtMalloc(plan, &desc, CUFFT_XT_FORMAT_INPLACE));
  EXPECT(desc->descriptor->nGPUs == gpus && desc->descriptor->GPUs[0] == which[0]);
  EXPECT(desc->library == LIB_FORMAT_CUFFT && desc->subFormat == CUFFT_XT_FORMAT_INPLACE);
  size_t bytes = 0;
  for (int i = 0; i < gpus; ++i)
    bytes += desc->descriptor->size[i];
  EXPECT(bytes >= count * sizeof(cufftComplex));
  const Data h = numbers(count), right = plain(rank, n, batch, h);
  Data got(count);
  OK(cufftXtMemcpy(plan, desc, (void *)h.data(), CUFFT_COPY_HOST_TO_DEVICE));
  OK(cufftXtExecDescriptorC2C(plan, desc, desc, CUFFT_FORWARD));
  // The second dimension is dealt out now.
  if (gpus > 1 && rank > 1 && batch == 1)
    EXPECT(desc->subFormat == CUFFT_XT_FORMAT_INPLACE_SHUFFLED);
  if (batch == 1) { // in natural order
    OK(cufftXtMalloc(plan, &second, CUFFT_XT_FORMAT_INPLACE));
    OK(cufftXtMemcpy(plan, second, desc, CUFFT_COPY_DEVICE_TO_DEVICE));
    OK(cufftXtMemcpy(plan, got.data(), second, CUFFT_COPY_DEVICE_TO_HOST));
    EXPECT(distance(got, right) < 1e-5);
    OK(cufftXtFree(rank > 1 ? second : desc));
    if (rank == 1)
      desc = second;
  }
  if (batch > 1 || onCpu) {
    OK(cufftXtMemcpy(plan, got.data(), desc, CUFFT_COPY_DEVICE_TO_HOST));
    EXPECT(distance(got, right) < 1e-5);
  }
  OK(cufftXtExecDescriptorC2C(plan, desc, desc, CUFFT_INVERSE));
  if (batch == 1 && rank == 1) { // the inverse leaves another order as well
    OK(cufftXtMalloc(plan, &second, CUFFT_XT_FORMAT_INPLACE));
    OK(cufftXtMemcpy(plan, second, desc, CUFFT_COPY_DEVICE_TO_DEVICE));
    OK(cufftXtFree(desc));
    desc = second;
  }
  OK(cufftXtMemcpy(plan, got.data(), desc, CUFFT_COPY_DEVICE_TO_HOST));
  EXPECT(distance(got, h, 1.0f * batch / count) < 1e-5);
  OK(cufftXtFree(desc));
  OK(cufftDestroy(plan));
}

// Real numbers in place: rows have room for the complex ones.
static void realTransform(int gpus) {
  const int nx = 32, ny = 48, nz = 64, nc = nz / 2 + 1;
  int which[16];
  for (int i = 0; i < gpus; ++i)
    which[i] = i;
  cufftHandle forward, back;
  size_t sizes[16];
  cudaLibXtDesc *desc;
  OK(cufftCreate(&forward));
  OK(cufftCreate(&back));
  OK(cufftXtSetGPUs(forward, gpus, which));
  OK(cufftXtSetGPUs(back, gpus, which));
  OK(cufftMakePlan3d(forward, nx, ny, nz, CUFFT_D2Z, sizes));
  OK(cufftMakePlan3d(back, nx, ny, nz, CUFFT_Z2D, sizes));
  OK(cufftXtMalloc(forward, &desc, CUFFT_XT_FORMAT_INPLACE));
  std::vector<double> h(size_t(nx) * ny * 2 * nc), got(h.size());
  double sum = 0;
  for (int i = 0; i < nx * ny; ++i)
    for (int k = 0; k < nz; ++k)
      sum += h[size_t(i) * 2 * nc + k] = (i * 5 + k * 3) % 17 - 8;
  OK(cufftXtMemcpy(forward, desc, h.data(), CUFFT_COPY_HOST_TO_DEVICE));
  OK(cufftXtExecDescriptorD2Z(forward, desc, desc));
  if (onCpu) {
    OK(cufftXtMemcpy(forward, got.data(), desc, CUFFT_COPY_DEVICE_TO_HOST));
    EXPECT(std::fabs(got[0] - sum) < 1e-6 && std::fabs(got[1]) < 1e-6);
  }
  OK(cufftXtExecDescriptorZ2D(back, desc, desc));
  OK(cufftXtMemcpy(back, got.data(), desc, CUFFT_COPY_DEVICE_TO_HOST));
  double most = 0;
  for (int i = 0; i < nx * ny; ++i)
    for (int k = 0; k < nz; ++k)
      most = std::fmax(most, std::fabs(got[size_t(i) * 2 * nc + k] / (nx * ny * nz) - h[size_t(i) * 2 * nc + k]));
  EXPECT(most < 1e-9);
  OK(cufftXtFree(desc));
  OK(cufftDestroy(forward));
  OK(cufftDestroy(back));
}

static void statuses() {
  cufftHandle plan;
  cudaLibXtDesc *desc = nullptr;
  size_t size;
  int which[2] = {0, 99};
  EXPECT(cufftXtSetGPUs(12345, 1, which) == CUFFT_INVALID_PLAN);
  OK(cufftCreate(&plan));
  EXPECT(cufftXtSetGPUs(plan, 2, which) == CUFFT_INVALID_DEVICE);
  EXPECT(cufftXtSetGPUs(plan, 0, which) == CUFFT_INVALID_VALUE);
  EXPECT(cufftXtSetGPUs(plan, 1, which) == CUFFT_INVALID_VALUE);
  EXPECT(cufftXtSetGPUs(plan, 2, nullptr) == CUFFT_INVALID_VALUE);
  EXPECT(cufftXtMalloc(plan, &desc, CUFFT_XT_FORMAT_INPLACE) != 0);
  OK(cufftMakePlan1d(plan, 64, CUFFT_C2C, 1, &size));
  OK(cufftXtMalloc(plan, &desc, CUFFT_XT_FORMAT_INPLACE));
  EXPECT(cufftXtExecDescriptorZ2Z(plan, desc, desc, CUFFT_FORWARD) != 0);
  OK(cufftXtFree(desc));
  OK(cufftDestroy(plan));
}

int main() {
  cudaGetDeviceCount(&devices);
  const char *device = std::getenv("CUFORT_DEVICE");
  onCpu = device && std::string(device) == "cpu";
  for (int gpus = 2; gpus <= devices && gpus <= 4; ++gpus) {
    int one[] = {1024}, two[] = {64, 48}, three[] = {32, 64, 36};
    complexTransform(gpus, 1, one, 1);
    complexTransform(gpus, 1, one, 10);
    complexTransform(gpus, 2, two, 1);
    complexTransform(gpus, 2, two, 7);
    complexTransform(gpus, 3, three, 1);
    realTransform(gpus);
  }
  if (onCpu)
    statuses();
  std::puts(failures ? "FAILED" : "PASSED");
  return failures != 0;
}

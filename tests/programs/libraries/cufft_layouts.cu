// cuFFT against the definition: ranks 1 to 3, all types, packed and embedded
// layouts with strides, batches, in place and not, both directions; streams,
// graphs and statuses.
#include <cmath>
#include <complex>
#include <cstdio>
#include <cufft.h>
#include <vector>

using Complex = std::complex<double>;

static int failures = 0;
static void expect(bool right, const char *what, int number = 0) {
  if (!right && ++failures <= 20)
    std::printf("wrong: %s %d\n", what, number);
}

static unsigned state = 1;
static int random(int low, int high) {
  state = state * 1664525u + 1013904223u;
  return low + int((state >> 8) % unsigned(high - low + 1));
}

// The transform of one batch, in C's order of dimensions.
static std::vector<Complex> transform(const std::vector<Complex> &x,
                                      std::vector<int> n, int sign) {
  std::vector<Complex> now = x;
  size_t inner = 1;
  for (int d = int(n.size()) - 1; d >= 0; --d) {
    std::vector<Complex> next(now.size());
    size_t count = n[d], outer = now.size() / (inner * count);
    for (size_t o = 0; o < outer; ++o)
      for (size_t i = 0; i < inner; ++i)
        for (size_t k = 0; k < count; ++k) {
          Complex sum = 0;
          for (size_t j = 0; j < count; ++j)
            sum += now[(o * count + j) * inner + i] *
                   std::polar(1.0, sign * 2 * M_PI * double(j * k % count) /
                                       double(count));
          next[(o * count + k) * inner + i] = sum;
        }
    now.swap(next);
    inner *= count;
  }
  return now;
}

struct Side {
  std::vector<int> embed;
  int stride, distance;
  size_t at(int batch, const std::vector<int> &index) const {
    size_t place = 0;
    for (size_t d = 0; d < index.size(); ++d)
      place = place * embed[d] + index[d];
    return size_t(batch) * distance + place * stride;
  }
};

template <typename Visit>
static void visit(const std::vector<int> &n, Visit call) {
  std::vector<int> index(n.size(), 0);
  for (;;) {
    call(index);
    int d = int(n.size()) - 1;
    while (d >= 0 && ++index[d] == n[d])
      index[d--] = 0;
    if (d < 0)
      return;
  }
}

template <typename Real>
static void compare(int number, cufftType type, bool isReal, bool toReal) {
  int rank = random(1, 3), batch = random(1, 3);
  std::vector<int> n(rank), half;
  for (int &each : n)
    each = random(1, rank == 1 ? 40 : 9);
  half = n;
  half.back() = n.back() / 2 + 1;
  bool complex = !isReal && !toReal, packed = random(0, 1);
  bool inPlace = random(0, 1);
  int sign = complex ? (random(0, 1) ? CUFFT_FORWARD : CUFFT_INVERSE)
             : isReal ? CUFFT_FORWARD
                      : CUFFT_INVERSE;
  const std::vector<int> &inputSizes = toReal ? half : n;
  const std::vector<int> &outputSizes = isReal ? half : n;
  auto side = [&](const std::vector<int> &sizes, bool real) {
    Side s{sizes, packed ? 1 : random(1, 3), 1};
    if (packed && real && inPlace)
      s.embed.back() = 2 * half.back();
    if (!packed)
      for (int &each : s.embed)
        each += random(0, 2);
    s.distance = s.stride;
    for (int each : s.embed)
      s.distance *= each;
    if (!packed)
      s.distance += random(0, 5);
    return s;
  };
  Side in = side(inputSizes, isReal), out = side(outputSizes, toReal);
  if (!packed && inPlace) {
    if (complex)
      out = in;
    else
      inPlace = false;
  }
  // Numbers of Real on either side.
  size_t inputReals = size_t(in.distance) * batch * (isReal ? 1 : 2);
  size_t outputReals = size_t(out.distance) * batch * (toReal ? 1 : 2);
  size_t total = inPlace ? std::max(inputReals, outputReals) : inputReals;
  std::vector<Real> source(total, Real(-7)), result(outputReals, Real(-5));
  std::vector<std::vector<Complex>> wanted(batch);
  for (int b = 0; b < batch; ++b) {
    // A real signal, whose spectrum is that of a real inverse transform.
    std::vector<Complex> x;
    visit(n, [&](const std::vector<int> &) {
      x.push_back(Complex(random(-99, 99) / 99.0,
                          complex ? random(-99, 99) / 99.0 : 0));
    });
    std::vector<Complex> y = transform(x, n, toReal ? -1 : sign);
    const std::vector<Complex> &given = toReal ? y : x;
    wanted[b] = toReal ? x : y;
    if (toReal)
      for (Complex &each : wanted[b])
        each *= double(x.size());
    Side dense{n, 1, 0};
    visit(inputSizes, [&](const std::vector<int> &index) {
      Complex value = given[dense.at(0, index)];
      size_t place = in.at(b, index);
      if (isReal) {
        source[place] = Real(value.real());
      } else {
        source[2 * place] = Real(value.real());
        source[2 * place + 1] = Real(value.imag());
      }
    });
  }
  Real *a, *c;
  cudaMalloc(&a, total * sizeof(Real));
  cudaMalloc(&c, outputReals * sizeof(Real));
  cudaMemcpy(a, source.data(), total * sizeof(Real), cudaMemcpyHostToDevice);
  cudaMemcpy(c, result.data(), outputReals * sizeof(Real),
             cudaMemcpyHostToDevice);
  cufftHandle plan;
  if (packed)
    expect(cufftPlanMany(&plan, rank, n.data(), nullptr, 5, 6, nullptr, 7, 8,
                         type, batch) == CUFFT_SUCCESS,
           "PlanMany", number);
  else
    expect(cufftPlanMany(&plan, rank, n.data(), in.embed.data(), in.stride,
                         in.distance, out.embed.data(), out.stride,
                         out.distance, type, batch) == CUFFT_SUCCESS,
           "PlanMany embedded", number);
  void *target = inPlace ? a : c;
  cufftResult done =
      type == CUFFT_C2C ? cufftExecC2C(plan, (cufftComplex *)a,
                                       (cufftComplex *)target, sign)
      : type == CUFFT_Z2Z
          ? cufftExecZ2Z(plan, (cufftDoubleComplex *)a,
                         (cufftDoubleComplex *)target, sign)
      : type == CUFFT_R2C
          ? cufftExecR2C(plan, (float *)a, (cufftComplex *)target)
      : type == CUFFT_D2Z
          ? cufftExecD2Z(plan, (double *)a, (cufftDoubleComplex *)target)
      : type == CUFFT_C2R
          ? cufftExecC2R(plan, (cufftComplex *)a, (float *)target)
          : cufftExecZ2D(plan, (cufftDoubleComplex *)a, (double *)target);
  expect(done == CUFFT_SUCCESS, "Exec", number);
  cudaMemcpy(result.data(), target, outputReals * sizeof(Real),
             cudaMemcpyDeviceToHost);
  double error = 0, size = 1e-30;
  for (int b = 0; b < batch; ++b)
    visit(outputSizes, [&](const std::vector<int> &index) {
      Side dense{n, 1, 0};
      Complex value = wanted[b][dense.at(0, index)];
      size_t place = out.at(b, index);
      Complex got = toReal ? Complex(result[place])
                           : Complex(result[2 * place], result[2 * place + 1]);
      error += std::norm(got - value);
      size += std::norm(value);
    });
  expect(std::sqrt(error / size) < (sizeof(Real) == 8 ? 1e-14 : 1e-6),
         packed ? "packed result" : "embedded result", number);
  cufftDestroy(plan);
  cudaFree(a);
  cudaFree(c);
}

__global__ void scale(cufftDoubleComplex *x, int n, double factor) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    x[i].x *= factor;
    x[i].y *= factor;
  }
}

// A transform is ordered with the kernels of its stream, also in a graph.
static void streams() {
  const int n = 1 << 16;
  std::vector<cufftDoubleComplex> h(n);
  for (int i = 0; i < n; ++i)
    h[i] = {std::sin(0.3 * i), std::cos(0.7 * i)};
  cufftDoubleComplex *d;
  cudaMalloc(&d, n * sizeof(*d));
  cudaStream_t stream;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  cufftHandle plan;
  cufftPlan1d(&plan, n, CUFFT_Z2Z, 1);
  expect(cufftSetStream(plan, stream) == CUFFT_SUCCESS, "SetStream");
  auto round = [&] {
    scale<<<n / 256, 256, 0, stream>>>(d, n, 2.0);
    cufftExecZ2Z(plan, d, d, CUFFT_FORWARD);
    scale<<<n / 256, 256, 0, stream>>>(d, n, 1.0 / n);
    cufftExecZ2Z(plan, d, d, CUFFT_INVERSE);
    scale<<<n / 256, 256, 0, stream>>>(d, n, 0.5);
  };
  auto difference = [&] {
    std::vector<cufftDoubleComplex> g(n);
    cudaMemcpyAsync(g.data(), d, n * sizeof(*d), cudaMemcpyDeviceToHost,
                    stream);
    cudaStreamSynchronize(stream);
    double most = 0;
    for (int i = 0; i < n; ++i)
      most = std::max(most, std::max(std::fabs(g[i].x - h[i].x),
                                     std::fabs(g[i].y - h[i].y)));
    return most;
  };
  cudaMemcpyAsync(d, h.data(), n * sizeof(*d), cudaMemcpyHostToDevice, stream);
  for (int i = 0; i < 20; ++i)
    round();
  expect(difference() < 1e-12, "stream order");
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  round();
  expect(cudaStreamEndCapture(stream, &graph) == cudaSuccess, "capture");
  expect(cudaGraphInstantiate(&executable, graph, 0) == cudaSuccess, "graph");
  for (int i = 0; i < 10; ++i)
    cudaGraphLaunch(executable, stream);
  expect(difference() < 1e-12, "graph");
  cudaGraphExecDestroy(executable);
  cudaGraphDestroy(graph);
  cufftDestroy(plan);
  cudaStreamDestroy(stream);
  cudaFree(d);
}

static void statuses() {
  cufftHandle plan = 0, other;
  size_t bytes = 0;
  int n[] = {8};
  expect(cufftPlan1d(&plan, 0, CUFFT_C2C, 1) == CUFFT_INVALID_SIZE, "n 0");
  expect(cufftPlan1d(&plan, -3, CUFFT_C2C, 1) == CUFFT_INVALID_SIZE, "n < 0");
  expect(cufftPlan1d(&plan, 8, CUFFT_C2C, 0) == CUFFT_INVALID_SIZE, "batch 0");
  expect(cufftPlan1d(&plan, 8, (cufftType)7, 1) == CUFFT_INVALID_TYPE, "type");
  expect(cufftExecC2C(4711, nullptr, nullptr, -1) == CUFFT_INVALID_PLAN,
         "no plan");
  expect(cufftDestroy(0) == CUFFT_INVALID_PLAN, "destroy 0");
  expect(cufftCreate(&plan) == CUFFT_SUCCESS, "create");
  expect(cufftMakePlanMany(plan, 1, n, nullptr, 1, 8, nullptr, 1, 8, CUFFT_C2C,
                           4, &bytes) == CUFFT_SUCCESS,
         "make");
  expect(cufftSetAutoAllocation(plan, 1) == CUFFT_SUCCESS, "allocation");
  expect(cufftGetSize(plan, &bytes) == CUFFT_SUCCESS, "size");
  cufftComplex *d;
  cudaMalloc(&d, 32 * sizeof(*d));
  expect(cufftExecC2C(plan, d, d, 7) == CUFFT_INVALID_VALUE, "direction");
  expect(cufftDestroy(plan) == CUFFT_SUCCESS, "destroy");
  expect(cufftDestroy(plan) == CUFFT_INVALID_PLAN, "destroy twice");
  expect(cufftPlan2d(&other, 4, 4, CUFFT_C2C) == CUFFT_SUCCESS, "2d");
  expect(cufftDestroy(other) == CUFFT_SUCCESS, "destroy 2d");
  cudaFree(d);
}

int main() {
  const cufftType types[] = {CUFFT_C2C, CUFFT_R2C, CUFFT_C2R,
                             CUFFT_Z2Z, CUFFT_D2Z, CUFFT_Z2D};
  for (int i = 0; i < 72; ++i) {
    cufftType type = types[i % 6];
    bool isReal = type == CUFFT_R2C || type == CUFFT_D2Z;
    bool toReal = type == CUFFT_C2R || type == CUFFT_Z2D;
    if (i % 6 < 3)
      compare<float>(i, type, isReal, toReal);
    else
      compare<double>(i, type, isReal, toReal);
  }
  streams();
  statuses();
  std::puts(failures ? "FAILED" : "PASSED");
  return failures != 0;
}

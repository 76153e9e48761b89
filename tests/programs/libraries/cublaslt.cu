// FLAGS: -O0
// cublasLt: descriptors, layouts of both orders, batches, and what may follow a
// product, against loops.
#include <cmath>
#include <cstdio>
#include <cublasLt.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <vector>

static int failures = 0;
static void expect(bool right, const char *what) {
  if (!right && ++failures <= 20)
    std::printf("wrong: %s\n", what);
}
static unsigned state = 1;
static float anyNumber() {
  state = state * 1664525u + 1013904223u;
  return (state >> 8) / 8388608.0f - 1.0f;
}
template <typename T> struct Array {
  std::vector<T> h;
  T *d;
  explicit Array(size_t n) : h(n) {
    cudaMalloc(&d, n * sizeof(T));
    for (T &x : h)
      x = T(anyNumber());
    cudaMemcpy(d, h.data(), n * sizeof(T), cudaMemcpyHostToDevice);
  }
  ~Array() { cudaFree(d); }
  void get() { cudaMemcpy(h.data(), d, h.size() * sizeof(T), cudaMemcpyDeviceToHost); }
};
static float gelu(float x) {
  return 0.5f * x * (1 + std::tanh(0.7978845608f * (x + 0.044715f * x * x * x)));
}

static cublasLtHandle_t h;

// D = epilogue(alpha * A' * B + beta * C), as in a layer of a network.
template <typename T>
static void layer(cudaDataType type, cublasLtEpilogue_t epilogue, int batch, bool rowMajor,
                  float beta, double eps, const char *what) {
  const int m = 64, n = 40, k = 48;
  Array<T> a(m * k * batch), b(k * n * batch), c(m * n * batch), d(m * n * batch), bias(m),
      aux(m * n);
  const float alpha = 0.5f;
  cublasLtMatmulDesc_t desc;
  cublasLtMatrixLayout_t la, lb, lc;
  cublasLtMatmulPreference_t preference;
  const cublasOperation_t transposed = CUBLAS_OP_T, plain = CUBLAS_OP_N;
  expect(cublasLtMatmulDescCreate(&desc, CUBLAS_COMPUTE_32F, CUDA_R_32F) == 0, "desc");
  cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_TRANSA,
                                 rowMajor ? &plain : &transposed, sizeof(plain));
  cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_EPILOGUE, &epilogue, sizeof(epilogue));
  if (epilogue & CUBLASLT_EPILOGUE_BIAS)
    cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_BIAS_POINTER, &bias.d,
                                   sizeof(bias.d));
  const bool keepsInput = epilogue == CUBLASLT_EPILOGUE_GELU_AUX_BIAS;
  if (keepsInput) {
    const int64_t ld = m;
    cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, &aux.d,
                                   sizeof(aux.d));
    cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, &ld, sizeof(ld));
  }
  // A row-major m x k matrix is a column-major k x m one.
  if (rowMajor)
    expect(cublasLtMatrixLayoutCreate(&la, type, m, k, k) == 0, "layout");
  else
    expect(cublasLtMatrixLayoutCreate(&la, type, k, m, k) == 0, "layout");
  expect(cublasLtMatrixLayoutCreate(&lb, type, k, n, k) == 0, "layout");
  expect(cublasLtMatrixLayoutCreate(&lc, type, m, n, m) == 0, "layout");
  if (rowMajor) {
    const cublasLtOrder_t order = CUBLASLT_ORDER_ROW;
    cublasLtMatrixLayoutSetAttribute(la, CUBLASLT_MATRIX_LAYOUT_ORDER, &order, sizeof(order));
  }
  const struct {
    cublasLtMatrixLayout_t layout;
    int64_t stride;
  } all[] = {{la, m * k}, {lb, k * n}, {lc, m * n}};
  for (auto &each : all) {
    cublasLtMatrixLayoutSetAttribute(each.layout, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &batch,
                                     sizeof(batch));
    cublasLtMatrixLayoutSetAttribute(each.layout, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET,
                                     &each.stride, sizeof(each.stride));
  }
  int64_t ld = 0;
  size_t written = 0;
  expect(cublasLtMatrixLayoutGetAttribute(lb, CUBLASLT_MATRIX_LAYOUT_LD, &ld, sizeof(ld),
                                          &written) == 0 && ld == k && written == 8, "attribute");
  expect(cublasLtMatmulPreferenceCreate(&preference) == 0, "preference");
  const size_t bytes = 1 << 20;
  void *workspace;
  cudaMalloc(&workspace, bytes);
  cublasLtMatmulPreferenceSetAttribute(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES,
                                       &bytes, sizeof(bytes));
  cublasLtMatmulHeuristicResult_t way;
  int found = 0;
  const cublasStatus_t status =
      cublasLtMatmulAlgoGetHeuristic(h, desc, la, lb, lc, lc, preference, 1, &way, &found);
  // Not every GPU has matrices of both orders in one product.
  if (rowMajor && status == CUBLAS_STATUS_NOT_SUPPORTED)
    return;
  expect(status == 0 && found == 1, what);
  expect(cublasLtMatmul(h, desc, &alpha, a.d, la, b.d, lb, &beta, c.d, lc, d.d, lc, &way.algo,
                        workspace, bytes, 0) == 0, what);
  d.get(), aux.get();
  double worst = 0;
  for (int p = 0; p < batch; ++p)
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < m; ++i) {
        double sum = 0;
        for (int l = 0; l < k; ++l)
          sum += double(float(a.h[p * m * k + i * k + l])) * float(b.h[p * k * n + j * k + l]);
        sum = alpha * sum + beta * float(c.h[p * m * n + j * m + i]);
        if (epilogue & CUBLASLT_EPILOGUE_BIAS)
          sum += float(bias.h[i]);
        if (keepsInput)
          worst = std::fmax(worst, std::fabs(sum - float(aux.h[j * m + i])));
        if (epilogue & CUBLASLT_EPILOGUE_GELU)
          sum = gelu(float(sum));
        if (epilogue & CUBLASLT_EPILOGUE_RELU)
          sum = std::fmax(sum, 0.0);
        worst = std::fmax(worst, std::fabs(sum - float(d.h[p * m * n + j * m + i])));
      }
  expect(worst < eps, what);
  cudaFree(workspace);
  cublasLtMatmulPreferenceDestroy(preference);
  cublasLtMatrixLayoutDestroy(la);
  cublasLtMatrixLayoutDestroy(lb);
  cublasLtMatrixLayoutDestroy(lc);
  cublasLtMatmulDescDestroy(desc);
}

// Floats of eight bits, each matrix with its scale, and the largest result.
static void eightBits() {
  const int m = 16, n = 16, k = 32;
  Array<__nv_fp8_e4m3> a(k * m), b(k * n), d(m * n);
  Array<__nv_bfloat16> c(m * n);
  // NVIDIA's library wants scales at multiples of 16 bytes.
  Array<float> scales(12), largest(1);
  // Numbers of any kind are such elements.
  expect(float(__nv_bfloat16(sizeof a)) == float(sizeof a) && float(__half(-3L)) == -3,
         "elements of long integers");
  const float given[12] = {2, 0, 0, 0, 0.5f, 0, 0, 0, 4}, alpha = 1, beta = 0;
  cudaMemcpy(scales.d, given, sizeof given, cudaMemcpyHostToDevice);
  cudaMemset(largest.d, 0, sizeof(float));
  cublasLtMatmulDesc_t desc;
  cublasLtMatmulDescCreate(&desc, CUBLAS_COMPUTE_32F, CUDA_R_32F);
  const cublasOperation_t transposed = CUBLAS_OP_T;
  cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_TRANSA, &transposed,
                                 sizeof transposed);
  const cublasLtMatmulDescAttributes_t places[] = {CUBLASLT_MATMUL_DESC_A_SCALE_POINTER,
                                                   CUBLASLT_MATMUL_DESC_B_SCALE_POINTER,
                                                   CUBLASLT_MATMUL_DESC_D_SCALE_POINTER};
  for (int i = 0; i < 3; ++i) {
    const float *at = scales.d + 4 * i;
    expect(cublasLtMatmulDescSetAttribute(desc, places[i], &at, sizeof at) == 0, "scale");
  }
  expect(cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_AMAX_D_POINTER, &largest.d,
                                        sizeof largest.d) == 0, "largest");
  cublasLtMatrixLayout_t la, lb, lc, ld;
  cublasLtMatrixLayoutCreate(&la, CUDA_R_8F_E4M3, k, m, k);
  cublasLtMatrixLayoutCreate(&lb, CUDA_R_8F_E4M3, k, n, k);
  cublasLtMatrixLayoutCreate(&lc, CUDA_R_16BF, m, n, m);
  cublasLtMatrixLayoutCreate(&ld, CUDA_R_8F_E4M3, m, n, m);
  cudaDeviceProp device;
  cudaGetDeviceProperties(&device, 0);
  const cublasStatus_t status = cublasLtMatmul(h, desc, &alpha, a.d, la, b.d, lb, &beta, c.d, lc,
                                               d.d, ld, nullptr, nullptr, 0, 0);
  if (status == CUBLAS_STATUS_NOT_SUPPORTED && device.major * 10 + device.minor < 89)
    return;
  expect(status == 0, "eight bits");
  d.get(), largest.get();
  float most = 0;
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < m; ++i) {
      float sum = 0;
      for (int l = 0; l < k; ++l)
        sum += float(a.h[i * k + l]) * float(b.h[j * k + l]);
      most = std::fmax(most, std::fabs(sum));
      expect(std::fabs(4 * sum - float(d.h[j * m + i])) <= std::fabs(sum) / 4 + 0.01f,
             "result of eight bits");
    }
  expect(std::fabs(most - largest.h[0]) < 0.01f, "largest result");
  // Factors of different formats have no product with integers.
  cublasLtMatrixLayoutDestroy(ld);
  cublasLtMatrixLayoutCreate(&ld, CUDA_R_32I, m, n, m);
  expect(cublasLtMatmul(h, desc, &alpha, a.d, la, b.d, lb, &beta, c.d, lc, d.d, ld, nullptr,
                        nullptr, 0, 0) != 0, "eight bits to integers");
  for (cublasLtMatrixLayout_t layout : {la, lb, lc, ld})
    cublasLtMatrixLayoutDestroy(layout);
  cublasLtMatmulDescDestroy(desc);
}

// A chosen way to compute keeps what is set.
static void ways() {
  cublasLtMatmulAlgo_t way;
  int id = -1, count = 0, splits = 2;
  size_t written = 0;
  expect(cublasLtMatmulAlgoGetIds(h, CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F,
                                  CUDA_R_32F, CUDA_R_32F, 1, &id, &count) == 0 && count == 1,
         "numbers of ways");
  expect(cublasLtMatmulAlgoInit(h, CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F,
                                CUDA_R_32F, CUDA_R_32F, id, &way) == 0, "a way");
  expect(cublasLtMatmulAlgoConfigSetAttribute(&way, CUBLASLT_ALGO_CONFIG_SPLITK_NUM, &splits,
                                              sizeof splits) == 0, "set");
  splits = 0;
  expect(cublasLtMatmulAlgoConfigGetAttribute(&way, CUBLASLT_ALGO_CONFIG_SPLITK_NUM, &splits,
                                              sizeof splits, nullptr) == 0 && splits == 2,
         "what is set");
  expect(cublasLtMatmulAlgoCapGetAttribute(&way, CUBLASLT_ALGO_CAP_TILE_IDS, nullptr, 0,
                                           &written) == 0, "tiles");
  static_assert(CUBLASLT_MATMUL_TILE_96x512 == 156 && CUBLASLT_MATMUL_TILE_768x80 == 630 &&
                CUBLASLT_MATMUL_STAGES_768xAUTO == 38 && CUBLASLT_CLUSTER_SHAPE_1x15x1 == 51);
}

// An epilogue's pointers: those that it needs, and no others.
static void pointers() {
  const int n = 128;
  Array<float> a(n * n), b(n * n), c(n * n), bias(n), aux(n * n);
  cublasLtMatrixLayout_t layout;
  cublasLtMatrixLayoutCreate(&layout, CUDA_R_32F, n, n, n);
  const float one = 1, none = 0;
  auto status = [&](int epilogue, bool withBias, bool withAux, int64_t ld) {
    cublasLtMatmulDesc_t desc;
    cublasLtMatmulDescCreate(&desc, CUBLAS_COMPUTE_32F, CUDA_R_32F);
    cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_EPILOGUE, &epilogue,
                                   sizeof(epilogue));
    if (withBias)
      cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_BIAS_POINTER, &bias.d,
                                     sizeof(bias.d));
    if (withAux) {
      cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, &aux.d,
                                     sizeof(aux.d));
      cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, &ld, sizeof(ld));
    }
    int result = cublasLtMatmul(h, desc, &one, a.d, layout, b.d, layout, &none, c.d, layout, c.d,
                                layout, nullptr, nullptr, 0, 0);
    cublasLtMatmulDescDestroy(desc);
    return result;
  };
  expect(status(CUBLASLT_EPILOGUE_RELU, false, false, n) == 0, "relu");
  for (int each : {CUBLASLT_EPILOGUE_DEFAULT, CUBLASLT_EPILOGUE_RELU, CUBLASLT_EPILOGUE_GELU})
    expect(status(each, true, false, n) == 7, "a bias that is not used");
  for (int each : {CUBLASLT_EPILOGUE_BIAS, CUBLASLT_EPILOGUE_RELU_BIAS})
    expect(status(each, false, false, n) == 7, "no bias");
  for (int each : {CUBLASLT_EPILOGUE_RELU, CUBLASLT_EPILOGUE_GELU})
    expect(status(each, false, true, n) == 15, "an auxiliary array that is not used");
  expect(status(CUBLASLT_EPILOGUE_DEFAULT, false, true, n) == 7, "an array for nothing");
  expect(status(CUBLASLT_EPILOGUE_RELU_AUX, false, true, 64) == 7, "a mask that is too short");
  expect(cudaDeviceSynchronize() == cudaSuccess, "pointers");
  cublasLtMatrixLayoutDestroy(layout);
}

static void emulation() {
  cublasLtEmulationDesc_t desc;
  int32_t bits = 40;
  size_t written = 0;
  expect(cublasLtEmulationDescCreate(&desc) == 0 &&
             cublasLtEmulationDescSetAttribute(
                 desc, CUBLASLT_EMULATION_DESC_FIXEDPOINT_MAX_MANTISSA_BIT_COUNT, &bits,
                 sizeof(bits)) == 0,
         "emulation");
  bits = 0;
  expect(cublasLtEmulationDescGetAttribute(
             desc, CUBLASLT_EMULATION_DESC_FIXEDPOINT_MAX_MANTISSA_BIT_COUNT, &bits, sizeof(bits),
             &written) == 0 &&
             bits == 40 && written == sizeof(bits),
         "emulation's bits");
  cublasLtMatmulDesc_t product;
  expect(cublasLtMatmulDescCreate(&product, CUBLAS_COMPUTE_64F_EMULATED_FIXEDPOINT,
                                  CUDA_R_64F) == 0 &&
             cublasLtMatmulDescSetAttribute(product, CUBLASLT_MATMUL_DESC_EMULATION_DESCRIPTOR,
                                            &desc, sizeof(desc)) == 0,
         "emulation of a product");
  cublasLtMatmulDescDestroy(product);
  expect(cublasLtEmulationDescDestroy(desc) == 0, "end of emulation");
}

int main() {
  expect(cublasLtMatmul(nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr,
                        nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, 0, 0) != 0,
         "no handle");
  if (cublasLtCreate(&h) != 0)
    return 1;
  expect(cublasLtGetVersion() >= 100000, "version");
  layer<float>(CUDA_R_32F, CUBLASLT_EPILOGUE_DEFAULT, 1, false, 0.5f, 1e-5, "float");
  layer<float>(CUDA_R_32F, CUBLASLT_EPILOGUE_DEFAULT, 3, false, 0.0f, 1e-5, "batch");
  layer<float>(CUDA_R_32F, CUBLASLT_EPILOGUE_BIAS, 1, false, 0.0f, 1e-5, "bias");
  layer<float>(CUDA_R_32F, CUBLASLT_EPILOGUE_RELU_BIAS, 1, false, 0.0f, 1e-5, "bias, relu");
  layer<float>(CUDA_R_32F, CUBLASLT_EPILOGUE_GELU_BIAS, 1, false, 0.0f, 1e-3, "bias, gelu");
  layer<__nv_bfloat16>(CUDA_R_16BF, CUBLASLT_EPILOGUE_GELU_AUX_BIAS, 1, false, 0.0f, 0.06,
                       "bfloat, bias, gelu, input kept");
  layer<__nv_bfloat16>(CUDA_R_16BF, CUBLASLT_EPILOGUE_DEFAULT, 1, false, 1.0f, 0.06, "bfloat");
  layer<float>(CUDA_R_32F, CUBLASLT_EPILOGUE_DEFAULT, 1, true, 0.0f, 1e-5, "rows first");
  eightBits();
  ways();
  pointers();
  emulation();
  expect(cublasLtDestroy(h) == 0, "destroy");
  std::puts(failures ? "FAILED" : "PASSED");
  return failures != 0;
}

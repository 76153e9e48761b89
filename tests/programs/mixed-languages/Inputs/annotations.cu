#include <cuda/functional>
#include <cuda/std/algorithm>
#include <nvToolsExt.h>
#include <nvtx3/nvToolsExt.h>
#include <nvtx3/nvToolsExtCuda.h>
#include <nvtx3/nvToolsExtCudaRt.h>
#include <nvtx3/nvtx3.hpp>

template <class Operation>
__global__ void fold(Operation operation, const int *in, int n, int *out) {
  int result = in[0];
  for (int i = 1; i < n; ++i)
    result = operation(result, in[i]);
  *out = result;
}

// The C++ interface.
struct Solver {
  static constexpr char const *name{"solver"};
};
struct Step {
  static constexpr char const *message{"step"};
};
struct Copies {
  static constexpr char const *name{"copies"};
  static constexpr uint32_t id{7};
};
static int annotated() {
  NVTX3_FUNC_RANGE();
  {
    NVTX3_FUNC_RANGE_IN(Solver);
  }
  nvtx3::scoped_range outer{"outer"};
  nvtx3::event_attributes attributes{
      nvtx3::payload{3.5}, nvtx3::rgb{1, 2, 3}, std::string("text").c_str(),
      nvtx3::named_category_in<Solver>::get<Copies>()};
  int bad = attributes.get()->category != 7 ||
            attributes.get()->color != 0xff010203 ||
            attributes.get()->payload.dValue != 3.5 ||
            attributes.get()->messageType != NVTX_MESSAGE_TYPE_ASCII ||
            attributes.get()->size != 48;
  nvtx3::scoped_range_in<Solver> inner{
      nvtx3::registered_string_in<Solver>::get<Step>(),
      nvtx3::argb{127, 0, 0, 255}};
  nvtx3::mark("mark", nvtx3::payload{1});
  nvtx3::mark_in<Solver>(attributes);
  auto range = nvtx3::start_range("range");
  nvtx3::end_range(range);
  nvtx3::unique_range owned{"owned"}, taken{std::move(owned)};
  cudaStream_t stream;
  bad += cudaStreamCreate(&stream) != cudaSuccess;
  nvtxNameCudaStreamA(stream, "stream");
  nvtxNameCuStreamA(stream, "stream");
  nvtxNameCudaDevice(0, "device");
  cudaStreamDestroy(stream);
  return bad;
}

extern "C" int check() {
  nvtxEventAttributes_t attributes = {};
  attributes.version = NVTX_VERSION;
  attributes.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  attributes.colorType = NVTX_COLOR_ARGB;
  attributes.color = 0xff00ff00;
  attributes.messageType = NVTX_MESSAGE_TYPE_ASCII;
  attributes.message.ascii = "check";
  int bad = annotated() + (sizeof(attributes) != 48);
  bad += nvtxRangePushEx(&attributes) != NVTX_NO_PUSH_POP_TRACKING;
  nvtxMark("mark");
  nvtxDomainHandle_t domain = nvtxDomainCreate("domain");
  nvtxRangeId_t range = nvtxDomainRangeStartEx(domain, &attributes);

  int *values;
  cudaMallocManaged(&values, 8 * sizeof(int));
  for (int i = 0; i < 5; ++i)
    values[i] = (i * 3) % 5;
  fold<<<1, 1>>>(cuda::maximum<int>(), values, 5, values + 5);
  fold<<<1, 1>>>(cuda::minimum<>(), values, 5, values + 6);
  fold<<<1, 1>>>(cuda::proclaim_return_type<int>(
                     [] __device__(int a, int b) { return a + b; }),
                 values, 5, values + 7);
  bad += cudaDeviceSynchronize() != cudaSuccess;
  bad += values[5] != 4 || values[6] != 0 || values[7] != 10;

  nvtxDomainRangeEnd(domain, range);
  nvtxDomainDestroy(domain);
  bad += nvtxRangePop() != NVTX_NO_PUSH_POP_TRACKING;
  return bad;
}

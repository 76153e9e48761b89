#include <cuda/functional>
#include <cuda/std/algorithm>
#include <nvToolsExt.h>
#include <nvtx3/nvToolsExt.h>

template <class Operation>
__global__ void fold(Operation operation, const int *in, int n, int *out) {
  int result = in[0];
  for (int i = 1; i < n; ++i)
    result = operation(result, in[i]);
  *out = result;
}

extern "C" int check() {
  nvtxEventAttributes_t attributes = {};
  attributes.version = NVTX_VERSION;
  attributes.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  attributes.colorType = NVTX_COLOR_ARGB;
  attributes.color = 0xff00ff00;
  attributes.messageType = NVTX_MESSAGE_TYPE_ASCII;
  attributes.message.ascii = "check";
  int bad = sizeof(attributes) != 48;
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

// FLAGS: -lcuda
// Linking of PTX: a kernel and the function that it calls, in two pieces. On
// the CPU, which has no PTX, it is refused.
#include "../../Inputs/driver_check.h"
#include <cstring>

static const char kernel[] = R"(.version 6.0
.target sm_70
.address_size 64
.extern .func (.param .b32 result) twice (.param .b32 value);
.visible .entry fill(.param .u64 place)
{
  .reg .b32 %r<3>;
  .reg .b64 %d<3>;
  ld.param.u64 %d1, [place];
  cvta.to.global.u64 %d2, %d1;
  mov.u32 %r1, 21;
  {
    .param .b32 value;
    .param .b32 result;
    st.param.b32 [value], %r1;
    call.uni (result), twice, (value);
    ld.param.b32 %r2, [result];
  }
  st.global.u32 [%d2], %r2;
  ret;
}
)";
static const char function[] = R"(.version 6.0
.target sm_70
.address_size 64
.visible .func (.param .b32 result) twice (.param .b32 value)
{
  .reg .b32 %r<3>;
  ld.param.b32 %r1, [value];
  add.s32 %r2, %r1, %r1;
  st.param.b32 [result], %r2;
  ret;
}
)";

static void add(CUlinkState link, const char *text, const char *name) {
  CHECK(cuLinkAddData(link, CU_JIT_INPUT_PTX, const_cast<char *>(text),
                      std::strlen(text) + 1, name, 0, nullptr, nullptr));
}

int main() {
  CUcontext context;
  CHECK(cuInit(0));
  CHECK(cuDevicePrimaryCtxRetain(&context, 0));
  CHECK(cuCtxSetCurrent(context));
  const auto bad = CUDA_ERROR_INVALID_VALUE,
             unknown = CUDA_ERROR_INVALID_HANDLE;
  CUlinkState link = nullptr, none = CUlinkState(&link);
  void *code = nullptr;
  size_t bytes = 0;
  char text[] = "text";
  EXPECT(cuLinkCreate(0, nullptr, nullptr, nullptr) == bad);
  EXPECT(cuLinkCreate(1, nullptr, nullptr, &link) == bad);
  EXPECT(cuLinkAddData(none, CU_JIT_INPUT_PTX, text, 5, "n", 0, nullptr,
                       nullptr) == unknown);
  EXPECT(cuLinkAddData(none, CU_JIT_INPUT_PTX, nullptr, 5, "n", 0, nullptr,
                       nullptr) == bad);
  EXPECT(cuLinkAddFile(none, CU_JIT_INPUT_PTX, "/nowhere", 0, nullptr,
                       nullptr) == unknown);
  EXPECT(cuLinkAddFile(none, CU_JIT_INPUT_PTX, nullptr, 0, nullptr, nullptr) ==
         bad);
  EXPECT(cuLinkComplete(none, &code, &bytes) == unknown);
  EXPECT(cuLinkComplete(none, nullptr, &bytes) == bad);
  EXPECT(cuLinkDestroy(none) == unknown);

  const char *device = std::getenv("CUFORT_DEVICE");
  if (device && !std::strcmp(device, "cpu")) {
    EXPECT(cuLinkCreate(0, nullptr, nullptr, &link) ==
           CUDA_ERROR_NOT_SUPPORTED);
    std::puts("PASSED");
    return 0;
  }
  CHECK(cuLinkCreate(0, nullptr, nullptr, &link));
  add(link, kernel, "kernel.ptx");
  add(link, function, "function.ptx");
  CHECK(cuLinkComplete(link, &code, &bytes));
  EXPECT(code && bytes);
  CUmodule module;
  CUfunction fill;
  CUdeviceptr place;
  int result = 0;
  CHECK(cuModuleLoadData(&module, code));
  CHECK(cuLinkDestroy(link));
  EXPECT(cuLinkDestroy(link) == unknown);
  CHECK(cuModuleGetFunction(&fill, module, "fill"));
  CHECK(cuMemAlloc(&place, sizeof(result)));
  void *parameters[] = {&place};
  CHECK(
      cuLaunchKernel(fill, 1, 1, 1, 1, 1, 1, 0, nullptr, parameters, nullptr));
  CHECK(cuMemcpyDtoH(&result, place, sizeof(result)));
  EXPECT(result == 42);
  CHECK(cuModuleUnload(module));
  std::puts("PASSED");
}

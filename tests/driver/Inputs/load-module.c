/* Loads the module of a file and launches its kernel "fill", if it can. */
#include <cuda.h>
#include <stdio.h>

static void fail(const char *what, CUresult result) {
  const char *name = "?";
  cuGetErrorName(result, &name);
  printf("%s: %s\n", what, name);
}

int main(int count, char **arguments) {
  CUcontext context;
  CUmodule module;
  CUfunction fill;
  CUdeviceptr memory;
  CUresult result;
  int n = 100, x = 42, back[100] = {0};
  void *parameters[] = {&memory, &n, &x};
  if (count < 2 || cuInit(0) || cuCtxCreate(&context, 0, 0))
    return 3;
  if ((result = cuModuleLoad(&module, arguments[1])))
    return fail("load", result), 1;
  if ((result = cuModuleGetFunction(&fill, module, "fill")))
    return fail("function", result), 1;
  if (cuMemAlloc(&memory, sizeof(back)) ||
      cuLaunchKernel(fill, 4, 1, 1, 32, 1, 1, 0, 0, parameters, 0) ||
      cuMemcpyDtoH(back, memory, sizeof(back)) || cuMemFree(memory))
    return 2;
  printf("%d %d\n", back[0], back[99]);
  if (count > 2) {
    int value;
    cuDevicePrimaryCtxReset(0);
    fail("launch after a reset",
         cuLaunchKernel(fill, 4, 1, 1, 32, 1, 1, 0, 0, parameters, 0));
    fail("attribute after a reset",
         cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_NUM_REGS, fill));
    fail("unload after a reset", cuModuleUnload(module));
    if (cuModuleLoad(&module, arguments[1]) ||
        cuModuleGetFunction(&fill, module, "fill"))
      return 4;
  }
  return cuModuleUnload(module) || cuCtxDestroy(context);
}

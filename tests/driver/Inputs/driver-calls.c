#include <cuda.h>
#include <cuda_runtime_api.h>
#include <stdio.h>

static int wrong = 0;
static void expect(int result, int expected, const char *call) {
  if (result != expected)
    printf("%s: %d instead of %d\n", call, result, expected), ++wrong;
}
#define EXPECT(call, expected) expect((int)(call), (int)(expected), #call)

int main(void) {
  CUcontext context;
  CUtensorMap map;
  CUtexref texture;
  int here = 0;
  EXPECT(cuInit(0), CUDA_SUCCESS);
  EXPECT(cuCtxCreate(&context, 0, 0), CUDA_SUCCESS);
  EXPECT(cuDestroyExternalMemory(NULL), CUDA_ERROR_INVALID_VALUE);
  EXPECT(cuDestroyExternalMemory((CUexternalMemory)7), CUDA_SUCCESS);
  EXPECT(cudaDestroyExternalMemory((cudaExternalMemory_t)7), cudaSuccess);
  EXPECT(cuGraphicsResourceSetMapFlags((CUgraphicsResource)9, 2),
         CUDA_ERROR_INVALID_HANDLE);
  EXPECT(cudaGraphicsResourceSetMapFlags((cudaGraphicsResource_t)9, 2),
         cudaErrorInvalidResourceHandle);
  EXPECT(cudaGetLastError(), cudaErrorInvalidResourceHandle);
  EXPECT(cuTensorMapReplaceAddress(&map, &here), CUDA_SUCCESS);
  EXPECT(map.opaque[1] == (unsigned long long)&here, 1);
  EXPECT(cuMulticastUnbind(1, 0, 0, 1), CUDA_ERROR_CALL_REQUIRES_NEWER_DRIVER);
  EXPECT(cuTexRefCreate(&texture), CUDA_ERROR_NOT_SUPPORTED);
  puts(wrong ? "FAILED" : "PASSED");
  return wrong != 0;
}

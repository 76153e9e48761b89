// A libcuda.so.1 of a machine whose GPU may be out of order: what the test of
// "cufort info" asks for in the environment.
//   FAKE_INIT=n     cuInit fails with the number n
//   FAKE_VERSION=n  the driver is for this version of CUDA (13000)
//   FAKE_DEVICES=n  how many devices there are (1)
//   FAKE_MODE=n     their compute mode
//   FAKE_RETAIN=n   the first use of a device fails with the number n
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

typedef int CUresult;

static int setting(const char *name, int otherwise) {
  const char *text = getenv(name);
  return text ? atoi(text) : otherwise;
}

CUresult cuInit(unsigned flags) { return setting("FAKE_INIT", 0); }

CUresult cuDriverGetVersion(int *version) {
  *version = setting("FAKE_VERSION", 13000);
  return 0;
}

CUresult cuGetErrorString(CUresult code, const char **text) {
  *text = code == 100 ? "no CUDA-capable device is detected" : "some failure";
  return 0;
}

CUresult cuDeviceGetCount(int *count) {
  *count = setting("FAKE_DEVICES", 1);
  return 0;
}

CUresult cuDeviceGet(int *device, int ordinal) {
  *device = ordinal;
  return 0;
}

CUresult cuDeviceGetName(char *name, int length, int device) {
  strncpy(name, "Imaginary GPU", (size_t)length);
  return 0;
}

CUresult cuDeviceTotalMem_v2(size_t *bytes, int device) {
  *bytes = (size_t)16 << 30;
  return 0;
}

CUresult cuDeviceGetAttribute(int *value, int attribute, int device) {
  *value = attribute == 75 ? 9 : attribute == 20 ? setting("FAKE_MODE", 0) : 1;
  return 0;
}

CUresult cuDevicePrimaryCtxRetain(void **context, int device) {
  *context = context;
  return setting("FAKE_RETAIN", 0);
}

CUresult cuCtxSetCurrent(void *context) { return 0; }

CUresult cuMemAlloc_v2(size_t *pointer, size_t bytes) {
  *pointer = (size_t)malloc(bytes);
  return 0;
}

CUresult cuMemFree_v2(size_t pointer) {
  free((void *)pointer);
  return 0;
}

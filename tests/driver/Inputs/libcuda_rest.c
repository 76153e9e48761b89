// The rest of libcuda.c: everything that the engine looks for is there; what
// the test does not need fails. Linked behind libcuda.c, whose functions win.
typedef int CUresult;
#define CUFORT_DRIVER(member, symbol, parameters)                              \
  CUresult fake_##member(void) __asm__(symbol);                                \
  __attribute__((weak)) CUresult fake_##member(void) { return 801; }
#include "runtime/cuda/DriverFunctions.def"

// RUN: not %cufort -c %s -o %t 2>&1 | FileCheck %s
// RUN: not %cufort -c -DNCCL %s -o %t 2>&1 | FileCheck %s --check-prefix=NCCL
// Headers of NVIDIA's libraries that cufort has not, and routines whose arguments
// have types of their own.
#ifdef NCCL
#include <nccl.h>
ncclWindow_t window;
ncclSimInfo_t info;
int main() {
  // NCCL: header_of_a_library.cu:[[#@LINE+1]]:{{.*}}'ncclCommWindowRegister' is unavailable: cufort does not have this routine of nccl
  return ncclCommWindowRegister(nullptr, nullptr, 0, &window, NCCL_WIN_DEFAULT) +
         // NCCL: header_of_a_library.cu:[[#@LINE+1]]:{{.*}}'ncclGroupSimulateEnd' is unavailable
         ncclGroupSimulateEnd(&info);
}
#else
// CHECK: cusolverRf.h: cufort does not have the part cusolverRf of cuSOLVER
#include <cusolverRf.h>
// CHECK: cusolverMg.h: cufort does not have the library cusolverMg of NVIDIA's toolkit
#include <cusolverMg.h>
// CHECK: cusolverSp_LOWLEVEL_PREVIEW.h: cufort does not have the low-level routines of cusolverSp
#include <cusolverSp_LOWLEVEL_PREVIEW.h>
#endif

// RUN: not %cufort -c %s -o %t 2>&1 | FileCheck %s
// A routine of NVIDIA's libraries that cufort has not.
#include <cusparse.h>
int main() {
  // CHECK: routine_of_a_library.cu:[[#@LINE+1]]:{{.*}}'cusparseSpMMOp' is unavailable: cufort does not have this routine of cusparse; docs/libraries.md lists what it has
  return cusparseSpMMOp(nullptr);
}

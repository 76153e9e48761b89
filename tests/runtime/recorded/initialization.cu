//===- initialization.cu - flags of devices --------------------*- CUDA -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Recording.h"

/// Flags alone and together.
static void initializations() {
  allocate(1 << 20);
  for (int flags :
       {0, 1, 2, 3, 4, 5, 7, 8, 16, 24, 31, 32, 64, 128, 256, 512, 0x1000})
    for (int initialization : {0, 1, 2}) {
      called([&] { return cudaInitDevice(0, flags, initialization); },
             "cudaInitDevice(0, %d, %d)", flags, initialization);
    }

  CALL(cudaInitDevice(77, 0x1000, 1));
  CALL(cudaInitDevice(77, 0, 2));

  for (int flags : {0, 1, 2, 3, 4, 5, 6, 7, 8, 16, 24, 32, 64, 128, 256, 512,
                    0x1000, 0x2000, 96}) {
    called([&] { return cudaSetDeviceFlags(flags); }, "cudaSetDeviceFlags(%d)",
           flags);
    unsigned got = 9999;
    cudaGetDeviceFlags(&got);
    VALUE(got);
  }

  int list[8] = {0, 0};
  CALL(cudaSetValidDevices(list, 2));
  CALL(cudaSetValidDevices(list, 3));
  list[0] = -1;
  CALL(cudaSetValidDevices(list, 1));
}

int main(int count, char **arguments) {
  return record(count, arguments, {{"initializations", initializations}});
}

//===- copies.cu - copies of one and two dimensions ------------*- CUDA -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Recording.h"

/// Directions, sizes and what is no memory of the device.
static void copies() {
  allocate();
  CALL(cudaMemcpy(device, pageable, 0, cudaMemcpyHostToDevice));
  CALL(cudaMemcpy(nullptr, pageable, 0, cudaMemcpyHostToDevice));
  CALL(cudaMemcpy(nullptr, nullptr, 0, cudaMemcpyKind(9)));
  CALL(cudaMemcpy(device, pageable, 0, cudaMemcpyKind(9)));
  CALL(cudaMemcpy(nullptr, pageable, 16, cudaMemcpyHostToDevice));
  CALL(cudaMemcpy(device, nullptr, 16, cudaMemcpyHostToDevice));
  CALL(cudaMemcpy(pageable, nullptr, 16, cudaMemcpyDeviceToHost));

  CALL(cudaMemcpy(device, pageable, 16, cudaMemcpyKind(-1)));
  CALL(cudaMemcpy(device, pageable, 16, cudaMemcpyKind(5)));
  CALL(cudaMemcpy(device, pageable, 16, cudaMemcpyKind(9)));
  CALL(cudaMemcpyAsync(device, pageable, 16, cudaMemcpyKind(9), stream));
  CALL(cudaMemcpyAsync(device, pageable, 0, cudaMemcpyKind(9), stream));

  CALL(cudaMemcpy(device, pageable, 4097, cudaMemcpyHostToDevice));
  CALL(cudaMemcpy(pageable, device, 4097, cudaMemcpyDeviceToHost));
  CALL(cudaMemcpy(device, device, 4097, cudaMemcpyDeviceToDevice));
  CALL(cudaMemcpy(device + 4090, pageable, 16, cudaMemcpyHostToDevice));
  CALL(cudaMemcpy(device, managed, 4097, cudaMemcpyDeviceToDevice));

  CALL(cudaMemcpy(pageable, device, 16, cudaMemcpyHostToDevice));
  CALL(cudaMemcpy(pageable, device, 16, cudaMemcpyHostToHost));
  CALL(cudaMemcpy(pageable, device, 16, cudaMemcpyDeviceToDevice));
  CALL(cudaMemcpy(device, pageable, 16, cudaMemcpyDeviceToHost));
  CALL(cudaMemcpy(device, pageable, 16, cudaMemcpyHostToHost));
  CALL(cudaMemcpy(device, pageable, 16, cudaMemcpyDeviceToDevice));
  CALL(cudaMemcpy(device, device + 64, 16, cudaMemcpyHostToHost));
  CALL(cudaMemcpy(device, device + 64, 16, cudaMemcpyHostToDevice));
  CALL(cudaMemcpy(device, device + 64, 16, cudaMemcpyDeviceToHost));

  CALL(cudaMemcpy(pageable, pageable + 64, 16, cudaMemcpyHostToDevice));
  CALL(cudaMemcpy(pageable, pageable + 64, 16, cudaMemcpyDeviceToHost));
  CALL(cudaMemcpy(pageable, pageable + 64, 16, cudaMemcpyDefault));
  CALL(cudaMemcpy(pageable, pageable + 64, 16, cudaMemcpyHostToHost));
  CALL(cudaMemcpy(device, pageable, 16, cudaMemcpyDefault));
  CALL(cudaMemcpy(pageable, device, 16, cudaMemcpyDefault));

  CALL(cudaMemcpy(pinned, device, 16, cudaMemcpyHostToDevice));
  CALL(cudaMemcpy(pinned, device, 16, cudaMemcpyDeviceToDevice));
  CALL(cudaMemcpy(device, pinned, 16, cudaMemcpyDeviceToDevice));
  CALL(cudaMemcpy(device, pinned, 16, cudaMemcpyDeviceToHost));
  CALL(cudaMemcpy(pinned, pinned + 64, 16, cudaMemcpyDeviceToDevice));
  CALL(cudaMemcpy(pinned, device, 16, cudaMemcpyHostToHost));
  CALL(cudaMemcpy(pinned, pinned + 64, 4097, cudaMemcpyHostToHost));
  CALL(cudaMemcpy(device, pinned, 4097, cudaMemcpyHostToDevice));

  CALL(cudaMemcpy(managed, device, 16, cudaMemcpyHostToDevice));
  CALL(cudaMemcpy(managed, pageable, 16, cudaMemcpyHostToHost));
  CALL(cudaMemcpy(managed, pageable, 16, cudaMemcpyDeviceToDevice));
  CALL(cudaMemcpy(pageable, managed, 16, cudaMemcpyDeviceToDevice));
  CALL(cudaMemcpy(managed, pageable, 16, cudaMemcpyDeviceToHost));
  CALL(cudaMemcpy(pageable, managed, 16, cudaMemcpyHostToDevice));
  CALL(cudaMemcpy(managed, managed + 64, 16, cudaMemcpyHostToHost));

  CALL(cudaMemcpyAsync(pageable, device, 16, cudaMemcpyHostToDevice, stream));
  CALL(cudaMemcpyAsync(pageable, device, 16, cudaMemcpyDeviceToDevice, stream));
  CALL(cudaMemcpyAsync(device, pageable, 4097, cudaMemcpyHostToDevice, stream));
  CALL(cudaMemcpyAsync(device, pinned, 4097, cudaMemcpyHostToDevice, stream));
  CALL(cudaMemcpyAsync(pageable, pageable + 64, 16, cudaMemcpyHostToHost,
                       stream));
  CALL(cudaMemcpyAsync(device, pageable, 16, cudaMemcpyHostToHost, stream));
  CALL(cudaMemcpyAsync(pageable, pageable + 64, 16, cudaMemcpyHostToDevice,
                       stream));
  CALL(cudaMemcpyAsync(pageable, pageable + 64, 16, cudaMemcpyDefault, stream));

  CALL(cudaMemcpy(device, pageable, size_t(-1), cudaMemcpyHostToDevice));
  CALL(cudaMemcpy(device, pageable, Huge, cudaMemcpyHostToDevice));
  CALL(cudaMemcpy(device, device, 16, cudaMemcpyDeviceToDevice));
  CALL(cudaMemcpy(device + 8, device, 64, cudaMemcpyDeviceToDevice));
}

/// From host to host, called a copy within the device.
static void copyHostMemoryAsDevice() {
  allocate();
  CALL(cudaMemcpy(pageable, pageable + 64, 16, cudaMemcpyDeviceToDevice));
  CALL(cudaMemcpy(device, pageable, 16, cudaMemcpyHostToDevice));
  CALL(cudaMemcpyAsync(pageable, pageable + 64, 16, cudaMemcpyDeviceToDevice,
                       stream));
  CALL(cudaMemcpy(device, pageable, 16, cudaMemcpyHostToDevice));
}

/// Pitches, and rows beyond the end.
static void copyRows() {
  allocate();
  CALL(cudaMemcpy2D(device, 8, pageable, 16, 9, 2, cudaMemcpyHostToDevice));
  CALL(cudaMemcpy2D(device, 16, pageable, 8, 9, 2, cudaMemcpyHostToDevice));
  CALL(cudaMemcpy2D(device, 8, pageable, 8, 9, 1, cudaMemcpyHostToDevice));
  CALL(cudaMemcpy2D(device, 8, pageable, 8, 9, 0, cudaMemcpyHostToDevice));
  CALL(cudaMemcpy2D(device, 8, pageable, 8, 0, 2, cudaMemcpyHostToDevice));
  CALL(cudaMemcpy2D(device, 0, pageable, 0, 8, 1, cudaMemcpyHostToDevice));
  CALL(cudaMemcpy2D(device, 8, pageable, 8, 8, 0, cudaMemcpyKind(9)));
  CALL(cudaMemcpy2D(nullptr, 8, nullptr, 8, 0, 0, cudaMemcpyHostToDevice));

  CALL(cudaMemcpy2DAsync(device, 8, pageable, 16, 9, 2, cudaMemcpyHostToDevice,
                         stream));
  CALL(cudaMemcpy2DAsync(pageable, 16, device, 8, 9, 2, cudaMemcpyDeviceToHost,
                         stream));
  CALL(cudaMemcpy2DAsync(device, 8, device, 16, 9, 2, cudaMemcpyDeviceToDevice,
                         stream));
  CALL(cudaMemcpy2D(pageable, 8, pageable + 1024, 16, 9, 2,
                    cudaMemcpyHostToHost));

  CALL(cudaMemcpy2D(nullptr, 8, pageable, 16, 8, 2, cudaMemcpyHostToDevice));
  CALL(cudaMemcpy2D(device, 8, nullptr, 16, 8, 2, cudaMemcpyHostToDevice));
  CALL(cudaMemcpy2D(device, 8, pageable, 16, 8, 2, cudaMemcpyKind(9)));
  CALL(cudaMemcpy2D(device, 8, pageable, 16, 8, 2, cudaMemcpyKind(-1)));

  CALL(cudaMemcpy2D(device, 1024, pageable, 16, 8, 5, cudaMemcpyHostToDevice));
  CALL(cudaMemcpy2D(device, 1024, pageable, 1024, 1024, 5,
                    cudaMemcpyHostToDevice));
  CALL(
      cudaMemcpy2D(pageable, 1024, device, 1024, 8, 5, cudaMemcpyDeviceToHost));
  CALL(cudaMemcpy2D(device, 1024, device, 8, 8, 5, cudaMemcpyDeviceToDevice));
  CALL(cudaMemcpy2D(device, 64, managed, 1024, 8, 5, cudaMemcpyDeviceToDevice));
  CALL(cudaMemcpy2DAsync(device, 1024, pinned, 16, 8, 5, cudaMemcpyHostToDevice,
                         stream));

  CALL(
      cudaMemcpy2D(device, 1024, pageable, 1024, 8, 4, cudaMemcpyHostToDevice));
  CALL(cudaMemcpy2D(device, 1023, pageable, 1024, 1023, 4,
                    cudaMemcpyHostToDevice));

  CALL(cudaMemcpy2D(pageable, 64, device, 64, 8, 2, cudaMemcpyHostToDevice));
  CALL(cudaMemcpy2D(device, 64, pageable, 64, 8, 2, cudaMemcpyDeviceToHost));
  CALL(cudaMemcpy2D(device, 64, pageable, 64, 8, 2, cudaMemcpyDeviceToDevice));
  CALL(cudaMemcpy2D(pageable, 64, device, 64, 8, 2, cudaMemcpyHostToHost));
  CALL(cudaMemcpy2D(pageable, 64, pageable + 1024, 64, 8, 2,
                    cudaMemcpyHostToDevice));

  CALL(cudaMemcpy2D(device, Huge, pageable, 8, 8, 1, cudaMemcpyHostToDevice));
  CALL(cudaMemcpy2D(device, size_t(1) << 31, pageable, 8, 8, 1,
                    cudaMemcpyHostToDevice));
  CALL(cudaMemcpy2D(device, (size_t(1) << 31) - 1, pageable, 8, 8, 1,
                    cudaMemcpyHostToDevice));
  CALL(cudaMemcpy2D(device, 8, pageable, Huge, 8, 1, cudaMemcpyHostToDevice));
}

int main(int count, char **arguments) {
  return record(count, arguments,
                {{"copies", copies},
                 {"copyHostMemoryAsDevice", copyHostMemoryAsDevice},
                 {"copyRows", copyRows}});
}

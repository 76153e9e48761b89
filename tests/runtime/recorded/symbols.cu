//===- symbols.cu - variables of the device --------------------*- CUDA -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Recording.h"

__device__ int variable[4];
__constant__ int constants[4];

/// Their addresses and sizes, and copies to and from them.
static void symbols() {
  allocate();
  size_t bytes;

  CALL(cudaMemcpyToSymbol(variable, pageable, 16));
  CALL(cudaMemcpyToSymbol(variable, pageable, 17));
  CALL(cudaMemcpyToSymbol(variable, pageable, 16, 1));
  CALL(cudaMemcpyToSymbol(variable, pageable, 0, 17));
  CALL(cudaMemcpyToSymbol(variable, pageable, 0, 16));
  CALL(cudaMemcpyToSymbol(variable, pageable, 4, size_t(-4)));
  CALL(cudaMemcpyToSymbol(variable, pageable, 4, size_t(-1)));
  CALL(cudaMemcpyToSymbol(variable, nullptr, 16));
  CALL(cudaMemcpyToSymbol(variable, nullptr, 0));
  CALL(cudaMemcpyToSymbol(variable, pageable, 16, 0, cudaMemcpyDeviceToHost));
  CALL(cudaMemcpyToSymbol(variable, pageable, 16, 0, cudaMemcpyHostToHost));
  CALL(cudaMemcpyToSymbol(variable, pageable, 16, 0, cudaMemcpyDeviceToDevice));
  CALL(cudaMemcpyToSymbol(variable, pageable, 16, 0, cudaMemcpyDefault));
  CALL(cudaMemcpyToSymbol(variable, device, 16, 0, cudaMemcpyHostToDevice));
  CALL(cudaMemcpyToSymbol(variable, device, 16, 0, cudaMemcpyDeviceToDevice));
  CALL(cudaMemcpyToSymbol(variable, pageable, 16, 0, cudaMemcpyKind(9)));
  CALL(cudaMemcpyToSymbol(variable, pageable, 17, 0, cudaMemcpyKind(9)));
  CALL(cudaMemcpyToSymbol(variable, pageable, 0, 0, cudaMemcpyKind(9)));
  CALL(cudaMemcpyToSymbol(variable, pageable, 0, 0, cudaMemcpyDeviceToHost));

  CALL(cudaMemcpyToSymbol((const void *)pageable, pageable, 4));
  CALL(cudaMemcpyToSymbol((const void *)nullptr, pageable, 4));
  CALL(cudaMemcpyToSymbol((const void *)pageable, pageable, 4, 0,
                          cudaMemcpyKind(9)));
  CALL(cudaMemcpyToSymbol((const void *)pageable, pageable, 0));
  CALL(cudaMemcpyToSymbol((const void *)"variable", pageable, 4));

  CALL(cudaMemcpyFromSymbol(pageable, variable, 16));
  CALL(cudaMemcpyFromSymbol(pageable, variable, 17));
  CALL(cudaMemcpyFromSymbol(pageable, variable, 4, 16));
  CALL(cudaMemcpyFromSymbol(nullptr, variable, 16));
  CALL(cudaMemcpyFromSymbol(pageable, variable, 16, 0, cudaMemcpyHostToDevice));
  CALL(cudaMemcpyFromSymbol(pageable, variable, 16, 0, cudaMemcpyHostToHost));
  CALL(cudaMemcpyFromSymbol(pageable, variable, 16, 0,
                            cudaMemcpyDeviceToDevice));
  CALL(cudaMemcpyFromSymbol(pageable, variable, 16, 0, cudaMemcpyDefault));
  CALL(cudaMemcpyFromSymbol(device, variable, 16, 0, cudaMemcpyDeviceToHost));
  CALL(cudaMemcpyFromSymbol(device, variable, 16, 0, cudaMemcpyDeviceToDevice));
  CALL(cudaMemcpyFromSymbol(pageable, (const void *)pageable, 4));
  CALL(cudaMemcpyToSymbolAsync(constants, pageable, 17, 0,
                               cudaMemcpyHostToDevice, stream));
  CALL(cudaMemcpyToSymbolAsync(constants, pageable, 16, 0,
                               cudaMemcpyDeviceToHost, stream));
  CALL(cudaMemcpyFromSymbolAsync(pageable, constants, 4, 16,
                                 cudaMemcpyDeviceToHost, stream));
  CALL(cudaMemcpyToSymbolAsync(constants, pageable, 16, 0, cudaMemcpyKind(9),
                               stream));

  CALL(cudaGetSymbolAddress(&pointer, (const void *)pageable));
  CALL(cudaGetSymbolAddress((void **)nullptr, variable));
  CALL(cudaGetSymbolAddress(&pointer, (const void *)nullptr));
  CALL(cudaGetSymbolSize(&bytes, (const void *)pageable));
  CALL(cudaGetSymbolSize(nullptr, variable));
  CALL(cudaGetSymbolSize(&bytes, (const void *)nullptr));
  CALL(cudaGetSymbolAddress((void **)nullptr, (const void *)pageable));

  CALL(cudaGetSymbolAddress(&pointer, variable));
  CALL(cudaMemcpy(pointer, pageable, 17, cudaMemcpyHostToDevice));
  CALL(cudaMemset(pointer, 0, 17));
  CALL(cudaFree(pointer));
}

int main(int count, char **arguments) {
  return record(count, arguments, {{"symbols", symbols}});
}

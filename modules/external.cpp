//===- external.cpp - routines called without cudafor ---------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Programs for other compilers call these without 'use cudafor': their names
// are external procedures' then.
//
//===----------------------------------------------------------------------===//

#include "RuntimeApi.h"

extern "C" {
__attribute__((visibility("default"))) int cudadevicesynchronize_() {
  return cudafor::cudaDeviceSynchronize();
}
__attribute__((visibility("default"))) int cudathreadsynchronize_() {
  return cudafor::cudaDeviceSynchronize();
}
__attribute__((visibility("default"))) int cudadevicereset_() {
  return cudafor::cudaDeviceReset();
}
__attribute__((visibility("default"))) int cudasetdevice_(const int *device) {
  return cudafor::cudaSetDevice(*device);
}
}

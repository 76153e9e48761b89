//===- allocation.cu - memory of all kinds ---------------------*- CUDA -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Recording.h"
#include "Shapes.h"

/// Sizes, flags, what may be freed, and what pointers are.
static void allocation() {
  allocate();
  size_t pitch = 4711;
  cudaPitchedPtr volume{};

  CALL(cudaMalloc((void **)nullptr, 1));
  pointer = (void *)1;
  CALL(cudaMalloc(&pointer, 0));
  VALUE((size_t)pointer);
  CALL(cudaMalloc((void **)nullptr, 0));
  pointer = (void *)1;
  CALL(cudaMalloc(&pointer, Huge));
  VALUE((size_t)pointer);
  CALL(cudaMalloc(&pointer, size_t(-1)));
  VALUE((size_t)pointer);

  CALL(cudaMallocManaged((void **)nullptr, 1));
  pointer = (void *)1;
  CALL(cudaMallocManaged(&pointer, 0));
  VALUE((size_t)pointer);
  CALL(cudaMallocManaged(&pointer, 1, 9));
  CALL(cudaMallocManaged(&pointer, 1, 0));
  CALL(cudaMallocManaged(&pointer, 1, 3));
  CALL(cudaMallocManaged(&pointer, 1, 4));
  CALL(cudaMallocManaged(&pointer, 1, 2));
  CALL(cudaFree(pointer));
  pointer = (void *)1;
  CALL(cudaMallocManaged(&pointer, Huge));
  VALUE((size_t)pointer);

  CALL(cudaMallocHost((void **)nullptr, 1));
  pointer = (void *)1;
  CALL(cudaMallocHost(&pointer, 0));
  VALUE((size_t)pointer);
  pointer = (void *)1;
  CALL(cudaMallocHost(&pointer, Huge));
  VALUE((size_t)pointer);
  CALL(cudaHostAlloc(&pointer, 1, 64));
  CALL(cudaHostAlloc(&pointer, 1, 8));
  CALL(cudaHostAlloc((void **)nullptr, 0, 0));
  pointer = (void *)1;
  CALL(cudaHostAlloc(&pointer, 0, 64));
  VALUE((size_t)pointer);
  pointer = (void *)1;
  CALL(cudaHostAlloc(&pointer, 0, 0));
  VALUE((size_t)pointer);

  CALL(cudaMallocPitch((void **)nullptr, &pitch, 1, 1));
  CALL(cudaMallocPitch(&pointer, nullptr, 1, 1));
  pointer = (void *)1;
  CALL(cudaMallocPitch(&pointer, &pitch, 0, 1));
  VALUE((size_t)pointer);
  VALUE(pitch);
  pointer = (void *)1;
  pitch = 4711;
  CALL(cudaMallocPitch(&pointer, &pitch, 1, 0));
  VALUE((size_t)pointer);
  VALUE(pitch);
  CALL(cudaMallocPitch(&pointer, &pitch, 0, 0));
  VALUE(pitch);
  pointer = (void *)1;
  pitch = 4711;
  CALL(cudaMallocPitch(&pointer, &pitch, Huge, 64));
  VALUE((size_t)pointer);
  VALUE(pitch);
  CALL(cudaMallocPitch(&pointer, &pitch, size_t(-1), 1));
  CALL(cudaMallocPitch(&pointer, &pitch, (size_t(1) << 31), 1));
  CALL(cudaMallocPitch(&pointer, &pitch, 3 << 20, 1));
  VALUE(pitch);
  CALL(cudaFree(pointer));

  CALL(cudaMalloc3D(nullptr, extent(1, 1, 1)));
  CALL(cudaMalloc3D(&volume, extent(0, 1, 1)));
  VALUE((size_t)volume.ptr);
  VALUE(volume.pitch);
  VALUE(volume.xsize);
  VALUE(volume.ysize);
  CALL(cudaMalloc3D(&volume, extent(1, 0, 1)));
  VALUE((size_t)volume.ptr);
  VALUE(volume.pitch);
  CALL(cudaMalloc3D(&volume, extent(1, 1, 0)));
  VALUE((size_t)volume.ptr);
  VALUE(volume.pitch);
  VALUE(volume.xsize);
  CALL(cudaMalloc3D(&volume, extent(Huge, Huge, 2)));
  CALL(cudaMalloc3D(&volume, extent(Huge, 1, 1)));

  CALL(cudaFree(nullptr));
  CALL(cudaFree(pageable));
  CALL(cudaFree(device + 1));
  CALL(cudaFree(device + 4096));
  CALL(cudaFree(pinned));
  CALL(cudaFree((void *)1));
  void *memory;
  SETUP(cudaMalloc(&memory, 100));
  CALL(cudaFree(memory));
  CALL(cudaFree(memory));
  SETUP(cudaMalloc(&memory, 64 << 20));
  CALL(cudaFree(memory));
  CALL(cudaFree(memory));
  CALL(cudaFree(managed + 1));

  CALL(cudaFreeHost(nullptr));
  CALL(cudaFreeHost(pageable));
  CALL(cudaFreeHost(device));
  CALL(cudaFreeHost(managed));
  CALL(cudaFreeHost(pinned + 1));
  SETUP(cudaMallocHost(&memory, 100));
  CALL(cudaFreeHost(memory));
  CALL(cudaFreeHost(memory));

  size_t available, total;
  CALL(cudaMemGetInfo(nullptr, &total));
  CALL(cudaMemGetInfo(&available, nullptr));
  CALL(cudaMemGetInfo(nullptr, nullptr));

  cudaPointerAttributes attributes;
  CALL(cudaPointerGetAttributes(nullptr, device));
  CALL(cudaPointerGetAttributes(&attributes, nullptr));
  VALUE(attributes.type);
  VALUE(attributes.device);
  CALL(cudaPointerGetAttributes(&attributes, pageable));
  VALUE(attributes.type);
  VALUE(attributes.device);
  CALL(cudaPointerGetAttributes(&attributes, (void *)1));
  VALUE(attributes.type);
  CALL(cudaPointerGetAttributes(&attributes, device + 4096));
  VALUE(attributes.type);
  CALL(cudaPointerGetAttributes(&attributes, managed));
  VALUE(attributes.type);
  VALUE(attributes.device);
  CALL(cudaPointerGetAttributes(&attributes, pinned + 5));
  VALUE(attributes.type);
  VALUE((char *)attributes.hostPointer - pinned);
  VALUE((char *)attributes.devicePointer - pinned);
}

/// Host memory that is registered and not.
static void registration() {
  allocate();
  static char big[1 << 16] __attribute__((aligned(4096)));
  char *memory = big;

  CALL(cudaHostRegister(nullptr, 1, 0));
  CALL(cudaHostRegister(memory, 0, 0));
  CALL(cudaHostRegister(nullptr, 0, 0));
  CALL(cudaHostRegister(memory, 4096, 64));
  CALL(cudaHostRegister(memory, 4096, 16));
  CALL(cudaHostRegister(memory, 4096, 4));
  CALL(cudaHostUnregister(memory));
  CALL(cudaHostRegister(memory, 4096, 8));
  CALL(cudaHostUnregister(memory));

  CALL(cudaHostRegister(memory, 8192, 0));
  CALL(cudaHostRegister(memory, 8192, 0));
  CALL(cudaHostRegister(memory, 4096, 0));
  CALL(cudaHostRegister(memory + 4096, 8192, 0));
  CALL(cudaHostRegister(memory + 100, 10, 0));
  CALL(cudaHostUnregister(memory + 4096));
  CALL(cudaHostUnregister(memory + 1));
  unsigned flags = 99;
  CALL(cudaHostGetFlags(&flags, memory));
  VALUE(flags);
  CALL(cudaHostGetFlags(&flags, memory + 5));
  CALL(cudaHostGetDevicePointer(&pointer, memory + 5, 0));
  VALUE((char *)pointer - memory);
  CALL(cudaFreeHost(memory));
  CALL(cudaHostUnregister(memory));
  CALL(cudaHostUnregister(memory));
  CALL(cudaHostUnregister(pageable));
  CALL(cudaHostUnregister(nullptr));
  CALL(cudaHostUnregister(pinned));
  CALL(cudaHostUnregister(device));
  CALL(cudaHostUnregister(managed));

  CALL(cudaHostRegister(memory + 100, 10, 0));
  CALL(cudaHostRegister(memory + 200, 10, 0));
  CALL(cudaHostUnregister(memory + 200));
  CALL(cudaHostUnregister(memory + 100));
  CALL(cudaHostRegister(pinned, 16, 0));
  CALL(cudaHostRegister(pinned + 64, 16, 0));
  CALL(cudaHostRegister(device, 16, 0));
  CALL(cudaHostRegister(managed, 16, 0));
  CALL(cudaHostRegister((void *)4096, 4096, 0));
  CALL(cudaHostRegister(memory, size_t(-1), 0));
  CALL(cudaHostRegister(memory, Huge, 0));

  CALL(cudaHostGetFlags(nullptr, pinned));
  CALL(cudaHostGetFlags(&flags, pageable));
  CALL(cudaHostGetFlags(&flags, device));
  CALL(cudaHostGetFlags(&flags, nullptr));
  CALL(cudaHostGetFlags(&flags, managed));
  flags = 99;
  CALL(cudaHostGetFlags(&flags, pinned));
  VALUE(flags);

  CALL(cudaHostGetDevicePointer((void **)nullptr, pinned, 0));
  CALL(cudaHostGetDevicePointer(&pointer, pageable, 0));
  pointer = (void *)1;
  CALL(cudaHostGetDevicePointer(&pointer, device, 0));
  VALUE(pointer == device);
  CALL(cudaHostGetDevicePointer(&pointer, pinned, 1));
  CALL(cudaHostGetDevicePointer(&pointer, nullptr, 0));
  CALL(cudaHostGetDevicePointer(&pointer, managed, 0));
  CALL(cudaHostGetDevicePointer(&pointer, pageable, 1));
  CALL(cudaHostGetDevicePointer(&pointer, pinned + 5000, 0));
}

int main(int count, char **arguments) {
  return record(count, arguments,
                {{"allocation", allocation}, {"registration", registration}});
}

//===- device_launches.h - the runtime API in device code -------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions for kernels that launch kernels (dynamic parallelism as in CUDA 12:
// device code cannot wait for its launches). The launches of a grid run after
// it, one after the other in the order of the calls, those in
// cudaStreamTailLaunch last. Therefore streams and events of device code have
// no effect.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_DEVICE_LAUNCHES_H
#define CUFORT_DEVICE_LAUNCHES_H

extern "C" {
/// The calling thread's last error; \p forget: and none from now on.
__device__ int __cufort_launch_error(int forget);
/// A copy, or where \p from is null a fill with \p value, in its turn among the
/// launches.
__device__ int __cufort_launch_copy(void *to, const void *from, int value,
                                    size_t bytes, void *stream);

__device__ static inline cudaError_t cudaGetLastError() {
  return (cudaError_t)__cufort_launch_error(1);
}
__device__ static inline cudaError_t cudaPeekAtLastError() {
  return (cudaError_t)__cufort_launch_error(0);
}

__device__ static inline cudaError_t
cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned) {
  *stream = (cudaStream_t)0x5;
  return cudaSuccess;
}
__device__ static inline cudaError_t cudaStreamDestroy(cudaStream_t) {
  return cudaSuccess;
}
__device__ static inline cudaError_t
cudaEventCreateWithFlags(cudaEvent_t *event, unsigned) {
  *event = (cudaEvent_t)0x1;
  return cudaSuccess;
}
__device__ static inline cudaError_t cudaEventDestroy(cudaEvent_t) {
  return cudaSuccess;
}
__device__ static inline cudaError_t cudaEventRecord(cudaEvent_t,
                                                     cudaStream_t = 0) {
  return cudaSuccess;
}
__device__ static inline cudaError_t
cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned = 0) {
  return cudaSuccess;
}

__device__ static inline cudaError_t cudaMemcpyAsync(void *to, const void *from,
                                                     size_t bytes,
                                                     cudaMemcpyKind,
                                                     cudaStream_t stream = 0) {
  return !bytes ? cudaSuccess
         : !to || !from
             ? cudaErrorInvalidValue
             : (cudaError_t)__cufort_launch_copy(to, from, 0, bytes, stream);
}
__device__ static inline cudaError_t
cudaMemsetAsync(void *to, int value, size_t bytes, cudaStream_t stream = 0) {
  return !bytes ? cudaSuccess
         : !to  ? cudaErrorInvalidValue
                : (cudaError_t)__cufort_launch_copy(to, nullptr, value, bytes,
                                                    stream);
}

// From the device's heap, as malloc and free.
__device__ static inline cudaError_t cudaMalloc(void **memory, size_t bytes) {
  *memory = malloc(bytes);
  return *memory || !bytes ? cudaSuccess : cudaErrorMemoryAllocation;
}
__device__ static inline cudaError_t cudaFree(void *memory) {
  free(memory);
  return cudaSuccess;
}
}

// Programmatic dependent launch, of GPUs from compute capability 9.0 on, which
// are asked for unless -arch= names older ones: there, and on the CPU, grids of
// a stream run one after the other, and nobody has to wait.

/// Waits until the grids that this one may overlap have ended and their writes
/// are visible.
__device__ static inline void cudaGridDependencySynchronize() {
#if __CUDA_ARCH__ >= 900 || !defined(__CUFORT_OLDER_GPUS)
  asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}
/// Allows grids that may overlap this one to begin, as far as this block is
/// concerned.
__device__ static inline void cudaTriggerProgrammaticLaunchCompletion() {
#if __CUDA_ARCH__ >= 900 || !defined(__CUFORT_OLDER_GPUS)
  asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
}

template <class T>
__device__ static inline cudaError_t cudaMalloc(T **memory, size_t bytes) {
  return cudaMalloc((void **)memory, bytes);
}

#endif // CUFORT_DEVICE_LAUNCHES_H

//===- errors.h - the errors of the CUDA driver API -------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_DRIVER_ERRORS_H
#define CUFORT_DRIVER_ERRORS_H

/* E(name, number): every CUresult. */
#define CUFORT_DRIVER_ERRORS(E)                                                \
  E(CUDA_SUCCESS, 0)                                                           \
  E(CUDA_ERROR_INVALID_VALUE, 1)                                               \
  E(CUDA_ERROR_OUT_OF_MEMORY, 2)                                               \
  E(CUDA_ERROR_NOT_INITIALIZED, 3)                                             \
  E(CUDA_ERROR_DEINITIALIZED, 4)                                               \
  E(CUDA_ERROR_PROFILER_DISABLED, 5)                                           \
  E(CUDA_ERROR_PROFILER_NOT_INITIALIZED, 6)                                    \
  E(CUDA_ERROR_PROFILER_ALREADY_STARTED, 7)                                    \
  E(CUDA_ERROR_PROFILER_ALREADY_STOPPED, 8)                                    \
  E(CUDA_ERROR_STUB_LIBRARY, 34)                                               \
  E(CUDA_ERROR_CALL_REQUIRES_NEWER_DRIVER, 36)                                 \
  E(CUDA_ERROR_DEVICE_UNAVAILABLE, 46)                                         \
  E(CUDA_ERROR_NO_DEVICE, 100)                                                 \
  E(CUDA_ERROR_INVALID_DEVICE, 101)                                            \
  E(CUDA_ERROR_DEVICE_NOT_LICENSED, 102)                                       \
  E(CUDA_ERROR_INVALID_IMAGE, 200)                                             \
  E(CUDA_ERROR_INVALID_CONTEXT, 201)                                           \
  E(CUDA_ERROR_CONTEXT_ALREADY_CURRENT, 202)                                   \
  E(CUDA_ERROR_MAP_FAILED, 205)                                                \
  E(CUDA_ERROR_UNMAP_FAILED, 206)                                              \
  E(CUDA_ERROR_ARRAY_IS_MAPPED, 207)                                           \
  E(CUDA_ERROR_ALREADY_MAPPED, 208)                                            \
  E(CUDA_ERROR_NO_BINARY_FOR_GPU, 209)                                         \
  E(CUDA_ERROR_ALREADY_ACQUIRED, 210)                                          \
  E(CUDA_ERROR_NOT_MAPPED, 211)                                                \
  E(CUDA_ERROR_NOT_MAPPED_AS_ARRAY, 212)                                       \
  E(CUDA_ERROR_NOT_MAPPED_AS_POINTER, 213)                                     \
  E(CUDA_ERROR_ECC_UNCORRECTABLE, 214)                                         \
  E(CUDA_ERROR_UNSUPPORTED_LIMIT, 215)                                         \
  E(CUDA_ERROR_CONTEXT_ALREADY_IN_USE, 216)                                    \
  E(CUDA_ERROR_PEER_ACCESS_UNSUPPORTED, 217)                                   \
  E(CUDA_ERROR_INVALID_PTX, 218)                                               \
  E(CUDA_ERROR_INVALID_GRAPHICS_CONTEXT, 219)                                  \
  E(CUDA_ERROR_NVLINK_UNCORRECTABLE, 220)                                      \
  E(CUDA_ERROR_JIT_COMPILER_NOT_FOUND, 221)                                    \
  E(CUDA_ERROR_UNSUPPORTED_PTX_VERSION, 222)                                   \
  E(CUDA_ERROR_JIT_COMPILATION_DISABLED, 223)                                  \
  E(CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY, 224)                                 \
  E(CUDA_ERROR_UNSUPPORTED_DEVSIDE_SYNC, 225)                                  \
  E(CUDA_ERROR_CONTAINED, 226)                                                 \
  E(CUDA_ERROR_INVALID_SOURCE, 300)                                            \
  E(CUDA_ERROR_FILE_NOT_FOUND, 301)                                            \
  E(CUDA_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND, 302)                            \
  E(CUDA_ERROR_SHARED_OBJECT_INIT_FAILED, 303)                                 \
  E(CUDA_ERROR_OPERATING_SYSTEM, 304)                                          \
  E(CUDA_ERROR_INVALID_HANDLE, 400)                                            \
  E(CUDA_ERROR_ILLEGAL_STATE, 401)                                             \
  E(CUDA_ERROR_LOSSY_QUERY, 402)                                               \
  E(CUDA_ERROR_NOT_FOUND, 500)                                                 \
  E(CUDA_ERROR_NOT_READY, 600)                                                 \
  E(CUDA_ERROR_ILLEGAL_ADDRESS, 700)                                           \
  E(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, 701)                                   \
  E(CUDA_ERROR_LAUNCH_TIMEOUT, 702)                                            \
  E(CUDA_ERROR_LAUNCH_INCOMPATIBLE_TEXTURING, 703)                             \
  E(CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED, 704)                               \
  E(CUDA_ERROR_PEER_ACCESS_NOT_ENABLED, 705)                                   \
  E(CUDA_ERROR_PRIMARY_CONTEXT_ACTIVE, 708)                                    \
  E(CUDA_ERROR_CONTEXT_IS_DESTROYED, 709)                                      \
  E(CUDA_ERROR_ASSERT, 710)                                                    \
  E(CUDA_ERROR_TOO_MANY_PEERS, 711)                                            \
  E(CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED, 712)                            \
  E(CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED, 713)                                \
  E(CUDA_ERROR_HARDWARE_STACK_ERROR, 714)                                      \
  E(CUDA_ERROR_ILLEGAL_INSTRUCTION, 715)                                       \
  E(CUDA_ERROR_MISALIGNED_ADDRESS, 716)                                        \
  E(CUDA_ERROR_INVALID_ADDRESS_SPACE, 717)                                     \
  E(CUDA_ERROR_INVALID_PC, 718)                                                \
  E(CUDA_ERROR_LAUNCH_FAILED, 719)                                             \
  E(CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE, 720)                              \
  E(CUDA_ERROR_TENSOR_MEMORY_LEAK, 721)                                        \
  E(CUDA_ERROR_NOT_PERMITTED, 800)                                             \
  E(CUDA_ERROR_NOT_SUPPORTED, 801)                                             \
  E(CUDA_ERROR_SYSTEM_NOT_READY, 802)                                          \
  E(CUDA_ERROR_SYSTEM_DRIVER_MISMATCH, 803)                                    \
  E(CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE, 804)                            \
  E(CUDA_ERROR_MPS_CONNECTION_FAILED, 805)                                     \
  E(CUDA_ERROR_MPS_RPC_FAILURE, 806)                                           \
  E(CUDA_ERROR_MPS_SERVER_NOT_READY, 807)                                      \
  E(CUDA_ERROR_MPS_MAX_CLIENTS_REACHED, 808)                                   \
  E(CUDA_ERROR_MPS_MAX_CONNECTIONS_REACHED, 809)                               \
  E(CUDA_ERROR_MPS_CLIENT_TERMINATED, 810)                                     \
  E(CUDA_ERROR_CDP_NOT_SUPPORTED, 811)                                         \
  E(CUDA_ERROR_CDP_VERSION_MISMATCH, 812)                                      \
  E(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, 900)                                \
  E(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, 901)                                \
  E(CUDA_ERROR_STREAM_CAPTURE_MERGE, 902)                                      \
  E(CUDA_ERROR_STREAM_CAPTURE_UNMATCHED, 903)                                  \
  E(CUDA_ERROR_STREAM_CAPTURE_UNJOINED, 904)                                   \
  E(CUDA_ERROR_STREAM_CAPTURE_ISOLATION, 905)                                  \
  E(CUDA_ERROR_STREAM_CAPTURE_IMPLICIT, 906)                                   \
  E(CUDA_ERROR_CAPTURED_EVENT, 907)                                            \
  E(CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD, 908)                               \
  E(CUDA_ERROR_TIMEOUT, 909)                                                   \
  E(CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE, 910)                                 \
  E(CUDA_ERROR_EXTERNAL_DEVICE, 911)                                           \
  E(CUDA_ERROR_INVALID_CLUSTER_SIZE, 912)                                      \
  E(CUDA_ERROR_FUNCTION_NOT_LOADED, 913)                                       \
  E(CUDA_ERROR_INVALID_RESOURCE_TYPE, 914)                                     \
  E(CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION, 915)                            \
  E(CUDA_ERROR_KEY_ROTATION, 916)                                              \
  E(CUDA_ERROR_UNKNOWN, 999)

#endif /* CUFORT_DRIVER_ERRORS_H */

//===- RuntimeApi.h - what cudafor calls ------------------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The CUDA runtime's C functions that the C side of cudafor calls, as
// runtime/api implements them, and the one entry point of runtime/fortran.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_MODULES_RUNTIMEAPI_H
#define CUFORT_MODULES_RUNTIMEAPI_H

#include <cstddef>

namespace cudafor {

using Stream = void *;
using Event = void *;
using Array = void *;
using Pool = void *;
using Graph = void *;
using GraphExec = void *;
using GraphNode = void *;

struct Dim3 {
  unsigned x, y, z;
};

struct Extent {
  size_t width, height, depth;
};

struct PitchedPointer {
  void *pointer;
  size_t pitch, xSize, ySize;
};

/// cudaChannelFormatDesc
struct ChannelFormat {
  int bits[4], kind;
};

/// cudaMemPoolProps
struct PoolProperties {
  int allocationType, handleTypes, locationType, location;
  void *securityAttributes;
  size_t maxSize;
  unsigned char reserved[56];
};

/// cudaGraphExecUpdateResultInfo
struct UpdateResult {
  int result;
  GraphNode node, fromNode;
};

enum : int {
  Success = 0,
  InvalidValue = 1,
  MemoryAllocation = 2,
  InvalidSymbol = 13
};
enum : int { MemcpyDefault = 4 };

extern "C" {
int cudaMalloc(void **pointer, size_t bytes);
int cudaMallocManaged(void **pointer, size_t bytes, unsigned flags);
int cudaMallocPitch(void **pointer, size_t *pitch, size_t width, size_t height);
int cudaFree(void *pointer);
int cudaMallocHost(void **pointer, size_t bytes);
int cudaHostAlloc(void **pointer, size_t bytes, unsigned flags);
int cudaFreeHost(void *pointer);
int cudaMemcpy(void *to, const void *from, size_t bytes, int kind);
int cudaMemcpyAsync(void *to, const void *from, size_t bytes, int kind,
                    Stream stream);
int cudaMemcpy2D(void *to, size_t toPitch, const void *from, size_t fromPitch,
                 size_t width, size_t height, int kind);
int cudaMemcpy2DAsync(void *to, size_t toPitch, const void *from,
                      size_t fromPitch, size_t width, size_t height, int kind,
                      Stream stream);
int cudaMemset(void *to, int byte, size_t bytes);
int cudaMemsetAsync(void *to, int byte, size_t bytes, Stream stream);
int cudaMemset2D(void *to, size_t pitch, int byte, size_t width, size_t height);
int cudaMemGetInfo(size_t *free, size_t *total);
int cudaGetDeviceProperties(void *properties, int device);
int cudaStreamDestroy(Stream stream);
int cudaDeviceSynchronize();
int cudaDeviceReset();
int cudaSetDevice(int device);
int cudaStreamSynchronize(Stream stream);
int cudaStreamQuery(Stream stream);
int cudaStreamWaitEvent(Stream stream, Event event, unsigned flags);
int cudaEventRecord(Event event, Stream stream);

int cudaStreamCreateWithPriority(Stream *stream, unsigned flags, int priority);
int cudaStreamGetPriority(Stream stream, int *priority);
int cudaStreamGetFlags(Stream stream, unsigned *flags);
int cudaStreamAttachMemAsync(Stream stream, void *pointer, size_t bytes,
                             unsigned flags);
int cudaStreamAddCallback(Stream stream, void (*call)(Stream, int, void *),
                          void *data, unsigned flags);
int cudaLaunchHostFunc(Stream stream, void (*call)(void *), void *data);
int cudaEventRecordWithFlags(Event event, Stream stream, unsigned flags);
int cudaEventElapsedTime(float *milliseconds, Event start, Event end);
int cudaEventQuery(Event event);
int cudaEventSynchronize(Event event);
int cudaDeviceGetLimit(size_t *value, int limit);
int cudaDeviceSetLimit(int limit, size_t value);
int cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks,
                                                           const void *kernel,
                                                           int threads,
                                                           size_t sharedBytes,
                                                           unsigned flags);
int cudaMallocAsync(void **pointer, size_t bytes, Stream stream);
int cudaMallocFromPoolAsync(void **pointer, size_t bytes, Pool pool,
                            Stream stream);
int cudaFreeAsync(void *pointer, Stream stream);
int cudaHostRegister(void *pointer, size_t bytes, unsigned flags);
int cudaHostUnregister(void *pointer);
int cudaHostGetDevicePointer(void **device, void *host, unsigned flags);
int cudaHostGetFlags(unsigned *flags, void *host);
int cudaMemcpy3DAsync(const void *parameters, Stream stream);
int cudaMemset2DAsync(void *to, size_t pitch, int byte, size_t width,
                      size_t height, Stream stream);
int cudaMemset3DAsync(PitchedPointer to, int byte, Extent extent,
                      Stream stream);
int cudaMemAdvise(const void *pointer, size_t bytes, int advice, int device);
int cudaMemPrefetchAsync(const void *pointer, size_t bytes, int device,
                         Stream stream);
int cudaMemRangeGetAttribute(void *data, size_t dataBytes, int attribute,
                             const void *pointer, size_t bytes);
int cudaMallocArray(Array *array, const ChannelFormat *format, size_t width,
                    size_t height, unsigned flags);
int cudaMalloc3DArray(Array *array, const ChannelFormat *format, Extent extent,
                      unsigned flags);
int cudaGetChannelDesc(ChannelFormat *format, Array array);
int cudaMemcpyToArray(Array to, size_t x, size_t y, const void *from,
                      size_t bytes, int kind);
int cudaMemcpyFromArray(void *to, Array from, size_t x, size_t y, size_t bytes,
                        int kind);
int cudaMemcpyArrayToArray(Array to, size_t toX, size_t toY, Array from,
                           size_t fromX, size_t fromY, size_t bytes, int kind);
int cudaMemcpy2DToArray(Array to, size_t x, size_t y, const void *from,
                        size_t pitch, size_t width, size_t height, int kind);
int cudaMemcpy2DFromArray(void *to, size_t pitch, Array from, size_t x,
                          size_t y, size_t width, size_t height, int kind);
int cudaMemcpy2DArrayToArray(Array to, size_t toX, size_t toY, Array from,
                             size_t fromX, size_t fromY, size_t width,
                             size_t height, int kind);
int cudaMemPoolCreate(Pool *pool, const PoolProperties *properties);
int cudaMemPoolTrimTo(Pool pool, size_t bytes);
int cudaMemPoolGetAttribute(Pool pool, int attribute, void *value);
int cudaMemPoolSetAttribute(Pool pool, int attribute, void *value);
int cudaMemcpyPeer(void *to, int toDevice, const void *from, int fromDevice,
                   size_t bytes);
int cudaMemcpyPeerAsync(void *to, int toDevice, const void *from,
                        int fromDevice, size_t bytes, Stream stream);
int cudaPointerGetAttributes(void *attributes, const void *pointer);
int cudaGraphGetNodes(Graph graph, GraphNode *nodes, size_t *count);
int cudaGraphGetRootNodes(Graph graph, GraphNode *nodes, size_t *count);
int cudaGraphGetEdges(Graph graph, GraphNode *from, GraphNode *to,
                      size_t *count);
int cudaGraphAddEmptyNode(GraphNode *node, Graph graph, const GraphNode *after,
                          size_t count);
int cudaGraphAddKernelNode(GraphNode *node, Graph graph, const GraphNode *after,
                           size_t count, const void *parameters);
int cudaGraphAddMemcpyNode(GraphNode *node, Graph graph, const GraphNode *after,
                           size_t count, const void *parameters);
int cudaGraphAddMemsetNode(GraphNode *node, Graph graph, const GraphNode *after,
                           size_t count, const void *parameters);
int cudaGraphAddHostNode(GraphNode *node, Graph graph, const GraphNode *after,
                         size_t count, const void *parameters);
int cudaGraphAddChildGraphNode(GraphNode *node, Graph graph,
                               const GraphNode *after, size_t count,
                               Graph child);
int cudaGraphAddDependencies(Graph graph, const GraphNode *from,
                             const GraphNode *to, size_t count);
int cudaGraphInstantiate(GraphExec *exec, Graph graph,
                         unsigned long long flags);
int cudaGraphLaunch(GraphExec exec, Stream stream);
int cudaGraphExecUpdate(GraphExec exec, Graph graph, UpdateResult *result);
int cudaStreamBeginCapture(Stream stream, int mode);
int cudaStreamBeginCaptureToGraph(Stream stream, Graph graph,
                                  const GraphNode *after, const void *edges,
                                  size_t count, int mode);
int cudaStreamEndCapture(Stream stream, Graph *graph);
int cudaStreamIsCapturing(Stream stream, int *status);
int cudaStreamGetCaptureInfo(Stream stream, int *status, unsigned long long *id,
                             Graph *graph, const GraphNode **after,
                             const void **edges, size_t *count);
int cudaLaunchCooperativeKernel(const void *kernel, Dim3 grid, Dim3 block,
                                void **parameters, size_t sharedBytes,
                                Stream stream);
int cudaIpcGetMemHandle(void *handle, void *pointer);
int cudaIpcCloseMemHandle(void *pointer);
const char *cudaGetErrorString(int error);

// The runtime's own, for what cudafor has and CUDA has not.
int __cufort_record_error(int error);
int __cufort_event_recorded(Event event, int *recorded);
int __cufort_symbol(const char *name, size_t length, void **address,
                    size_t *bytes);
int __cufort_potential_block_size(int *grid, int *block, const void *kernel,
                                  size_t sharedBytes, int limit);
int __cufort_number_stream(Stream stream);
using FillFunction = int(void *memory, const void *pattern, size_t patternBytes,
                         size_t count, Stream stream);
FillFunction __cufort_fill, __cufort_fill_async;
int _FortranACUFSetDefaultStream(Stream stream);
Stream _FortranACUFGetAssociatedStream(void *array);
int _FortranACUFSetAssociatedStream(void *array, size_t bytes, Stream stream);

int cudaGetSymbolAddress(void **device, const void *host);
int cudaGetLastError();
int cudaPeekAtLastError();

// Between them what the thread asks the runtime for is one call of NAME.
void *__cufort_routine_begins(const char *name);
void __cufort_routine_ends(void *routine);

// Copies a descriptor to its place on the device; file and line are for the
// message of a failure.
void _FortranACUFDescriptorSync(void *device, const void *host,
                                const char *file, int line);
}

/// A call that ends here with \p error: cudaGetLastError knows it, as it does
/// those that the runtime finds.
inline int refused(int error) { return __cufort_record_error(error); }

/// In a routine that calls others of the runtime, or none: CUFORT_PROFILE
/// counts it under the name by which the program called it.
class Routine {
public:
  explicit Routine(const char *name) : begun(__cufort_routine_begins(name)) {}
  Routine(const Routine &) = delete;
  Routine &operator=(const Routine &) = delete;
  ~Routine() {
    if (begun)
      __cufort_routine_ends(begun);
  }

private:
  void *const begun;
};

} // namespace cudafor

#endif // CUFORT_MODULES_RUNTIMEAPI_H

//===- WorkloadDriver.cpp - a little of the driver API --------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WorkloadDriver.h"
#include "WorkloadSteps.h"
#include "cuda.h"
#include "cuda_runtime_api.h"
#include <cstring>
#include <unistd.h>

namespace {

constexpr int Count = 1000;
constexpr size_t Bytes = Count * sizeof(int);

/// What work that is in flight when a call has failed may still write.
struct Host {
  int to[Count], back[Count];
};
Host &host() {
  static thread_local Host own;
  return own;
}

/// What is wrong although all calls have succeeded.
void expect(bool right, const char *what, const WorkloadCheck &check) {
  if (!right)
    check(cudaErrorAssert, what);
}

void runtimeLibrary(const char *path, bool computes,
                    const WorkloadCheck &check) {
  cudaLibrary_t library = nullptr;
  cudaKernel_t kernel = nullptr, again = nullptr, all[2];
  void *total = nullptr, *a = nullptr;
  size_t bytes = 0;
  unsigned count = 0;
  TRY(cudaLibraryLoadFromFile(&library, path, nullptr, nullptr, 0, nullptr,
                              nullptr, 0));
  AT_END(cudaLibraryUnload(library));
  TRY(cudaLibraryGetKernel(&kernel, library, "set"));
  TRY(cudaLibraryGetKernel(&again, library, "set"));
  expect(kernel == again, "the handle of a kernel", check);
  ASK(cudaLibraryGetKernelCount(&count, library));
  ASK(cudaLibraryEnumerateKernels(all, 2, library));
  TRY(cudaLibraryGetGlobal(&total, &bytes, library, "total"));
  int five = 5;
  ASK(cudaMemcpy(total, &five, sizeof(five), cudaMemcpyHostToDevice));
  TRY(cudaMalloc(&a, Bytes));
  AT_END(cudaFree(a));
  int value = 3, n = Count;
  void *parameters[] = {&a, &value, &n};
  const bool done = ASK(cudaLaunchKernel(kernel, dim3(8), dim3(128), parameters,
                                         0, nullptr)) &&
                    ASK(cudaDeviceSynchronize());
  int *back = host().back;
  std::memset(back, 0, Bytes);
  if (done && ASK(cudaMemcpy(back, a, Bytes, cudaMemcpyDeviceToHost)) &&
      computes)
    expect(back[0] == 8 && back[Count - 1] == 8, "what a kernel wrote", check);
  cudaFuncAttributes attributes;
  ASK(cudaFuncGetAttributes(&attributes, kernel));
}

void driverLibrary(const char *path, const WorkloadCheck &check) {
  CUlibrary library = nullptr, owner = nullptr;
  CUkernel kernel = nullptr;
  CUfunction function = nullptr;
  CUmodule module = nullptr;
  CUdeviceptr total, a = 0;
  const char *name = nullptr;
  size_t bytes;
  int number;
  TRY(cuLibraryLoadFromFile(&library, path, nullptr, nullptr, 0, nullptr,
                            nullptr, 0));
  AT_END(cuLibraryUnload(library));
  TRY(cuLibraryGetKernel(&kernel, library, "set"));
  ASK(cuKernelGetName(&name, kernel));
  ASK(cuKernelGetLibrary(&owner, kernel));
  ASK(cuLibraryGetModule(&module, library));
  ASK(cuLibraryGetGlobal(&total, &bytes, library, "total"));
  ASK(cuKernelGetAttribute(&number, CU_FUNC_ATTRIBUTE_NUM_REGS, kernel, 0));
  TRY(cuKernelGetFunction(&function, kernel));
  TRY(cuMemAlloc(&a, Bytes));
  AT_END(cuMemFree(a));
  int value = 3, n = Count;
  void *parameters[] = {&a, &value, &n};
  ASK(cuLaunchKernel(function, 8, 1, 1, 128, 1, 1, 0, nullptr, parameters,
                     nullptr));
  CUlaunchConfig configuration{};
  configuration.gridDimX = 8;
  configuration.blockDimX = 128;
  configuration.gridDimY = configuration.gridDimZ = configuration.blockDimY =
      configuration.blockDimZ = 1;
  ASK(cuLaunchKernelEx(&configuration, reinterpret_cast<CUfunction>(kernel),
                       parameters, nullptr));
  ASK(cuCtxSynchronize());
}

void modules(const char *path, const WorkloadCheck &check) {
  CUmodule module = nullptr;
  CUfunction function = nullptr;
  CUdeviceptr total;
  size_t bytes;
  int blocks = 0, threads = 0;
  TRY(cuModuleLoad(&module, path));
  AT_END(cuModuleUnload(module));
  TRY(cuModuleGetFunction(&function, module, "set"));
  ASK(cuModuleGetGlobal(&total, &bytes, module, "total"));
  ASK(cuFuncGetAttribute(&threads, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK,
                         function));
  ASK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, 128, 0));

  // Its kernel in a graph, between memory that belongs to the graph.
  CUgraph graph = nullptr;
  CUgraphExec exec = nullptr;
  CUgraphNode allocation, kernel, fill, release, from[8], to[8];
  size_t count = 8;
  CUDA_MEM_ALLOC_NODE_PARAMS p{};
  p.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  p.poolProps.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
  p.bytesize = Bytes;
  TRY(cuGraphCreate(&graph, 0));
  AT_END(cuGraphDestroy(graph));
  TRY(cuGraphAddMemAllocNode(&allocation, graph, nullptr, 0, &p));
  int value = 1, n = Count;
  void *parameters[] = {&p.dptr, &value, &n};
  CUDA_KERNEL_NODE_PARAMS launch{};
  launch.func = function;
  launch.gridDimX = 8;
  launch.blockDimX = 128;
  launch.gridDimY = launch.gridDimZ = launch.blockDimY = launch.blockDimZ = 1;
  launch.kernelParams = parameters;
  const CUDA_MEMSET_NODE_PARAMS zeros{p.dptr, 0, 0, 4, Count, 1};
  TRY(cuGraphAddKernelNode(&kernel, graph, nullptr, 0, &launch));
  TRY(cuGraphAddMemsetNode(&fill, graph, nullptr, 0, &zeros, nullptr));
  TRY(cuGraphAddMemFreeNode(&release, graph, &fill, 1, p.dptr));
  TRY(cuGraphAddDependencies(graph, &allocation, &kernel, 1));
  TRY(cuGraphAddDependencies(graph, &kernel, &fill, 1));
  ASK(cuGraphGetEdges(graph, from, to, &count));
  ASK(cuGraphKernelNodeGetParams(kernel, &launch));
  TRY(cuGraphInstantiate(&exec, graph, 0));
  AT_END(cuGraphExecDestroy(exec));
  ASK(cuGraphLaunch(exec, nullptr));
  if (!ASK(cuCtxSynchronize()))
    cuCtxSynchronize();
  ASK(cuDeviceGraphMemTrim(0));
}

void arrays(const WorkloadCheck &check) {
  CUarray array = nullptr;
  CUtexObject texture = 0;
  CUdeviceptr a = 0;
  CUDA_ARRAY_DESCRIPTOR shape{};
  shape.Width = shape.Height = 16;
  shape.Format = CU_AD_FORMAT_FLOAT;
  shape.NumChannels = 1;
  TRY(cuArrayCreate(&array, &shape));
  AT_END(cuArrayDestroy(array));
  ASK(cuArrayGetDescriptor(&shape, array));
  CUDA_MEMCPY2D copy{};
  copy.srcMemoryType = CU_MEMORYTYPE_HOST;
  copy.srcHost = host().to;
  copy.srcPitch = 64;
  copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
  copy.dstArray = array;
  copy.WidthInBytes = 64;
  copy.Height = 16;
  for (int i = 0; i < 256; ++i)
    host().to[i] = i;
  if (ASK(cuMemcpy2D(&copy))) {
    CUDA_MEMCPY2D read{};
    read.srcMemoryType = CU_MEMORYTYPE_ARRAY;
    read.srcArray = array;
    read.dstMemoryType = CU_MEMORYTYPE_HOST;
    read.dstHost = host().back;
    read.dstPitch = 64;
    read.WidthInBytes = 64;
    read.Height = 16;
    if (ASK(cuMemcpy2D(&read)))
      expect(!std::memcmp(host().to, host().back, 1024),
             "data through an array", check);
  }
  TRY(cuMemAlloc(&a, 1024));
  AT_END(cuMemFree(a));
  ASK(cuMemcpyAtoD(a, array, 0, 64));
  ASK(cuMemcpyDtoA(array, 0, a, 64));
  CUDA_RESOURCE_DESC resource{};
  resource.resType = CU_RESOURCE_TYPE_ARRAY;
  resource.res.array.hArray = array;
  CUDA_TEXTURE_DESC sampling{};
  TRY(cuTexObjectCreate(&texture, &resource, &sampling, nullptr));
  AT_END(cuTexObjectDestroy(texture));
  ASK(cuTexObjectGetResourceDesc(&resource, texture));
}

void poolsAndValues(const WorkloadCheck &check) {
  CUmemoryPool pool = nullptr;
  CUmemPoolProps properties{};
  properties.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
  CUstream stream = nullptr, other = nullptr;
  CUdeviceptr a = 0;
  TRY(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  AT_END(cuStreamDestroy(stream));
  TRY(cuStreamCreate(&other, CU_STREAM_NON_BLOCKING));
  AT_END(cuStreamDestroy(other));
  TRY(cuMemPoolCreate(&pool, &properties));
  AT_END(cuMemPoolDestroy(pool));
  if (ASK(cuMemAllocFromPoolAsync(&a, Bytes, pool, stream)))
    if (!ASK(cuMemFreeAsync(a, stream)))
      cuMemFreeAsync(a, stream);
  if (!ASK(cuStreamSynchronize(stream)))
    cuStreamSynchronize(stream);

  CUdeviceptr value = 0;
  TRY(cuMemAlloc(&value, 64));
  AT_END(cuMemFree(value));
  ASK(cuMemsetD32(value, 0, 16));
  ASK(cuCtxSynchronize());
  // A wait whose write has failed would wait for ever.
  if (ASK(cuStreamWriteValue32(other, value, 1, 0)))
    ASK(cuStreamWaitValue32(stream, value, 1, CU_STREAM_WAIT_VALUE_EQ));
  CUstreamBatchMemOpParams batch[2]{};
  batch[0].writeValue.operation = CU_STREAM_MEM_OP_WRITE_VALUE_64;
  batch[0].writeValue.address = value + 8;
  batch[0].writeValue.value64 = 7;
  batch[1].waitValue.operation = CU_STREAM_MEM_OP_WAIT_VALUE_64;
  batch[1].waitValue.address = value + 8;
  batch[1].waitValue.value64 = 7;
  ASK(cuStreamBatchMemOp(stream, 2, batch, 0));
  if (!ASK(cuStreamSynchronize(other)))
    cuStreamSynchronize(other);
  if (!ASK(cuStreamSynchronize(stream)))
    cuStreamSynchronize(stream);
}

// An event that other processes could use; here the same one opens it.
void sharedEvents(const WorkloadCheck &check) {
  CUevent event = nullptr, same = nullptr;
  CUstream stream = nullptr;
  CUipcEventHandle handle;
  TRY(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  AT_END(cuStreamDestroy(stream));
  TRY(cuEventCreate(&event, CU_EVENT_DISABLE_TIMING | CU_EVENT_INTERPROCESS));
  AT_END(cuEventDestroy(event));
  TRY(cuIpcGetEventHandle(&handle, event));
  TRY(cuIpcOpenEventHandle(&same, handle));
  AT_END(cuEventDestroy(same));
  ASK(cuEventRecord(event, stream));
  ASK(cuStreamWaitEvent(stream, same, 0));
  ASK(cuEventSynchronize(same));
  if (!ASK(cuStreamSynchronize(stream)))
    cuStreamSynchronize(stream);
}

void virtualMemory(const WorkloadCheck &check) {
  CUmemAllocationProp properties{};
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
  properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
  const CUmemAccessDesc access{properties.location,
                               CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
  CUmemGenericAllocationHandle handle = 0, imported = 0;
  CUdeviceptr range = 0;
  size_t piece = 0;
  int file = -1;
  TRY(cuMemGetAllocationGranularity(&piece, &properties,
                                    CU_MEM_ALLOC_GRANULARITY_MINIMUM));
  TRY(cuMemAddressReserve(&range, 2 * piece, 0, 0, 0));
  AT_END(cuMemAddressFree(range, 2 * piece));
  TRY(cuMemCreate(&handle, piece, &properties, 0));
  AT_END(cuMemRelease(handle));
  TRY(cuMemMap(range, piece, 0, handle, 0));
  AT_END(cuMemUnmap(range, piece));
  if (ASK(cuMemSetAccess(range, piece, &access, 1)))
    ASK(cuMemsetD32(range, 0, Count));
  if (!ASK(cuCtxSynchronize()))
    cuCtxSynchronize();
  TRY(cuMemExportToShareableHandle(
      &file, handle, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
  const bool got = ASK(cuMemImportFromShareableHandle(
      &imported, reinterpret_cast<void *>(intptr_t(file)),
      CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR));
  if (file > 2)
    close(file);
  if (!got)
    return;
  AT_END(cuMemRelease(imported));
  TRY(cuMemMap(range + piece, piece, 0, imported, 0));
  AT_END(cuMemUnmap(range + piece, piece));
}

// Managed memory and copies in batches, in the thread's default stream.
void managedAndBatches(const WorkloadCheck &check) {
  CUdeviceptr managed = 0, a = 0;
  CUstream stream = nullptr;
  CUmemLocation here = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
  int readMostly = 0;
  TRY(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  AT_END(cuStreamDestroy(stream));
  TRY(cuMemAllocManaged(&managed, Bytes, CU_MEM_ATTACH_GLOBAL));
  AT_END(cuMemFree(managed));
  TRY(cuMemAlloc(&a, Bytes));
  AT_END(cuMemFree(a));
  ASK(cuMemAdvise(managed, Bytes, CU_MEM_ADVISE_SET_READ_MOSTLY, here));
  ASK(cuMemRangeGetAttribute(&readMostly, sizeof(int),
                             CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, managed,
                             Bytes));
  ASK(cuMemPrefetchAsync(managed, Bytes, here, 0, CU_STREAM_PER_THREAD));
  if (!ASK(cuStreamSynchronize(CU_STREAM_PER_THREAD)))
    cuStreamSynchronize(CU_STREAM_PER_THREAD);
  CUmemcpyAttributes attributes = {CU_MEMCPY_SRC_ACCESS_ORDER_STREAM, here,
                                   here, 0};
  CUdeviceptr to[] = {a, a + Bytes / 2},
              from[] = {managed, managed + Bytes / 2};
  size_t sizes[] = {Bytes / 2, Bytes / 2}, places[] = {0};
  ASK(cuMemcpyBatchAsync(to, from, sizes, 2, &attributes, places, 1, stream));
  ASK(cuMemPrefetchBatchAsync(&managed, sizes, 1, &here, places, 1, 0, stream));
  ASK(cuMemsetD2D32Async(a, 64, 5, 8, 4, stream));
  if (!ASK(cuStreamSynchronize(stream)))
    cuStreamSynchronize(stream);
  CUmemoryPool pool = nullptr;
  ASK(cuMemGetMemPool(&pool, &here, CU_MEM_ALLOCATION_TYPE_PINNED));

  // As a program for the thread's default stream calls it.
  void *copy = nullptr;
  if (ASK(cuGetProcAddress("cuMemcpyHtoDAsync", &copy, 13000,
                           CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM,
                           nullptr)))
    ASK(reinterpret_cast<decltype(&cuMemcpyHtoDAsync)>(copy)(a, host().to,
                                                             Bytes, nullptr));
  if (!ASK(cuStreamSynchronize(CU_STREAM_PER_THREAD)))
    cuStreamSynchronize(CU_STREAM_PER_THREAD);
}

// A graph of nodes of any type, which keeps an object of the program's.
void nodesOfAnyType(bool computes, const WorkloadCheck &check) {
  CUgraph graph = nullptr;
  CUgraphNode fill = nullptr, copy = nullptr;
  CUuserObject object = nullptr;
  CUdeviceptr a = 0;
  CUgraphNodeParams p{};
  CUDA_GRAPH_INSTANTIATE_PARAMS instantiation{};
  CUgraphExec exec = nullptr;
  TRY(cuMemAlloc(&a, Bytes));
  AT_END(cuMemFree(a));
  TRY(cuGraphCreate(&graph, 0));
  AT_END(cuGraphDestroy(graph));
  static int nothing;
  TRY(cuUserObjectCreate(
      &object, &nothing, [](void *) {}, 1, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC));
  AT_END(cuUserObjectRelease(object, 1));
  ASK(cuGraphRetainUserObject(graph, object, 1, 0));
  p.type = CU_GRAPH_NODE_TYPE_MEMSET;
  p.memset = {a, 0, 7, 4, Count, 1, nullptr};
  TRY(cuGraphAddNode(&fill, graph, nullptr, nullptr, 0, &p));
  CUgraphNodeParams q{};
  q.type = CU_GRAPH_NODE_TYPE_MEMCPY;
  q.memcpy.copyParams.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  q.memcpy.copyParams.srcDevice = a;
  q.memcpy.copyParams.dstMemoryType = CU_MEMORYTYPE_HOST;
  q.memcpy.copyParams.dstHost = host().back;
  q.memcpy.copyParams.WidthInBytes = Bytes;
  q.memcpy.copyParams.Height = q.memcpy.copyParams.Depth = 1;
  TRY(cuGraphAddNode(&copy, graph, &fill, nullptr, 1, &q));
  TRY(cuGraphInstantiateWithParams(&exec, graph, &instantiation));
  AT_END(cuGraphExecDestroy(exec));
  p.memset.value = 9;
  const bool set = ASK(cuGraphExecNodeSetParams(exec, fill, &p));
  const bool launched = ASK(cuGraphLaunch(exec, nullptr));
  if (!ASK(cuCtxSynchronize()))
    cuCtxSynchronize();
  else if (launched && computes)
    expect(host().back[Count - 1] == (set ? 9 : 7), "what a graph wrote",
           check);
}

} // namespace

void workOnDriver(const char *path, bool computes, const WorkloadCheck &check) {
  CUcontext context = nullptr;
  void *function = nullptr;
  TRY(cuInit(0));
  TRY(cuDevicePrimaryCtxRetain(&context, 0));
  AT_END(cuDevicePrimaryCtxRelease(0));
  TRY(cuCtxPushCurrent(context));
  AT_END(cuCtxPopCurrent(nullptr));
  ASK(cuGetProcAddress("cuGraphGetEdges", &function, 12000, 0, nullptr));
  ASK(cuGetProcAddress("cuMemcpyHtoD", &function, 12000,
                       CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM, nullptr));
  runtimeLibrary(path, computes, check);
  driverLibrary(path, check);
  modules(path, check);
  arrays(check);
  poolsAndValues(check);
  sharedEvents(check);
  virtualMemory(check);
  managedAndBatches(check);
  nodesOfAnyType(computes, check);
}

void workOnLinks(const WorkloadCheck &check) {
  static char text[] = ".version 7.0";
  CUlinkState link = nullptr;
  void *code = nullptr;
  size_t bytes = 0;
  TRY(cuLinkCreate(0, nullptr, nullptr, &link));
  AT_END(cuLinkDestroy(link));
  TRY(cuLinkAddData(link, CU_JIT_INPUT_PTX, text, sizeof(text), "text", 0,
                    nullptr, nullptr));
  ASK(cuLinkComplete(link, &code, &bytes));
}

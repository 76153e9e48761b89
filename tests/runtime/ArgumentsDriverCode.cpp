//===- ArgumentsDriverCode.cpp - wrong arguments: the driver's code -------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions of cuda.h for modules, libraries, kernels, links and graphs.
//
//===----------------------------------------------------------------------===//

#include "ArgumentsDriver.h"
#include <cstring>

namespace {

TEST_F(DriverArguments, OfCode) {
  auto module = none<CUmodule>();
  auto function = none<CUfunction>();
  auto library = none<CUlibrary>();
  auto kernel = none<CUkernel>();
  CUmodule made = nullptr;
  CUfunction found = nullptr;
  CUkernel foundKernel = nullptr;
  CUlibrary madeLibrary = nullptr;
  CUlaunchConfig configuration{};
  const char *name = nullptr;
  void *address = nullptr;
  CUjit_option option = CU_JIT_MAX_REGISTERS;
  check({
      VALUE(cuModuleLoad(nullptr, "/nowhere")),
      VALUE(cuModuleLoad(&made, nullptr)),
      LINE(FILE_NOT_FOUND, cuModuleLoad(&made, "/nowhere")),
      VALUE(cuModuleLoadData(nullptr, "text")),
      VALUE(cuModuleLoadData(&made, nullptr)),
      VALUE(cuModuleLoadDataEx(&made, nullptr, 0, nullptr, nullptr)),
      VALUE(cuModuleLoadDataEx(&made, "text", 1, &option, nullptr)),
      VALUE(cuModuleLoadFatBinary(nullptr, "text")),
      VALUE(cuModuleLoadFatBinary(&made, nullptr)),
      HANDLE(cuModuleUnload(module)),

      HANDLE(cuModuleGetFunction(&found, module, "f")),

      HANDLE(cuModuleGetGlobal(&place, &bytes, module, "v")),

      HANDLE(cuModuleGetFunctionCount(&count, module)),

      HANDLE(cuModuleEnumerateFunctions(&found, 1, module)),

      HANDLE(cuFuncGetAttribute(&number, CU_FUNC_ATTRIBUTE_NUM_REGS, function)),
      HANDLE(cuFuncSetAttribute(
          function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 0)),
      HANDLE(cuFuncSetCacheConfig(function, CU_FUNC_CACHE_PREFER_NONE)),

      HANDLE(cuFuncGetModule(&made, function)),

      HANDLE(cuFuncGetName(&name, function)),
      HANDLE(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, stream, nullptr,
                            nullptr)),
      HANDLE(cuLaunchCooperativeKernel(function, 1, 1, 1, 1, 1, 1, 0, stream,
                                       nullptr)),
      VALUE(cuLaunchKernelEx(nullptr, function, nullptr, nullptr)),
      HANDLE(cuLaunchKernelEx(&configuration, function, nullptr, nullptr)),
      HANDLE(cuOccupancyMaxActiveBlocksPerMultiprocessor(&number, function, 32,
                                                         0)),
      HANDLE(cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
          &number, function, 32, 0, 0)),
      HANDLE(cuOccupancyMaxPotentialBlockSize(&number, &number, function,
                                              nullptr, 0, 0)),
      HANDLE(cuOccupancyMaxPotentialClusterSize(&number, function,
                                                &configuration)),
      HANDLE(cuOccupancyMaxActiveClusters(&number, function, &configuration)),
      VALUE(cuLibraryLoadData(nullptr, "text", nullptr, nullptr, 0, nullptr,
                              nullptr, 0)),
      VALUE(cuLibraryLoadData(&madeLibrary, nullptr, nullptr, nullptr, 0,
                              nullptr, nullptr, 0)),
      LINE(FILE_NOT_FOUND,
           cuLibraryLoadFromFile(&madeLibrary, "/nowhere", nullptr, nullptr, 0,
                                 nullptr, nullptr, 0)),
      HANDLE(cuLibraryUnload(library)),
      VALUE(cuLibraryGetKernel(nullptr, library, "k")),
      HANDLE(cuLibraryGetKernel(&foundKernel, library, "k")),
      VALUE(cuLibraryGetKernelCount(nullptr, library)),
      HANDLE(cuLibraryGetKernelCount(&count, library)),
      HANDLE(cuLibraryEnumerateKernels(&foundKernel, 1, library)),
      VALUE(cuLibraryGetModule(nullptr, library)),
      HANDLE(cuLibraryGetModule(&made, library)),
      HANDLE(cuLibraryGetGlobal(&place, &bytes, library, "v")),
      HANDLE(cuLibraryGetManaged(&place, &bytes, library, "v")),
      HANDLE(cuLibraryGetUnifiedFunction(&address, library, "f")),
      VALUE(cuKernelGetFunction(nullptr, kernel)),
      HANDLE(cuKernelGetFunction(&found, kernel)),
      VALUE(cuKernelGetLibrary(nullptr, kernel)),
      HANDLE(cuKernelGetLibrary(&madeLibrary, kernel)),
      VALUE(cuKernelGetName(nullptr, kernel)),
      HANDLE(cuKernelGetName(&name, kernel)),
      HANDLE(cuKernelGetParamInfo(kernel, 0, &bytes, &bytes)),
      HANDLE(
          cuKernelGetAttribute(&number, CU_FUNC_ATTRIBUTE_NUM_REGS, kernel, 0)),
      HANDLE(cuKernelSetAttribute(
          CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 0, kernel, 0)),
      HANDLE(cuKernelSetCacheConfig(kernel, CU_FUNC_CACHE_PREFER_NONE, 0)),
      VALUE(cuLinkCreate(0, nullptr, nullptr, nullptr)),
      HANDLE(cuLinkAddData(none<CUlinkState>(), CU_JIT_INPUT_PTX, text, 1, "n",
                           0, nullptr, nullptr)),
      HANDLE(cuLinkAddFile(none<CUlinkState>(), CU_JIT_INPUT_PTX, "/nowhere", 0,
                           nullptr, nullptr)),
      HANDLE(cuLinkComplete(none<CUlinkState>(), &address, &bytes)),
      HANDLE(cuLinkDestroy(none<CUlinkState>())),
      VALUE(cuGetProcAddress(nullptr, &address, 12000, 0, nullptr)),
      LINE(NOT_FOUND, cuGetProcAddress("none", &address, 12000, 0, nullptr)),
  });
}

TEST_F(DriverArguments, OfGraphs) {
  CUgraphNode node = nullptr;
  auto noNode = none<CUgraphNode>();
  auto noGraph = none<CUgraph>();
  auto noExec = none<CUgraphExec>();
  CUgraph made = nullptr;
  CUgraphExec exec = nullptr;
  CUgraphNodeType type;
  CUDA_KERNEL_NODE_PARAMS kernel{};
  CUDA_MEMCPY3D copy;
  std::memset(&copy, 0, sizeof(copy));
  CUDA_MEMSET_NODE_PARAMS fill{};
  CUDA_HOST_NODE_PARAMS call{};
  CUDA_MEM_ALLOC_NODE_PARAMS allocation{};
  CUgraphExecUpdateResultInfo update{};
  CUevent given = nullptr;
  cuuint64_t flags = 0;
  check({
      VALUE(cuGraphCreate(nullptr, 0)),
      VALUE(cuGraphCreate(&made, 1)),
      VALUE(cuGraphDestroy(noGraph)),
      VALUE(cuGraphClone(nullptr, graph)),
      VALUE(cuGraphClone(&made, noGraph)),
      VALUE(cuGraphAddKernelNode(nullptr, graph, nullptr, 0, &kernel)),
      VALUE(cuGraphAddMemcpyNode(&node, graph, nullptr, 0, &copy, nullptr)),
      VALUE(cuGraphAddMemsetNode(&node, graph, nullptr, 0, &fill, nullptr)),
      VALUE(cuGraphAddHostNode(&node, graph, nullptr, 0, &call)),
      VALUE(cuGraphAddChildGraphNode(&node, graph, nullptr, 0, noGraph)),
      VALUE(cuGraphAddEmptyNode(nullptr, graph, nullptr, 0)),
      VALUE(cuGraphAddEmptyNode(&node, noGraph, nullptr, 0)),
      VALUE(cuGraphAddEmptyNode(&node, graph, nullptr, 1)),
      VALUE(cuGraphAddEmptyNode(&node, graph, &noNode, 1)),
      VALUE(cuGraphAddEventRecordNode(nullptr, graph, nullptr, 0, event)),
      VALUE(cuGraphAddEventWaitNode(nullptr, graph, nullptr, 0, event)),
      VALUE(cuGraphAddEventWaitNode(&node, graph, nullptr, 0, none<CUevent>())),
      VALUE(cuGraphAddMemAllocNode(&node, graph, nullptr, 0, &allocation)),
      VALUE(cuGraphAddMemFreeNode(&node, graph, nullptr, 0, 0)),
      VALUE(cuGraphMemAllocNodeGetParams(noNode, &allocation)),
      VALUE(cuGraphMemFreeNodeGetParams(noNode, &place)),
      VALUE(cuGraphKernelNodeGetParams(noNode, &kernel)),
      VALUE(cuGraphKernelNodeSetParams(noNode, &kernel)),
      VALUE(cuGraphMemcpyNodeGetParams(noNode, &copy)),
      VALUE(cuGraphMemcpyNodeSetParams(noNode, &copy)),
      VALUE(cuGraphMemsetNodeGetParams(noNode, &fill)),
      VALUE(cuGraphMemsetNodeSetParams(noNode, &fill)),
      VALUE(cuGraphHostNodeGetParams(noNode, &call)),
      VALUE(cuGraphHostNodeSetParams(noNode, &call)),
      VALUE(cuGraphExecKernelNodeSetParams(noExec, noNode, &kernel)),
      VALUE(cuGraphExecMemcpyNodeSetParams(noExec, noNode, &copy, nullptr)),
      VALUE(cuGraphExecMemsetNodeSetParams(noExec, noNode, &fill, nullptr)),
      VALUE(cuGraphExecHostNodeSetParams(noExec, noNode, &call)),
      VALUE(cuGraphGetNodes(graph, nullptr, nullptr)),
      VALUE(cuGraphGetNodes(noGraph, nullptr, &bytes)),
      VALUE(cuGraphGetRootNodes(graph, nullptr, nullptr)),
      VALUE(cuGraphNodeGetType(noNode, &type)),
      VALUE(cuGraphNodeGetType(noNode, nullptr)),
      VALUE(cuGraphDestroyNode(noNode)),
      VALUE(cuGraphDebugDotPrint(graph, nullptr, 0)),
      VALUE(cuGraphInstantiate(nullptr, graph, 0)),
      VALUE(cuGraphInstantiate(&exec, noGraph, 0)),
      VALUE(cuGraphUpload(noExec, stream)),
      VALUE(cuGraphLaunch(noExec, stream)),
      VALUE(cuGraphExecDestroy(noExec)),
      VALUE(cuGraphExecUpdate(noExec, graph, &update)),
      VALUE(cuGraphAddDependencies(noGraph, &noNode, &noNode, 1)),
      VALUE(cuGraphRemoveDependencies(noGraph, &noNode, &noNode, 1)),
      VALUE(cuGraphGetEdges(noGraph, nullptr, nullptr, &bytes)),
      VALUE(cuGraphNodeGetDependencies(noNode, nullptr, &bytes)),
      VALUE(cuGraphNodeGetDependentNodes(noNode, nullptr, &bytes)),
      VALUE(cuGraphNodeFindInClone(&node, noNode, graph)),
      VALUE(cuGraphChildGraphNodeGetGraph(noNode, &made)),
      VALUE(cuGraphExecChildGraphNodeSetParams(noExec, noNode, graph)),
      VALUE(cuGraphEventRecordNodeGetEvent(noNode, &given)),
      VALUE(cuGraphEventRecordNodeSetEvent(noNode, event)),
      VALUE(cuGraphEventWaitNodeGetEvent(noNode, &given)),
      VALUE(cuGraphEventWaitNodeSetEvent(noNode, event)),
      VALUE(cuGraphExecEventRecordNodeSetEvent(noExec, noNode, event)),
      VALUE(cuGraphExecEventWaitNodeSetEvent(noExec, noNode, event)),
      VALUE(cuGraphNodeSetEnabled(noExec, noNode, 1)),
      VALUE(cuGraphNodeGetEnabled(noExec, noNode, &count)),
      VALUE(cuGraphExecGetFlags(noExec, &flags)),
  });
}

} // namespace

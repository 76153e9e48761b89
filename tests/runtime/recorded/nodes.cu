//===- nodes.cu - nodes of graphs and their changes ------------*- CUDA -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Recording.h"
#include "Shapes.h"
#include "Work.h"

__device__ int variable[4];

/// Of any kind, of symbols, events, children and boxes.
static void nodes() {
  allocate(1 << 20);
  cudaGraph_t graph, other;
  cudaGraphNode_t node, emptyNode, hostNode;
  cudaGraphExec_t executable;
  SETUP(cudaGraphCreate(&graph, 0));
  SETUP(cudaGraphCreate(&other, 0));
  SETUP(cudaGraphAddEmptyNode(&emptyNode, graph, nullptr, 0));

  cudaGraphNodeParams parameters{};
  CALL(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &parameters));
  CALL(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, nullptr));
  parameters.type = (cudaGraphNodeType)99;
  CALL(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &parameters));
  parameters.type = cudaGraphNodeTypeEmpty;
  CALL(cudaGraphAddNode(nullptr, graph, nullptr, nullptr, 0, &parameters));
  CALL(cudaGraphAddNode(&node, nullptr, nullptr, nullptr, 0, &parameters));
  CALL(cudaGraphAddNode(&node, graph, nullptr, nullptr, 1, &parameters));
  CALL(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &parameters));
  parameters.type = cudaGraphNodeTypeHost;
  CALL(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &parameters));
  parameters.host.fn = nothing;
  CALL(cudaGraphAddNode(&hostNode, graph, nullptr, nullptr, 0, &parameters));
  CALL(cudaGraphNodeSetParams(hostNode, &parameters));
  CALL(cudaGraphNodeSetParams(hostNode, nullptr));
  CALL(cudaGraphNodeSetParams(nullptr, &parameters));
  CALL(cudaGraphNodeSetParams(emptyNode, &parameters));
  parameters.type = cudaGraphNodeTypeEventRecord;
  CALL(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &parameters));
  parameters.type = cudaGraphNodeTypeHost;
  parameters.host.fn = nothing;

  SETUP(cudaGraphInstantiate(&executable, graph, 0));
  CALL(cudaGraphExecNodeSetParams(executable, hostNode, &parameters));
  CALL(cudaGraphExecNodeSetParams(executable, hostNode, nullptr));
  CALL(cudaGraphExecNodeSetParams(nullptr, hostNode, &parameters));
  CALL(cudaGraphExecNodeSetParams(executable, nullptr, &parameters));
  CALL(cudaGraphExecNodeSetParams(executable, emptyNode, &parameters));

  size_t count = 0;
  CALL(cudaGraphNodeGetDependencies(emptyNode, nullptr, nullptr, nullptr));
  CALL(cudaGraphNodeGetDependencies(emptyNode, nullptr, nullptr, &count));
  CALL(cudaGraphNodeGetDependencies(nullptr, nullptr, nullptr, &count));
  CALL(cudaGraphNodeGetDependentNodes(emptyNode, nullptr, nullptr, nullptr));
  CALL(cudaGraphNodeGetDependentNodes(nullptr, nullptr, nullptr, &count));

  cudaGraphNode_t toSymbol, fromSymbol;
  CALL(cudaGraphAddMemcpyNodeToSymbol(&toSymbol, graph, nullptr, 0, variable,
                                      pageable, 16, 0, cudaMemcpyHostToDevice));
  CALL(cudaGraphAddMemcpyNodeToSymbol(&node, graph, nullptr, 0, variable,
                                      pageable, 17, 0, cudaMemcpyHostToDevice));
  CALL(cudaGraphAddMemcpyNodeToSymbol(&node, graph, nullptr, 0, variable,
                                      pageable, 16, 1, cudaMemcpyHostToDevice));
  CALL(cudaGraphAddMemcpyNodeToSymbol(&node, graph, nullptr, 0,
                                      (const void *)pageable, pageable, 16, 0,
                                      cudaMemcpyHostToDevice));
  CALL(cudaGraphAddMemcpyNodeToSymbol(&node, graph, nullptr, 0, nullptr,
                                      pageable, 16, 0, cudaMemcpyHostToDevice));
  CALL(cudaGraphAddMemcpyNodeToSymbol(&node, graph, nullptr, 0, variable,
                                      nullptr, 16, 0, cudaMemcpyHostToDevice));
  CALL(cudaGraphAddMemcpyNodeToSymbol(&node, graph, nullptr, 0, variable,
                                      pageable, 16, 0, cudaMemcpyDeviceToHost));
  CALL(cudaGraphAddMemcpyNodeToSymbol(&node, graph, nullptr, 0, variable,
                                      pageable, 16, 0, cudaMemcpyKind(9)));
  CALL(cudaGraphAddMemcpyNodeToSymbol(nullptr, graph, nullptr, 0, variable,
                                      pageable, 16, 0, cudaMemcpyHostToDevice));

  CALL(cudaGraphAddMemcpyNodeFromSymbol(&fromSymbol, graph, nullptr, 0,
                                        pageable, variable, 16, 0,
                                        cudaMemcpyDeviceToHost));
  CALL(cudaGraphAddMemcpyNodeFromSymbol(&node, graph, nullptr, 0, pageable,
                                        variable, 17, 0,
                                        cudaMemcpyDeviceToHost));
  CALL(cudaGraphAddMemcpyNodeFromSymbol(&node, graph, nullptr, 0, pageable,
                                        (const void *)pageable, 16, 0,
                                        cudaMemcpyDeviceToHost));
  CALL(cudaGraphAddMemcpyNodeFromSymbol(&node, graph, nullptr, 0, nullptr,
                                        variable, 16, 0,
                                        cudaMemcpyDeviceToHost));
  CALL(cudaGraphAddMemcpyNodeFromSymbol(&node, graph, nullptr, 0, pageable,
                                        variable, 16, 0,
                                        cudaMemcpyHostToDevice));
  CALL(cudaGraphMemcpyNodeSetParamsToSymbol(toSymbol, variable, pageable, 16, 0,
                                            cudaMemcpyHostToDevice));
  CALL(cudaGraphMemcpyNodeSetParamsToSymbol(toSymbol, variable, pageable, 17, 0,
                                            cudaMemcpyHostToDevice));
  CALL(cudaGraphMemcpyNodeSetParamsToSymbol(toSymbol, (const void *)pageable,
                                            pageable, 16, 0,
                                            cudaMemcpyHostToDevice));
  CALL(cudaGraphMemcpyNodeSetParamsToSymbol(emptyNode, variable, pageable, 16,
                                            0, cudaMemcpyHostToDevice));
  CALL(cudaGraphMemcpyNodeSetParamsFromSymbol(fromSymbol, pageable, variable,
                                              16, 0, cudaMemcpyDeviceToHost));
  CALL(cudaGraphMemcpyNodeSetParamsFromSymbol(fromSymbol, pageable, variable,
                                              17, 0, cudaMemcpyDeviceToHost));
  CALL(cudaGraphMemcpyNodeSetParamsFromSymbol(emptyNode, pageable, variable, 16,
                                              0, cudaMemcpyDeviceToHost));

  cudaGraphExec_t changedGraph;
  SETUP(cudaGraphInstantiate(&changedGraph, graph, 0));
  CALL(cudaGraphExecMemcpyNodeSetParamsToSymbol(changedGraph, toSymbol,
                                                variable, pageable, 16, 0,
                                                cudaMemcpyHostToDevice));
  CALL(cudaGraphExecMemcpyNodeSetParamsToSymbol(changedGraph, toSymbol,
                                                variable, pageable, 17, 0,
                                                cudaMemcpyHostToDevice));
  CALL(cudaGraphExecMemcpyNodeSetParamsToSymbol(changedGraph, fromSymbol,
                                                variable, pageable, 16, 0,
                                                cudaMemcpyHostToDevice));
  CALL(cudaGraphExecMemcpyNodeSetParamsToSymbol(
      nullptr, toSymbol, variable, pageable, 16, 0, cudaMemcpyHostToDevice));
  CALL(cudaGraphExecMemcpyNodeSetParamsFromSymbol(changedGraph, fromSymbol,
                                                  pageable, variable, 16, 0,
                                                  cudaMemcpyDeviceToHost));
  CALL(cudaGraphExecMemcpyNodeSetParamsFromSymbol(changedGraph, fromSymbol,
                                                  pageable, variable, 17, 0,
                                                  cudaMemcpyDeviceToHost));
  CALL(cudaGraphExecMemcpyNodeSetParamsFromSymbol(executable, fromSymbol,
                                                  pageable, variable, 16, 0,
                                                  cudaMemcpyDeviceToHost));

  cudaEvent_t event, later, got;
  SETUP(cudaEventCreate(&event));
  SETUP(cudaEventCreate(&later));
  cudaGraphNode_t recordNode, waitNode;
  CALL(cudaGraphAddEventRecordNode(&recordNode, graph, nullptr, 0, event));
  CALL(cudaGraphAddEventWaitNode(&waitNode, graph, nullptr, 0, event));
  CALL(cudaGraphAddEventWaitNode(&node, graph, nullptr, 0, nullptr));
  CALL(cudaGraphEventWaitNodeGetEvent(waitNode, &got));
  CALL(cudaGraphEventWaitNodeGetEvent(waitNode, nullptr));
  CALL(cudaGraphEventWaitNodeGetEvent(recordNode, &got));
  CALL(cudaGraphEventWaitNodeSetEvent(waitNode, later));
  CALL(cudaGraphEventWaitNodeSetEvent(waitNode, nullptr));
  CALL(cudaGraphEventWaitNodeSetEvent(recordNode, later));
  CALL(cudaGraphEventRecordNodeSetEvent(recordNode, later));
  CALL(cudaGraphEventRecordNodeSetEvent(recordNode, nullptr));
  SETUP(cudaGraphInstantiate(&changedGraph, graph, 0));
  CALL(cudaGraphExecEventRecordNodeSetEvent(changedGraph, recordNode, event));
  CALL(cudaGraphExecEventRecordNodeSetEvent(changedGraph, recordNode, nullptr));
  CALL(cudaGraphExecEventRecordNodeSetEvent(changedGraph, waitNode, event));
  CALL(cudaGraphExecEventWaitNodeSetEvent(changedGraph, waitNode, event));
  CALL(cudaGraphExecEventWaitNodeSetEvent(changedGraph, waitNode, nullptr));
  CALL(cudaGraphExecEventWaitNodeSetEvent(changedGraph, emptyNode, event));
  CALL(cudaGraphExecEventWaitNodeSetEvent(nullptr, waitNode, event));

  SETUP(cudaGraphAddEmptyNode(&node, other, nullptr, 0));
  cudaGraphNode_t childNode;
  SETUP(cudaGraphAddChildGraphNode(&childNode, graph, nullptr, 0, other));
  SETUP(cudaGraphInstantiate(&changedGraph, graph, 0));
  CALL(cudaGraphExecChildGraphNodeSetParams(changedGraph, childNode, other));
  CALL(cudaGraphExecChildGraphNodeSetParams(changedGraph, childNode, nullptr));
  CALL(cudaGraphExecChildGraphNodeSetParams(changedGraph, emptyNode, other));
  CALL(cudaGraphExecChildGraphNodeSetParams(nullptr, childNode, other));
  cudaGraph_t two;
  SETUP(cudaGraphCreate(&two, 0));
  CALL(cudaGraphExecChildGraphNodeSetParams(changedGraph, childNode, two));
  cudaMemcpy3DParms box{};
  box.srcPtr = pitched(pageable, 64, 64, 4);
  box.dstPtr = pitched(device, 64, 64, 4);
  box.extent = extent(64, 4, 2);
  box.kind = cudaMemcpyHostToDevice;
  cudaGraphNode_t copyNode;
  SETUP(cudaGraphAddMemcpyNode(&copyNode, graph, nullptr, 0, &box));
  SETUP(cudaGraphInstantiate(&changedGraph, graph, 0));
  CALL(cudaGraphExecMemcpyNodeSetParams(changedGraph, copyNode, &box));
  CALL(cudaGraphExecMemcpyNodeSetParams(changedGraph, copyNode, nullptr));
  CALL(cudaGraphExecMemcpyNodeSetParams(changedGraph, emptyNode, &box));
  auto changed = box;
  changed.extent.width = 32;
  CALL(cudaGraphExecMemcpyNodeSetParams(changedGraph, copyNode, &changed));
  changed.extent.width = 0;
  CALL(cudaGraphExecMemcpyNodeSetParams(changedGraph, copyNode, &changed));
  changed = box;
  changed.dstPtr.ptr = nullptr;
  CALL(cudaGraphExecMemcpyNodeSetParams(changedGraph, copyNode, &changed));
  changed = box;
  changed.kind = cudaMemcpyKind(9);
  CALL(cudaGraphExecMemcpyNodeSetParams(changedGraph, copyNode, &changed));
  changed = box;
  changed.extent.depth = 1 << 20;
  CALL(cudaGraphExecMemcpyNodeSetParams(changedGraph, copyNode, &changed));

  cudaGraphConditionalHandle condition;
  CALL(cudaGraphConditionalHandleCreate(nullptr, graph, 0, 0));
  CALL(cudaGraphConditionalHandleCreate(&condition, nullptr, 0, 0));
  CALL(cudaGraphConditionalHandleCreate(&condition, graph, 0, 9));
  CALL(cudaGraphConditionalHandleCreate(&condition, graph, 1,
                                        cudaGraphCondAssignDefault));
  cudaGraphNodeParams conditional{};
  conditional.type = cudaGraphNodeTypeConditional;
  CALL(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &conditional));
  conditional.conditional.handle = condition;
  conditional.conditional.type = (cudaGraphConditionalNodeType)9;
  conditional.conditional.size = 1;
  CALL(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &conditional));
  conditional.conditional.type = cudaGraphCondTypeIf;
  conditional.conditional.size = 0;
  CALL(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &conditional));
  conditional.conditional.size = 3;
  CALL(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &conditional));
  conditional.conditional.type = cudaGraphCondTypeWhile;
  conditional.conditional.size = 2;
  CALL(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &conditional));
  conditional.conditional.type = cudaGraphCondTypeIf;
  conditional.conditional.size = 1;
  CALL(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &conditional));
  CALL(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &conditional));
  CALL(cudaGraphNodeSetParams(node, &conditional));
  CALL(cudaGraphClone(&two, graph));
  CALL(cudaGraphAddChildGraphNode(&node, other, nullptr, 0, graph));
}

int main(int count, char **arguments) {
  return record(count, arguments, {{"nodes", nodes}});
}

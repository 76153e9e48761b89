//===- conditional.cu - bodies of conditional nodes ------------*- CUDA -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Recording.h"
#include "Work.h"

/// What may change within the body in an executable graph.
static void conditionalBody() {
  allocate(1 << 20);
  cudaGraph_t graph;
  SETUP(cudaGraphCreate(&graph, 0));
  cudaGraphConditionalHandle condition;
  SETUP(cudaGraphConditionalHandleCreate(&condition, graph, 1,
                                         cudaGraphCondAssignDefault));
  cudaGraphNodeParams parameters{};
  parameters.type = cudaGraphNodeTypeConditional;
  parameters.conditional.handle = condition;
  parameters.conditional.type = cudaGraphCondTypeIf;
  parameters.conditional.size = 1;
  cudaGraphNode_t node, setNode, fillNode, copyNode, refused, emptyNode;
  CALL(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &parameters));
  cudaGraph_t body = parameters.conditional.phGraph_out[0];

  int *values = (int *)device, value = 1;
  void *arguments[] = {&values, &value};
  cudaKernelNodeParams kernelParameters{};
  kernelParameters.func = (void *)set;
  kernelParameters.gridDim = 1;
  kernelParameters.blockDim = 4;
  kernelParameters.kernelParams = arguments;
  CALL(cudaGraphAddKernelNode(&setNode, body, nullptr, 0, &kernelParameters));
  cudaMemsetParams fill{};
  fill.dst = device + 64;
  fill.elementSize = 4;
  fill.width = 4;
  fill.height = 1;
  fill.value = 7;
  CALL(cudaGraphAddMemsetNode(&fillNode, body, &setNode, 1, &fill));
  CALL(cudaGraphAddMemcpyNode1D(&copyNode, body, &fillNode, 1, device + 128,
                                device, 16, cudaMemcpyDeviceToDevice));
  CALL(cudaGraphAddEmptyNode(&emptyNode, body, nullptr, 0));
  cudaHostNodeParams hostParameters{nothing, nullptr};
  CALL(cudaGraphAddHostNode(&refused, body, nullptr, 0, &hostParameters));
  CALL(cudaGraphAddMemcpyNode1D(&refused, body, nullptr, 0, device + 128,
                                pageable, 16, cudaMemcpyHostToDevice));
  cudaEvent_t event;
  SETUP(cudaEventCreate(&event));
  CALL(cudaGraphAddEventRecordNode(&refused, body, nullptr, 0, event));
  size_t count;
  cudaGraphGetNodes(body, nullptr, &count);
  VALUE(count);

  cudaGraphExec_t executable = nullptr;
  CALL(cudaGraphInstantiate(&executable, graph, 0));

  if (!executable) {
    cudaGraphDestroy(graph);
    SETUP(cudaGraphCreate(&graph, 0));
    SETUP(cudaGraphConditionalHandleCreate(&condition, graph, 1,
                                           cudaGraphCondAssignDefault));
    parameters.conditional.handle = condition;
    SETUP(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &parameters));
    body = parameters.conditional.phGraph_out[0];
    SETUP(
        cudaGraphAddKernelNode(&setNode, body, nullptr, 0, &kernelParameters));
    SETUP(cudaGraphAddMemsetNode(&fillNode, body, &setNode, 1, &fill));
    SETUP(cudaGraphAddMemcpyNode1D(&copyNode, body, &fillNode, 1, device + 128,
                                   device, 16, cudaMemcpyDeviceToDevice));
    CALL(cudaGraphInstantiate(&executable, graph, 0));
  }

  int results[64];
  auto show = [&](const char *what) {
    cudaError_t launched = cudaGraphLaunch(executable, stream),
                reached = cudaStreamSynchronize(stream);
    cudaMemcpy(results, device, 256, cudaMemcpyDeviceToHost);
    report("%s -> %s %s kernel %d memset %d copy %d", what, errorName(launched),
           errorName(reached), results[0], results[16], results[32]);
    cudaGetLastError();
  };

  show("first");
  value = 2;
  CALL(
      cudaGraphExecKernelNodeSetParams(executable, setNode, &kernelParameters));
  show("kernel");
  fill.value = 9;
  CALL(cudaGraphExecMemsetNodeSetParams(executable, fillNode, &fill));
  show("memset");
  CALL(cudaGraphExecMemcpyNodeSetParams1D(executable, copyNode, device + 128,
                                          device + 64, 16,
                                          cudaMemcpyDeviceToDevice));
  show("copy");
  CALL(cudaGraphNodeSetEnabled(executable, fillNode, 0));
  cudaMemset(device, 0, 256);
  show("memset off");
  unsigned enabled = 9;
  CALL(cudaGraphNodeGetEnabled(executable, fillNode, &enabled));
  VALUE(enabled);
  CALL(cudaGraphNodeSetEnabled(executable, fillNode, 1));
  show("memset on");
  CALL(cudaGraphNodeSetEnabled(executable, node, 0));
  cudaGraphNodeParams changed{};
  changed.type = cudaGraphNodeTypeConditional;
  changed.conditional = parameters.conditional;
  CALL(cudaGraphExecNodeSetParams(executable, node, &changed));
  changed = {};
  changed.type = cudaGraphNodeTypeMemset;
  changed.memset.dst = device + 64;
  changed.memset.elementSize = 4;
  changed.memset.width = 4;
  changed.memset.height = 1;
  changed.memset.value = 11;
  CALL(cudaGraphExecNodeSetParams(executable, fillNode, &changed));
  show("any node");

  value = 5;
  SETUP(cudaGraphKernelNodeSetParams(setNode, &kernelParameters));
  cudaGraphExecUpdateResultInfo info;
  CALL(cudaGraphExecUpdate(executable, graph, &info));
  VALUE(info.result);
  show("updated");
  cudaGraphNode_t more;
  SETUP(cudaGraphAddMemsetNode(&more, body, nullptr, 0, &fill));
  CALL(cudaGraphExecUpdate(executable, graph, &info));
  VALUE(info.result);
  show("after a failed update");
}

int main(int count, char **arguments) {
  return record(count, arguments, {{"conditionalBody", conditionalBody}});
}

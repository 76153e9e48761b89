//===- peers.cu - copies between devices -----------------------*- CUDA -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Recording.h"
#include "Shapes.h"

/// Of one device with itself and with devices that are not there.
static void peers() {
  allocate();
  cudaMemcpy3DPeerParms copy{};
  CALL(cudaMemcpy3DPeer(nullptr));
  CALL(cudaMemcpy3DPeer(&copy));

  copy.srcPtr = pitched(device, 64, 64, 8);
  copy.dstPtr = pitched(device + 2048, 64, 64, 4);
  copy.extent = extent(16, 2, 2);
  CALL(cudaMemcpy3DPeer(&copy));
  copy.dstDevice = 77;
  CALL(cudaMemcpy3DPeer(&copy));
  copy.dstDevice = 0;
  copy.srcDevice = -1;
  CALL(cudaMemcpy3DPeer(&copy));
  copy.srcDevice = 0;
  copy.extent = extent(65, 1, 1);
  CALL(cudaMemcpy3DPeer(&copy));
  copy.extent = extent(0, 0, 0);
  CALL(cudaMemcpy3DPeer(&copy));
  copy.extent = extent(16, 2, 2);
  copy.dstPtr.ptr = pageable;
  CALL(cudaMemcpy3DPeer(&copy));
  copy.dstPtr.ptr = nullptr;
  CALL(cudaMemcpy3DPeer(&copy));

  CALL(cudaMemcpyPeer(device, 0, device + 64, 0, 16));
  CALL(cudaMemcpyPeer(device, 77, device + 64, 0, 16));
  CALL(cudaMemcpyPeer(device, 0, device + 64, -1, 16));
  CALL(cudaMemcpyPeer(device, 77, device, 0, 0));
  CALL(cudaMemcpyPeer(nullptr, 0, device, 0, 16));
  CALL(cudaMemcpyPeer(device, 0, device, 0, 4097));
  CALL(cudaMemcpyPeer(pageable, 0, device, 0, 16));
  CALL(cudaMemcpyPeer(device, 0, pageable, 0, 16));
  CALL(cudaMemcpyPeer(pinned, 0, device, 0, 16));
  CALL(cudaMemcpyPeerAsync(device, 0, device + 64, 77, 16, stream));

  int number;
  CALL(cudaDeviceCanAccessPeer(&number, 0, 0));
  VALUE(number);
  CALL(cudaDeviceCanAccessPeer(nullptr, 0, 0));
  CALL(cudaDeviceCanAccessPeer(&number, 0, 77));
  CALL(cudaDeviceCanAccessPeer(&number, -1, 0));
  CALL(cudaDeviceEnablePeerAccess(0, 0));
  CALL(cudaDeviceEnablePeerAccess(77, 0));
  CALL(cudaDeviceEnablePeerAccess(0, 1));
  CALL(cudaDeviceEnablePeerAccess(77, 1));
  CALL(cudaDeviceDisablePeerAccess(0));
  CALL(cudaDeviceDisablePeerAccess(77));

  CALL(cudaDeviceGetP2PAttribute(&number, cudaDevP2PAttrAccessSupported, 0, 0));
  CALL(
      cudaDeviceGetP2PAttribute(&number, cudaDevP2PAttrAccessSupported, 0, 77));
  CALL(cudaDeviceGetP2PAttribute(nullptr, cudaDevP2PAttrAccessSupported, 0, 0));
  CALL(cudaDeviceGetP2PAttribute(&number, (cudaDeviceP2PAttr)99, 0, 0));
  CALL(cudaDeviceGetP2PAttribute(&number, (cudaDeviceP2PAttr)99, 0, 77));
}

int main(int count, char **arguments) {
  return record(count, arguments, {{"peers", peers}});
}

//===- devicepairs.cu - pairs of devices -----------------------*- CUDA -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Recording.h"
#include "Shapes.h"

static int number;
static void attributeOf(int attribute, int from, int to) {
  called(
      [&] {
        return cudaDeviceGetP2PAttribute(&number, (cudaDeviceP2PAttr)attribute,
                                         from, to);
      },
      "attribute %d from %d to %d", attribute, from, to);
}

/// Attributes of pairs, access, and copies from one to the other.
static void devicePairs() {
  allocate(1 << 20);
  for (int which : {-1, 0, 1, 2, 3, 4, 5, 6, 99}) {
    attributeOf(which, 0, 0);
    attributeOf(which, 0, 77);
    attributeOf(which, 77, 0);
    attributeOf(which, -1, 0);
    attributeOf(which, 77, 77);
  }

  CALL(cudaDeviceGetP2PAttribute(nullptr, (cudaDeviceP2PAttr)1, 0, 77));
  CALL(cudaDeviceGetP2PAttribute(nullptr, (cudaDeviceP2PAttr)99, 0, 0));

  CALL(cudaDeviceEnablePeerAccess(0, 0));
  CALL(cudaDeviceEnablePeerAccess(0, 1));
  CALL(cudaDeviceEnablePeerAccess(0, 2));
  CALL(cudaDeviceEnablePeerAccess(-1, 0));
  CALL(cudaDeviceDisablePeerAccess(0));
  CALL(cudaDeviceDisablePeerAccess(-1));

  CALL(cudaMemcpyPeer(device, 77, device, 0, 0));
  CALL(cudaMemcpyPeer(device, 0, device, 77, 0));
  CALL(cudaMemcpyPeer(nullptr, 0, nullptr, 0, 0));
  CALL(cudaMemcpyPeer(pageable, 0, pageable, 0, 0));
  CALL(cudaMemcpyPeerAsync(device, 77, device, 0, 0, stream));
  CALL(cudaMemcpyPeerAsync(device, 77, device, 0, 16, stream));
  CALL(cudaMemcpyPeerAsync(nullptr, 0, device, 0, 16, stream));

  cudaMemcpy3DPeerParms zero{};
  auto box = zero;
  CALL(cudaMemcpy3DPeer(&zero));
  CALL(cudaMemcpy3DPeerAsync(&zero, stream));
  CALL(cudaMemcpy3DPeerAsync(nullptr, stream));

  box.srcPtr = pitched(device, 64, 64, 8);
  box.dstPtr = pitched(device + 2048, 64, 64, 4);

  auto copy = box;
  copy.extent = extent(0, 0, 0);
  CALL(cudaMemcpy3DPeer(&copy));
  copy.extent = extent(0, 2, 2);
  CALL(cudaMemcpy3DPeer(&copy));
  copy.extent = extent(16, 0, 2);
  CALL(cudaMemcpy3DPeer(&copy));
  copy.extent = extent(16, 2, 0);
  CALL(cudaMemcpy3DPeer(&copy));
  copy.extent = extent(16, 1, 1);
  CALL(cudaMemcpy3DPeer(&copy));
  copy.extent = extent(16, 2, 2);
  CALL(cudaMemcpy3DPeer(&copy));
  copy.extent = extent(16, 5, 1);
  CALL(cudaMemcpy3DPeer(&copy));
  copy.extent = extent(16, 5, 2);
  CALL(cudaMemcpy3DPeer(&copy));
  copy.extent = extent(65, 1, 1);
  CALL(cudaMemcpy3DPeer(&copy));
  copy.extent = extent(65, 2, 1);
  CALL(cudaMemcpy3DPeer(&copy));
  copy.extent = extent(65, 2, 1);
  CALL(cudaMemcpy3DPeerAsync(&copy, stream));
  copy.extent = extent(64, 8, 300);
  CALL(cudaMemcpy3DPeer(&copy));

  copy = box;
  copy.extent = extent(16, 1, 1);
  copy.dstDevice = 77;
  CALL(cudaMemcpy3DPeer(&copy));
  copy.extent = extent(0, 0, 0);
  CALL(cudaMemcpy3DPeer(&copy));
  copy = box;
  copy.extent = extent(16, 1, 1);
  copy.dstPtr.ptr = pageable;
  CALL(cudaMemcpy3DPeer(&copy));
  copy.dstPtr.ptr = pinned;
  CALL(cudaMemcpy3DPeer(&copy));
  copy.dstPtr.ptr = managed;
  CALL(cudaMemcpy3DPeer(&copy));
  copy.dstPtr.ptr = nullptr;
  CALL(cudaMemcpy3DPeer(&copy));
  copy = box;
  copy.extent = extent(16, 1, 1);
  copy.srcPtr.ptr = nullptr;
  CALL(cudaMemcpy3DPeer(&copy));
  copy = box;
  copy.extent = extent(16, 1, 1);
  copy.dstPos = make_cudaPos(60, 0, 0);
  CALL(cudaMemcpy3DPeer(&copy));
}

int main(int count, char **arguments) {
  return record(count, arguments, {{"devicePairs", devicePairs}});
}

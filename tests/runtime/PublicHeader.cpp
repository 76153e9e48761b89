//===- PublicHeader.cpp - the header that programs include ----------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The runtime's own types and numbers are those of include/driver_types.h. All
// is known when this is compiled.
//
//===----------------------------------------------------------------------===//

#include "CudaApi.h"
#include "runtime/core/engine/Graphs.h"
#include <cstddef>
#include <stddef.h>

namespace open {
#include "include/driver_types.h"
} // namespace open

// As CUDA keeps it: a member in the same place with the same size.
#define SAME(type, member)                                                     \
  static_assert(offsetof(type, member) == offsetof(open::type, member) &&      \
                sizeof(type::member) == sizeof(open::type::member))
#define SAME_SIZE(type) static_assert(sizeof(type) == sizeof(open::type))

SAME_SIZE(cudaChannelFormatDesc);
SAME(cudaChannelFormatDesc, x);
SAME(cudaChannelFormatDesc, y);
SAME(cudaChannelFormatDesc, z);
SAME(cudaChannelFormatDesc, w);
SAME(cudaChannelFormatDesc, f);
SAME_SIZE(cudaMemcpy3DParms);
SAME(cudaMemcpy3DParms, srcArray);
SAME(cudaMemcpy3DParms, srcPos);
SAME(cudaMemcpy3DParms, srcPtr);
SAME(cudaMemcpy3DParms, dstArray);
SAME(cudaMemcpy3DParms, dstPos);
SAME(cudaMemcpy3DParms, dstPtr);
SAME(cudaMemcpy3DParms, extent);
SAME(cudaMemcpy3DParms, kind);
SAME_SIZE(cudaMemLocation);
SAME(cudaMemLocation, type);
SAME(cudaMemLocation, id);
SAME_SIZE(cudaMemPoolProps);
SAME(cudaMemPoolProps, allocType);
SAME(cudaMemPoolProps, handleTypes);
SAME(cudaMemPoolProps, location);
SAME(cudaMemPoolProps, win32SecurityAttributes);
SAME(cudaMemPoolProps, maxSize);
SAME(cudaMemPoolProps, usage);
SAME(cudaMemPoolProps, reserved);
SAME_SIZE(cudaGraphExecUpdateResultInfo);
SAME_SIZE(dim3);
SAME_SIZE(cudaPointerAttributes);
SAME(cudaPointerAttributes, type);
SAME(cudaPointerAttributes, device);
SAME(cudaPointerAttributes, devicePointer);
SAME(cudaPointerAttributes, hostPointer);
SAME(cudaPointerAttributes, reserved);

// The errors, and the other numbers that the runtime has names for.
#define CUFORT_ERROR(name, number, text)                                       \
  static_assert(int(open::name) == (number));
#include "runtime/core/process/ErrorCodes.def"
static_assert(int(cufort::CopyKind::HostToDevice) ==
              open::cudaMemcpyHostToDevice);
static_assert(int(cufort::CopyKind::DeviceToHost) ==
              open::cudaMemcpyDeviceToHost);
static_assert(int(cufort::CopyKind::Default) == open::cudaMemcpyDefault);
#define SAME_NUMBER(ours, theirs)                                              \
  static_assert(int(cufort::ours) == int(theirs))
SAME_NUMBER(AttributeAccessWindow, cudaLaunchAttributeAccessPolicyWindow);
SAME_NUMBER(AttributeCooperative, cudaLaunchAttributeCooperative);
SAME_NUMBER(AttributeSynchronization, cudaLaunchAttributeSynchronizationPolicy);
SAME_NUMBER(AttributeCluster, cudaLaunchAttributeClusterDimension);
SAME_NUMBER(AttributeClusterScheduling,
            cudaLaunchAttributeClusterSchedulingPolicyPreference);
SAME_NUMBER(AttributePriority, cudaLaunchAttributePriority);
SAME_NUMBER(AttributeDomainMap, cudaLaunchAttributeMemSyncDomainMap);
SAME_NUMBER(AttributeDomain, cudaLaunchAttributeMemSyncDomain);
static_assert(sizeof(cufort::AttributeValue) ==
              sizeof(cudaLaunchAttributeValue));

//===- ArgumentsVirtualMemory.cpp - wrong arguments: memory, addresses ----===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ArgumentsDriver.h"

namespace {

constexpr size_t Piece = size_t(2) << 20;

class VirtualMemoryArguments : public DriverArguments {
protected:
  void SetUp() override {
    DriverArguments::SetUp();
    properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location = here.location;
    ASSERT_EQ(cuMemCreate(&handle, Piece, &properties, 0), CUDA_SUCCESS);
    ASSERT_EQ(cuMemAddressReserve(&range, 4 * Piece, 0, 0, 0), CUDA_SUCCESS);
    // In the middle.
    ASSERT_EQ(cuMemMap(range + Piece, Piece, 0, handle, 0), CUDA_SUCCESS);
  }
  void TearDown() override {
    EXPECT_EQ(cuMemUnmap(range + Piece, Piece), CUDA_SUCCESS);
    EXPECT_EQ(cuMemAddressFree(range, 4 * Piece), CUDA_SUCCESS);
    EXPECT_EQ(cuMemRelease(handle), CUDA_SUCCESS);
    DriverArguments::TearDown();
  }

  CUmemAllocationProp properties{};
  CUmemGenericAllocationHandle handle = 0, other = 0;
  CUdeviceptr range = 0;
  const CUmemAccessDesc here{{CU_MEM_LOCATION_TYPE_DEVICE, 0},
                             CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
};

TEST_F(VirtualMemoryArguments, OfHandles) {
  CUmemAllocationProp untyped = properties, nowhere = properties,
                      onHost = properties, strange = properties, found;
  untyped.type = CU_MEM_ALLOCATION_TYPE_INVALID;
  nowhere.location.id = 99;
  onHost.location.type = CU_MEM_LOCATION_TYPE_HOST;
  strange.requestedHandleTypes = CU_MEM_HANDLE_TYPE_FABRIC;
  const auto minimum = CU_MEM_ALLOC_GRANULARITY_MINIMUM;
  const auto file = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
  int shared = -1;
  check({
      VALUE(cuMemGetAllocationGranularity(nullptr, &properties, minimum)),
      VALUE(cuMemGetAllocationGranularity(&bytes, nullptr, minimum)),
      VALUE(cuMemGetAllocationGranularity(&bytes, &untyped, minimum)),
      VALUE(cuMemGetAllocationGranularity(&bytes, &properties,
                                          CUmemAllocationGranularity_flags(9))),
      VALUE(cuMemCreate(nullptr, Piece, &properties, 0)),
      VALUE(cuMemCreate(&other, Piece, nullptr, 0)),
      VALUE(cuMemCreate(&other, Piece, &properties, 1)),
      VALUE(cuMemCreate(&other, 0, &properties, 0)),
      VALUE(cuMemCreate(&other, Piece / 2, &properties, 0)),
      VALUE(cuMemCreate(&other, Piece, &untyped, 0)),
      DEVICE(cuMemCreate(&other, Piece, &nowhere, 0)),
      LINE(NOT_SUPPORTED, cuMemCreate(&other, Piece, &onHost, 0)),
      LINE(NOT_SUPPORTED, cuMemCreate(&other, Piece, &strange, 0)),
      LINE(OUT_OF_MEMORY, cuMemCreate(&other, size_t(1) << 50, &properties, 0)),
      VALUE(cuMemRelease(1)),
      VALUE(cuMemRetainAllocationHandle(nullptr, room)),
      VALUE(cuMemRetainAllocationHandle(&other, room)),
      VALUE(cuMemRetainAllocationHandle(&other, (void *)memory)),
      VALUE(cuMemGetAllocationPropertiesFromHandle(nullptr, handle)),
      VALUE(cuMemGetAllocationPropertiesFromHandle(&found, 1)),
      // It was not made for other processes.
      VALUE(cuMemExportToShareableHandle(&shared, handle, file, 0)),
      VALUE(cuMemExportToShareableHandle(nullptr, handle, file, 0)),
      VALUE(cuMemExportToShareableHandle(&shared, 1, file, 0)),
      VALUE(cuMemImportFromShareableHandle(nullptr, nullptr, file)),
      VALUE(cuMemImportFromShareableHandle(&other, (void *)-1, file)),
      LINE(NOT_SUPPORTED, cuMemImportFromShareableHandle(
                              &other, nullptr, CU_MEM_HANDLE_TYPE_WIN32)),
  });
}

TEST_F(VirtualMemoryArguments, OfAddresses) {
  const CUdeviceptr mapped = range + Piece;
  CUmemAccessDesc nowhere = here, strange = here;
  nowhere.location.id = 99;
  strange.flags = CUmemAccess_flags(2);
  unsigned long long flags = 0;
  check({
      VALUE(cuMemAddressReserve(nullptr, Piece, 0, 0, 0)),
      VALUE(cuMemAddressReserve(&place, 0, 0, 0, 0)),
      VALUE(cuMemAddressReserve(&place, Piece + 1, 0, 0, 0)),
      VALUE(cuMemAddressReserve(&place, Piece, 3, 0, 0)),
      VALUE(cuMemAddressReserve(&place, Piece, 0, 4096, 0)),
      VALUE(cuMemAddressReserve(&place, Piece, 0, 0, 1)),
      // Something is mapped; it has another size; it is none.
      VALUE(cuMemAddressFree(range, 4 * Piece)),
      VALUE(cuMemAddressFree(range, Piece)),
      VALUE(cuMemAddressFree(memory, Piece)),
      VALUE(cuMemMap(mapped, Piece, 0, handle, 0)),
      VALUE(cuMemMap(range, 2 * Piece, 0, handle, 0)),
      VALUE(cuMemMap(range, Piece, Piece, handle, 0)),
      VALUE(cuMemMap(range, Piece, 1, handle, 0)),
      VALUE(cuMemMap(range, Piece, 0, 1, 0)),
      VALUE(cuMemMap(range, Piece, 0, handle, 1)),
      VALUE(cuMemMap(range + 1, Piece, 0, handle, 0)),
      VALUE(cuMemMap(range + 4 * Piece, Piece, 0, handle, 0)),
      VALUE(cuMemMap(0, Piece, 0, handle, 0)),
      VALUE(cuMemUnmap(range, Piece)),
      VALUE(cuMemUnmap(mapped, 2 * Piece)),
      VALUE(cuMemUnmap(mapped, Piece / 2)),
      VALUE(cuMemUnmap(memory, Piece)),
      VALUE(cuMemSetAccess(mapped, Piece, nullptr, 1)),
      VALUE(cuMemSetAccess(mapped, Piece, &here, 0)),
      VALUE(cuMemSetAccess(mapped, Piece, &nowhere, 1)),
      VALUE(cuMemSetAccess(mapped, Piece, &strange, 1)),
      VALUE(cuMemSetAccess(mapped, 2 * Piece, &here, 1)),
      VALUE(cuMemSetAccess(range, Piece, &here, 1)),
      VALUE(cuMemGetAccess(nullptr, &here.location, mapped)),
      VALUE(cuMemGetAccess(&flags, nullptr, mapped)),
      VALUE(cuMemGetAccess(&flags, &here.location, range)),
      // Nobody may use it yet, and only unmap takes it away.
      VALUE(cuMemsetD8(mapped, 1, 16)),
      VALUE(cuMemcpyDtoH(room, mapped, 16)),
      VALUE(cuMemFree(mapped)),
  });
  ASSERT_EQ(cuMemSetAccess(mapped, Piece, &here, 1), CUDA_SUCCESS);
  EXPECT_EQ(cuMemsetD8(mapped, 1, Piece), CUDA_SUCCESS);
  EXPECT_EQ(cuMemcpyDtoH(room, mapped + Piece - 16, 16), CUDA_SUCCESS);
  EXPECT_EQ(room[15], 1);
  check({VALUE(cuMemsetD8(mapped, 1, Piece + 1)), VALUE(cuMemFree(mapped))});
}

} // namespace

//===- C.cpp - MPI's functions in C ---------------------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// No mpi.h is included: handles are integers in one library and addresses in
// another, and a register either way.
//
//===----------------------------------------------------------------------===//

#include "libraries/mpi/Interfaces.h"

using cufort::mpi::Handle;

extern "C" {
__attribute__((weak)) extern char ompi_mpi_comm_self[];

int PMPI_Type_size(Handle type, int *size);
int PMPI_Type_get_extent(Handle type, long *lower, long *extent);
int PMPI_Type_get_true_extent(Handle type, long *lower, long *extent);
int PMPI_Pack_size(int count, Handle type, Handle comm, int *size);
int PMPI_Unpack(const void *from, int size, int *position, void *to, int count,
                Handle type, Handle comm);
int PMPI_Comm_size(Handle comm, int *size);
int PMPI_Comm_rank(Handle comm, int *rank);
int PMPI_Comm_test_inter(Handle comm, int *flag);
int PMPI_Topo_test(Handle comm, int *status);
int PMPI_Cartdim_get(Handle comm, int *dims);
int PMPI_Graph_neighbors_count(Handle comm, int rank, int *count);
int PMPI_Dist_graph_neighbors_count(Handle comm, int *in, int *out,
                                    int *weighted);
}

namespace cufort::mpi {
namespace {

class C final : public Interface {
public:
  int integer(void *argument) const override {
    return static_cast<int>(reinterpret_cast<intptr_t>(argument));
  }
  Handle handle(void *argument) const override {
    const auto value = reinterpret_cast<Handle>(argument);
    return isOpenMpi() ? value : static_cast<unsigned>(value);
  }
  Handle handleAt(void *address, size_t index) const override {
    return isOpenMpi() ? static_cast<Handle *>(address)[index]
                       : static_cast<unsigned *>(address)[index];
  }
  /// (void *)1 in Open MPI, (void *)-1 in MPICH.
  bool isInPlace(void *buffer) const override {
    const auto value = reinterpret_cast<intptr_t>(buffer);
    return value == 1 || value == -1;
  }

  long typeSize(Handle type) const override {
    int size = 0;
    PMPI_Type_size(type, &size);
    return size;
  }
  void extent(Handle type, long &lower, long &extent) const override {
    PMPI_Type_get_extent(type, &lower, &extent);
  }
  void trueExtent(Handle type, long &lower, long &extent) const override {
    PMPI_Type_get_true_extent(type, &lower, &extent);
  }
  int packSize(Handle type, Handle comm) const override {
    int size = 0;
    PMPI_Pack_size(1, type, comm, &size);
    return size;
  }
  void unpack(const void *from, int size, void *to, Handle type,
              Handle comm) const override {
    int position = 0;
    PMPI_Unpack(from, size, &position, to, 1, type, comm);
  }
  int commSize(Handle comm) const override {
    int size = 0;
    PMPI_Comm_size(comm, &size);
    return size;
  }
  int commRank(Handle comm) const override {
    int rank = 0;
    PMPI_Comm_rank(comm, &rank);
    return rank;
  }
  bool isIntercommunicator(Handle comm) const override {
    int flag = 0;
    PMPI_Comm_test_inter(comm, &flag);
    return flag;
  }
  void degrees(Handle comm, int &in, int &out) const override {
    int topology = 0, weighted;
    PMPI_Topo_test(comm, &topology);
    const int cartesian = isOpenMpi() ? 1 : 2, graph = 3 - cartesian;
    in = out = 0;
    if (topology == cartesian) {
      PMPI_Cartdim_get(comm, &in);
      in = out = 2 * in;
    } else if (topology == graph) {
      PMPI_Graph_neighbors_count(comm, commRank(comm), &in);
      out = in;
    } else {
      PMPI_Dist_graph_neighbors_count(comm, &in, &out, &weighted);
    }
  }
  Handle self() const override {
    return isOpenMpi() ? reinterpret_cast<Handle>(ompi_mpi_comm_self)
                       : 0x44000001;
  }
};

} // namespace

const Interface &c() {
  static const C interface;
  return interface;
}

} // namespace cufort::mpi

using namespace cufort::mpi;

extern "C" {
// Weak: a program may have its own, for profiling.
#define CUFORT_MPI_DECLARE(name, ...)                                          \
  int P##name(__VA_ARGS__);                                                    \
  __attribute__((weak)) int name(__VA_ARGS__)
#define CUFORT_MPI_NEXT_C(name)                                                \
  static const auto next = reinterpret_cast<decltype(&name)>(                  \
      libraryFunction(#name, reinterpret_cast<void *>(&P##name)))

CUFORT_MPI_DECLARE(MPI_Wait, void *request, void *status) {
  CUFORT_MPI_NEXT_C(MPI_Wait);
  const auto before = requestsBefore(c(), request, 1);
  const int result = next(request, status);
  completeAll(before);
  return result;
}

CUFORT_MPI_DECLARE(MPI_Test, void *request, int *flag, void *status) {
  CUFORT_MPI_NEXT_C(MPI_Test);
  const auto before = requestsBefore(c(), request, 1);
  const int result = next(request, flag, status);
  if (*flag)
    completeAll(before);
  return result;
}

CUFORT_MPI_DECLARE(MPI_Waitall, int count, void *requests, void *statuses) {
  CUFORT_MPI_NEXT_C(MPI_Waitall);
  const auto before = requestsBefore(c(), requests, count);
  const int result = next(count, requests, statuses);
  completeAll(before);
  return result;
}

CUFORT_MPI_DECLARE(MPI_Testall, int count, void *requests, int *flag,
                   void *statuses) {
  CUFORT_MPI_NEXT_C(MPI_Testall);
  const auto before = requestsBefore(c(), requests, count);
  const int result = next(count, requests, flag, statuses);
  if (*flag)
    completeAll(before);
  return result;
}

CUFORT_MPI_DECLARE(MPI_Waitany, int count, void *requests, int *index,
                   void *status) {
  CUFORT_MPI_NEXT_C(MPI_Waitany);
  const auto before = requestsBefore(c(), requests, count);
  const int result = next(count, requests, index, status);
  completeOne(before, *index);
  return result;
}

CUFORT_MPI_DECLARE(MPI_Testany, int count, void *requests, int *index,
                   int *flag, void *status) {
  CUFORT_MPI_NEXT_C(MPI_Testany);
  const auto before = requestsBefore(c(), requests, count);
  const int result = next(count, requests, index, flag, status);
  if (*flag)
    completeOne(before, *index);
  return result;
}

CUFORT_MPI_DECLARE(MPI_Waitsome, int count, void *requests, int *completed,
                   int *indices, void *statuses) {
  CUFORT_MPI_NEXT_C(MPI_Waitsome);
  const auto before = requestsBefore(c(), requests, count);
  const int result = next(count, requests, completed, indices, statuses);
  for (int i = 0; i < *completed; ++i)
    completeOne(before, indices[i]);
  return result;
}

CUFORT_MPI_DECLARE(MPI_Testsome, int count, void *requests, int *completed,
                   int *indices, void *statuses) {
  CUFORT_MPI_NEXT_C(MPI_Testsome);
  const auto before = requestsBefore(c(), requests, count);
  const int result = next(count, requests, completed, indices, statuses);
  for (int i = 0; i < *completed; ++i)
    completeOne(before, indices[i]);
  return result;
}

CUFORT_MPI_DECLARE(MPI_Request_get_status, Handle request, int *flag,
                   void *status) {
  CUFORT_MPI_NEXT_C(MPI_Request_get_status);
  const int result = next(request, flag, status);
  if (*flag && anyRequests())
    complete(c().handle(reinterpret_cast<void *>(request)), /*keeps=*/true);
  return result;
}

CUFORT_MPI_DECLARE(MPI_Start, void *request) {
  CUFORT_MPI_NEXT_C(MPI_Start);
  for (Handle each : requestsBefore(c(), request, 1))
    start(each);
  return next(request);
}

CUFORT_MPI_DECLARE(MPI_Startall, int count, void *requests) {
  CUFORT_MPI_NEXT_C(MPI_Startall);
  for (Handle each : requestsBefore(c(), requests, count))
    start(each);
  return next(count, requests);
}

CUFORT_MPI_DECLARE(MPI_Request_free, void *request) {
  CUFORT_MPI_NEXT_C(MPI_Request_free);
  const auto before = requestsBefore(c(), request, 1);
  const int result = next(request);
  for (Handle each : before)
    release(each);
  return result;
}

CUFORT_MPI_DECLARE(MPI_Type_free, void *type) {
  CUFORT_MPI_NEXT_C(MPI_Type_free);
  forgetType(c().handleAt(type, 0));
  return next(type);
}
}

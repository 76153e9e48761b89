//===- Fortran.cpp - MPI's functions in Fortran ---------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "libraries/mpi/Interfaces.h"

extern "C" {
// The variable MPI_IN_PLACE: of its own, or the second of a common block.
__attribute__((weak)) extern char mpi_fortran_in_place_[];
__attribute__((weak)) extern char mpipriv1_[];

void pmpi_type_size_(int *type, int *size, int *error);
void pmpi_type_get_extent_(int *type, long *lower, long *extent, int *error);
void pmpi_type_get_true_extent_(int *type, long *lower, long *extent,
                                int *error);
void pmpi_pack_size_(int *count, int *type, int *comm, int *size, int *error);
void pmpi_unpack_(const void *from, int *size, int *position, void *to,
                  int *count, int *type, int *comm, int *error);
void pmpi_comm_size_(int *comm, int *size, int *error);
void pmpi_comm_rank_(int *comm, int *rank, int *error);
void pmpi_comm_test_inter_(int *comm, int *flag, int *error);
void pmpi_topo_test_(int *comm, int *status, int *error);
void pmpi_cartdim_get_(int *comm, int *dims, int *error);
void pmpi_graph_neighbors_count_(int *comm, int *rank, int *count, int *error);
void pmpi_dist_graph_neighbors_count_(int *comm, int *in, int *out,
                                      int *weighted, int *error);
}

namespace cufort::mpi {
namespace {

class Fortran final : public Interface {
public:
  int integer(void *argument) const override {
    return *static_cast<int *>(argument);
  }
  Handle handle(void *argument) const override { return handleAt(argument, 0); }
  Handle handleAt(void *address, size_t index) const override {
    return static_cast<unsigned>(static_cast<int *>(address)[index]);
  }
  bool isInPlace(void *buffer) const override {
    return buffer == mpi_fortran_in_place_ ||
           (mpipriv1_ != nullptr && buffer == mpipriv1_ + 4);
  }

  long typeSize(Handle type) const override {
    int number = static_cast<int>(type), size = 0, error;
    pmpi_type_size_(&number, &size, &error);
    return size;
  }
  void extent(Handle type, long &lower, long &extent) const override {
    int number = static_cast<int>(type), error;
    pmpi_type_get_extent_(&number, &lower, &extent, &error);
  }
  void trueExtent(Handle type, long &lower, long &extent) const override {
    int number = static_cast<int>(type), error;
    pmpi_type_get_true_extent_(&number, &lower, &extent, &error);
  }
  int packSize(Handle type, Handle comm) const override {
    int number = static_cast<int>(type), group = static_cast<int>(comm);
    int one = 1, size = 0, error;
    pmpi_pack_size_(&one, &number, &group, &size, &error);
    return size;
  }
  void unpack(const void *from, int size, void *to, Handle type,
              Handle comm) const override {
    int number = static_cast<int>(type), group = static_cast<int>(comm);
    int one = 1, position = 0, error;
    pmpi_unpack_(from, &size, &position, to, &one, &number, &group, &error);
  }
  int commSize(Handle comm) const override {
    int number = static_cast<int>(comm), size = 0, error;
    pmpi_comm_size_(&number, &size, &error);
    return size;
  }
  int commRank(Handle comm) const override {
    int number = static_cast<int>(comm), rank = 0, error;
    pmpi_comm_rank_(&number, &rank, &error);
    return rank;
  }
  bool isIntercommunicator(Handle comm) const override {
    int number = static_cast<int>(comm), flag = 0, error;
    pmpi_comm_test_inter_(&number, &flag, &error);
    return flag;
  }
  void degrees(Handle comm, int &in, int &out) const override {
    int number = static_cast<int>(comm), topology = 0, error, weighted;
    pmpi_topo_test_(&number, &topology, &error);
    const int cartesian = isOpenMpi() ? 1 : 2, graph = 3 - cartesian;
    in = out = 0;
    if (topology == cartesian) {
      pmpi_cartdim_get_(&number, &in, &error);
      in = out = 2 * in;
    } else if (topology == graph) {
      int rank = commRank(comm);
      pmpi_graph_neighbors_count_(&number, &rank, &in, &error);
      out = in;
    } else {
      pmpi_dist_graph_neighbors_count_(&number, &in, &out, &weighted, &error);
    }
  }
  /// MPI_COMM_SELF's number.
  Handle self() const override { return isOpenMpi() ? 1 : 0x44000001; }
};

} // namespace

const Interface &fortran() {
  static const Fortran interface;
  return interface;
}

} // namespace cufort::mpi

using namespace cufort::mpi;

// The end of requests. What they are called with is the library's: of statuses
// and flags nothing is known but that a flag that is not zero is true.
extern "C" {
// Weak: a program may have its own, for profiling.
#define CUFORT_MPI_DECLARE(name, ...)                                          \
  void p##name(__VA_ARGS__);                                                   \
  __attribute__((weak)) void name(__VA_ARGS__)
#define CUFORT_MPI_NEXT(name)                                                  \
  static const auto next = reinterpret_cast<decltype(&name)>(                  \
      libraryFunction(#name, reinterpret_cast<void *>(&p##name)))

CUFORT_MPI_DECLARE(mpi_wait_, int *request, void *status, int *error) {
  CUFORT_MPI_NEXT(mpi_wait_);
  const auto before = requestsBefore(fortran(), request, 1);
  next(request, status, error);
  completeAll(before);
}

CUFORT_MPI_DECLARE(mpi_test_, int *request, int *flag, void *status,
                   int *error) {
  CUFORT_MPI_NEXT(mpi_test_);
  const auto before = requestsBefore(fortran(), request, 1);
  next(request, flag, status, error);
  if (*flag)
    completeAll(before);
}

CUFORT_MPI_DECLARE(mpi_waitall_, int *count, int *requests, void *statuses,
                   int *error) {
  CUFORT_MPI_NEXT(mpi_waitall_);
  const auto before = requestsBefore(fortran(), requests, *count);
  next(count, requests, statuses, error);
  completeAll(before);
}

CUFORT_MPI_DECLARE(mpi_testall_, int *count, int *requests, int *flag,
                   void *statuses, int *error) {
  CUFORT_MPI_NEXT(mpi_testall_);
  const auto before = requestsBefore(fortran(), requests, *count);
  next(count, requests, flag, statuses, error);
  if (*flag)
    completeAll(before);
}

CUFORT_MPI_DECLARE(mpi_waitany_, int *count, int *requests, int *index,
                   void *status, int *error) {
  CUFORT_MPI_NEXT(mpi_waitany_);
  const auto before = requestsBefore(fortran(), requests, *count);
  next(count, requests, index, status, error);
  completeOne(before, *index - 1);
}

CUFORT_MPI_DECLARE(mpi_testany_, int *count, int *requests, int *index,
                   int *flag, void *status, int *error) {
  CUFORT_MPI_NEXT(mpi_testany_);
  const auto before = requestsBefore(fortran(), requests, *count);
  next(count, requests, index, flag, status, error);
  if (*flag)
    completeOne(before, *index - 1);
}

CUFORT_MPI_DECLARE(mpi_waitsome_, int *count, int *requests, int *completed,
                   int *indices, void *statuses, int *error) {
  CUFORT_MPI_NEXT(mpi_waitsome_);
  const auto before = requestsBefore(fortran(), requests, *count);
  next(count, requests, completed, indices, statuses, error);
  for (int i = 0; i < *completed; ++i)
    completeOne(before, indices[i] - 1);
}

CUFORT_MPI_DECLARE(mpi_testsome_, int *count, int *requests, int *completed,
                   int *indices, void *statuses, int *error) {
  CUFORT_MPI_NEXT(mpi_testsome_);
  const auto before = requestsBefore(fortran(), requests, *count);
  next(count, requests, completed, indices, statuses, error);
  for (int i = 0; i < *completed; ++i)
    completeOne(before, indices[i] - 1);
}

CUFORT_MPI_DECLARE(mpi_request_get_status_, int *request, int *flag,
                   void *status, int *error) {
  CUFORT_MPI_NEXT(mpi_request_get_status_);
  const auto before = requestsBefore(fortran(), request, 1);
  next(request, flag, status, error);
  if (*flag && !before.empty())
    complete(before.front(), /*keeps=*/true);
}

CUFORT_MPI_DECLARE(mpi_start_, int *request, int *error) {
  CUFORT_MPI_NEXT(mpi_start_);
  for (Handle each : requestsBefore(fortran(), request, 1))
    start(each);
  next(request, error);
}

CUFORT_MPI_DECLARE(mpi_startall_, int *count, int *requests, int *error) {
  CUFORT_MPI_NEXT(mpi_startall_);
  for (Handle each : requestsBefore(fortran(), requests, *count))
    start(each);
  next(count, requests, error);
}

CUFORT_MPI_DECLARE(mpi_request_free_, int *request, int *error) {
  CUFORT_MPI_NEXT(mpi_request_free_);
  const auto before = requestsBefore(fortran(), request, 1);
  next(request, error);
  for (Handle each : before)
    release(each);
}

CUFORT_MPI_DECLARE(mpi_type_free_, int *type, int *error) {
  CUFORT_MPI_NEXT(mpi_type_free_);
  forgetType(fortran().handle(type));
  next(type, error);
}
}

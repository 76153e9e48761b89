//===- Stage.h - device buffers in calls of MPI -----------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// On a GPU an MPI library without CUDA support cannot reach device memory. The
// functions that mpi.py makes stand before the library's (mpi_send_, MPI_Send):
// where a buffer lies in device memory they hand the library a copy in the
// host's. Nothing here knows an mpi.h; arguments are registers, and what
// differs between Fortran's and C's functions is an Interface.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_LIBRARIES_MPI_STAGE_H
#define CUFORT_LIBRARIES_MPI_STAGE_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace cufort::mpi {

/// A handle as it is passed by value: an integer, or Open MPI's address.
using Handle = uintptr_t;

/// How many elements a buffer has.
enum class Times : unsigned char {
  Once,        ///< the count
  CommSize,    ///< the count for each process
  InDegree,    ///< the count for each neighbour that sends
  OutDegree,   ///< the count for each neighbour that receives
  Counts,      ///< counts and displacements for each process
  CountsIn,    ///< the same for each neighbour that sends
  CountsOut,   ///< and for each that receives
  SumOfCounts, ///< the sum of the counts
  OwnCount,    ///< this process's count; in place, their sum
  OwnBlock,    ///< the count; in place, that for each process
  Bytes        ///< the count is bytes
};

/// An argument that is a buffer, and those that say what is in it, by number.
struct Buffer {
  signed char buffer, count, type, displacements;
  Times times;
  bool input, output, rootOnly;
};

/// A procedure of MPI. Arguments that it does not have are -1.
struct Call {
  const char *name;
  signed char comm, root, request;
  unsigned char buffers;
  bool isPersistent;
  /// Device buffers are refused: the call does not end with the use of them.
  bool isRefused;
  /// Counts and displacements have 64 bits, and the function is C's.
  bool isLarge;
  Buffer each[3];
};

/// The arguments of a call and how they are read.
class Interface {
public:
  virtual int integer(void *argument) const = 0;
  virtual Handle handle(void *argument) const = 0;
  /// A handle that an argument points to (a request, an array of types).
  virtual Handle handleAt(void *address, size_t index) const = 0;
  virtual bool isInPlace(void *buffer) const = 0;

  virtual long typeSize(Handle type) const = 0;
  virtual void extent(Handle type, long &lower, long &extent) const = 0;
  virtual void trueExtent(Handle type, long &lower, long &extent) const = 0;
  virtual int packSize(Handle type, Handle comm) const = 0;
  virtual void unpack(const void *from, int size, void *to, Handle type,
                      Handle comm) const = 0;
  virtual int commSize(Handle comm) const = 0;
  virtual int commRank(Handle comm) const = 0;
  virtual bool isIntercommunicator(Handle comm) const = 0;
  virtual void degrees(Handle comm, int &in, int &out) const = 0;
  /// The communicator of this process alone, which sessions have not.
  virtual Handle self() const = 0;

protected:
  ~Interface() = default;
};

/// \p count pieces of \p bytes, \p stride apart, from \p offset.
struct Piece {
  long offset, bytes, count, stride;
};

/// What of a buffer holds data, relative to its address.
using Pieces = std::vector<Piece>;

/// The pieces of \p count elements of \p type from \p offset, behind those that
/// are in \p pieces already. \p comm is any communicator, to unpack with.
void addPieces(const Interface &mpi, Handle comm, Handle type, long offset,
               long count, Pieces &pieces);
/// A type of that handle is no more.
void forgetType(Handle type);

/// A buffer in device memory and its copy.
struct Staged {
  char *device;
  char *host; ///< what stands for the device address; see lowest
  char *memory;
  long lowest, bytes; ///< of the pieces, relative to the address
  bool input, output;
  Pieces pieces;

  void copyIn() const;
  void copyOut() const;
  void release();
};

using StagedBuffers = std::vector<Staged>;

/// Whether any call has to be looked at.
bool looksAtBuffers();

/// Waits for the default stream if there is a buffer in device memory. Where
/// the library cannot reach it, replaces the buffers of \p arguments and copies
/// what goes in.
StagedBuffers begin(const Interface &mpi, const Call &call, void **arguments);
/// After the library's function: copies what comes out, or leaves that to the
/// completion of the request.
void end(const Interface &mpi, const Call &call, void **arguments,
         StagedBuffers staged);

/// Of an incomplete request.
bool anyRequests();
/// The request \p request is complete; \p keeps: it can be asked again.
void complete(Handle request, bool keeps = false);
void start(Handle request);
void release(Handle request);

/// The next definition of \p name after the program's, or \p otherwise.
void *libraryFunction(const char *name, void *otherwise);

/// Whether the library is Open MPI, whose handles in C are addresses.
bool isOpenMpi();

} // namespace cufort::mpi

#endif // CUFORT_LIBRARIES_MPI_STAGE_H

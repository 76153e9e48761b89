//===- Pieces.cpp - where the data of a datatype lie ----------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A type with gaps is copied without them: what lies there may be changed by a
// kernel meanwhile. The library is asked by unpacking bytes that are not zero
// into memory that is: of its pages only those exist in which there are data.
//
//===----------------------------------------------------------------------===//

#include "libraries/mpi/Stage.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <sys/mman.h>

namespace cufort::mpi {
namespace {

struct Layout {
  long extent;
  Pieces pieces; ///< of one element
};

struct Layouts {
  std::mutex mutex;
  std::map<Handle, Layout> known;
};

Layouts &layouts() {
  static auto *all = new Layouts;
  return *all;
}

/// Joins neighbours, and equal pieces at equal distances.
void add(Pieces &pieces, Piece piece) {
  if (!pieces.empty()) {
    Piece &last = pieces.back();
    if (last.count == 1 && piece.count == 1 &&
        last.offset + last.bytes == piece.offset) {
      last.bytes += piece.bytes;
      last.stride = last.bytes;
      return;
    }
    const long distance = piece.offset - last.offset;
    if (piece.count == 1 && last.count == 1 && piece.bytes == last.bytes &&
        distance > last.bytes) {
      last.stride = distance;
      last.count = 2;
      return;
    }
    if (piece.count == 1 && last.count > 1 && piece.bytes == last.bytes &&
        distance == last.count * last.stride) {
      ++last.count;
      return;
    }
  }
  pieces.push_back(piece);
}

Pieces scan(const char *memory, long span, long lower) {
  Pieces pieces;
  for (long i = 0; i < span;) {
    if (!memory[i]) {
      // Eight at a time, where gaps are long.
      uint64_t word = 0;
      if (i % 8 == 0 && i + 8 <= span)
        std::memcpy(&word, memory + i, 8);
      i += i % 8 == 0 && i + 8 <= span && !word ? 8 : 1;
      continue;
    }
    const void *end = std::memchr(memory + i, 0, static_cast<size_t>(span - i));
    const long stop =
        end ? static_cast<long>(static_cast<const char *>(end) - memory) : span;
    add(pieces, {lower + i, stop - i, 1, stop - i});
    i = stop;
  }
  return pieces;
}

Layout layoutOf(const Interface &mpi, Handle comm, Handle type) {
  Layout layout;
  long lower, trueLower, span;
  mpi.extent(type, lower, layout.extent);
  mpi.trueExtent(type, trueLower, span);
  const long size = mpi.typeSize(type);
  if (size == 0)
    return layout;
  if (size == span) {
    layout.pieces = {{trueLower, size, 1, size}};
    return layout;
  }
  void *memory =
      mmap(nullptr, static_cast<size_t>(span), PROT_READ | PROT_WRITE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  const int bytes = mpi.packSize(type, comm);
  void *ones = std::malloc(static_cast<size_t>(bytes));
  if (memory == MAP_FAILED || !ones) {
    std::fprintf(stderr,
                 "cufort: there is no host memory for a datatype of "
                 "%ld bytes in device memory\n",
                 span);
    std::exit(1);
  }
  std::memset(ones, 0xff, static_cast<size_t>(bytes));
  mpi.unpack(ones, bytes, static_cast<char *>(memory) - trueLower, type, comm);
  layout.pieces = scan(static_cast<const char *>(memory), span, trueLower);
  std::free(ones);
  munmap(memory, static_cast<size_t>(span));
  return layout;
}

} // namespace

void addPieces(const Interface &mpi, Handle comm, Handle type, long offset,
               long count, Pieces &pieces) {
  if (count <= 0)
    return;
  Layouts &all = layouts();
  std::lock_guard lock(all.mutex);
  auto found = all.known.find(type);
  if (found == all.known.end())
    found = all.known.emplace(type, layoutOf(mpi, comm, type)).first;
  const Layout &layout = found->second;
  if (layout.pieces.size() == 1 && layout.pieces.front().count == 1) {
    const Piece &piece = layout.pieces.front();
    if (piece.bytes == layout.extent)
      return add(pieces, {offset + piece.offset, piece.bytes * count, 1,
                          piece.bytes * count});
    for (long i = 0; i < count; ++i)
      add(pieces, {offset + i * layout.extent + piece.offset, piece.bytes, 1,
                   piece.bytes});
    return;
  }
  for (long i = 0; i < count; ++i)
    for (const Piece &piece : layout.pieces) {
      Piece moved = piece;
      moved.offset += offset + i * layout.extent;
      add(pieces, moved);
    }
}

void forgetType(Handle type) {
  Layouts &all = layouts();
  std::lock_guard lock(all.mutex);
  all.known.erase(type);
}

} // namespace cufort::mpi

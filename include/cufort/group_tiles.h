//===- group_tiles.h - tiles of a block -------------------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A part of cooperative_groups.h, which includes it where groups are known.
#ifndef CUFORT_GROUP_TILES_H
#define CUFORT_GROUP_TILES_H

namespace cooperative_groups {

namespace details {
/// What all tiles know of the group that they are parts of.
template <unsigned int __Size, class __Parent> struct PartOf {
  __CUFORT_MEMBER static unsigned int rank() {
    return (rankInBlock() & (__Parent::size() - 1)) / __Size;
  }
  __CUFORT_MEMBER static unsigned int count() {
    return __Parent::size() / __Size;
  }
};
template <unsigned int __Size> struct PartOf<__Size, void> {
  __CUFORT_MEMBER static unsigned int rank() { return rankInBlock() / __Size; }
  __CUFORT_MEMBER static unsigned int count() {
    return (threadsInBlock() + __Size - 1) / __Size;
  }
};
template <unsigned int __Size>
struct PartOf<__Size, thread_block> : PartOf<__Size, void> {};

/// The lanes of a tile: 1 to 32, a power of two, one after the other.
template <unsigned int __Size, class __Parent>
class TileInWarp : public thread_group {

public:
  __CUFORT_MEMBER TileInWarp()
      : thread_group(Kind::Lanes, __Size,
                     __Size == 32 ? ~0u
                                  : ((1u << (__Size & 31)) - 1)
                                        << (lane() & ~(__Size - 1))) {}
  __CUFORT_MEMBER static constexpr unsigned int size() { return __Size; }
  __CUFORT_MEMBER static constexpr unsigned int num_threads() { return __Size; }
  __CUFORT_MEMBER static unsigned int thread_rank() {
    return rankInBlock() & (__Size - 1);
  }
  __CUFORT_MEMBER static unsigned int meta_group_rank() {
    return PartOf<__Size, __Parent>::rank();
  }
  __CUFORT_MEMBER static unsigned int meta_group_size() {
    return PartOf<__Size, __Parent>::count();
  }
  __CUFORT_MEMBER void sync() const { __syncwarp(mask); }
  template <class T> __CUFORT_MEMBER T shfl(const T &value, int rank) const {
    return shuffle(value, Shuffle{mask, rank, __Size});
  }
  template <class T>
  __CUFORT_MEMBER T shfl_down(const T &value, unsigned int delta) const {
    return shuffle(value, ShuffleDown{mask, (int)delta, __Size});
  }
  template <class T>
  __CUFORT_MEMBER T shfl_up(const T &value, unsigned int delta) const {
    return shuffle(value, ShuffleUp{mask, (int)delta, __Size});
  }
  template <class T>
  __CUFORT_MEMBER T shfl_xor(const T &value, unsigned int lanes) const {
    return shuffle(value, ShuffleXor{mask, (int)lanes, __Size});
  }
  __CUFORT_MEMBER int any(int predicate) const {
    return __any_sync(mask, predicate);
  }
  __CUFORT_MEMBER int all(int predicate) const {
    return __all_sync(mask, predicate);
  }
  __CUFORT_MEMBER unsigned int ballot(int predicate) const {
    return inTile(__ballot_sync(mask, predicate));
  }
  template <class T> __CUFORT_MEMBER unsigned int match_any(T value) const {
    return inTile(__match_any_sync(mask, value));
  }
  template <class T>
  __CUFORT_MEMBER unsigned int match_all(T value, int &all) const {
    return inTile(__match_all_sync(mask, value, &all));
  }

private:
  __CUFORT_MEMBER unsigned int inTile(unsigned int lanes) const {
    return (lanes & mask) >> (lane() & ~(__Size - 1) & 31);
  }
};

/// Tiles of 64 threads and more. Lanes exchange values through shared memory.
template <unsigned int __Size, class __Parent>
class TileOfWarps : public thread_group {
public:
  __CUFORT_MEMBER TileOfWarps() : thread_group(Kind::__Tile, __Size, ~0u) {}
  __CUFORT_MEMBER static constexpr unsigned int size() { return __Size; }
  __CUFORT_MEMBER static constexpr unsigned int num_threads() { return __Size; }
  __CUFORT_MEMBER static unsigned int thread_rank() {
    return rankInBlock() & (__Size - 1);
  }
  __CUFORT_MEMBER static unsigned int meta_group_rank() {
    return PartOf<__Size, __Parent>::rank();
  }
  __CUFORT_MEMBER static unsigned int meta_group_size() {
    return PartOf<__Size, __Parent>::count();
  }
  __CUFORT_MEMBER static void sync() {
    __cufort_tile_barrier(rankInBlock() / __Size, __Size);
  }
  /// The value of one thread; all threads pass the same rank.
  template <class T>
  __CUFORT_MEMBER T shfl(const T &value, unsigned int rank) const {
    // The first of this tile's own words: tiles do not wait for each other.
    auto *said = words<T>() + rankInBlock() / __Size * (__Size / 32);
    if (thread_rank() == rank % __Size)
      __builtin_memcpy(said, &value, sizeof(T));
    sync();
    T result;
    __builtin_memcpy(&result, said, sizeof(T));
    sync();
    return result;
  }
  __CUFORT_MEMBER int any(int predicate) const {
    return combine((unsigned int)(__ballot_sync(~0u, predicate) != 0),
                   [](unsigned int a, unsigned int b) { return a | b; });
  }
  __CUFORT_MEMBER int all(int predicate) const {
    return combine((unsigned int)(__ballot_sync(~0u, predicate) == ~0u),
                   [](unsigned int a, unsigned int b) { return a & b; });
  }
  /// Combines the values of the warps, in their order.
  template <class T, class __F>
  __CUFORT_MEMBER T combine(const T &ofWarp, __F operation) const {
    auto *said = words<T>();
    unsigned int warp = rankInBlock() / 32, first = warp & ~(__Size / 32 - 1);
    if (lane() == 0)
      __builtin_memcpy(said + warp, &ofWarp, sizeof(T));
    sync();
    T result;
    __builtin_memcpy(&result, said + first, sizeof(T));
    for (unsigned int i = 1; i < __Size / 32; ++i) {
      T next;
      __builtin_memcpy(&next, said + first + i, sizeof(T));
      result = operation(result, next);
    }
    sync();
    return result;
  }
  /// The same of the warps before this one; only where \p hasAny.
  template <class T, class __F>
  __CUFORT_MEMBER T combineBefore(const T &ofWarp, __F operation,
                                  bool &hasAny) const {
    auto *said = words<T>();
    unsigned int warp = rankInBlock() / 32, first = warp & ~(__Size / 32 - 1);
    if (lane() == 31)
      __builtin_memcpy(said + warp, &ofWarp, sizeof(T));
    sync();
    T result;
    __builtin_memcpy(&result, said + first, sizeof(T));
    for (unsigned int i = first + 1; i < warp; ++i) {
      T next;
      __builtin_memcpy(&next, said + i, sizeof(T));
      result = operation(result, next);
    }
    sync();
    hasAny = warp != first;
    return result;
  }

private:
  template <class T> struct Word {
    alignas(T) unsigned char bytes[sizeof(T)];
  };
  /// One for each warp of the block, which only its tile uses.
  template <class T> __CUFORT_MEMBER static Word<T> *words() {
    static __shared__ Word<T> word[32];
    return word;
  }
};

template <bool __InWarp> struct Tiles {
  template <unsigned int __Size, class __Parent>
  using __Tile = TileInWarp<__Size, __Parent>;
};
template <> struct Tiles<false> {
  template <unsigned int __Size, class __Parent>
  using __Tile = TileOfWarps<__Size, __Parent>;
};

template <class __Group> struct IsTileInWarp {
  static constexpr bool value = false;
};
template <class __Group> struct IsTileOfWarps {
  static constexpr bool value = false;
};
} // namespace details

template <unsigned int __Size, class __Parent = void>
class thread_block_tile
    : public details::Tiles<(__Size <= 32)>::template __Tile<__Size, __Parent> {
  static_assert(__Size && __Size <= 1024 && (__Size & (__Size - 1)) == 0,
                "a tile has 1, 2, 4, ... or 1024 threads");

public:
  __CUFORT_MEMBER thread_block_tile() = default;
  /// A tile whose parent group is not known to the compiler.
  template <class __P>
  __CUFORT_MEMBER thread_block_tile(const thread_block_tile<__Size, __P> &) {}
};

namespace details {
template <unsigned int __Size, class __Parent>
struct IsTileInWarp<thread_block_tile<__Size, __Parent>> {
  static constexpr bool value = __Size <= 32;
};
template <unsigned int __Size, class __Parent>
struct IsTileOfWarps<thread_block_tile<__Size, __Parent>> {
  static constexpr bool value = __Size > 32;
};
} // namespace details

} // namespace cooperative_groups

#endif // CUFORT_GROUP_TILES_H

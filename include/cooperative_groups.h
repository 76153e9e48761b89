//===- cooperative_groups.h - groups of threads -----------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef _COOPERATIVE_GROUPS_H_
#define _COOPERATIVE_GROUPS_H_

#include "cuda_runtime.h"

#define __CUFORT_CG static __device__ __forceinline__
#define __CUFORT_MEMBER __device__ __forceinline__

/// A barrier of all blocks of a cooperative launch; a function of the device
/// library.
extern "C" __device__ __attribute__((convergent)) void
__cufort_grid_barrier(void);
/// A barrier of tile number \p tile of the block's tiles of \p threads threads,
/// for tiles larger than a warp; a function of the device library. Before the
/// first such barrier all threads of the block call the other function.
extern "C" __device__ __attribute__((convergent)) void
__cufort_tile_barrier(unsigned int tile, unsigned int threads);
extern "C" __device__ __attribute__((convergent)) void
__cufort_tile_prepare(unsigned int threads);

namespace cooperative_groups {

namespace details {
__CUFORT_CG unsigned int rankInBlock() {
  return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}
__CUFORT_CG unsigned int threadsInBlock() {
  return blockDim.x * blockDim.y * blockDim.z;
}
__CUFORT_CG unsigned int lane() { return __nvvm_read_ptx_sreg_laneid(); }

/// A shuffle of any type, in pieces of 32 bits unless one operation does it.
template <class T, class __F> __CUFORT_CG T shuffle(const T &value, __F one) {
  if constexpr (__is_arithmetic(T) && sizeof(T) <= 8) {
    return one(value);
  } else {
    constexpr int words = (sizeof(T) + 3) / 4;
    unsigned int word[words] = {};
    __builtin_memcpy(word, &value, sizeof(T));
#pragma unroll
    for (int i = 0; i < words; ++i)
      word[i] = one(word[i]);
    T result;
    __builtin_memcpy(&result, word, sizeof(T));
    return result;
  }
}

/// A function object to pass to shuffle; C++11 has no generic lambdas.
#define __CUFORT_SHUFFLE(name, function)                                       \
  struct name {                                                                \
    unsigned int mask;                                                         \
    int from, width;                                                           \
    template <class T> __CUFORT_MEMBER T operator()(T value) const {           \
      return function(mask, value, from, width);                               \
    }                                                                          \
  };
__CUFORT_SHUFFLE(Shuffle, __shfl_sync)
__CUFORT_SHUFFLE(ShuffleDown, __shfl_down_sync)
__CUFORT_SHUFFLE(ShuffleUp, __shfl_up_sync)
__CUFORT_SHUFFLE(ShuffleXor, __shfl_xor_sync)
#undef __CUFORT_SHUFFLE

struct Indices {
  __CUFORT_MEMBER static dim3 thread() {
    return dim3(threadIdx.x, threadIdx.y, threadIdx.z);
  }
  __CUFORT_MEMBER static dim3 block() {
    return dim3(blockIdx.x, blockIdx.y, blockIdx.z);
  }
  __CUFORT_MEMBER static dim3 blocks() {
    return dim3(gridDim.x, gridDim.y, gridDim.z);
  }
  __CUFORT_MEMBER static dim3 threads() {
    return dim3(blockDim.x, blockDim.y, blockDim.z);
  }
};

/// Which lanes of the warp are in a group.
struct Members {
  template <class __Group>
  __CUFORT_MEMBER static unsigned int of(const __Group &g) {
    return g.mask;
  }
};
} // namespace details

struct thread_block;
class coalesced_group;

/// A group of any kind: it consists of nothing but the identity of its threads.
class thread_group {
public:
  enum class Kind : unsigned int { __Block, Lanes, __Tile };
  __CUFORT_MEMBER unsigned long long size() const { return num_threads(); }
  __CUFORT_MEMBER unsigned long long num_threads() const { return count; }
  __CUFORT_MEMBER unsigned long long thread_rank() const {
    if (kind == Kind::__Block)
      return details::rankInBlock();
    if (kind == Kind::__Tile)
      return details::rankInBlock() & (count - 1);
    return __popc(mask & ((1u << details::lane()) - 1));
  }
  __CUFORT_MEMBER void sync() const {
    if (kind == Kind::__Block)
      __syncthreads();
    else if (kind == Kind::__Tile)
      __cufort_tile_barrier(details::rankInBlock() / count, count);
    else
      __syncwarp(mask);
  }
  __CUFORT_MEMBER bool is_valid() const { return true; }

protected:
  friend struct details::Members;
  __CUFORT_MEMBER thread_group(Kind kind, unsigned int count, unsigned int mask)
      : kind(kind), count(count), mask(mask) {}
  friend __device__ thread_group tiled_partition(const thread_group &,
                                                 unsigned int);
  Kind kind;
  unsigned int count, mask;
};

struct thread_block : public thread_group {
  __CUFORT_MEMBER thread_block()
      : thread_group(Kind::__Block, details::threadsInBlock(), ~0u) {}
  __CUFORT_MEMBER static void sync() { __syncthreads(); }
  struct arrival_token {};
  __CUFORT_MEMBER static arrival_token barrier_arrive() { return {}; }
  __CUFORT_MEMBER static void barrier_wait(arrival_token &&) {
    __syncthreads();
  }
  __CUFORT_MEMBER static unsigned int thread_rank() {
    return details::rankInBlock();
  }
  __CUFORT_MEMBER static unsigned int size() {
    return details::threadsInBlock();
  }
  __CUFORT_MEMBER static unsigned int num_threads() { return size(); }
  __CUFORT_MEMBER static dim3 group_index() {
    return details::Indices::block();
  }
  __CUFORT_MEMBER static dim3 thread_index() {
    return details::Indices::thread();
  }
  __CUFORT_MEMBER static dim3 group_dim() {
    return details::Indices::threads();
  }
  __CUFORT_MEMBER static dim3 dim_threads() { return group_dim(); }
};
__CUFORT_CG thread_block this_thread_block() { return thread_block(); }

class grid_group {
public:
  __CUFORT_MEMBER void sync() const { __cufort_grid_barrier(); }
  __CUFORT_MEMBER bool is_valid() const { return true; }
  __CUFORT_MEMBER static unsigned long long num_blocks() {
    return (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
  }
  __CUFORT_MEMBER static unsigned long long block_rank() {
    return blockIdx.x +
           gridDim.x *
               (blockIdx.y + (unsigned long long)gridDim.y * blockIdx.z);
  }
  __CUFORT_MEMBER static unsigned long long num_threads() {
    return num_blocks() * details::threadsInBlock();
  }
  __CUFORT_MEMBER static unsigned long long size() { return num_threads(); }
  __CUFORT_MEMBER static unsigned long long thread_rank() {
    return block_rank() * details::threadsInBlock() + details::rankInBlock();
  }
  __CUFORT_MEMBER static dim3 group_dim() { return details::Indices::blocks(); }
  __CUFORT_MEMBER static dim3 dim_blocks() { return group_dim(); }
  __CUFORT_MEMBER static dim3 block_index() {
    return details::Indices::block();
  }
};
__CUFORT_CG grid_group this_grid() { return grid_group(); }

/// Launches on several devices at once, which CUDA 13 has dropped.
class multi_grid_group;
__device__ __attribute__((unavailable(
    "launches on several devices at once are not supported, and gone from CUDA "
    "13: launch a kernel on each device"))) const multi_grid_group &
this_multi_grid();

} // namespace cooperative_groups

#include "cufort/cluster_groups.h"
#include "cufort/group_tiles.h"

namespace cooperative_groups {

/// Memory that CUDA asks programs to provide for tiles of several warps; here
/// tiles have their own.
template <unsigned int MaxBlockSize = 1024> struct block_tile_memory {
  unsigned int unused;
};
template <unsigned int MaxBlockSize>
__CUFORT_CG thread_block this_thread_block(block_tile_memory<MaxBlockSize> &) {
  return thread_block();
}

template <unsigned int __Size, class __Group>
__CUFORT_CG thread_block_tile<__Size, __Group>
tiled_partition(const __Group &) {
  if constexpr (__Size > 32)
    __cufort_tile_prepare(__Size);
  return thread_block_tile<__Size, __Group>();
}
template <unsigned int __Size>
__CUFORT_CG coalesced_group tiled_partition(const coalesced_group &group);
__device__ __forceinline__ thread_group tiled_partition(const thread_group &,
                                                        unsigned int size) {
  if (size > 32) {
    __cufort_tile_prepare(size);
    return thread_group(thread_group::Kind::__Tile, size, ~0u);
  }
  unsigned int all = size == 32 ? ~0u : (1u << size) - 1;
  return thread_group(thread_group::Kind::Lanes, size,
                      all << (details::lane() & ~(size - 1) & 31));
}

/// The active lanes of a warp.
class coalesced_group : public thread_group {
public:
  __CUFORT_MEMBER explicit coalesced_group(unsigned int mask,
                                           unsigned int rank = 0,
                                           unsigned int groups = 1)
      : thread_group(Kind::Lanes, __popc(mask), mask), part(rank),
        parts(groups) {}
  __CUFORT_MEMBER unsigned int thread_rank() const { return rankOf(); }
  __CUFORT_MEMBER unsigned int size() const { return count; }
  __CUFORT_MEMBER unsigned int num_threads() const { return count; }
  __CUFORT_MEMBER unsigned int meta_group_size() const { return parts; }
  __CUFORT_MEMBER unsigned int meta_group_rank() const { return part; }
  __CUFORT_MEMBER void sync() const { __syncwarp(mask); }
  template <class T> __CUFORT_MEMBER T shfl(const T &value, int rank) const {
    return from(value, laneOf(((unsigned int)rank) % count));
  }
  template <class T>
  __CUFORT_MEMBER T shfl_down(const T &value, unsigned int delta) const {
    unsigned int rank = rankOf() + delta;
    return from(value, rank < count ? laneOf(rank) : details::lane());
  }
  template <class T>
  __CUFORT_MEMBER T shfl_up(const T &value, unsigned int delta) const {
    unsigned int rank = rankOf();
    return from(value, rank >= delta ? laneOf(rank - delta) : details::lane());
  }
  __CUFORT_MEMBER int any(int predicate) const {
    return __any_sync(mask, predicate);
  }
  __CUFORT_MEMBER int all(int predicate) const {
    return __all_sync(mask, predicate);
  }
  __CUFORT_MEMBER unsigned int ballot(int predicate) const {
    return pack(__ballot_sync(mask, predicate));
  }
  template <class T> __CUFORT_MEMBER unsigned int match_any(T value) const {
    return pack(__match_any_sync(mask, value));
  }
  template <class T>
  __CUFORT_MEMBER unsigned int match_all(T value, int &all) const {
    return pack(__match_all_sync(mask, value, &all));
  }

private:
  __CUFORT_MEMBER unsigned int rankOf() const {
    return __popc(mask & ((1u << details::lane()) - 1));
  }
  /// The lane of the thread with rank \p rank: the rank-th bit of the mask.
  __CUFORT_MEMBER unsigned int laneOf(unsigned int rank) const {
    unsigned int rest = mask;
    for (unsigned int i = 0; i < rank; ++i)
      rest &= rest - 1;
    return __ffs(rest) - 1;
  }
  template <class T>
  __CUFORT_MEMBER T from(const T &value, unsigned int lane) const {
    return details::shuffle(value, details::Shuffle{mask, (int)lane, 32});
  }
  /// Converts a mask of lanes to a mask of ranks.
  __CUFORT_MEMBER unsigned int pack(unsigned int lanes) const {
    unsigned int result = 0, rank = 0;
    for (unsigned int rest = mask; rest; rest &= rest - 1, ++rank)
      if (lanes & rest & (0u - rest))
        result |= 1u << rank;
    return result;
  }
  unsigned int part, parts;
};
__CUFORT_CG coalesced_group coalesced_threads() {
  return coalesced_group(__activemask());
}
template <class __Group>
__CUFORT_CG coalesced_group binary_partition(const __Group &group,
                                             bool predicate) {
  unsigned int members = details::Members::of(group);
  unsigned int yes = __ballot_sync(members, predicate);
  unsigned int groups = (yes != 0) + (yes != members);
  return coalesced_group(predicate ? yes : members & ~yes,
                         predicate && groups == 2, groups);
}
/// One group for each label.
template <class __Group, class T>
__CUFORT_CG coalesced_group labeled_partition(const __Group &group, T label) {
  unsigned int members = details::Members::of(group);
  unsigned int same = __match_any_sync(members, label);
  unsigned int first = same & (0u - same);
  unsigned int firsts = __ballot_sync(members, first == 1u << details::lane());
  return coalesced_group(same, __popc(firsts & (first - 1)), __popc(firsts));
}
template <unsigned int __Size>
__CUFORT_CG coalesced_group tiled_partition(const coalesced_group &group) {
  unsigned int members = details::Members::of(group);
  unsigned int rank = group.thread_rank() / __Size, place = 0, mask = 0;
  for (unsigned int rest = members; rest; rest &= rest - 1, ++place)
    if (place / __Size == rank)
      mask |= rest & (0u - rest);
  return coalesced_group(mask, rank, (__popc(members) + __Size - 1) / __Size);
}

template <class __Group> __CUFORT_CG void sync(const __Group &group) {
  group.sync();
}
template <class __Group>
__CUFORT_CG unsigned long long thread_rank(const __Group &group) {
  return group.thread_rank();
}
template <class __Group>
__CUFORT_CG unsigned long long group_size(const __Group &group) {
  return group.size();
}
template <class __Group>
__CUFORT_CG unsigned long long num_threads(const __Group &group) {
  return group.num_threads();
}
template <class __Group, class __F, class... __Arguments>
__CUFORT_CG void invoke_one(const __Group &group, __F &&f,
                            __Arguments &&...arguments) {
  if (group.thread_rank() == 0)
    f(static_cast<__Arguments &&>(arguments)...);
}
template <class __Group, class __F, class... __Arguments>
__CUFORT_CG auto invoke_one_broadcast(const __Group &group, __F &&f,
                                      __Arguments &&...arguments)
    -> decltype(f(static_cast<__Arguments &&>(arguments)...)) {
  decltype(f(static_cast<__Arguments &&>(arguments)...)) result{};
  if (group.thread_rank() == 0)
    result = f(static_cast<__Arguments &&>(arguments)...);
  return group.shfl(result, 0);
}

} // namespace cooperative_groups

#undef __CUFORT_CG
#undef __CUFORT_MEMBER

#endif // _COOPERATIVE_GROUPS_H_

//===- Image.h - the layout of a program's device image ---------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The contract between the compiler, which writes one image into every
// executable (compiler/link), and the runtime, which reads it. Both include
// this header and nothing else of each other. Everything is plain data; the
// image is constant and lives as long as the program.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_IMAGE_IMAGE_H
#define CUFORT_IMAGE_IMAGE_H

#include <cstdint>

namespace cufort::image {

inline constexpr uint32_t Magic = 0x54524643; // "CFRT"
inline constexpr uint32_t Version = 12;

struct CheckProof; // Check.h

struct Dim3 {
  uint32_t x, y, z;
};

//===----------------------------------------------------------------------===//
// The calling convention of kernels on the CPU
//===----------------------------------------------------------------------===//

/// What all blocks of one launch have in common.
struct CpuLaunch {
  Dim3 grid;                   ///< blocks
  Dim3 block;                  ///< threads
  uint32_t dynamicSharedBytes; ///< of the launch configuration
  uint32_t cluster;            ///< blocks: x, 2^8 y, 2^16 z
};

/// The memory that belongs to one block while it runs. A worker uses one
/// workspace for all its blocks, except where they wait for each other: then
/// every block keeps its own.
/// WorkspaceMargin bytes before and after each memory may be read, and written
/// back as they were: where some lanes of a vector lie inside.
struct CpuWorkspace {
  /// Kernel::staticSharedBytes, then the dynamic shared bytes; aligned to 128.
  char *shared;
  /// Values that live across barriers, one array per value with an element for
  /// each thread: Kernel::arenaBytesPerThread times the threads of the block
  /// rounded up to ArenaThreadGranule; aligned to 64; not initialised.
  char *arena;
};

inline constexpr uint32_t ArenaThreadGranule = 64;
/// At least two of the widest vectors; also what both memories are aligned to.
inline constexpr uint32_t WorkspaceMargin = 128;

/// Runs all threads of one block. Of a kernel with Kernel::blockRows, which has
/// no barriers, the \p further blocks that follow in x as well. A barrier of
/// the grid is a call of GridBarrierFunction. \p arguments are the packed
/// parameters, laid out as Kernel::parameters says; \p block is the index of
/// the block, counted from zero. All of them stay where they are until the
/// block has ended.
using CpuBlockEntry = void (*)(const char *arguments, const CpuLaunch *launch,
                               const Dim3 *block, uint32_t further,
                               const CpuWorkspace *workspace);

/// Runs one thread of one block, without fission: the reference mode
/// (CUFORT_CPU_FIBERS=1), and the only code of kernels that need it. A barrier
/// is a call of BlockBarrierFunction or of GridBarrierFunction, a warp
/// operation one of WarpOperationFunction.
/// \p thread is the thread index in the block, counted from zero.
using CpuThreadEntry = void (*)(const char *arguments, const CpuLaunch *launch,
                                const Dim3 *block, const Dim3 *thread,
                                const CpuWorkspace *workspace);

/// void(uint32_t statement): suspends the fiber until all live fibers of its
/// block have arrived. \p statement says where in the code the barrier stands,
/// 0 that this does not matter (CUFORT_CPU_STRICT).
inline constexpr char BlockBarrierFunction[] = "__cufort_cpu_block_barrier";

/// void(): suspends the fiber, which a block's thread runs on, or all of a
/// block, until all blocks of a cooperative launch have arrived or ended.
inline constexpr char GridBarrierFunction[] = "__cufort_cpu_grid_barrier";

/// void(): the same for the blocks of a cluster.
inline constexpr char ClusterBarrierFunction[] = "__cufort_cpu_cluster_barrier";

/// void *(void *address, uint32_t rank): where that address of the calling
/// block's shared memory is in the block \p rank of its cluster.
inline constexpr char ClusterSharedFunction[] = "__cufort_cpu_cluster_shared";

/// void(): the caller has asked in vain for what others do, and will ask again.
/// Lets the other threads of the block go on first, each up to where it waits,
/// or if a block is one fiber other blocks.
inline constexpr char YieldFunction[] = "__cufort_cpu_yield";

/// What the lanes of a warp do together. A warp is 32 threads with consecutive
/// numbers, counted with x fastest.
enum class CpuWarpOperation : uint32_t {
  ShuffleIndex,
  ShuffleUp,
  ShuffleDown,
  ShuffleXor,
  Ballot,
  MatchAny,
  MatchAll,
  ReduceAdd,
  ReduceAnd,
  ReduceOr,
  ReduceXor,
  ReduceSMin,
  ReduceSMax,
  ReduceUMin,
  ReduceUMax,
  ActiveMask,
  Synchronise,
  /// A volatile access follows; lanes of a warp that run in step go to it
  /// together.
  VolatileAccess
};

/// uint64_t(uint32_t operation, uint32_t mask, uint64_t value, uint32_t b,
/// uint32_t c, uint32_t place), in a thread entry: suspends the fiber until all
/// live fibers of its warp that \p mask names are at the same operation,
/// exchanges their values and returns the result of the shuffle, vote, match,
/// reduction or activemask; b and c are those of PTX's shfl.sync. ActiveMask
/// and VolatileAccess have no mask: they wait for the lanes that can come to
/// the same \p place, a number that grows along the paths through the kernel.
inline constexpr char WarpOperationFunction[] = "__cufort_cpu_warp_operation";

/// The instruction sets for which a kernel may have been compiled. A program
/// takes the highest one that the machine has and the image holds.
enum CpuLevel : uint32_t {
  X86_64_V2 = 0,
  X86_64_V3 = 1,
  X86_64_V4 = 2,
  /// The same instructions, for processors on which vectors of 512 bits are
  /// better than those of 256 for loops that wait for memory.
  X86_64_V4_WIDE = 3,
  CpuLevelCount = 4
};

//===----------------------------------------------------------------------===//
// Kernels, variables, code
//===----------------------------------------------------------------------===//

/// A kernel parameter's place in the packed argument buffer, in bytes. The
/// layout is the GPU's (each parameter at its natural alignment).
struct Parameter {
  uint32_t offset;
  uint32_t size;
};

/// A kernel's code for blocks of one shape, which is a constant there.
struct CpuVariant {
  Dim3 block;
  uint32_t arenaBytesPerThread;     ///< see CpuWorkspace::arena
  CpuBlockEntry cpu[CpuLevelCount]; ///< null where not compiled
};

inline constexpr uint32_t WaitsInLoops = 2;

struct Kernel {
  const char *name; ///< the symbol in the device code and in the PTX
  const Parameter *parameters;
  uint32_t parameterCount;
  uint32_t parameterBytes;      ///< the whole packed buffer
  uint32_t staticSharedBytes;   ///< a multiple of 16
  uint32_t arenaBytesPerThread; ///< see CpuWorkspace::arena
  uint32_t maxThreadsPerBlock;  ///< from launch_bounds; 0: no bound given
  uint32_t minBlocksPerMultiprocessor; ///< from launch_bounds; 0: not given
  CpuBlockEntry cpu[CpuLevelCount];    ///< null where not compiled
  CpuThreadEntry cpuThread;            ///< null where not compiled
  /// For shapes with which the program is known to launch the kernel; all
  /// others take the general code above.
  const CpuVariant *variants = nullptr;
  uint32_t variantCount = 0;
  /// 0: the order of blocks does not matter; 1: threads read what other threads
  /// may write meanwhile, so a block may wait for an earlier one; WaitsInLoops:
  /// the block entries call YieldFunction in loops, so it may wait for any.
  uint32_t blocksMayWait = 0;
  /// 1: the general code can run blocks side by side in x as one wide block, if
  /// the grid's threads in x can be counted in 31 bits.
  uint32_t blockRows = 0;
  /// From cluster_dims, as CpuLaunch::cluster; 0: not given.
  uint32_t cluster = 0;
  /// 1: its threads may launch kernels (DeviceLaunches.h).
  uint32_t launchesKernels = 0;
  /// For cudaFuncGetAttributes on the CPU: bytes of constant variables that it
  /// can read, and of a thread's private arrays, wherever those are kept.
  uint32_t constantBytes = 0;
  uint32_t localBytes = 0;
  /// With --check: by what a launch finds out whether it may run the entries of
  /// blocks; null: it runs what checks every access, cpuChecked or cpuThread.
  const CheckProof *proof = nullptr;
  /// With --check: all threads of a block, in loops; null: only on fibers.
  CpuBlockEntry cpuChecked = nullptr;
  uint32_t checkedArenaBytesPerThread = 0;
};

/// Where a device variable lives; the numbers are the address spaces of the
/// device code.
enum class Space : uint32_t { Global = 1, Constant = 4 };

struct Variable {
  const char *name; ///< the symbol in the device code and in the PTX
  uint64_t size;    ///< bytes
  uint32_t alignment;
  Space space;
  /// The variable itself on the first CPU device; holds its initial value when
  /// the program starts.
  void *cpuAddress;
};

/// Something that all CPU devices have in common although each has its own
/// instance of the CPU code and of the device variables: a managed variable, or
/// (size 0) a function that is not device code.
struct CpuShared {
  void *address;
  uint64_t size;
};

enum class CodeKind : uint32_t { Ptx = 1, Cubin = 2 };

/// One piece of GPU code: the whole program's kernels for \p architecture (70
/// is sm_70) and, for PTX, for everything newer. PTX ends with a zero byte
/// that \p size does not count.
struct Code {
  CodeKind kind;
  uint32_t architecture;
  const char *data;
  uint64_t size;
};

struct Image {
  uint32_t magic;
  uint32_t version;
  uint32_t kernelCount;
  uint32_t variableCount;
  uint32_t codeCount; ///< 0: the program has no GPU code
  /// 1: the CPU code can be loaded once for every CPU device: the code reaches
  /// what CpuShared names through pointers and everything else relative to
  /// itself.
  uint32_t cpuInstances;
  const Kernel *kernels;
  const Variable *variables;
  const Code *code;
  const CpuShared *shared = nullptr;
  uint64_t sharedCount = 0;
  /// The newest GPU that a file was compiled for (80 is sm_80), where its
  /// language asks for one; else 0.
  uint64_t compiledFor = 0;
};

//===----------------------------------------------------------------------===//
// Registration
//===----------------------------------------------------------------------===//

/// An element of section llvm_offload_entries (LLVM's layout, version 1): what
/// a host object file says of its kernels and device variables. A kernel has
/// size 0 and the address of its host stub; a variable has its size and the
/// address of its host shadow.
struct OffloadEntry {
  uint64_t reserved;
  uint16_t version;
  uint16_t kind;
  uint32_t flags;
  void *address;
  char *name;
  uint64_t size;
  uint64_t data;
  void *auxiliary;
};

/// void(const Image *, const OffloadEntry *begin, const OffloadEntry *end):
/// called by the image's constructor, before main.
inline constexpr char RegisterFunction[] = "__cufort_register_image";

} // namespace cufort::image

#endif // CUFORT_IMAGE_IMAGE_H

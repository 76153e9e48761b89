//===- Kernel.h - what the passes know of a kernel --------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Between the passes everything known of a kernel stands in the module itself,
// as attributes of functions and variables, so that each pass works on text.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CPU_ANALYSIS_KERNEL_H
#define CUFORT_COMPILER_CPU_ANALYSIS_KERNEL_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include "llvm/Transforms/Utils/ValueMapper.h"
#include <array>

namespace cufort::cpu {

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

/// Of a function: it is a kernel or an entry of one; the value is the kernel's
/// symbol in the device code.
inline constexpr char KernelAttribute[] = "cufort-kernel";
/// Of a kernel after cpu-entry: "block", "thread", with --check "checked", and
/// after cpu-instruction-sets "block0" to "block3", by image::CpuLevel.
inline constexpr char EntryAttribute[] = "cufort-entry";
/// Of an entry: "offset:size" of each parameter, separated by commas.
inline constexpr char ParametersAttribute[] = "cufort-parameters";
/// Of an entry: bytes, as in image::Kernel.
inline constexpr char ParameterBytesAttribute[] = "cufort-parameter-bytes";
inline constexpr char StaticSharedAttribute[] = "cufort-static-shared";
/// Of an entry whose barriers count votes: where two i32 counters lie in the
/// shared memory.
inline constexpr char VoteCountersAttribute[] = "cufort-vote-counters";
inline constexpr uint32_t VoteCounterBytes = 8; ///< those for and against
inline constexpr char ArenaAttribute[] = "cufort-arena";
/// Of an entry that is for blocks of one shape only: "x,y,z".
inline constexpr char ShapeAttribute[] = "cufort-shape";
/// Of such an entry for blocks with one thread in x: the axis that has taken
/// the place of x, 1 or 2. What reads the thread's index in x reads that in y
/// or z; indices in the others are 0 where the shape says so.
inline constexpr char AlongAttribute[] = "cufort-along";
/// Of an entry that is not for all processors: bit n is image::CpuLevel n.
inline constexpr char LevelsAttribute[] = "cufort-levels";
/// Of a device procedure that stays a function, and of all calls of such
/// procedures, also through pointers.
inline constexpr char ProcedureAttribute[] = "cufort-procedure";
/// Of a kernel or its thread entry, if each of its threads runs as a fiber and
/// there is no block entry: the construct that no other way can do.
inline constexpr char FibersAttribute[] = "cufort-fibers";
/// Of a variable: "shared" or "device".
inline constexpr char VariableAttribute[] = "cufort-variable";
/// Of variables that the host may use, too.
inline constexpr char ManagedAttribute[] = "cufort-managed";
/// Of variables of the constant space: no kernel writes them.
inline constexpr char ConstantAttribute[] = "cufort-constant";

/// A number attribute of \p function; 0 where it has none.
uint32_t attributeNumber(const llvm::Function &function,
                         llvm::StringRef attribute);
void setAttributeNumber(llvm::Function &function, llvm::StringRef attribute,
                        uint32_t number);

//===----------------------------------------------------------------------===//
// Kernels and entries
//===----------------------------------------------------------------------===//

/// Defined kernels: before cpu-entry the device functions, afterwards the
/// entries of kind \p entry.
llvm::SmallVector<llvm::Function *> kernels(llvm::Module &module);
llvm::SmallVector<llvm::Function *> entries(llvm::Module &module,
                                            llvm::StringRef entry);

/// The kernels, before cpu-entry, and the device procedures that stay
/// functions.
llvm::SmallVector<llvm::Function *> deviceFunctions(llvm::Module &module);

/// The positions of an entry's arguments (image::CpuBlockEntry and
/// image::CpuThreadEntry).
enum EntryArgument : unsigned {
  ArgumentsArgument = 0,
  LaunchArgument = 1,
  BlockArgument = 2,
  FurtherArgument = 3, // of a block entry
  ThreadArgument = 3,  // of a thread entry
  WorkspaceArgument = 4
};

/// The name of the kernel that \p function is or belongs to.
llvm::StringRef kernelName(const llvm::Function &function);

/// The block shape that \p entry is for, as the program launches it; zeros if
/// it is for all.
std::array<uint32_t, 3> launchedShape(const llvm::Function &entry);
/// The same as the thread indices of \p entry go through it (AlongAttribute).
std::array<uint32_t, 3> blockShape(const llvm::Function &entry);

/// The terminator of the entry block: what stands before it is computed once
/// per block of threads and is available everywhere.
llvm::Instruction *endOfPrologue(llvm::Function &entry);

/// Copies all blocks of \p function but the first, and gives the copies' names
/// \p suffix. \p copies maps what was copied.
void copyBody(llvm::Function &function, const llvm::Twine &suffix,
              llvm::ValueToValueMapTy &copies);

/// A variable that all threads of the block share, with \p initial as its first
/// value if there is one. It becomes a register in the end.
llvm::AllocaInst *makeBlockVariable(llvm::Function &entry, llvm::Type *type,
                                    llvm::Value *initial,
                                    const llvm::Twine &name);

//===----------------------------------------------------------------------===//
// Marks for what the device code says by intrinsics
//===----------------------------------------------------------------------===//

/// void(i1 predicate): the thread's vote at the reducing barrier that follows.
inline constexpr char VoteMark[] = "cufort.vote";
/// i32(i32 kind): a barrier of the block; the result is that of the votes cast
/// since the barrier before, by BarrierKind.
inline constexpr char BarrierMark[] = "cufort.barrier";
/// void(): the thread ends here. Control goes on, for the analyses only, to
/// where the other threads go.
inline constexpr char ThreadExitMark[] = "cufort.thread.exit";

/// void(ptr variable, i32 amount): adds to a variable of the block what the
/// threads have to add, each after the other. cpu-simplify makes it so.
inline constexpr char CountMark[] = "cufort.count";
llvm::FunctionCallee countMark(llvm::Module &module);
void lowerCounts(llvm::Module &module);

/// Notes which atomics of block entries are on shared memory, before vectors
/// hide it, and makes those plain: the threads of a block run on one worker,
/// one after the other or in step. The latter when nothing asks any more which
/// threads communicate.
void noteSharedAtomics(llvm::Module &module);
void relaxSharedAtomics(llvm::Module &module);

enum class BarrierKind : uint32_t { Plain, Count, And, Or, Grid, Cluster };

/// void(), of the device library: a barrier of the grid. Its body is the GPU's.
inline constexpr char GridBarrierProcedure[] = "__cufort_grid_barrier";

/// void(i32 number, i32 count, i32 waits): a barrier of part of a block.
inline constexpr char PartBarrierFunction[] = "__cufort_cpu_part_barrier";

/// \p instruction as a call of the mark \p name, or null.
llvm::CallInst *asMark(llvm::Instruction *instruction, llvm::StringRef name);

/// i64(): the thread's number in its block, x fastest.
inline constexpr char ThreadRankMark[] = "cufort.thread.rank";
llvm::FunctionCallee threadRankMark(llvm::Module &module);

/// i64(): the thread's number in its strip, while a strip is being made.
inline constexpr char LaneMark[] = "cufort.lane";
llvm::FunctionCallee laneMark(llvm::Module &module);

/// What \p value reads of the thread: 0, 1, 2 for its index in x, y, z,
/// RankDimension for its number in the block, LaneDimension for that in its
/// strip, else -1.
int threadIndexDimension(const llvm::Value *value);
/// Behind x, y and z.
inline constexpr int RankDimension = 3;
inline constexpr int LaneDimension = 4;

/// A copy of \p instruction, not inserted, for a thread that need not come to
/// its place: without promises, and where the optimiser has written a sum as a
/// disjunction or a sign extension as one with zeros because of who comes
/// there, the sum and the sign extension. The values of neighbours follow from
/// it.
llvm::Instruction *cloneForAnyThread(const llvm::Instruction &instruction);

/// Whether \p pointer points into the shared memory of the block, after
/// cpu-shared.
bool isSharedMemory(const llvm::Value &pointer);

//===----------------------------------------------------------------------===//
// Diagnostics
//===----------------------------------------------------------------------===//

/// "FILE:LINE: kernel 'NAME': MESSAGE", with the location where it is known.
llvm::Error refuse(const llvm::Function &function, const llvm::Instruction *at,
                   const llvm::Twine &message);

} // namespace cufort::cpu

#endif // CUFORT_COMPILER_CPU_ANALYSIS_KERNEL_H

//===- Check.h - what instrumented device code tells the runtime ----------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program that was compiled with --check: the contract between
// compiler/check, which puts calls and tables into device code, and
// runtime/check, which is called.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_IMAGE_CHECK_H
#define CUFORT_IMAGE_CHECK_H

#include <cstdint>

namespace cufort::image {

/// What is checked: bits of CheckTable::checks.
enum CheckKind : uint32_t {
  CheckMemory = 1,
  CheckRace = 2,
  CheckInit = 4,
  CheckSync = 8,
  CheckSameValue = 16 ///< writes of the same value count as races
};

/// An array or scalar that device code knows by name.
struct CheckVariable {
  const char *name;
  void *address;  ///< null: shared or private, it depends on the block
  uint64_t bytes; ///< 0: not known, as of dynamic shared memory
  uint32_t elementBytes;
  uint32_t rank;
  /// Extents in the order of the source's subscripts; the fastest is the first
  /// in Fortran and the last in C.
  uint64_t extents[7];
  uint32_t fortran; ///< 1: subscripts count from 1, in round brackets
  uint32_t constant;
};

/// Bits of CheckSite::flags.
enum CheckSiteFlag : uint32_t {
  SiteWrites = 1,
  SiteAtomic = 2, ///< atomic, or volatile or relaxed
  SiteVolatile = 4,
  SiteBlockScope = 8, ///< atomic for the threads of one block only
  SiteReleases = 16,  ///< orders what the thread did before, by itself
  SiteAcquires = 32,
  SiteFortran = 64,
  SiteNoValue = 128, ///< the value that is written is not passed
  SiteBarrier = 256,
  SiteAnyStatement = 65536, ///< of a barrier: others may be at another
  SiteWarp = 512,
  SiteBeforeExchange = 4096, ///< reads what the procedure exchanges as well
  SiteExchange = 2048,       ///< compares, and writes if equal
  SiteRange = 1024,          ///< a copy or fill; bytes come with the call
  SiteUpdates = 32768,       ///< reads what is there, and writes it
  SiteCopies = 131072, ///< reads a component that is copied, with its structure
  SiteCopy = 8192,     ///< a statement of the host that copies or fills
  SiteHost = 16384,    ///< code of the host
  SiteAllocates = 262144, ///< with SiteCopy: memory begins to be there
  SiteFrees = 524288      ///< likewise: it is no longer there
};

/// A place in the source that accesses memory or waits.
struct CheckSite {
  const char *file;              ///< "": not known
  const char *procedure;         ///< in which it stands
  const char *name;              ///< of the variable; "": not known
  const CheckVariable *variable; ///< null: reached through a pointer
  uint32_t line, column;
  uint32_t bytes; ///< of one access
  uint32_t alignment;
  uint32_t flags;
  uint32_t number; ///< the runtime's, 0 before it knows the place
  uint32_t access; ///< 1 and its number in a CheckProof; 0: it has none
};

/// What a launch's proof says of an access, by its number in the CheckProof.
enum CheckNeed : uint8_t {
  NeedsAll = 0,
  NeedsNothing = 1, ///< instrumented code does not call the runtime for it
  NeedsNoRace = 2   ///< it cannot be a race; the rest is not known
};

struct CheckTable {
  uint32_t version;
  uint32_t checks;
  uint64_t variableCount;
  const CheckVariable *variables;
};

//===----------------------------------------------------------------------===//
// Proofs
//===----------------------------------------------------------------------===//

/// What a symbol of a form stands for (compiler/check/Forms.h).
enum class CheckSymbolKind : uint32_t {
  ThreadX,
  ThreadY,
  ThreadZ,
  BlockX,
  BlockY,
  BlockZ,
  Iterations,   ///< of a loop: 0 or more
  Between,      ///< any number from its first form to its second
  BlockBetween, ///< the same; the threads of a block agree on it
  Least,        ///< of its two forms
  Most,
  Either,     ///< one of its two forms
  Quotient,   ///< of its first form and its second, which is the launch's
  Remainder,  ///< of such a division
  Unsigned,   ///< its first form's bits, as many as its second says
  ThreadHigh, ///< ThreadX divided by its first form, a constant
  ThreadLow,  ///< what remains
  Any,        ///< any number of so many bits as its first form says
  Loaded      ///< the same, and what an access reads
};

/// Bits of an access of a proof.
enum CheckProofFlag : uint32_t {
  ProofWrites = 1,
  ProofAtomic = 2,
  ProofShared = 4,
  ProofPrivate = 8,            ///< an array of the thread's own
  ProofWhole = 16,             ///< made wherever its conditions are true
  ProofConstantInInterval = 32 ///< of symbols
};

/// What a proof does not say of its kernel: bits of its gaps. With a gap not
/// all of a launch can be proved, only single accesses.
enum CheckProofGap : uint32_t {
  GapOrder = 1,   ///< threads wait, or order memory, not by barriers alone
  GapReads = 2,   ///< it may read any memory
  GapWrites = 4,  ///< it may write any memory
  GapParting = 8, ///< some threads of a block may come to other barriers
  GapRest = 16    ///< anything else that is to be checked
};

struct CpuLaunch;

/// All that a kernel accesses, as far as it can be said before a launch, so
/// that the runtime finds out whether any of it can be wrong. What a launch's
/// forms are made of is computed by \c compute. \c words holds, each list with
/// its length in front:
///
///     FORM       value, [symbol, value]
///     CONDITIONS [comparison, FORM], none of which is negative
///     symbols    [kind, flags, FORM, FORM, access (or NoValue)]
///     limits     [FORM, bits (0: not negative), symbol + 1, value, how many of
///                the conditions are of the loop alone, the only comparison
///                for which it matters (or 0), CONDITIONS]
///     accesses   [flags, object, value of the address, value of the size (or
///                NoValue: of the allocation), bytes, alignment, FORM of the
///                distance, CONDITIONS, CONDITIONS that decide about it]
///     bounds     [FORM, CONDITIONS]
///     pairs      [access, access]: of shared memory, in one interval
///     covers     [access, [access, own, CONDITIONS]]: a read of shared memory
///                and what has been written before it; own: by the same thread
///     warps      CONDITIONS that must be true for all threads of a warp or for
///                none
///     gaps       bits of CheckProofGap
///     numbers    [by which instrumented code asks for an access (or NoValue)]
struct CheckProof {
  uint32_t valueCount;
  uint32_t wordCount;
  const uint32_t *words;
  void (*compute)(const char *arguments, const CpuLaunch *launch,
                  int64_t *values);

  static constexpr uint32_t NoValue = ~0u;
  /// More accesses of a kernel have no numbers.
  static constexpr uint32_t MostNumbers = 4096;
};

inline constexpr uint32_t CheckVersion = 2;

/// The device variable of 8 bytes in which code for the CPU has the address of
/// its CheckTable. On GPUs it is 0.
inline constexpr char CheckTableName[] = "__cufort_check_table";

/// What host code calls for memory that devices may reach: address, bytes,
/// place; and the word of 32 bits that says whether anything is under way.
inline constexpr char CheckHostName[] = "__cufort_check_host";
inline constexpr char CheckHostArrayName[] = "__cufort_check_host_array";
inline constexpr char CheckLiveName[] = "__cufort_check_live";

/// What all functions that instrumented code calls begin with.
inline constexpr char CheckPrefix[] = "__cufort_cpu_check_";

/// What a thread of a program built with --count-operations calls where it
/// returns, with three numbers of 64 bits: its floating-point operations of up
/// to 32 bits and of 64, and the bytes of global memory it has read and
/// written.
inline constexpr char CountFunction[] = "__cufort_cpu_count";

} // namespace cufort::image

#endif // CUFORT_IMAGE_CHECK_H

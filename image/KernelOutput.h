//===- KernelOutput.h - what kernels print, on its way ----------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The contract between the device library (device/output.c, in C), the CPU's
// compiler, and the runtime, for output statements and stop statements of
// kernels. C and C++ include this header.
//
// An output statement is a record of 64-bit words: BEGIN, what the statement
// says, END. The device library makes the record of the calls that Flang emits;
// the runtime reads it after a synchronisation and makes the same calls of the
// host's Fortran runtime, so that a kernel's output looks like the host's.
//
// On the CPU the functions OUTPUT_* and STOP below are the runtime's. On a GPU
// they are the device library's: they write records into slots of pinned host
// memory, which the host can read even after the kernel has been killed.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_IMAGE_KERNELOUTPUT_H
#define CUFORT_IMAGE_KERNELOUTPUT_H

// What an item of a record is: the low 8 bits of its first word. The next 8
// bits are a size or type as noted, the high 32 bits a count as noted.
enum CufortOutputItem {
  /// A statement of list-directed output; high: the unit. A second word: the
  /// source line; a third one: the address of the source file's name on the
  /// device.
  CUFORT_OUTPUT_LIST = 1,
  /// The same with a format: the next item is CHARACTERS or ARRAY.
  CUFORT_OUTPUT_FORMATTED = 2,
  CUFORT_OUTPUT_END = 3,
  /// Size: bytes; one word, two for 16 bytes.
  CUFORT_OUTPUT_INTEGER = 4,
  /// Size: bytes; one word with the bits.
  CUFORT_OUTPUT_REAL = 5,
  /// Size: bytes of a part; two words.
  CUFORT_OUTPUT_COMPLEX = 6,
  /// One word.
  CUFORT_OUTPUT_LOGICAL = 7,
  /// Size: bytes of a character; high: bytes in all; the bytes, eight a word.
  CUFORT_OUTPUT_CHARACTERS = 8,
  /// Type: CFI_type_t; high: elements. A second word: bytes of an element; the
  /// elements in Fortran's order without gaps, eight bytes a word.
  CUFORT_OUTPUT_ARRAY = 9,
  /// A specifier of the statement; size: which (CufortOutputSpecifier); high:
  /// bytes; the bytes, eight a word.
  CUFORT_OUTPUT_SPECIFIER = 10
};

enum CufortOutputSpecifier {
  CUFORT_OUTPUT_ADVANCE,
  CUFORT_OUTPUT_DECIMAL,
  CUFORT_OUTPUT_DELIM,
  CUFORT_OUTPUT_ROUND,
  CUFORT_OUTPUT_SIGN
};

/// Why a kernel ends the program.
enum CufortStop {
  CUFORT_STOP_CODE,       ///< stop with an integer, or without anything
  CUFORT_STOP_TEXT,       ///< stop with a character string
  CUFORT_ERROR_STOP_CODE, ///< error stop
  CUFORT_ERROR_STOP_TEXT,
  CUFORT_STOP_EXIT,  ///< call exit(code)
  CUFORT_STOP_ABORT, ///< call abort()
  CUFORT_STOP_FATAL  ///< an error that Fortran's runtime has found
};

/// Added to a kind of CufortStop: quiet=.true.
enum { CUFORT_STOP_QUIET = 0x100 };

// The functions, as NAME(function of the device library, what it is on the
// CPU):
//   void *output_begin(u32 item, i32 unit, const char *file, i32 line): the
//     record, or null where there is no room
//   void output_item(void *record, u64 head, u64 first, u64 second, u32 words)
//   void output_bytes(void *record, u64 head, const void *, u64 bytes)
//   void output_array(void *record, u64 head, const void *base,
//     u64 elementBytes, u32 rank, const i64 (*dimensions)[3]): the elements;
//     a dimension is lower bound, extent, stride in bytes, as in a descriptor;
//     head lacks the count
//   void output_end(void *record)
//   void kernel_stop(u32 kind, i32 code, const char *text, u64 bytes,
//     const char *file, i32 line): does not return
#define CUFORT_OUTPUT_FUNCTIONS(NAME)                                          \
  NAME(__cufort_output_begin, __cufort_cpu_output_begin)                       \
  NAME(__cufort_output_item, __cufort_cpu_output_item)                         \
  NAME(__cufort_output_bytes, __cufort_cpu_output_bytes)                       \
  NAME(__cufort_output_array, __cufort_cpu_output_array)                       \
  NAME(__cufort_output_end, __cufort_cpu_output_end)                           \
  NAME(__cufort_kernel_stop, __cufort_cpu_kernel_stop)

//===----------------------------------------------------------------------===//
// On a GPU
//===----------------------------------------------------------------------===//

enum { CUFORT_SLOT_WORDS = 14 };

/// A piece of a record, in pinned host memory. Slots are taken in a circle and
/// numbered without end; number N is element N modulo the number of slots.
struct CufortOutputSlot {
  /// N + 1 when the record that begins in slot N is complete, with the top bit
  /// set where it is not whole: no slot was free. Not written in the slots that
  /// continue a record.
  unsigned long long stamp;
  /// 1 more than the number of the slot where the record goes on, or 0.
  unsigned long long next;
  unsigned long long words[CUFORT_SLOT_WORDS];
};

/// A record being written, in device memory, one for every slot: that in which
/// it begins.
struct CufortOutputRecord {
  struct CufortOutputSlot *first, *slot;
  unsigned long long number;
  unsigned used, lost;
};

/// What host and device tell each other, in pinned host memory.
struct CufortOutputMailbox {
  /// Slots up to this number, without it, may be written. The host moves it on
  /// when it has read slots.
  unsigned long long limit;
  /// The device: records were lost.
  unsigned overflowed;
  /// The device: a kernel ends the program; what follows says how.
  unsigned stopped;
  unsigned stopKind;
  int stopCode;
  int stopLine;
  unsigned stopTextBytes, stopFileBytes;
  char stopText[1024];
  char stopFile[512];
};

/// The device variable that the runtime fills when it loads the program.
struct CufortOutputChannel {
  unsigned long long reserved; ///< slots, by all threads
  unsigned long long lost;     ///< records
  unsigned stopping;           ///< a thread is writing why the program ends
  unsigned unused;
  unsigned long long slotCount; ///< 0: nobody reads
  struct CufortOutputSlot *slots;
  struct CufortOutputRecord *records;
  struct CufortOutputMailbox *mailbox;
};

/// The channel's symbol; programs whose kernels print or stop have it.
#define CUFORT_OUTPUT_CHANNEL __cufort_output_channel
#define CUFORT_OUTPUT_CHANNEL_NAME "__cufort_output_channel"

#endif // CUFORT_IMAGE_KERNELOUTPUT_H

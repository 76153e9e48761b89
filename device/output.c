//===- output.c - print and stop in kernels -------------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Flang's calls for output statements and for the end of the program, in device
// code: first as records (image/KernelOutput.h), which is the same everywhere,
// then how a GPU hands records to the host. The CPU's compiler puts the
// runtime's functions in place of that second half.
//
//===----------------------------------------------------------------------===//

#include "image/KernelOutput.h"

typedef long long i64;
typedef unsigned long long u64;
typedef unsigned int u32;

#define FORTRAN(name) _FortranA##name
#define PRIMITIVE __attribute__((noinline, nothrow, cold))

PRIMITIVE void *__cufort_output_begin(u32 item, int unit, const char *file,
                                      int line);
PRIMITIVE void __cufort_output_item(void *record, u64 head, u64 first,
                                    u64 second, u32 words);
PRIMITIVE void __cufort_output_bytes(void *record, u64 head, const void *bytes,
                                     u64 count);
PRIMITIVE void __cufort_output_array(void *record, u64 head, const void *base,
                                     u64 elementBytes, u32 rank,
                                     const i64 (*dimensions)[3]);
PRIMITIVE void __cufort_output_end(void *record);
PRIMITIVE __attribute__((noreturn)) void
__cufort_kernel_stop(u32 kind, int code, const char *text, u64 bytes,
                     const char *file, int line);

//===----------------------------------------------------------------------===//
// Output statements
//===----------------------------------------------------------------------===//

static u64 headOf(u32 item, u32 size, u64 count) {
  return item | size << 8 | count << 32;
}

/// Flang's descriptor, that of ISO_Fortran_binding.h.
struct Descriptor {
  const void *base;
  u64 elementBytes;
  int version;
  unsigned char rank;
  signed char type;
  unsigned char attribute, extra;
  i64 dimensions[15][3]; ///< lower bound, extent, stride in bytes
};

static void outputArray(void *record, const struct Descriptor *array) {
  __cufort_output_array(
      record, headOf(CUFORT_OUTPUT_ARRAY, (unsigned char)array->type, 0),
      array->base, array->elementBytes, array->rank, array->dimensions);
}

void *FORTRAN(ioBeginExternalListOutput)(int unit, const char *file, int line) {
  return __cufort_output_begin(CUFORT_OUTPUT_LIST, unit, file, line);
}

void *FORTRAN(ioBeginExternalFormattedOutput)(const char *format, u64 bytes,
                                              const void *descriptor, int unit,
                                              const char *file, int line) {
  void *record =
      __cufort_output_begin(CUFORT_OUTPUT_FORMATTED, unit, file, line);
  if (format)
    __cufort_output_bytes(record, headOf(CUFORT_OUTPUT_CHARACTERS, 1, bytes),
                          format, bytes);
  else
    outputArray(record, descriptor);
  return record;
}

// Errors are found when the host formats, too late for a thread to know: iostat
// is zero here, and an error ends the program there.
void FORTRAN(ioEnableHandlers)(void *record, _Bool iostat, _Bool err, _Bool end,
                               _Bool eor, _Bool iomsg) {}

int FORTRAN(ioEndIoStatement)(void *record) {
  __cufort_output_end(record);
  return 0;
}

#define INTEGER(bits, T)                                                       \
  _Bool FORTRAN(ioOutputInteger##bits)(void *record, T value) {                \
    __cufort_output_item(record,                                               \
                         headOf(CUFORT_OUTPUT_INTEGER, sizeof(value), 0),      \
                         (u64)(i64)value, 0, 1);                               \
    return 1;                                                                  \
  }
INTEGER(8, signed char)
INTEGER(16, short)
INTEGER(32, int)
INTEGER(64, i64)

_Bool FORTRAN(ioOutputInteger128)(void *record, __int128 value) {
  __cufort_output_item(record, headOf(CUFORT_OUTPUT_INTEGER, 16, 0), (u64)value,
                       (u64)(value >> 64), 2);
  return 1;
}

#define REAL(bits, T, U)                                                       \
  _Bool FORTRAN(ioOutputReal##bits)(void *record, T value) {                   \
    __cufort_output_item(record, headOf(CUFORT_OUTPUT_REAL, sizeof(value), 0), \
                         __builtin_bit_cast(U, value), 0, 1);                  \
    return 1;                                                                  \
  }                                                                            \
  _Bool FORTRAN(ioOutputComplex##bits)(void *record, T re, T im) {             \
    __cufort_output_item(record, headOf(CUFORT_OUTPUT_COMPLEX, sizeof(re), 0), \
                         __builtin_bit_cast(U, re), __builtin_bit_cast(U, im), \
                         2);                                                   \
    return 1;                                                                  \
  }
REAL(32, float, u32)
REAL(64, double, u64)

_Bool FORTRAN(ioOutputLogical)(void *record, _Bool value) {
  __cufort_output_item(record, headOf(CUFORT_OUTPUT_LOGICAL, 1, 0), value, 0,
                       1);
  return 1;
}

_Bool FORTRAN(ioOutputAscii)(void *record, const char *text, u64 bytes) {
  __cufort_output_bytes(record, headOf(CUFORT_OUTPUT_CHARACTERS, 1, bytes),
                        text, bytes);
  return 1;
}

_Bool FORTRAN(ioOutputCharacter)(void *record, const char *text, u64 length,
                                 int kind) {
  const u64 bytes = length * (u64)kind;
  __cufort_output_bytes(
      record, headOf(CUFORT_OUTPUT_CHARACTERS, (u32)kind, bytes), text, bytes);
  return 1;
}

_Bool FORTRAN(ioOutputDescriptor)(void *record, const void *descriptor) {
  outputArray(record, descriptor);
  return 1;
}

#define SPECIFIER(name, NAME)                                                  \
  _Bool FORTRAN(ioSet##name)(void *record, const char *text, u64 bytes) {      \
    __cufort_output_bytes(                                                     \
        record, headOf(CUFORT_OUTPUT_SPECIFIER, CUFORT_OUTPUT_##NAME, bytes),  \
        text, bytes);                                                          \
    return 1;                                                                  \
  }
SPECIFIER(Advance, ADVANCE)
SPECIFIER(Decimal, DECIMAL)
SPECIFIER(Delim, DELIM)
SPECIFIER(Round, ROUND)
SPECIFIER(Sign, SIGN)

//===----------------------------------------------------------------------===//
// The end of the program
//===----------------------------------------------------------------------===//

void FORTRAN(StopStatement)(int code, _Bool isErrorStop, _Bool quiet) {
  __cufort_kernel_stop(
      (isErrorStop ? CUFORT_ERROR_STOP_CODE : CUFORT_STOP_CODE) |
          (quiet ? CUFORT_STOP_QUIET : 0),
      code, 0, 0, 0, 0);
}

void FORTRAN(StopStatementText)(const char *text, u64 bytes, _Bool isErrorStop,
                                _Bool quiet) {
  __cufort_kernel_stop(
      (isErrorStop ? CUFORT_ERROR_STOP_TEXT : CUFORT_STOP_TEXT) |
          (quiet ? CUFORT_STOP_QUIET : 0),
      isErrorStop, text, bytes, 0, 0);
}

void FORTRAN(Exit)(int code) {
  __cufort_kernel_stop(CUFORT_STOP_EXIT, code, 0, 0, 0, 0);
}

void FORTRAN(Abort)(void) {
  __cufort_kernel_stop(CUFORT_STOP_ABORT, 0, 0, 0, 0, 0);
}

static u64 lengthOf(const char *text) {
  u64 bytes = 0;
  while (text && text[bytes])
    ++bytes;
  return bytes;
}

void FORTRAN(ReportFatalUserError)(const char *message, const char *file,
                                   int line) {
  __cufort_kernel_stop(CUFORT_STOP_FATAL, 1, message, lengthOf(message), file,
                       line);
}

//===----------------------------------------------------------------------===//
// Records on a GPU
//===----------------------------------------------------------------------===//

#define GLOBAL __attribute__((address_space(1)))

GLOBAL struct CufortOutputChannel CUFORT_OUTPUT_CHANNEL;

typedef struct CufortOutputSlot Slot;
typedef struct CufortOutputRecord Record;
typedef struct CufortOutputMailbox Mailbox;

static GLOBAL struct CufortOutputChannel *channel(void) {
  return &CUFORT_OUTPUT_CHANNEL;
}

/// Takes the next slot; null where the host has not read it yet. A thread does
/// not wait for that: the host may itself be waiting for the kernel.
static Slot *reserve(u64 *number) {
  if (!channel()->slotCount)
    return 0;
  *number = __scoped_atomic_fetch_add(&channel()->reserved, 1, __ATOMIC_RELAXED,
                                      __MEMORY_SCOPE_DEVICE);
  Mailbox *mailbox = channel()->mailbox;
  // What follows must not be written before the host has read what was there.
  if (*number < __scoped_atomic_load_n(&mailbox->limit, __ATOMIC_ACQUIRE,
                                       __MEMORY_SCOPE_SYSTEM))
    return &channel()->slots[*number % channel()->slotCount];
  __scoped_atomic_store_n(&mailbox->overflowed, 1, __ATOMIC_RELAXED,
                          __MEMORY_SCOPE_SYSTEM);
  return 0;
}

static void countLost(void) {
  __scoped_atomic_fetch_add(&channel()->lost, 1, __ATOMIC_RELAXED,
                            __MEMORY_SCOPE_DEVICE);
}

static __attribute__((noinline)) void put(Record *record, u64 word) {
  if (record->used == CUFORT_SLOT_WORDS) {
    u64 number;
    Slot *more = record->lost ? 0 : reserve(&number);
    if (!more) {
      record->lost = 1;
      return;
    }
    more->next = 0;
    record->slot->next = number + 1;
    record->slot = more;
    record->used = 0;
  }
  record->slot->words[record->used++] = word;
}

PRIMITIVE void *__cufort_output_begin(u32 item, int unit, const char *file,
                                      int line) {
  u64 number;
  Slot *slot = reserve(&number);
  if (!slot) {
    countLost();
    return 0;
  }
  Record *record = &channel()->records[number % channel()->slotCount];
  slot->next = 0;
  record->first = record->slot = slot;
  record->number = number;
  record->used = record->lost = 0;
  put(record, headOf(item, 0, (u32)unit));
  put(record, (u32)line);
  put(record, (u64)file);
  return record;
}

PRIMITIVE void __cufort_output_item(void *record, u64 head, u64 first,
                                    u64 second, u32 words) {
  if (!record)
    return;
  put(record, head);
  put(record, first);
  if (words > 1)
    put(record, second);
}

/// Bytes on their way into words, the first one lowest.
struct Packing {
  Record *record;
  u64 word;
  u32 bytes;
};

static void pack(struct Packing *packing, const unsigned char *bytes,
                 u64 count) {
  for (u64 i = 0; i < count; ++i) {
    packing->word |= (u64)bytes[i] << 8 * packing->bytes;
    if (++packing->bytes == 8) {
      put(packing->record, packing->word);
      packing->word = packing->bytes = 0;
    }
  }
}

PRIMITIVE void __cufort_output_bytes(void *record, u64 head, const void *bytes,
                                     u64 count) {
  if (!record)
    return;
  put(record, head);
  struct Packing packing = {record, 0, 0};
  pack(&packing, bytes, count);
  if (packing.bytes)
    put(record, packing.word);
}

PRIMITIVE void __cufort_output_array(void *record, u64 head, const void *base,
                                     u64 elementBytes, u32 rank,
                                     const i64 (*dimensions)[3]) {
  if (!record)
    return;
  u64 count = 1;
  for (u32 d = 0; d < rank; ++d)
    count *= dimensions[d][1] > 0 ? (u64)dimensions[d][1] : 0;
  put(record, head | count << 32);
  put(record, elementBytes);
  struct Packing packing = {record, 0, 0};
  for (u64 i = 0; i < count && !packing.record->lost; ++i) {
    const unsigned char *element = base;
    u64 rest = i;
    for (u32 d = 0; d < rank; ++d) {
      const u64 extent = (u64)dimensions[d][1];
      element += (i64)(rest % extent) * dimensions[d][2];
      rest /= extent;
    }
    pack(&packing, element, elementBytes);
  }
  if (packing.bytes)
    put(record, packing.word);
}

PRIMITIVE void __cufort_output_end(void *opaque) {
  Record *record = opaque;
  if (!record)
    return;
  put(record, CUFORT_OUTPUT_END);
  if (record->lost)
    countLost();
  // All words before the stamp, for the host and whichever slot they are in.
  __nvvm_membar_sys();
  __scoped_atomic_store_n(&record->first->stamp,
                          (record->number + 1) | (u64)record->lost << 63,
                          __ATOMIC_RELEASE, __MEMORY_SCOPE_SYSTEM);
}

static u32 copyText(char *to, u32 capacity, const char *from, u64 bytes) {
  const u32 count = bytes < capacity ? (u32)bytes : capacity;
  for (u32 i = 0; i < count; ++i)
    to[i] = from[i];
  return count;
}

PRIMITIVE __attribute__((noreturn)) void
__cufort_kernel_stop(u32 kind, int code, const char *text, u64 bytes,
                     const char *file, int line) {
  Mailbox *mailbox = channel()->slotCount ? channel()->mailbox : 0;
  if (mailbox) {
    if (__scoped_atomic_exchange_n(&channel()->stopping, 1, __ATOMIC_RELAXED,
                                   __MEMORY_SCOPE_DEVICE) == 0) {
      mailbox->stopKind = kind;
      mailbox->stopCode = code;
      mailbox->stopLine = line;
      mailbox->stopTextBytes =
          copyText(mailbox->stopText, sizeof(mailbox->stopText), text, bytes);
      mailbox->stopFileBytes = copyText(
          mailbox->stopFile, sizeof(mailbox->stopFile), file, lengthOf(file));
      __nvvm_membar_sys();
      __scoped_atomic_store_n(&mailbox->stopped, 1, __ATOMIC_RELEASE,
                              __MEMORY_SCOPE_SYSTEM);
      __nvvm_membar_sys();
    }
    // The first thread's reason counts: it must be written before any thread
    // ends the kernel.
    while (!__scoped_atomic_load_n(&mailbox->stopped, __ATOMIC_ACQUIRE,
                                   __MEMORY_SCOPE_SYSTEM))
      ;
  }
  // The driver kills the kernel, and the host finds the reason.
  __builtin_trap();
}

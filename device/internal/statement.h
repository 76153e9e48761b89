//===- statement.h - statements with internal files ---------------*- C -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A WRITE or READ statement whose unit is a character variable, in device code:
// its state, which lies in memory that the compiler reserves
// (compiler/lower/llvm/InternalFiles.cpp), and the way through its format.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_DEVICE_INTERNAL_STATEMENT_H
#define CUFORT_DEVICE_INTERNAL_STATEMENT_H

#include "device/descriptors.h"

#define INTERNAL(name) __cufort_internal_##name
#define FORMAT_DEPTH 10

/// The host's values of IOSTAT=.
enum IoStatus {
  IoDone = 0,
  IoEnd = -1,
  IoBadInput = 1001,
  IoRecordOverrun = 1002,
  IoBadFormat = 1005,
  IoBadItem = 1006,
  IoIntegerOverflow = 1035,
  IoRealOverflow = 1036
};

/// A data edit descriptor; letter 0: list-directed.
struct Edit {
  char letter, second;      ///< E and N, S or X; of list-directed items 'L'
  int width, digits, power; ///< w, d or m, e; -1 where not given
};

struct Group {
  u64 start;
  i64 left;
};

struct Statement {
  char *record;       ///< the current one
  u64 length;         ///< of each
  u64 left;           ///< records after this one
  i64 stride;         ///< from record to record
  u64 at, used;       ///< the position, and the end of what was written
  const char *format; ///< null where list-directed
  u64 formatLength, place;
  struct Group groups[FORMAT_DEPTH];
  int depth;
  u64 revert; ///< where the format goes on after its end
  i64 revertCount;
  struct Edit edit; ///< the last one, for \c again more items
  i64 again;
  int scale;
  int status;
  int line;
  const char *file;
  _Bool handles, plus, comma, reads, sawItem, afterText, atEnd, blanksAreZero;
  char delimiter;
  i64 repeat;   ///< list-directed input: r*value
  u64 repeated; ///< where that value is
};

_Static_assert(sizeof(struct Statement) <= 512,
               "compiler/lower/llvm/InternalFiles.cpp reserves 512 bytes");

/// Ends the program, or the statement where the program asks for its status.
_Bool __cufort_internal_fail(struct Statement *statement, int status,
                             const char *words);

/// The next data edit descriptor. Everything before it is done. False at the
/// end of the format (\p hasItem false) or after a failure.
_Bool __cufort_internal_edit(struct Statement *statement, _Bool hasItem,
                             struct Edit *edit);

_Bool __cufort_internal_advance(struct Statement *statement);

/// Writes \p count characters, or blanks, at the position.
_Bool __cufort_internal_put(struct Statement *statement, const char *text,
                            u64 count);

#endif // CUFORT_DEVICE_INTERNAL_STATEMENT_H

//===- statement.c - statements with internal files and their formats -----===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "device/internal/statement.h"

// Formatting is long and not worth any optimisation: it stays calls.
#pragma clang attribute push(__attribute__((noinline, cold, minsize)),         \
                             apply_to = function)

void FORTRAN(ReportFatalUserError)(const char *what, const char *file,
                                   int line);

_Bool __cufort_internal_fail(struct Statement *statement, int status,
                             const char *words) {
  if (!statement->handles)
    FORTRAN(ReportFatalUserError)(words, statement->file, statement->line);
  if (!statement->status)
    statement->status = status;
  return 0;
}

//===----------------------------------------------------------------------===//
// Records
//===----------------------------------------------------------------------===//

/// What was not written of a record is blank.
static void finishRecord(struct Statement *statement) {
  if (statement->reads)
    return;
  for (u64 i = statement->used; i < statement->length; ++i)
    statement->record[i] = ' ';
}

_Bool __cufort_internal_advance(struct Statement *statement) {
  finishRecord(statement);
  if (!statement->left)
    return statement->reads
               ? __cufort_internal_fail(statement, IoEnd,
                                        "End of file during input")
               : __cufort_internal_fail(statement, IoRecordOverrun,
                                        "Internal write overran available "
                                        "records");
  --statement->left;
  statement->record += statement->stride;
  statement->at = statement->used = 0;
  statement->afterText = 0;
  return 1;
}

_Bool __cufort_internal_put(struct Statement *statement, const char *text,
                            u64 count) {
  // Blanks where the position has been moved beyond the text.
  for (u64 i = statement->used; i < statement->at && i < statement->length; ++i)
    statement->record[i] = ' ';
  if (statement->at + count > statement->length)
    return __cufort_internal_fail(statement, IoRecordOverrun,
                                  "Internal write is longer than its record");
  for (u64 i = 0; i < count; ++i)
    statement->record[statement->at + i] = text ? text[i] : ' ';
  statement->at += count;
  if (statement->used < statement->at)
    statement->used = statement->at;
  return 1;
}

//===----------------------------------------------------------------------===//
// Formats
//===----------------------------------------------------------------------===//

static char peek(struct Statement *statement) {
  while (statement->place < statement->formatLength &&
         statement->format[statement->place] == ' ')
    ++statement->place;
  if (statement->place >= statement->formatLength)
    return 0;
  const char c = statement->format[statement->place];
  return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
}

static _Bool isDigit(char c) { return c >= '0' && c <= '9'; }

static int readNumber(struct Statement *statement) {
  int value = 0;
  for (char c; isDigit(c = peek(statement)); ++statement->place)
    value = 10 * value + (c - '0');
  return value;
}

static int readOptional(struct Statement *statement) {
  return isDigit(peek(statement)) ? readNumber(statement) : -1;
}

static _Bool badFormat(struct Statement *statement) {
  return __cufort_internal_fail(
      statement, IoBadFormat,
      "Invalid FORMAT, or an edit descriptor that device code does not have");
}

/// Text between apostrophes or quotation marks; doubled ones are one.
static _Bool writeLiteral(struct Statement *statement, char delimiter) {
  const char *format = statement->format;
  const u64 length = statement->formatLength;
  for (u64 place = statement->place + 1; place < length; ++place) {
    if (format[place] == delimiter) {
      if (place + 1 == length || format[place + 1] != delimiter) {
        statement->place = place + 1;
        return 1;
      }
      ++place;
    }
    if (statement->reads)
      ++statement->at;
    else if (!__cufort_internal_put(statement, format + place, 1))
      return 0;
  }
  return badFormat(statement);
}

static void moveTo(struct Statement *statement, i64 at) {
  statement->at = at < 0 ? 0 : (u64)at;
}

/// T, TL, TR and nX.
static void readTab(struct Statement *statement) {
  const char way = peek(statement);
  const i64 at = (i64)statement->at;
  if (way == 'L' || way == 'R') {
    ++statement->place;
    const i64 by = readNumber(statement);
    moveTo(statement, way == 'L' ? at - by : at + by);
  } else {
    moveTo(statement, readNumber(statement) - 1);
  }
}

/// What one letter says that is no data edit descriptor; false for others.
static _Bool readControl(struct Statement *statement, char letter, i64 repeat) {
  const u64 start = statement->place++;
  const char next = peek(statement);
  switch (letter) {
  case 'X':
    moveTo(statement, (i64)statement->at + (repeat < 0 ? 1 : repeat));
    return 1;
  case 'T':
    readTab(statement);
    return 1;
  case 'P':
    statement->scale = (int)repeat;
    return 1;
  case 'S':
    statement->plus = next == 'P';
    statement->place += next == 'P' || next == 'S';
    return 1;
  case 'B':
    if (next == 'N' || next == 'Z') {
      statement->blanksAreZero = next == 'Z';
      ++statement->place;
      return 1;
    }
    break;
  case 'D':
    if (next == 'C' || next == 'P') {
      statement->comma = next == 'C';
      ++statement->place;
      return 1;
    }
    break;
  case 'R':
    // Rounding is to nearest.
    if (next == 'N' || next == 'C' || next == 'P') {
      ++statement->place;
      return 1;
    }
    break;
  }
  statement->place = start;
  return 0;
}

static _Bool readDataEdit(struct Statement *statement, char letter,
                          struct Edit *edit) {
  ++statement->place;
  edit->letter = letter;
  edit->second = 0;
  if (letter == 'E') {
    const char next = peek(statement);
    if (next == 'N' || next == 'S') {
      edit->second = next;
      ++statement->place;
    }
  }
  edit->width = readOptional(statement);
  edit->digits = edit->power = -1;
  if (peek(statement) == '.') {
    ++statement->place;
    edit->digits = readNumber(statement);
  }
  if ((letter == 'E' || letter == 'G' || letter == 'D') && edit->width >= 0 &&
      peek(statement) == 'E') {
    ++statement->place;
    edit->power = readNumber(statement);
  }
  switch (letter) {
  case 'I':
  case 'B':
  case 'O':
  case 'Z':
  case 'L':
  case 'A':
  case 'G':
  case 'F':
  case 'E':
  case 'D':
    return 1;
  }
  return badFormat(statement);
}

/// Whether the format goes on; \p sawEdit tells whether it had one for data.
static _Bool endOfGroup(struct Statement *statement, _Bool hasItem) {
  struct Group *group = &statement->groups[statement->depth - 1];
  if (statement->depth == 1) {
    if (!hasItem)
      return 0;
    if (!statement->sawItem)
      return badFormat(statement);
    // The rest of the items goes to further records, from the last group on.
    statement->sawItem = 0;
    statement->place = statement->revert;
    if (statement->revert > 1 && statement->revertCount) {
      statement->groups[1].start = statement->revert;
      statement->groups[1].left = statement->revertCount;
      statement->depth = 2;
    }
    return __cufort_internal_advance(statement);
  }
  if (group->left < 0 || --group->left > 0)
    statement->place = group->start;
  else
    --statement->depth;
  return 1;
}

_Bool __cufort_internal_edit(struct Statement *statement, _Bool hasItem,
                             struct Edit *edit) {
  if (statement->status || statement->atEnd)
    return 0;
  if (statement->again > 0) {
    if (!hasItem)
      return 0;
    --statement->again;
    *edit = statement->edit;
    return 1;
  }
  for (;;) {
    char c = peek(statement);
    i64 repeat = -1;
    _Bool isNegative = 0;
    if (c == '-' || c == '+') {
      isNegative = c == '-';
      ++statement->place;
      c = peek(statement);
    }
    if (isDigit(c)) {
      repeat = readNumber(statement);
      if (isNegative)
        repeat = -repeat;
      c = peek(statement);
    } else if (c == '*') {
      ++statement->place;
      c = peek(statement);
      repeat = -2;
    }
    switch (c) {
    case 0:
      return badFormat(statement);
    case ',':
      ++statement->place;
      continue;
    case ':':
      if (!hasItem)
        return 0;
      ++statement->place;
      continue;
    case '/':
      ++statement->place;
      for (i64 i = 0; i < (repeat < 0 ? 1 : repeat); ++i)
        if (!__cufort_internal_advance(statement))
          return 0;
      continue;
    case '\'':
    case '"':
      if (!writeLiteral(statement, c))
        return 0;
      continue;
    case '(':
      ++statement->place;
      if (statement->depth == FORMAT_DEPTH)
        return badFormat(statement);
      statement->groups[statement->depth].start = statement->place;
      statement->groups[statement->depth].left =
          repeat == -2 ? -1 : (repeat < 0 ? 1 : repeat);
      if (statement->depth <= 1) {
        statement->revert = statement->place;
        statement->revertCount =
            statement->depth ? statement->groups[1].left : 0;
      }
      ++statement->depth;
      continue;
    case ')':
      ++statement->place;
      if (!endOfGroup(statement, hasItem))
        return 0;
      continue;
    }
    if (readControl(statement, c, repeat))
      continue;
    // The first data edit descriptor without an item ends the statement.
    if (!hasItem) {
      statement->atEnd = 1;
      return 0;
    }
    if (!readDataEdit(statement, c, edit))
      return 0;
    statement->sawItem = 1;
    statement->edit = *edit;
    statement->again = repeat > 1 ? repeat - 1 : 0;
    return 1;
  }
}

//===----------------------------------------------------------------------===//
// The statement
//===----------------------------------------------------------------------===//

static void *begin(void **memory, char *record, u64 length, u64 records,
                   i64 stride, const char *format, u64 formatLength,
                   const Array *formatArray, const char *file, int line,
                   _Bool reads) {
  struct Statement *statement = (struct Statement *)memory;
  char *bytes = (char *)statement;
  for (u64 i = 0; i < sizeof(*statement); ++i)
    bytes[i] = 0;
  statement->record = record;
  statement->length = length;
  statement->left = records ? records - 1 : 0;
  statement->stride = stride;
  statement->format = format;
  statement->formatLength = formatLength;
  if (formatArray) {
    statement->format = formatArray->base_addr;
    statement->formatLength = elementsOf(formatArray) * formatArray->elem_len;
  }
  statement->file = file;
  statement->line = line;
  statement->reads = reads;
  return statement;
}

static void *beginArray(void **memory, const Array *array, const char *format,
                        u64 formatLength, const Array *formatArray,
                        const char *file, int line, _Bool reads) {
  return begin(memory, array->base_addr, array->elem_len, elementsOf(array),
               array->rank ? array->dim[0].sm : (i64)array->elem_len, format,
               formatLength, formatArray, file, line, reads);
}

#define BEGIN(way, T, reads)                                                   \
  void *FORTRAN(ioBeginInternalList##way)(T * internal, u64 length,            \
                                          void **memory, u64 bytes,            \
                                          const char *file, int line) {        \
    return begin(memory, (char *)internal, length, 1, 0, 0, 0, 0, file, line,  \
                 reads);                                                       \
  }                                                                            \
  void *FORTRAN(ioBeginInternalFormatted##way)(                                \
      T * internal, u64 length, const char *format, u64 formatLength,          \
      const Array *formatArray, void **memory, u64 bytes, const char *file,    \
      int line) {                                                              \
    return begin(memory, (char *)internal, length, 1, 0, format, formatLength, \
                 formatArray, file, line, reads);                              \
  }                                                                            \
  void *FORTRAN(ioBeginInternalArrayList##way)(const Array *internal,          \
                                               void **memory, u64 bytes,       \
                                               const char *file, int line) {   \
    return beginArray(memory, internal, 0, 0, 0, file, line, reads);           \
  }                                                                            \
  void *FORTRAN(ioBeginInternalArrayFormatted##way)(                           \
      const Array *internal, const char *format, u64 formatLength,             \
      const Array *formatArray, void **memory, u64 bytes, const char *file,    \
      int line) {                                                              \
    return beginArray(memory, internal, format, formatLength, formatArray,     \
                      file, line, reads);                                      \
  }
BEGIN(Output, char, 0)
BEGIN(Input, const char, 1)

void INTERNAL(EnableHandlers)(struct Statement *statement, _Bool iostat,
                              _Bool err, _Bool end, _Bool eor, _Bool iomsg) {
  statement->handles = iostat || err || end || eor || iomsg;
}

int INTERNAL(EndIoStatement)(struct Statement *statement) {
  struct Edit edit;
  if (statement->format && !statement->status)
    __cufort_internal_edit(statement, 0, &edit);
  if (!statement->reads) {
    // The position may be beyond the text.
    for (u64 i = statement->used; i < statement->at && i < statement->length;
         ++i)
      statement->record[i] = ' ';
    finishRecord(statement);
    // List-directed output leaves further records of an array as they are.
  }
  return statement->status;
}

_Bool INTERNAL(SetSign)(struct Statement *statement, const char *word,
                        u64 length) {
  statement->plus = length > 0 && (word[0] == 'p' || word[0] == 'P') &&
                    length > 1 && (word[1] == 'l' || word[1] == 'L');
  return 1;
}

_Bool INTERNAL(SetDecimal)(struct Statement *statement, const char *word,
                           u64 length) {
  statement->comma = length > 0 && (word[0] == 'c' || word[0] == 'C');
  return 1;
}

_Bool INTERNAL(SetDelim)(struct Statement *statement, const char *word,
                         u64 length) {
  const char c = length ? word[0] : 'n';
  statement->delimiter = c == 'a' || c == 'A'   ? '\''
                         : c == 'q' || c == 'Q' ? '"'
                                                : 0;
  return 1;
}

_Bool INTERNAL(SetBlank)(struct Statement *statement, const char *word,
                         u64 length) {
  statement->blanksAreZero = length > 0 && (word[0] == 'z' || word[0] == 'Z');
  return 1;
}

void INTERNAL(GetIoMsg)(struct Statement *statement, char *text, u64 length) {
  if (!statement->status)
    return;
  const char *words = statement->status == IoEnd ? "End of file during input"
                      : statement->status == IoRecordOverrun
                          ? "Excessive output to fixed-size record"
                      : statement->status == IoBadFormat ? "Invalid FORMAT"
                                                         : "Bad input";
  for (u64 i = 0; i < length; ++i)
    text[i] = *words ? *words++ : ' ';
}

#pragma clang attribute pop

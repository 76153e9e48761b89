//===- input.c - the items of an internal READ ----------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "device/internal/input.h"

// Formatting is long and not worth any optimisation: it stays calls.
#pragma clang attribute push(__attribute__((noinline, cold, minsize)),         \
                             apply_to = function)

typedef struct Statement Statement;

enum Found { Nothing, Value, Failed };

//===----------------------------------------------------------------------===//
// List-directed
//===----------------------------------------------------------------------===//

static char separator(const Statement *statement) {
  return statement->comma ? ';' : ',';
}

static _Bool isEnd(const Statement *statement, u64 at) {
  if (at >= statement->length)
    return 1;
  const char c = statement->record[at];
  return c == ' ' || c == '\t' || c == '/' || c == separator(statement);
}

/// To the next character that is not blank, in further records too.
static _Bool skipBlanks(Statement *statement) {
  for (;;) {
    while (statement->at < statement->length &&
           (statement->record[statement->at] == ' ' ||
            statement->record[statement->at] == '\t'))
      ++statement->at;
    if (statement->at < statement->length)
      return 1;
    if (!__cufort_internal_advance(statement))
      return 0;
  }
}

/// The end of the value at \p at: of text in quotes, of (re, im), or of what
/// separators end.
static u64 endOfValue(const Statement *statement, u64 at) {
  const char first = statement->record[at];
  if (first == '\'' || first == '"') {
    for (++at; at < statement->length; ++at)
      if (statement->record[at] == first) {
        if (at + 1 >= statement->length || statement->record[at + 1] != first)
          return at + 1;
        ++at;
      }
    return at;
  }
  if (first == '(') {
    while (at < statement->length && statement->record[at] != ')')
      ++at;
    return at < statement->length ? at + 1 : at;
  }
  while (!isEnd(statement, at))
    ++at;
  return at;
}

static enum Found nextListValue(Statement *statement, struct Text *text) {
  if (statement->status)
    return Failed;
  if (statement->atEnd)
    return Nothing;
  if (statement->repeat > 0) {
    --statement->repeat;
    text->start = statement->record + statement->repeated;
    text->length = statement->used;
    return text->length ? Value : Nothing;
  }
  if (!skipBlanks(statement))
    return Failed;
  if (statement->sawItem &&
      statement->record[statement->at] == separator(statement)) {
    ++statement->at;
    if (!skipBlanks(statement))
      return Failed;
  }
  statement->sawItem = 1;
  const char c = statement->record[statement->at];
  if (c == '/')
    return statement->atEnd = 1, Nothing;
  if (c == separator(statement))
    return Nothing;
  u64 start = statement->at;
  i64 repeat = 1;
  u64 star = start;
  i64 number = 0;
  while (star < statement->length && isDigit(statement->record[star]))
    number = 10 * number + (statement->record[star++] - '0');
  if (star > start && star < statement->length &&
      statement->record[star] == '*') {
    start = star + 1;
    repeat = number;
  }
  const u64 end =
      isEnd(statement, start) ? start : endOfValue(statement, start);
  statement->at = end;
  statement->repeated = start;
  statement->used = end - start;
  statement->repeat = repeat - 1;
  text->start = statement->record + start;
  text->length = end - start;
  return text->length ? Value : Nothing;
}

//===----------------------------------------------------------------------===//
// With a format
//===----------------------------------------------------------------------===//

/// A comma ends the field of a number early.
static void takeField(Statement *statement, u64 width, _Bool isNumber,
                      struct Text *text) {
  const u64 left =
      statement->at < statement->length ? statement->length - statement->at : 0;
  text->start = statement->record + (left ? statement->at : 0);
  text->length = width < left ? width : left;
  if (isNumber)
    for (u64 i = 0; i < text->length; ++i)
      if (text->start[i] == separator(statement)) {
        text->length = i;
        width = i + 1;
      }
  statement->at += width;
}

static enum Found nextValue(Statement *statement, struct Edit *edit,
                            struct Text *text) {
  if (!statement->format) {
    *edit = (struct Edit){0, 0, -1, -1, -1};
    return nextListValue(statement, text);
  }
  if (!__cufort_internal_edit(statement, 1, edit))
    return Failed;
  if (edit->width < 0 && edit->letter != 'A' && edit->letter != 'L')
    return __cufort_internal_fail(statement, IoBadFormat,
                                  "Input needs a field width"),
           Failed;
  takeField(statement, (u64)(edit->width < 0 ? 1 : edit->width), 1, text);
  return Value;
}

//===----------------------------------------------------------------------===//
// Items
//===----------------------------------------------------------------------===//

static _Bool inputInteger(Statement *statement, char *to, u64 bytes) {
  struct Edit edit;
  struct Text text;
  i64 value = 0;
  const enum Found found = nextValue(statement, &edit, &text);
  if (found != Value)
    return found == Nothing;
  if (edit.letter == 'L') {
    _Bool truth;
    if (!__cufort_internal_read_logical(statement, &text, &truth))
      return 0;
    value = truth;
  } else if (edit.letter && edit.letter != 'I' && edit.letter != 'B' &&
             edit.letter != 'O' && edit.letter != 'Z' && edit.letter != 'G') {
    return __cufort_internal_fail(
        statement, IoBadItem,
        "Data edit descriptor does not fit the type of its item");
  } else if (!__cufort_internal_read_integer(statement, &edit, &text, bytes,
                                             &value)) {
    return 0;
  }
  storeInteger(to, bytes, value);
  return 1;
}

static _Bool inputReal(Statement *statement, char *to, u64 bytes) {
  struct Edit edit;
  struct Text text;
  double value;
  const enum Found found = nextValue(statement, &edit, &text);
  if (found != Value)
    return found == Nothing;
  if (edit.letter == 'I' || edit.letter == 'L' || edit.letter == 'A')
    return __cufort_internal_fail(
        statement, IoBadItem,
        "Data edit descriptor does not fit the type of its item");
  if (!__cufort_internal_read_real(statement, &edit, &text, bytes, &value))
    return 0;
  storeReal(to, bytes, value);
  return 1;
}

static _Bool inputComplex(Statement *statement, char *to, u64 bytes) {
  if (statement->format)
    return inputReal(statement, to, bytes) &&
           inputReal(statement, to + bytes, bytes);
  struct Edit edit;
  struct Text text, part;
  const enum Found found = nextValue(statement, &edit, &text);
  if (found != Value)
    return found == Nothing;
  u64 middle = 0;
  while (middle < text.length && text.start[middle] != separator(statement))
    ++middle;
  if (*text.start != '(' || middle + 1 >= text.length ||
      text.start[text.length - 1] != ')')
    return __cufort_internal_fail(statement, IoBadInput,
                                  "Bad character in a real input field");
  double re, im;
  part = (struct Text){text.start + 1, middle - 1};
  if (!__cufort_internal_read_real(statement, &edit, &part, bytes, &re))
    return 0;
  part = (struct Text){text.start + middle + 1, text.length - middle - 2};
  if (!__cufort_internal_read_real(statement, &edit, &part, bytes, &im))
    return 0;
  storeReal(to, bytes, re);
  storeReal(to + bytes, bytes, im);
  return 1;
}

static _Bool inputLogical(Statement *statement, char *to, u64 bytes) {
  struct Edit edit;
  struct Text text;
  _Bool value;
  const enum Found found = nextValue(statement, &edit, &text);
  if (found != Value)
    return found == Nothing;
  if (!__cufort_internal_read_logical(statement, &text, &value))
    return 0;
  storeInteger(to, bytes, value);
  return 1;
}

static void fill(char *to, u64 length, const struct Text *field,
                 char delimiter) {
  const struct Text text = *field;
  u64 count = 0;
  for (u64 i = 0; i < text.length && count < length; ++i) {
    to[count++] = text.start[i];
    i += delimiter && text.start[i] == delimiter;
  }
  while (count < length)
    to[count++] = ' ';
}

static _Bool inputText(Statement *statement, char *to, u64 length) {
  struct Edit edit = {0, 0, -1, -1, -1};
  struct Text text;
  if (statement->format) {
    if (!__cufort_internal_edit(statement, 1, &edit))
      return 0;
    if (edit.letter != 'A' && edit.letter != 'G')
      return __cufort_internal_fail(
          statement, IoBadItem,
          "Data edit descriptor does not fit the type of its item");
    takeField(statement, edit.width > 0 ? (u64)edit.width : length, 0, &text);
    // The last ones of a field that is wider than the variable.
    if (edit.width > 0 && (u64)edit.width > length) {
      const u64 skipped = (u64)edit.width - length;
      const u64 by = skipped < text.length ? skipped : text.length;
      text.start += by;
      text.length -= by;
    }
    fill(to, length, &text, 0);
    return 1;
  }
  const enum Found found = nextListValue(statement, &text);
  if (found != Value)
    return found == Nothing;
  const char first = *text.start;
  if (first == '\'' || first == '"') {
    text.start += 1;
    text.length -= 2;
    fill(to, length, &text, first);
  } else {
    fill(to, length, &text, 0);
  }
  return 1;
}

_Bool INTERNAL(InputInteger)(Statement *statement, char *to, int kind) {
  return inputInteger(statement, to, (u64)kind);
}
_Bool INTERNAL(InputReal32)(Statement *statement, char *to) {
  return inputReal(statement, to, 4);
}
_Bool INTERNAL(InputReal64)(Statement *statement, char *to) {
  return inputReal(statement, to, 8);
}
_Bool INTERNAL(InputComplex32)(Statement *statement, char *to) {
  return inputComplex(statement, to, 4);
}
_Bool INTERNAL(InputComplex64)(Statement *statement, char *to) {
  return inputComplex(statement, to, 8);
}
_Bool INTERNAL(InputLogical)(Statement *statement, char *to) {
  return inputLogical(statement, to, 1);
}
_Bool INTERNAL(InputAscii)(Statement *statement, char *to, u64 length) {
  return inputText(statement, to, length);
}
_Bool INTERNAL(InputCharacter)(Statement *statement, char *to, u64 length,
                               int kind) {
  if (kind != 1)
    return __cufort_internal_fail(statement, IoBadItem,
                                  "Input of characters of this kind");
  return inputText(statement, to, length);
}

_Bool INTERNAL(InputDescriptor)(Statement *statement, const Array *array) {
  i64 at[MAX_RANK] = {0};
  const u64 bytes = array->elem_len;
  const enum Category category = categoryOf(array);
  for (u64 left = elementsOf(array); left; --left, step(array, at)) {
    char *element = elementAt(array, at);
    _Bool done;
    if (category == Integer)
      done = inputInteger(statement, element, bytes);
    else if (category == Real)
      done = inputReal(statement, element, bytes);
    else if (category == Complex)
      done = inputComplex(statement, element, bytes / 2);
    else if (category == Logical)
      done = inputLogical(statement, element, bytes);
    else if (array->type == CFI_type_char)
      done = inputText(statement, element, bytes);
    else
      done = __cufort_internal_fail(statement, IoBadItem,
                                    "Input of an item of this type");
    if (!done)
      return 0;
  }
  return 1;
}

#pragma clang attribute pop

//===- Output.cpp - statements that kernels have executed -----------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A record of a kernel's output statement (image/KernelOutput.h) becomes the
// calls of flang_rt that the same statement makes on the host.
//
//===----------------------------------------------------------------------===//

#include "runtime/fortran/Output.h"
#include "runtime/core/KernelOutput.h"
#include "runtime/fortran/Descriptor.h"
#include <bit>
#include <cfenv>
#include <set>

extern "C" {
void *_FortranAioBeginExternalListOutput(int unit, const char *file, int line);
void *_FortranAioBeginExternalFormattedOutput(const char *format, size_t bytes,
                                              const void *descriptor, int unit,
                                              const char *file, int line);
void *_FortranAioBeginFlush(int unit, const char *file, int line);
int _FortranAioEndIoStatement(void *);
bool _FortranAioOutputInteger8(void *, int8_t);
bool _FortranAioOutputInteger16(void *, int16_t);
bool _FortranAioOutputInteger32(void *, int32_t);
bool _FortranAioOutputInteger64(void *, int64_t);
bool _FortranAioOutputInteger128(void *, __int128);
bool _FortranAioOutputReal32(void *, float);
bool _FortranAioOutputReal64(void *, double);
bool _FortranAioOutputComplex32(void *, float, float);
bool _FortranAioOutputComplex64(void *, double, double);
bool _FortranAioOutputLogical(void *, bool);
bool _FortranAioOutputCharacter(void *, const char *, size_t length, int kind);
bool _FortranAioOutputDescriptor(void *, const void *descriptor);
bool _FortranAioSetAdvance(void *, const char *, size_t);
bool _FortranAioSetDecimal(void *, const char *, size_t);
bool _FortranAioSetDelim(void *, const char *, size_t);
bool _FortranAioSetRound(void *, const char *, size_t);
bool _FortranAioSetSign(void *, const char *, size_t);
[[noreturn]] void _FortranAStopStatement(int code, bool isErrorStop,
                                         bool quiet);
[[noreturn]] void _FortranAStopStatementText(const char *, size_t,
                                             bool isErrorStop, bool quiet);
[[noreturn]] void _FortranAExit(int code);
[[noreturn]] void _FortranAAbort();
[[noreturn]] void _FortranAReportFatalUserError(const char *what,
                                                const char *file, int line);
}

namespace cufort::fortran {
namespace {

/// Reads a record word by word; after its end there is nothing but END.
class Reader {
public:
  Reader(const uint64_t *words, size_t count)
      : next(words), end(words + count) {}
  uint64_t word() { return next < end ? *next++ : uint64_t(CUFORT_OUTPUT_END); }
  const char *bytes(size_t count) {
    const auto *start = reinterpret_cast<const char *>(next);
    const size_t used = (count + 7) / 8;
    next = used < static_cast<size_t>(end - next) ? next + used : end;
    return start;
  }

private:
  const uint64_t *next, *end;
};

unsigned itemOf(uint64_t head) { return head & 0xff; }
unsigned sizeOf(uint64_t head) { return head >> 8 & 0xff; }
uint64_t countOf(uint64_t head) { return head >> 32; }

std::set<int> &usedUnits() {
  static auto *units = new std::set<int>;
  return *units;
}

void outputInteger(void *cookie, unsigned bytes, Reader &reader) {
  const uint64_t value = reader.word();
  switch (bytes) {
  case 1:
    _FortranAioOutputInteger8(cookie, static_cast<int8_t>(value));
    break;
  case 2:
    _FortranAioOutputInteger16(cookie, static_cast<int16_t>(value));
    break;
  case 4:
    _FortranAioOutputInteger32(cookie, static_cast<int32_t>(value));
    break;
  case 8:
    _FortranAioOutputInteger64(cookie, static_cast<int64_t>(value));
    break;
  default:
    _FortranAioOutputInteger128(
        cookie,
        static_cast<__int128>(
            static_cast<unsigned __int128>(reader.word()) << 64 | value));
  }
}

float single(uint64_t word) {
  return std::bit_cast<float>(static_cast<uint32_t>(word));
}

void outputReal(void *cookie, unsigned bytes, uint64_t value) {
  if (bytes == 4)
    _FortranAioOutputReal32(cookie, single(value));
  else
    _FortranAioOutputReal64(cookie, std::bit_cast<double>(value));
}

void outputComplex(void *cookie, unsigned bytes, uint64_t re, uint64_t im) {
  if (bytes == 4)
    _FortranAioOutputComplex32(cookie, single(re), single(im));
  else
    _FortranAioOutputComplex64(cookie, std::bit_cast<double>(re),
                               std::bit_cast<double>(im));
}

/// Elements without gaps: their shape makes no difference to output.
struct ListDescriptor {
  Descriptor head;
  Dimension dimension;

  ListDescriptor(const char *base, int8_t type, uint64_t count,
                 uint64_t elementBytes)
      : head{const_cast<char *>(base),
             elementBytes,
             /*version=*/20240719,
             /*rank=*/1,
             type,
             /*attribute=*/0,
             /*extra=*/0},
        dimension{1, static_cast<int64_t>(count),
                  static_cast<int64_t>(elementBytes)} {}
};

void setSpecifier(void *cookie, unsigned which, const char *text,
                  size_t bytes) {
  switch (which) {
  case CUFORT_OUTPUT_ADVANCE:
    _FortranAioSetAdvance(cookie, text, bytes);
    break;
  case CUFORT_OUTPUT_DECIMAL:
    _FortranAioSetDecimal(cookie, text, bytes);
    break;
  case CUFORT_OUTPUT_DELIM:
    _FortranAioSetDelim(cookie, text, bytes);
    break;
  case CUFORT_OUTPUT_ROUND:
    _FortranAioSetRound(cookie, text, bytes);
    break;
  case CUFORT_OUTPUT_SIGN:
    _FortranAioSetSign(cookie, text, bytes);
    break;
  }
}

/// Begins the statement; reads the format, if there is one.
void *begin(Reader &reader, const char *file) {
  const uint64_t head = reader.word();
  const int unit = static_cast<int>(countOf(head));
  const int line = static_cast<int>(reader.word());
  reader.word(); // the file's name on the device
  usedUnits().insert(unit);
  if (itemOf(head) == CUFORT_OUTPUT_LIST)
    return _FortranAioBeginExternalListOutput(unit, file, line);
  const uint64_t format = reader.word();
  uint64_t bytes = countOf(format);
  if (itemOf(format) == CUFORT_OUTPUT_ARRAY)
    bytes *= reader.word();
  return _FortranAioBeginExternalFormattedOutput(reader.bytes(bytes), bytes,
                                                 nullptr, unit, file, line);
}

void replayStatement(const uint64_t *words, size_t count, const char *file) {
  Reader reader(words, count);
  void *cookie = begin(reader, file);
  for (;;) {
    const uint64_t head = reader.word();
    switch (itemOf(head)) {
    case CUFORT_OUTPUT_INTEGER:
      outputInteger(cookie, sizeOf(head), reader);
      continue;
    case CUFORT_OUTPUT_REAL:
      outputReal(cookie, sizeOf(head), reader.word());
      continue;
    case CUFORT_OUTPUT_COMPLEX: {
      const uint64_t re = reader.word();
      outputComplex(cookie, sizeOf(head), re, reader.word());
      continue;
    }
    case CUFORT_OUTPUT_LOGICAL:
      _FortranAioOutputLogical(cookie, reader.word() != 0);
      continue;
    case CUFORT_OUTPUT_CHARACTERS: {
      const unsigned kind = sizeOf(head) ? sizeOf(head) : 1;
      _FortranAioOutputCharacter(cookie, reader.bytes(countOf(head)),
                                 countOf(head) / kind, static_cast<int>(kind));
      continue;
    }
    case CUFORT_OUTPUT_ARRAY: {
      const uint64_t elementBytes = reader.word();
      const ListDescriptor list(reader.bytes(countOf(head) * elementBytes),
                                static_cast<int8_t>(sizeOf(head)),
                                countOf(head), elementBytes);
      _FortranAioOutputDescriptor(cookie, &list);
      continue;
    }
    case CUFORT_OUTPUT_SPECIFIER:
      setSpecifier(cookie, sizeOf(head), reader.bytes(countOf(head)),
                   countOf(head));
      continue;
    default:
      _FortranAioEndIoStatement(cookie);
      return;
    }
  }
}

void flushUnits() {
  constexpr int StandardOutput = 6;
  usedUnits().insert(StandardOutput);
  for (int unit : usedUnits())
    _FortranAioEndIoStatement(
        _FortranAioBeginFlush(unit, __FILE_NAME__, __LINE__));
}

void stopProgramForKernel(const KernelStop &stop) {
  // The exceptions of whichever thread this is are not the kernel's.
  std::feclearexcept(FE_ALL_EXCEPT);
  flushUnits();
  const bool quiet = stop.kind & CUFORT_STOP_QUIET;
  switch (stop.kind & ~unsigned(CUFORT_STOP_QUIET)) {
  case CUFORT_STOP_CODE:
  case CUFORT_ERROR_STOP_CODE:
    _FortranAStopStatement(stop.code,
                           (stop.kind & 0xff) == CUFORT_ERROR_STOP_CODE, quiet);
  case CUFORT_STOP_TEXT:
  case CUFORT_ERROR_STOP_TEXT:
    _FortranAStopStatementText(stop.text.data(), stop.text.size(),
                               (stop.kind & 0xff) == CUFORT_ERROR_STOP_TEXT,
                               quiet);
  case CUFORT_STOP_EXIT:
    _FortranAExit(stop.code);
  case CUFORT_STOP_ABORT:
    _FortranAAbort();
  default:
    _FortranAReportFatalUserError(
        stop.text.c_str(), stop.file.empty() ? nullptr : stop.file.c_str(),
        stop.line);
  }
}

} // namespace

void installOutputReplay() {
  static const OutputReplay replay{replayStatement, flushUnits,
                                   stopProgramForKernel};
  setOutputReplay(replay);
}

} // namespace cufort::fortran

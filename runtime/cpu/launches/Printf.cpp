//===- Printf.cpp - printf and assert in kernels on the CPU ---------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel calls vprintf with its arguments packed one after the other, each at
// its natural alignment, as the compiler has promoted them. The format alone
// says what they are.
//
//===----------------------------------------------------------------------===//

#include "runtime/core/process/Error.h"
#include "runtime/cpu/launches/DeviceFunctions.h"
#include "runtime/cpu/launches/Faults.h"
#include "runtime/cpu/launches/KernelOutput.h"
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <utility>

namespace {

/// The packed arguments, read from the left.
class Arguments {
public:
  explicit Arguments(const char *packed) : next(packed) {}

  template <typename T> T take() {
    auto address = reinterpret_cast<uintptr_t>(next);
    address = (address + alignof(T) - 1) / alignof(T) * alignof(T);
    T value;
    std::memcpy(&value, reinterpret_cast<const void *>(address), sizeof(T));
    next = reinterpret_cast<const char *>(address) + sizeof(T);
    return value;
  }

private:
  const char *next;
};

/// One conversion of a format: from its '%' to its letter.
struct Conversion {
  std::string text;    ///< with '*' replaced by numbers
  char letter = 0;     ///< 0: the format ends within it
  bool isLong = false; ///< of 64 bits
  const char *end = nullptr;
};

class Formatter {
public:
  Formatter(const char *format, const char *packed)
      : format(format), arguments(packed) {}

  /// The finished text.
  std::string text;
  /// How many arguments have been taken.
  int taken = 0;

  void run() {
    for (const char *c = format; *c;) {
      if (*c != '%') {
        text += *c++;
        continue;
      }
      if (c[1] == '%') {
        text += '%';
        c += 2;
        continue;
      }
      // What follows the limit appears as it stands.
      if (taken >= MaxArguments) {
        text += *c++;
        continue;
      }
      Conversion conversion = read(c);
      print(conversion);
      c = conversion.end;
    }
  }

private:
  /// CUDA's.
  static constexpr int MaxArguments = 32;

  Conversion read(const char *c) {
    Conversion result;
    result.text = *c++;
    while (*c && std::strchr("-+ #0", *c))
      result.text += *c++;
    for (bool precision : {false, true}) {
      if (precision) {
        if (*c != '.')
          break;
        result.text += *c++;
      }
      if (*c == '*') {
        const int number = arguments.take<int>();
        // A negative width's sign is the flag; a negative precision is none.
        if (precision && number < 0)
          result.text.pop_back();
        else
          result.text += std::to_string(number);
        ++taken;
        ++c;
      }
      while (*c >= '0' && *c <= '9')
        result.text += *c++;
    }
    // Sizes are those of the packed arguments: 64 bits or an int.
    for (; *c && std::strchr("hlLqjzt", *c); ++c) {
      result.isLong |= *c != 'h';
      if (*c == 'h')
        result.text += *c;
    }
    result.letter = *c;
    result.end = *c ? c + 1 : c;
    return result;
  }

  template <typename T> void append(const std::string &conversion, T value) {
    char buffer[256];
    int needed =
        std::snprintf(buffer, sizeof(buffer), conversion.c_str(), value);
    if (needed < 0)
      return;
    if (static_cast<size_t>(needed) < sizeof(buffer)) {
      text.append(buffer, static_cast<size_t>(needed));
      return;
    }
    std::string longer(static_cast<size_t>(needed) + 1, '\0');
    std::snprintf(longer.data(), longer.size(), conversion.c_str(), value);
    text.append(longer, 0, static_cast<size_t>(needed));
  }

  void print(const Conversion &c) {
    const std::string letter(1, c.letter);
    switch (c.letter) {
    case 'd':
    case 'i':
    case 'u':
    case 'o':
    case 'x':
    case 'X':
      if (c.isLong)
        append(c.text + "ll" + letter, arguments.take<long long>());
      else
        append(c.text + letter, arguments.take<int>());
      break;
    case 'c':
      append(c.text + letter, arguments.take<int>());
      break;
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
    case 'a':
    case 'A':
      append(c.text + letter, arguments.take<double>());
      break;
    case 'p':
      append(c.text + letter, arguments.take<void *>());
      break;
    case 's': {
      const char *string = arguments.take<const char *>();
      append(c.text + letter, string ? string : "(null)");
      break;
    }
    default: // no conversion: as it stands
      text += c.text;
      if (c.letter)
        text += c.letter;
      return;
    }
    ++taken;
  }

  const char *format;
  Arguments arguments;
};

} // namespace

using namespace cufort::cpu;

int device::vprintf(const char *format, const char *packed) {
  if (!format)
    return -1;
  int taken = 0;
  orEndKernel([&] {
    Formatter formatter(format, packed);
    formatter.run();
    taken = formatter.taken;
    // What a GPU keeps of it: the format's address and the arguments.
    const size_t bytes = 16 + 8 * static_cast<size_t>(taken);
    keepPrintedText(std::move(formatter.text), bytes);
  });
  return taken;
}

void device::assertfail(const char *message, const char *file, unsigned line,
                        const char *function, unsigned blockX, unsigned blockY,
                        unsigned blockZ, unsigned threadX, unsigned threadY,
                        unsigned threadZ) {
  std::fprintf(stderr,
               "%s:%u: %s: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion "
               "`%s` failed.\n",
               file, line, function, blockX, blockY, blockZ, threadX, threadY,
               threadZ, message);
  // CUDA's line names the function; what it does not say is the kernel.
  KernelPlace place = currentPlace();
  place.hasThread = true;
  place.block = {blockX, blockY, blockZ};
  place.thread = {threadX, threadY, threadZ};
  reportAt(place, errorText(cudaErrorAssert), file, line);
  endGuarded({SIGABRT, nullptr});
}

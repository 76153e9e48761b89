//===- Annotations.cpp - NVTX, routines of cudafor ------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Ranges and marks go to the timeline of CUFORT_TRACE; where none is written
// the functions do what the library libnvToolsExt does where no profiler
// listens. A program that links the real one has that: these are weak.
//
// A routine of cudafor may call several functions of the runtime, or others: it
// says its own name.
//
//===----------------------------------------------------------------------===//

#include "include/nvtx3/nvToolsExt.h"
#include "runtime/api/Types.h"
#include "runtime/core/process/FaultInjection.h"
#include "runtime/profile/Profile.h"
#include <cwchar>
#include <new>
#include <string>

using namespace cufort;

#define CUFORT_ANNOTATION                                                      \
  extern "C" __attribute__((weak, visibility("default")))

/// What \p call(Recorder &) returns; \p otherwise where nothing is recorded.
template <typename Result, typename Call>
static Result recorded(Result otherwise, Call call) {
  profile::start();
  profile::Recorder *recorder = profile::recorder();
  if (!recorder)
    return otherwise;
  Result result = otherwise;
  (void)catchExhaustion([&] {
    result = call(*recorder);
    return cudaSuccess;
  });
  return result;
}

/// In UTF-8.
static std::string text(const wchar_t *wide) {
  std::string result;
  for (; wide && *wide; ++wide) {
    const char32_t code = *wide;
    const auto rest = [&](unsigned shift) {
      result += static_cast<char>(0x80 | (code >> shift & 0x3f));
    };
    if (code < 0x80) {
      result += static_cast<char>(code);
    } else if (code < 0x800) {
      result += static_cast<char>(0xc0 | code >> 6);
      rest(0);
    } else if (code < 0x10000) {
      result += static_cast<char>(0xe0 | code >> 12);
      rest(6), rest(0);
    } else {
      result += static_cast<char>(0xf0 | (code >> 18 & 7));
      rest(12), rest(6), rest(0);
    }
  }
  return result;
}
static std::string text(const char *narrow) { return narrow ? narrow : ""; }
static std::string text(const nvtxEventAttributes_t *attributes) {
  if (!attributes)
    return "";
  switch (attributes->messageType) {
  case NVTX_MESSAGE_TYPE_ASCII:
    return text(attributes->message.ascii);
  case NVTX_MESSAGE_TYPE_UNICODE:
    return text(attributes->message.unicode);
  case NVTX_MESSAGE_TYPE_REGISTERED:
    return text(reinterpret_cast<const char *>(attributes->message.registered));
  default:
    return "";
  }
}

template <typename Message> static int push(Message message) {
  return recorded(NVTX_NO_PUSH_POP_TRACKING, [&](profile::Recorder &to) {
    return to.push(text(message).c_str());
  });
}
static int pop() {
  return recorded(NVTX_NO_PUSH_POP_TRACKING,
                  [](profile::Recorder &to) { return to.pop(); });
}
template <typename Message> static nvtxRangeId_t begin(Message message) {
  return recorded(nvtxRangeId_t(0), [&](profile::Recorder &to) {
    return nvtxRangeId_t(to.rangeBegins(text(message).c_str()));
  });
}
static void end(nvtxRangeId_t range) {
  recorded(0, [&](profile::Recorder &to) {
    to.rangeEnds(range);
    return 0;
  });
}
template <typename Message> static void mark(Message message) {
  recorded(0, [&](profile::Recorder &to) {
    to.mark(text(message).c_str());
    return 0;
  });
}
/// A copy that lives as long as the program, where anybody will read it.
template <typename Message>
static nvtxStringHandle_t registered(Message message) {
  return recorded(nvtxStringHandle_t(nullptr), [&](profile::Recorder &) {
    return reinterpret_cast<nvtxStringHandle_t>(
        const_cast<char *>((new std::string(text(message)))->c_str()));
  });
}

CUFORT_ANNOTATION void nvtxInitialize(const void *) {}
CUFORT_ANNOTATION void nvtxMarkEx(const nvtxEventAttributes_t *attributes) {
  mark(attributes);
}
CUFORT_ANNOTATION void nvtxMarkA(const char *message) { mark(message); }
CUFORT_ANNOTATION void nvtxMarkW(const wchar_t *message) { mark(message); }
CUFORT_ANNOTATION nvtxRangeId_t
nvtxRangeStartEx(const nvtxEventAttributes_t *attributes) {
  return begin(attributes);
}
CUFORT_ANNOTATION nvtxRangeId_t nvtxRangeStartA(const char *message) {
  return begin(message);
}
CUFORT_ANNOTATION nvtxRangeId_t nvtxRangeStartW(const wchar_t *message) {
  return begin(message);
}
CUFORT_ANNOTATION void nvtxRangeEnd(nvtxRangeId_t range) { end(range); }
CUFORT_ANNOTATION int nvtxRangePushEx(const nvtxEventAttributes_t *attributes) {
  return push(attributes);
}
CUFORT_ANNOTATION int nvtxRangePushA(const char *message) {
  return push(message);
}
CUFORT_ANNOTATION int nvtxRangePushW(const wchar_t *message) {
  return push(message);
}
CUFORT_ANNOTATION int nvtxRangePop() { return pop(); }
CUFORT_ANNOTATION void nvtxNameCategoryA(uint32_t, const char *) {}
CUFORT_ANNOTATION void nvtxNameCategoryW(uint32_t, const wchar_t *) {}
CUFORT_ANNOTATION void nvtxNameOsThreadA(uint32_t, const char *) {}
CUFORT_ANNOTATION void nvtxNameOsThreadW(uint32_t, const wchar_t *) {}

// Domains have their ranges among the others.
CUFORT_ANNOTATION nvtxDomainHandle_t nvtxDomainCreateA(const char *) {
  return nullptr;
}
CUFORT_ANNOTATION nvtxDomainHandle_t nvtxDomainCreateW(const wchar_t *) {
  return nullptr;
}
CUFORT_ANNOTATION void nvtxDomainDestroy(nvtxDomainHandle_t) {}
CUFORT_ANNOTATION void
nvtxDomainMarkEx(nvtxDomainHandle_t, const nvtxEventAttributes_t *attributes) {
  mark(attributes);
}
CUFORT_ANNOTATION nvtxRangeId_t nvtxDomainRangeStartEx(
    nvtxDomainHandle_t, const nvtxEventAttributes_t *attributes) {
  return begin(attributes);
}
CUFORT_ANNOTATION void nvtxDomainRangeEnd(nvtxDomainHandle_t,
                                          nvtxRangeId_t range) {
  end(range);
}
CUFORT_ANNOTATION int
nvtxDomainRangePushEx(nvtxDomainHandle_t,
                      const nvtxEventAttributes_t *attributes) {
  return push(attributes);
}
CUFORT_ANNOTATION int nvtxDomainRangePop(nvtxDomainHandle_t) { return pop(); }
CUFORT_ANNOTATION void nvtxDomainNameCategoryA(nvtxDomainHandle_t, uint32_t,
                                               const char *) {}
CUFORT_ANNOTATION nvtxStringHandle_t
nvtxDomainRegisterStringA(nvtxDomainHandle_t, const char *message) {
  return registered(message);
}
CUFORT_ANNOTATION void nvtxDomainNameCategoryW(nvtxDomainHandle_t, uint32_t,
                                               const wchar_t *) {}
CUFORT_ANNOTATION nvtxStringHandle_t
nvtxDomainRegisterStringW(nvtxDomainHandle_t, const wchar_t *message) {
  return registered(message);
}

// Names for objects of CUDA, which are numbers or addresses.
#define CUFORT_NAMED(Object, Type)                                             \
  CUFORT_ANNOTATION void nvtxName##Object##A(Type, const char *) {}            \
  CUFORT_ANNOTATION void nvtxName##Object##W(Type, const wchar_t *) {}
CUFORT_NAMED(CudaDevice, int)
CUFORT_NAMED(CudaStream, void *)
CUFORT_NAMED(CudaEvent, void *)
CUFORT_NAMED(CuDevice, int)
CUFORT_NAMED(CuContext, void *)
CUFORT_NAMED(CuStream, void *)
CUFORT_NAMED(CuEvent, void *)

//===----------------------------------------------------------------------===//
// Routines of cudafor
//===----------------------------------------------------------------------===//

namespace {
/// The names are literals of cudafor.
class Routine {
public:
  explicit Routine(const char *name) : at(name, {}) {}

private:
  const profile::At at;
  const profile::Call call;
};
} // namespace

/// What the thread asks the runtime for, until \c __cufort_routine_ends gets
/// the result, is one call of \p name.
CUFORT_API void *__cufort_routine_begins(const char *name) {
  if (!profile::recorderFromStart()) [[likely]]
    return nullptr;
  return new (std::nothrow) Routine(name);
}

CUFORT_API void __cufort_routine_ends(void *routine) {
  delete static_cast<Routine *>(routine);
}

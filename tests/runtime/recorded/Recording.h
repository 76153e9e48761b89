//===- Recording.h - prints what calls of the runtime answer ----*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiled by nvcc, to record what CUDA answers, and by cufort, to compare.
// A program consists of sections; each prints lines "section: call -> error",
// with " last=" where cudaGetLastError says something else and " next=" where
// a following call fails. A section runs in a process of its own. A call that
// ends the process ("-> SIGNAL 11") or spoils the context is left out in a
// further process, which prints what comes behind it.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_TESTS_RUNTIME_RECORDED_RECORDING_H
#define CUFORT_TESTS_RUNTIME_RECORDED_RECORDING_H

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#include <initializer_list>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/// A call and what it answers; then a following call must work.
#define CALL(...)                                                              \
  (isCalled(#__VA_ARGS__) ? answered(#__VA_ARGS__, (cudaError_t)(__VA_ARGS__)) \
                          : cudaErrorUnknown)
/// The same without a following call: in captures and beside running kernels.
#define CALL_ALONE(...)                                                        \
  (isCalled(#__VA_ARGS__)                                                      \
       ? answered(#__VA_ARGS__, (cudaError_t)(__VA_ARGS__), false)             \
       : cudaErrorUnknown)
/// What an expression is after a call.
#define VALUE(expression)                                                      \
  report("%s -> %lld", #expression, (long long)(expression))
/// What must work for the calls that follow.
#define SETUP(...) needed(#__VA_ARGS__, __VA_ARGS__)

/// More than there is anywhere.
constexpr size_t Huge = size_t(1) << 60;

/// What the calls use; made by allocate(). The array is no memory of CUDA's.
static char *device, *pinned, *managed, pageableMemory[65536];
static char *pageable = pageableMemory;
static cudaStream_t stream;
static void *pointer;

/// One section: its name and its calls.
struct Section {
  const char *name;
  void (*calls)();
};

/// What a process of a section tells the one that waits for it.
struct Progress {
  int call;
  char text[400];
};

static const char *section = "";
static Progress *progress;
static int firstPrinted, leftOut[64], leftOutCount;
static void *scratch;
static cudaStream_t idle; // Non-blocking, never captured.

inline const char *errorName(cudaError_t error) {
  const char *name = cudaGetErrorName(error);
  return !std::strncmp(name, "cudaError", 9) && name[9] ? name + 9 : name;
}

/// Prints a line of this section; a process that goes on behind a call that was
/// left out prints from there.
template <typename... Values>
void report(const char *format, Values... values) {
  if (progress->call < firstPrinted)
    return;
  std::printf("%s: ", section);
  if constexpr (sizeof...(values) > 0)
    std::printf(format, values...);
  else
    std::fputs(format, stdout);
  std::printf("\n");
  std::fflush(stdout);
}

inline bool isCalled(const char *text) {
  ++progress->call;
  std::snprintf(progress->text, sizeof progress->text, "%s", text);
  for (int i = 0; i < leftOutCount; ++i)
    if (leftOut[i] == progress->call)
      return false;
  return true;
}

/// Whether no call can work any more in this process.
inline bool isSpoilt(cudaError_t error) {
  switch (error) {
  case cudaErrorIllegalAddress:
  case cudaErrorLaunchFailure:
  case cudaErrorAssert:
  case cudaErrorHardwareStackError:
  case cudaErrorIllegalInstruction:
  case cudaErrorInvalidPc:
  case cudaErrorMisalignedAddress:
  case cudaErrorInvalidAddressSpace:
  case cudaErrorContextIsDestroyed:
    return true;
  default:
    return false;
  }
}

constexpr int SpoiltStatus = 77;

inline cudaError_t answered(const char *text, cudaError_t error,
                            bool next = true) {
  cudaError_t last = cudaGetLastError(), following = cudaSuccess;
  if (next) {
    following = cudaMemsetAsync(scratch, 0, 16, idle);
    if (following == cudaSuccess)
      following = cudaStreamSynchronize(idle);
    if (following == cudaSuccess)
      following = cudaDeviceSynchronize();
    cudaGetLastError();
  }
  report("%s -> %s%s%s%s%s", text, errorName(error),
         last == error ? "" : " last=", last == error ? "" : errorName(last),
         following == cudaSuccess ? "" : " next=",
         following == cudaSuccess ? "" : errorName(following));
  if (isSpoilt(following))
    _exit(SpoiltStatus);
  return error;
}

inline void needed(const char *text, cudaError_t error) {
  if (error == cudaSuccess)
    return;
  report("SETUP %s -> %s", text, errorName(error));
  cudaGetLastError();
}

/// CALL for calls whose text depends on a value.
template <typename Call, typename... Values>
void called(Call call, const char *format, Values... values) {
  char text[300];
  std::snprintf(text, sizeof text, format, values...);
  if (isCalled(text))
    answered(text, call());
}

/// Memory of each kind, 4096 bytes if nothing else is said, and a stream.
inline void allocate(size_t bytes = 4096) {
  SETUP(cudaMalloc(&device, bytes));
  SETUP(cudaMallocHost(&pinned, 4096));
  SETUP(cudaMallocManaged(&managed, 4096));
  SETUP(cudaStreamCreate(&stream));
}

/// Runs one section in as many processes as it takes.
inline void runSection(const char *program, const char *name) {
  int file = memfd_create("progress", 0);
  if (ftruncate(file, sizeof(Progress)))
    std::abort();
  auto *seen = (Progress *)mmap(nullptr, sizeof(Progress),
                                PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  char list[1024] = "";
  int first = 0, end = 0, last = -1;
  while (end < 64 * 8) {
    seen->call = 0;
    std::strcpy(seen->text, "start");
    std::fflush(stdout);
    pid_t process = fork();
    if (process == 0) {
      char shared[16], from[16];
      std::snprintf(shared, sizeof shared, "%d", file);
      std::snprintf(from, sizeof from, "%d", first);
      execl("/proc/self/exe", program, "--section", name, shared, from, list,
            (char *)nullptr);
      _exit(9);
    }
    int status = 0;
    waitpid(process, &status, 0);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
      break;
    if (WIFSIGNALED(status))
      std::printf("%s: %s -> SIGNAL %d\n", name, seen->text, WTERMSIG(status));
    else if (WEXITSTATUS(status) != SpoiltStatus)
      std::printf("%s: %s -> EXIT %d\n", name, seen->text, WEXITSTATUS(status));
    // What lies between the calls ended the process: there is no way behind it.
    if (seen->call == last) {
      std::printf("%s: ENDED\n", name);
      break;
    }
    first = last = seen->call;
    end += std::snprintf(list + end, sizeof list - end, "%d,", first);
  }
  munmap(seen, sizeof(Progress));
  close(file);
}

/// main: all sections, or those that are named.
inline int record(int count, char **arguments,
                  std::initializer_list<Section> sections) {
  if (count == 6 && !std::strcmp(arguments[1], "--section")) {
    section = arguments[2];
    progress =
        (Progress *)mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE,
                         MAP_SHARED, std::atoi(arguments[3]), 0);
    firstPrinted = std::atoi(arguments[4]);
    for (char *item = std::strtok(arguments[5], ","); item && leftOutCount < 64;
         item = std::strtok(nullptr, ","))
      leftOut[leftOutCount++] = std::atoi(item);
    alarm(60);
    SETUP(cudaMalloc(&scratch, 4096));
    SETUP(cudaStreamCreateWithFlags(&idle, cudaStreamNonBlocking));
    for (const Section &each : sections)
      if (!std::strcmp(each.name, section))
        each.calls();
    std::fflush(stdout);
    _exit(0);
  }
  for (const Section &each : sections) {
    bool chosen = count == 1;
    for (int i = 1; i < count; ++i)
      chosen |= !std::strcmp(each.name, arguments[i]);
    if (chosen)
      runSection(arguments[0], each.name);
  }
  return 0;
}

#endif // CUFORT_TESTS_RUNTIME_RECORDED_RECORDING_H

//===- Process.h - what a process has once ----------------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The runtime is an archive. A program and the libraries that it loads may each
// have a copy of it, whole or in part, and whether they see each other's
// symbols is up to whoever links and loads them. As with CUDA, whose driver
// libraries share, there is one set of devices in a process all the same, with
// one current device for each thread and one table of kernels and variables.
//
// So whatever the runtime remembers, other than what belongs to the calls of
// one function, is found through a Process. Each copy has one, which a note in
// its file names; the first copy that needs one claims its own,
// and the others find that by the notes. Copies of different versions of the
// runtime cannot share, which is said when the second begins.
//
// The engines' own state is not here: they are called through their virtual
// functions, and are those of the copy that made them. Only the functions that
// kernels on the CPU call have to be led there (Process::deviceFunctions).
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_CORE_PROCESS_PROCESS_H
#define CUFORT_RUNTIME_CORE_PROCESS_PROCESS_H

#include "runtime/core/process/Error.h"
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace cufort {

struct Devices;      // Device.cpp
struct HandedStop;   // Stop.h
struct OutputReplay; // KernelOutput.h
namespace cpu {
struct DeviceFunctions;
} // namespace cpu

namespace profile {
class Recorder;
} // namespace profile

/// What the thread is about to do, as the profile says it.
struct ProfileContext {
  const char *what = nullptr; ///< null: by the function's name
  const char *file = nullptr;
  int line = 0;
  const void *code = nullptr;
  /// Where the program gave the launch that follows its grid.
  const void *pushedBy = nullptr;
  uint64_t number = 0;
  bool inCall = false;
};

/// What a host thread has once.
struct ThreadState {
  Error lastError = cudaSuccess;
  int device = -1;            ///< none chosen
  unsigned deviceChoices = 0; ///< how often it has chosen one
  bool inHostFunction = false;
  bool deliversOutput = false;
  /// It ends the program; it is in exit; it leaves stops to others (Stop.h).
  bool stops = false, exits = false, leavesStops = false;
  void *fortranStream = nullptr; ///< cudaforSetDefaultStream
  ProfileContext profile;
};

/// What is made at its first use, by processWide.
enum class ProcessObject {
  ArrayStreams,
  Contexts,
  DefaultStreamObservers,
  DeviceMutex,
  DriverFunctions,
  DriverLibraryFunctions,
  DriverModules,
  LaunchFailure,
  Libraries,
  ManagedAddresses,
  OutputMutex,
  PagedMemory,
  Registry,
  ScopedMemory,
  StreamNumbers,
  Textures,
};
inline constexpr size_t ProcessObjects =
    static_cast<size_t>(ProcessObject::Textures) + 1;

struct Process {
  /// Of the runtime's sources: others may lay out anything differently but
  /// these two.
  uint64_t version;
  bool claimed = false; ///< changed under the lock of dl_iterate_phdr
  ThreadState &(*thread)();

  std::atomic<Devices *> devices{nullptr};
  std::atomic<bool> exiting{false}, forked{false}, driverInitialised{false};
  std::atomic<unsigned> deviceFlags{8};
  std::atomic<const cpu::DeviceFunctions *> deviceFunctions{nullptr};

  void (*programEnd)(int) = nullptr;
  std::atomic<bool> stopping{false}, inExit{false};
  std::atomic<int> stopStatus{1};
  std::atomic<const HandedStop *> handedStop{nullptr};

  std::atomic<bool> launchFailed{false};
  /// Whether the environment was asked for a profile, and what records it.
  std::atomic<bool> profileAsked{false};
  std::atomic<profile::Recorder *> recorder{nullptr};
  const OutputReplay *outputReplay = nullptr;
  /// The guide (B.14.3) says 1 MB. CUDA's records are of 16 bytes and more,
  /// ours on a GPU of 128 (CufortOutputSlot): this holds as many, so that a
  /// program which sets no limit loses nothing that it would not lose there.
  std::atomic<size_t> outputBufferBytes{size_t(8) << 20};

  std::atomic<void *> objects[ProcessObjects]{};
};

/// Joins the process, or becomes it; called once in each copy.
Process &joinProcess();

extern constinit std::atomic<Process *> JoinedProcess;

inline Process &process() {
  Process *joined = JoinedProcess.load(std::memory_order_acquire);
  return joined ? *joined : joinProcess();
}

inline ThreadState &threadState() { return process().thread(); }

/// The process's only \p which, which has the type T and is never destroyed:
/// exit handlers and other threads may still need it.
template <typename T> T &processWide(ProcessObject which) {
  std::atomic<void *> &place = process().objects[static_cast<size_t>(which)];
  void *present = place.load(std::memory_order_acquire);
  if (present)
    return *static_cast<T *>(present);
  T *fresh = new T;
  if (place.compare_exchange_strong(present, fresh, std::memory_order_acq_rel))
    return *fresh;
  delete fresh;
  return *static_cast<T *>(present);
}

} // namespace cufort

#endif // CUFORT_RUNTIME_CORE_PROCESS_PROCESS_H

//===- DeviceOptions.cpp - the sub-options of -gpu= and -Mcuda= -----------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/driver/options/DeviceOptions.h"
#include "compiler/driver/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace cufort::driver;
using llvm::StringRef;

namespace {

enum Effect {
  FastMath,
  NoFma,
  Fma,
  FlushDenormals,
  KeepDenormals,
  LineInfo,
  NoLineInfo,
  Debug,
  NoDebug,
  Keep,
  PtxInfo,
  CpuOnly,
  MaxRegisters, ///< has a value
  Memory,       ///< has a value
  Managed,
  NotManaged,
  Nothing, ///< accepted, has no effect
  NotYet,  ///< a diagnostic
};

struct SubOption {
  const char *name; ///< without the value that may follow a colon
  Effect effect;
};

} // namespace

// docs/command-line.md lists the same names; tests/driver/gpu-options.f90
// compares.
static constexpr SubOption subOptions[] = {
    {"fastmath", FastMath},
    {"nofma", NoFma},
    {"fma", Fma},
    {"flushz", FlushDenormals},
    {"noflushz", KeepDenormals},
    {"lineinfo", LineInfo},
    {"nolineinfo", NoLineInfo},
    {"debug", Debug},
    {"nodebug", NoDebug},
    {"keep", Keep},
    {"keepptx", Keep},
    {"keepgpu", Keep},
    {"ptxinfo", PtxInfo},
    {"emu", CpuOnly},
    {"maxregcount", MaxRegisters},
    // Device code is always linked across files, as rdc means.
    {"rdc", Nothing},
    {"nordc", Nothing},
    {"keepbin", Nothing},
    {"llvm", Nothing},
    {"nollvm", Nothing},
    {"unroll", Nothing},
    {"nounroll", Nothing},
    {"loadcache", Nothing},
    {"safecache", Nothing},
    {"charstring", Nothing},
    {"madconst", Nothing},
    {"stacklimit", Nothing},
    {"nostacklimit", Nothing},
    {"nounified", Nothing},
    {"beta", Nothing},
    {"autocollapse", Nothing},
    {"noautocollapse", Nothing},
    {"tripcount", Nothing},
    {"implicitsections", Nothing},
    {"noimplicitsections", Nothing},
    {"deepcopy", NotYet},
    {"zeroinit", NotYet},
    {"managed", Managed},
    {"nomanaged", NotManaged},
    {"unified", NotYet},
    {"pinned", NotYet},
    {"mem", Memory},
    {"nvlamath", NotYet},
    {"autocompare", NotYet},
    {"redundant", NotYet},
    {"interceptdeallocations", NotYet},
    {"nointerceptdeallocations", Nothing},
};

/// The oldest architecture whose memory model and atomics the runtime relies
/// on.
static constexpr unsigned oldestArchitecture = 70;

static bool applyArchitecture(StringRef option, StringRef value,
                              StringRef digits, DeviceOptions &device) {
  unsigned architecture = 0;
  // "90a" names features of one chip only; the PTX here is for all newer ones.
  digits.consume_back("a") || digits.consume_back("f");
  if (digits.contains('.')) {
    auto [major, minor] = digits.split('.');
    std::string joined = (major + minor).str();
    if (StringRef(joined).getAsInteger(10, architecture))
      architecture = 0;
  } else if (digits.getAsInteger(10, architecture)) {
    architecture = 0;
  }
  if (architecture < 10 || architecture > 200)
    return error("'" + option + value +
                 "': not a GPU architecture; an example is '" + option +
                 "cc80'");
  // Makefiles list those of their time; the program is right on newer ones.
  if (architecture < oldestArchitecture) {
    const std::string oldest = "cc" + std::to_string(oldestArchitecture);
    warning("'" + option + value + "': GPUs older than " + oldest +
            " are not supported; code is generated for " + oldest);
    architecture = oldestArchitecture;
  }
  if (!llvm::is_contained(device.architectures, architecture))
    device.architectures.push_back(architecture);
  return true;
}

/// Effects that give a member a value.
static constexpr struct Switch {
  Effect effect;
  bool DeviceOptions::*member;
  bool value;
} switches[] = {
    {FastMath, &DeviceOptions::fastMath, true},
    {Fma, &DeviceOptions::contract, true},
    {NoFma, &DeviceOptions::contract, false},
    {FlushDenormals, &DeviceOptions::flushDenormals, true},
    {KeepDenormals, &DeviceOptions::flushDenormals, false},
    {LineInfo, &DeviceOptions::lineInfo, true},
    {NoLineInfo, &DeviceOptions::lineInfo, false},
    {Debug, &DeviceOptions::debug, true},
    {NoDebug, &DeviceOptions::debug, false},
    {Keep, &DeviceOptions::keep, true},
    {PtxInfo, &DeviceOptions::ptxInfo, true},
    {CpuOnly, &DeviceOptions::gpu, false},
    {Managed, &DeviceOptions::managedAllocatables, true},
    {NotManaged, &DeviceOptions::managedAllocatables, false},
};

static bool unknownSubOption(StringRef option, StringRef value,
                             StringRef name) {
  StringRef nearest;
  unsigned best = ~0u;
  for (const SubOption &each : subOptions)
    if (unsigned distance = name.edit_distance(each.name); distance < best) {
      best = distance;
      nearest = each.name;
    }
  return error("unknown sub-option '" + value + "' of '" + option +
               "'; did you mean '" + option + nearest + "'?");
}

bool cufort::driver::applyDeviceOption(StringRef option, StringRef value,
                                       DeviceOptions &device) {
  if (value.empty())
    return true;
  StringRef digits = value;
  if ((digits.consume_front("cc") || digits.consume_front("sm_") ||
       digits.consume_front("compute_")) &&
      !digits.empty()) {
    // The default PTX runs on all of them: the driver compiles it for the GPU
    // at hand.
    if (digits == "native" || digits == "all" || digits == "all-major")
      return true;
    return applyArchitecture(option, value, digits, device);
  }
  // The version of a toolkit: none is used.
  if (value.starts_with("cuda") && value.size() > 4 && llvm::isDigit(value[4]))
    return true;

  auto [name, argument] = value.split(':');
  const SubOption *found = llvm::find_if(
      subOptions, [&](const SubOption &each) { return name == each.name; });
  if (found == std::end(subOptions))
    return unknownSubOption(option, value, name);
  for (const Switch &each : switches)
    if (each.effect == found->effect) {
      device.*each.member = each.value;
      return true;
    }
  switch (found->effect) {
  case MaxRegisters:
    if (argument.getAsInteger(10, device.maxRegisters) ||
        device.maxRegisters < 16 || device.maxRegisters > 255)
      return error("'" + option + value +
                   "': give a number of registers from 16 to 255, as in '" +
                   option + "maxregcount:64'");
    return true;
  case Memory:
    if (argument != "managed" && argument != "separate")
      return error("'" + option + value + "' is not supported yet; '" + option +
                   "mem:managed' and '" + option + "mem:separate' are");
    device.managedAllocatables = argument == "managed";
    return true;
  case NotYet:
    return error("'" + option + value + "' is not supported yet");
  default:
    return true;
  }
}

bool cufort::driver::acceptLibraries(StringRef option,
                                     llvm::ArrayRef<const char *> values) {
  for (StringRef value : values) {
    // With cutensor programs are linked that use cutensorEx, with cufftmp those
    // that use cuFFT where a plan cannot be attached. Callbacks need no other
    // library.
    if (llvm::is_contained({"cublas", "cublaslt", "cufft", "cufft:callback",
                            "cufftmp", "curand", "cusolver", "cusparse",
                            "cutensor", "nccl", "nvtx", "nvtx3"},
                           value))
      continue;
    // Makefiles name these for every file, whatever it uses.
    if (llvm::is_contained({"cublasmp", "cusolvermp", "cusolverrf", "nvshmem"},
                           value)) {
      warning("'" + option + "': there is no " + value +
              "; a program that calls it cannot be linked");
      continue;
    }
    const StringRef instead =
        llvm::StringSwitch<StringRef>(value)
            .Case("nvblas", "link the host's BLAS, -lopenblas or -lblas")
            .Cases({"nvlamath", "nvlamath_ilp64"},
                   "link the host's LAPACK, -lopenblas or -llapack")
            .Case("cufftw", "link FFTW, -lfftw3 -lfftw3f")
            .Case("cupti", "link the toolkit's, -lcupti")
            .Default("");
    return error(
        "'" + option +
        "': " + (instead.empty() ? "no such library: " : "there is no ") +
        value + "; " +
        (instead.empty() ? "the libraries are cublas, cufft, curand, cusolver, "
                           "cusparse, cutensor, nccl and nvtx3"
                         : instead));
  }
  return true;
}

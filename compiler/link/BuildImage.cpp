//===- BuildImage.cpp - a program's device image --------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The device link, in order:
//
//   collect   which objects the host's linker takes      (HostObjects.h)
//   link      their bitcode to one module                (LinkDevice.h)
//   check     that its kernels can be compiled           (CheckDevice.h)
//   gpu       PTX for every architecture                 (compiler/gpu)
//   cpu       x86-64 code                                (compiler/cpu)
//   write     tables, code, constructor: the image object (WriteImage.h)
//
//===----------------------------------------------------------------------===//

#include "compiler/link/BuildImage.h"
#include "compiler/check/Instrument.h"
#include "compiler/common/DeviceArchitecture.h"
#include "compiler/cpu/CompileForCpu.h"
#include "compiler/gpu/analysis/NeededGpu.h"
#include "compiler/link/CheckDevice.h"
#include "compiler/link/HostObjects.h"
#include "compiler/link/ImageCache.h"
#include "compiler/link/KernelReport.h"
#include "compiler/link/LinkDevice.h"
#include "compiler/link/RecursiveCalls.h"
#include "compiler/link/WriteImage.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;
using namespace cufort;

static Error write(const std::string &path,
                   function_ref<void(raw_ostream &)> content) {
  std::error_code code;
  raw_fd_ostream stream(path, code);
  if (!code) {
    content(stream);
    stream.close();
    code = stream.error();
    stream.clear_error();
  }
  if (code)
    return createStringError("cannot write '" + path + "': " + code.message());
  return Error::success();
}

static Error keepBitcode(const Module &module, const std::string &path) {
  return write(
      path, [&](raw_ostream &stream) { WriteBitcodeToFile(module, stream); });
}

static Expected<std::vector<PtxCode>> makePtx(const Module &given,
                                              const ImageJob &job) {
  // GPUs run what is checked elsewhere.
  std::unique_ptr<Module> unchecked;
  if (job.cpu.check.any()) {
    unchecked = CloneModule(given);
    check::removeChecks(*unchecked);
  }
  const Module &device = unchecked ? *unchecked : given;
  std::vector<unsigned> architectures = job.architectures;
  const NeededGpu needed = neededGpu(device);
  if (architectures.empty())
    // A link that names none is for that of the files, as nvcc's objects are.
    architectures.push_back(std::max(
        {job.gpu.architecture, needed.architecture, compiledFor(device)}));
  const std::string &stem =
      job.saveTempsStem.empty() ? job.keepPtxStem : job.saveTempsStem;
  std::vector<PtxCode> all;
  for (unsigned architecture : architectures) {
    if (architecture < needed.architecture)
      return createStringError(
          needed.location + "the program has " + needed.construct +
          ", which needs a GPU of compute capability " +
          Twine(needed.architecture / 10) + "." +
          Twine(needed.architecture % 10) + " or newer: compile with -gpu=cc" +
          Twine(needed.architecture) +
          ", or without naming an architecture, instead of cc" +
          Twine(architecture));
    GpuOptions options = job.gpu;
    options.architecture = architecture;
    options.deviceFolder = job.deviceFolder;
    auto ptx = compileForGpu(device, options);
    if (!ptx)
      return ptx.takeError();
    if (!stem.empty())
      if (Error failure =
              write(stem + ".sm_" + std::to_string(architecture) + ".ptx",
                    [&](raw_ostream &stream) { stream << *ptx; }))
        return std::move(failure);
    all.push_back({architecture, std::move(*ptx)});
  }
  return all;
}

/// The code of the CPU engine, of \p device or of what the GPU's passes make of
/// it.
static Expected<CpuCode> makeCpuCode(const Module &device,
                                     const ImageJob &job) {
  if (!job.gpuPassesForCpu)
    return compileForCpu(device, job.cpu);
  GpuOptions options = job.gpu;
  options.deviceFolder = job.deviceFolder;
  auto optimised = optimiseForGpu(*takeCpuFunctions(device), options);
  if (!optimised)
    return optimised.takeError();
  return compileForCpu(**optimised, job.cpu);
}

namespace {
/// LLVM's diagnostics, but for loops that could not be unrolled as asked: the
/// optimiser works on several copies of each, of which the user knows nothing.
class LinkDiagnostics final : public DiagnosticHandler {
public:
  explicit LinkDiagnostics(bool &any) : any(any) {}

private:
  bool handleDiagnostics(const DiagnosticInfo &info) override {
    if (info.getKind() == DK_OptimizationFailure)
      return true;
    any |= info.getSeverity() != DS_Remark;
    return DiagnosticHandler::handleDiagnostics(info);
  }

  bool &any;
};
} // namespace

Expected<std::vector<std::string>> cufort::buildImage(const ImageJob &job) {
  auto phase = [&](StringRef name) {
    if (job.onPhase)
      job.onPhase(name);
  };
  phase("device link");
  HostObjects inputs = HostObjects::read(job.linkerArguments);

  LLVMContext context;
  bool anyDiagnostics = false;
  context.setDiagnosticHandler(
      std::make_unique<LinkDiagnostics>(anyDiagnostics));
  auto device = linkDevice(inputs, job, context);
  if (!device)
    return device.takeError();
  if (!*device)
    return std::vector<std::string>();
  if (!job.saveTempsStem.empty())
    if (Error failure = keepBitcode(**device, job.saveTempsStem + ".device.bc"))
      return std::move(failure);
  if (Error failure = checkDevice(**device))
    return std::move(failure);
  if (job.cpu.check.any())
    check::declareTable(**device);

  if (job.forGpu && job.onWarning)
    for (const std::string &text : describeRecursion(**device, inputs))
      job.onWarning(text);
  // After everything that says something.
  ImageCache cache(job, **device);
  if (std::vector<std::string> objects = cache.take(); !objects.empty())
    return objects;

  std::vector<PtxCode> ptx;
  if (job.forGpu) {
    phase("GPU code");
    auto made = makePtx(**device, job);
    if (!made)
      return made.takeError();
    ptx = std::move(*made);
  }

  CpuCode cpu;
  if (job.forCpu) {
    phase("CPU code");
    auto made = makeCpuCode(**device, job);
    if (!made)
      return made.takeError();
    cpu = std::move(*made);
    if (!job.saveTempsStem.empty())
      if (Error failure =
              keepBitcode(*cpu.module, job.saveTempsStem + ".cpu.bc"))
        return std::move(failure);
  }

  phase("image");
  if (job.listKernels || job.ptxInfo)
    reportKernels(**device, cpu, ptx, job.ptxInfo);
  auto objects = writeImage(**device, std::move(cpu), ptx, job.use,
                            job.inOneObject, job.output);
  if (!objects)
    return objects.takeError();
  // What has been said would not be said again.
  if (!anyDiagnostics)
    cache.keep(*objects);
  if (!job.saveTempsStem.empty())
    for (auto [number, object] : enumerate(*objects)) {
      std::string kept = job.saveTempsStem + ".image" +
                         (number ? "." + std::to_string(number) : "") + ".o";
      if (std::error_code code = sys::fs::copy_file(object, kept))
        return createStringError("cannot write '" + kept +
                                 "': " + code.message());
    }
  return objects;
}

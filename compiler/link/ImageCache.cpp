//===- ImageCache.cpp - device images by the code they are made of --------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/link/ImageCache.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/CachePruning.h"
#include "llvm/Support/Caching.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SHA256.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Host.h"
#include <dlfcn.h>

using namespace llvm;
using namespace cufort;

//===----------------------------------------------------------------------===//
// What an image is made of
//===----------------------------------------------------------------------===//

/// A file that is as good as its size and its time.
static void describeFile(raw_ostream &out, StringRef path) {
  sys::fs::file_status status;
  out << path << '\0';
  if (!sys::fs::status(path, status))
    out << status.getSize() << ' '
        << status.getLastModificationTime().time_since_epoch().count();
  out << '\n';
}

/// This compiler, and the LLVM that it runs with.
static void describeCompiler(raw_ostream &out) {
  static int anchor;
  out << "cufort image 1, LLVM " << LLVM_VERSION_STRING << '\n';
  describeFile(out, sys::fs::getMainExecutable(nullptr, &anchor));
  Dl_info library;
  if (dladdr(reinterpret_cast<const void *>(&WriteBitcodeToFile), &library) &&
      library.dli_fname)
    describeFile(out, library.dli_fname);
}

static void describeOptions(raw_ostream &out, const ImageJob &job) {
  out << static_cast<int>(job.use) << job.inOneObject << job.forGpu
      << job.forCpu << job.gpuPassesForCpu << '\n';
  const GpuOptions &gpu = job.gpu;
  out << "gpu " << gpu.passes.disable << ' ' << gpu.architecture << gpu.optimise
      << gpu.fastMath << gpu.flushDenormals << gpu.contract << gpu.lineInfo
      << ' ' << gpu.maxRegisters << ' ';
  for (unsigned architecture : job.architectures)
    out << architecture << ' ';
  if (!gpu.libdevice.empty())
    describeFile(out, gpu.libdevice);
  const CpuOptions &cpu = job.cpu;
  out << "\ncpu " << cpu.optLevel << cpu.fastMath << cpu.contract
      << cpu.threadEntries << cpu.lineTables << cpu.debug << cpu.describe << ' '
      << cpu.levels << ' ' << cpu.processor << ' ' << cpu.passes.disable
      << (cpu.debug ? ' ' + cpu.debuggerScript : "") << '\n';
  const CheckOptions &check = cpu.check;
  if (check.any())
    out << "check " << check.memory << check.race << check.sameValue
        << check.init << check.sync << '\n';
  if (cpu.countOperations)
    out << "count\n";
  if (cpu.processor == "native") {
    out << sys::getHostCPUName();
    for (const auto &feature : sys::getHostCPUFeatures())
      if (feature.second)
        out << '+' << feature.first();
    out << '\n';
  }
  for (const std::string &each : job.llvmOptions)
    out << each << '\0';
  for (const char *name : {"math.bc", "fortran.bc", "cpu.bc"})
    describeFile(out, job.deviceFolder + "/" + name);
}

static std::string digest(const ImageJob &job, const Module &device) {
  SmallString<0> text;
  raw_svector_ostream out(text);
  describeCompiler(out);
  describeOptions(out, job);
  WriteBitcodeToFile(device, out);
  const auto bytes = SHA256::hash(arrayRefFromStringRef(text.str()));
  return toHex(bytes, /*LowerCase=*/true);
}

/// Whether \p job wants more than the image, or says how it is made.
static bool wantsMore(const ImageJob &job) {
  return !job.saveTempsStem.empty() || !job.keepPtxStem.empty() ||
         job.listKernels || job.ptxInfo || job.cpu.passes.times ||
         job.cpu.vectorNotes || !job.cpu.passes.printAfter.empty();
}

ImageCache::ImageCache(const ImageJob &job, const Module &device) : job(job) {
  if (!job.cacheFolder.empty() && !wantsMore(job))
    key = digest(job, device);
}

//===----------------------------------------------------------------------===//
// Entries: the number of objects, their sizes, the objects; numbers as 64 bits
//===----------------------------------------------------------------------===//

static std::vector<std::string> unpack(StringRef entry,
                                       const std::string &output) {
  auto number = [&](size_t index) {
    return support::endian::read64le(entry.data() + 8 * index);
  };
  if (entry.size() < 8 || number(0) == 0 || number(0) > entry.size() / 8 - 1)
    return {};
  const size_t count = number(0);
  StringRef rest = entry.drop_front(8 * (count + 1));
  std::vector<std::string> objects;
  for (size_t i = 0; i != count; ++i) {
    const size_t size = number(i + 1);
    if (size > rest.size())
      return {};
    // As writeImage calls them.
    std::string path = i ? output + "." + std::to_string(i) + ".o" : output;
    std::error_code code;
    raw_fd_ostream stream(path, code);
    if (code)
      return {};
    stream << rest.take_front(size);
    stream.close();
    if (stream.has_error()) {
      stream.clear_error();
      return {};
    }
    rest = rest.drop_front(size);
    objects.push_back(std::move(path));
  }
  return objects;
}

static std::string pack(const std::vector<std::string> &objects) {
  std::string numbers, contents;
  auto add = [&](uint64_t number) {
    char bytes[8];
    support::endian::write64le(bytes, number);
    numbers.append(bytes, 8);
  };
  add(objects.size());
  for (const std::string &path : objects) {
    auto object = MemoryBuffer::getFile(path, /*IsText=*/false,
                                        /*RequiresNullTerminator=*/false);
    if (!object)
      return "";
    add((*object)->getBufferSize());
    contents += (*object)->getBuffer();
  }
  return numbers + contents;
}

std::vector<std::string> ImageCache::take() const {
  if (key.empty())
    return {};
  std::unique_ptr<MemoryBuffer> entry;
  auto cache = localCache(
      "cufort", "image", job.cacheFolder,
      [&](unsigned, const Twine &, std::unique_ptr<MemoryBuffer> buffer) {
        entry = std::move(buffer);
      });
  if (!cache) {
    consumeError(cache.takeError());
    return {};
  }
  auto add = (*cache)(0, key, job.programName);
  if (!add) {
    consumeError(add.takeError());
    return {};
  }
  return entry ? unpack(entry->getBuffer(), job.output)
               : std::vector<std::string>();
}

void ImageCache::keep(const std::vector<std::string> &objects) const {
  if (key.empty())
    return;
  const std::string entry = pack(objects);
  if (entry.empty())
    return;
  auto keepEntry = [&]() -> Error {
    auto cache = localCache("cufort", "image", job.cacheFolder);
    if (!cache)
      return cache.takeError();
    auto add = (*cache)(0, key, job.programName);
    // Another build may have been faster.
    if (!add || !*add)
      return add.takeError();
    auto stream = (*add)(0, job.programName);
    if (!stream)
      return stream.takeError();
    *(*stream)->OS << entry;
    return (*stream)->commit();
  };
  consumeError(keepEntry());
  CachePruningPolicy policy;
  policy.MaxSizeBytes = job.cacheBytes;
  // Of a full disk others need their part.
  policy.MaxSizePercentageOfAvailableSpace = 25;
  policy.Interval = std::chrono::minutes(1);
  pruneCache(job.cacheFolder, policy);
}

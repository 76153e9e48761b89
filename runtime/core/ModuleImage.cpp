//===- ModuleImage.cpp - a module as cufort writes it ---------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/core/ModuleImage.h"
#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <elf.h>
#include <string>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

namespace cufort {

ModuleImage::ModuleImage(ModuleImage &&other) noexcept
    : library(std::exchange(other.library, nullptr)),
      content(std::exchange(other.content, nullptr)) {}

ModuleImage &ModuleImage::operator=(ModuleImage &&other) noexcept {
  std::swap(library, other.library);
  std::swap(content, other.content);
  return *this;
}

ModuleImage::~ModuleImage() {
  if (library)
    dlclose(library);
}

bool ModuleImage::isOne(const void *data, size_t bytes) {
  Elf64_Ehdr header;
  if (bytes && bytes < sizeof(header))
    return false;
  // Without a size only the first bytes may be looked at before it is known to
  // be ELF at all; a cubin is ELF of another machine.
  if (std::memcmp(data, ELFMAG, SELFMAG) != 0)
    return false;
  std::memcpy(&header, data, sizeof(header));
  return header.e_ident[EI_CLASS] == ELFCLASS64 &&
         header.e_machine == EM_X86_64 && header.e_type == ET_DYN;
}

namespace {

/// The tables of sections are the last thing in the file.
size_t bytesOf(const void *data) {
  Elf64_Ehdr header;
  std::memcpy(&header, data, sizeof(header));
  return header.e_shoff + size_t(header.e_shentsize) * header.e_shnum;
}

/// A file in memory; -1: none.
class MemoryFile {
public:
  MemoryFile(const void *data, size_t bytes)
      : descriptor(memfd_create("module", MFD_CLOEXEC)) {
    const char *from = static_cast<const char *>(data);
    while (descriptor >= 0 && bytes) {
      const ssize_t written = write(descriptor, from, bytes);
      if (written <= 0) {
        close(descriptor);
        descriptor = -1;
        break;
      }
      from += written;
      bytes -= static_cast<size_t>(written);
    }
  }
  MemoryFile(const MemoryFile &) = delete;
  MemoryFile &operator=(const MemoryFile &) = delete;
  ~MemoryFile() {
    if (descriptor >= 0)
      close(descriptor);
  }
  int descriptor;
};

Error refuse(Error error, const std::string &why) {
  std::fprintf(stderr, "cufort: a module cannot be loaded: %s\n", why.c_str());
  return error;
}

} // namespace

Error ModuleImage::open(const void *data, size_t bytes, bool toRun) {
  // The loader would map what is missing and die of it.
  if (bytes && bytesOf(data) > bytes)
    return refuse(cudaErrorInvalidKernelImage, "its end is missing");
  const MemoryFile file(data, bytes ? bytes : bytesOf(data));
  if (file.descriptor < 0)
    return cudaErrorOperatingSystem;
  // Its own path for each file, or the loader takes it for one that it has.
  const std::string path = "/proc/" + std::to_string(getpid()) + "/fd/" +
                           std::to_string(file.descriptor);
  library = dlopen(path.c_str(), RTLD_LOCAL | (toRun ? RTLD_NOW : RTLD_LAZY));
  if (!library) {
    const char *reason = dlerror();
    std::string why = reason ? reason : "unknown reason";
    if (why.find("__cufort_") != std::string::npos)
      why += "; link the program with -lcuda";
    return refuse(cudaErrorSharedObjectInitFailed, why);
  }
  content =
      static_cast<const image::Image *>(dlsym(library, image::ModuleSymbol));
  if (!content)
    return refuse(cudaErrorInvalidKernelImage,
                  "it is a shared library, not what cufort -fatbin writes");
  if (content->magic != image::Magic || content->version != image::Version)
    return refuse(cudaErrorInvalidKernelImage,
                  "it was written by another version of cufort than the "
                  "program: make it again");
  return cudaSuccess;
}

} // namespace cufort

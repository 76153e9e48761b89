//===- ModuleImage.cpp - a module as cufort writes it ---------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/core/ModuleImage.h"
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <elf.h>
#include <fstream>
#include <iterator>
#include <string>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

namespace cufort {

ModuleImage::ModuleImage(ModuleImage &&other) noexcept
    : file(std::exchange(other.file, -1)),
      library(std::exchange(other.library, nullptr)),
      content(std::exchange(other.content, nullptr)) {}

ModuleImage &ModuleImage::operator=(ModuleImage &&other) noexcept {
  std::swap(file, other.file);
  std::swap(library, other.library);
  std::swap(content, other.content);
  return *this;
}

ModuleImage::~ModuleImage() {
  if (library)
    dlclose(library);
  if (file >= 0)
    close(file);
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
int makeFile(const void *data, size_t bytes) {
  const int file = memfd_create("module", MFD_CLOEXEC);
  const char *from = static_cast<const char *>(data);
  while (file >= 0 && bytes) {
    const ssize_t written = write(file, from, bytes);
    if (written <= 0) {
      close(file);
      return -1;
    }
    from += written;
    bytes -= static_cast<size_t>(written);
  }
  return file;
}

Error refuse(Error error, const std::string &why) {
  std::fprintf(stderr, "cufort: a module cannot be loaded: %s\n", why.c_str());
  return error;
}

} // namespace

Error ModuleImage::open(const void *data, size_t bytes, bool toRun) {
  // The loader would map what is missing and die of it.
  if (bytes && bytesOf(data) > bytes)
    return refuse(cudaErrorInvalidKernelImage, "its end is missing");
  file = makeFile(data, bytes ? bytes : bytesOf(data));
  if (file < 0)
    return cudaErrorOperatingSystem;
  const std::string path =
      "/proc/" + std::to_string(getpid()) + "/fd/" + std::to_string(file);
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

//===----------------------------------------------------------------------===//
// Device code of any kind
//===----------------------------------------------------------------------===//

namespace {

/// To the end of the tables and of all sections: a cubin's tables are not the
/// last thing in it.
size_t elfBytes(const char *data) {
  Elf64_Ehdr header;
  std::memcpy(&header, data, sizeof(header));
  if (header.e_ident[EI_CLASS] != ELFCLASS64)
    return 0;
  size_t end =
      std::max(bytesOf(data),
               header.e_phoff + size_t(header.e_phentsize) * header.e_phnum);
  for (unsigned i = 0; i < header.e_shnum; ++i) {
    Elf64_Shdr section;
    std::memcpy(&section, data + header.e_shoff + i * header.e_shentsize,
                sizeof(section));
    if (section.sh_type != SHT_NOBITS)
      end = std::max<size_t>(end, section.sh_offset + section.sh_size);
  }
  return end;
}

/// The head of a fat binary.
struct FatHeader {
  uint32_t magic;
  uint16_t version, headerBytes;
  uint64_t bytes; ///< that follow the head
};

} // namespace

size_t codeBytes(const void *code) {
  const char *data = static_cast<const char *>(code);
  if (!std::strncmp(data, ELFMAG, SELFMAG))
    return elfBytes(data);
  constexpr char fatMagic[] = "\x50\xed\x55\xba";
  if (!std::strncmp(data, fatMagic, 4)) {
    FatHeader header;
    std::memcpy(&header, data, sizeof(header));
    return header.headerBytes + header.bytes;
  }
  // What nvcc puts into programs: two numbers and two pointers.
  constexpr char wrapperMagic[] = "\xb1\x43\x62\x46";
  if (!std::strncmp(data, wrapperMagic, 4))
    return 8 + 2 * sizeof(void *);
  // Text; with the zero byte at its end.
  const size_t length = std::strlen(data);
  return length ? length + 1 : 0;
}

Error readCode(const char *path, std::string *content) {
  std::ifstream file(path, std::ios::binary);
  if (!file)
    return cudaErrorFileNotFound;
  content->assign(std::istreambuf_iterator<char>(file),
                  std::istreambuf_iterator<char>());
  return file.bad() || content->empty() ? cudaErrorInvalidKernelImage
                                        : cudaSuccess;
}

} // namespace cufort

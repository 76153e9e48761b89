//===- Instances.cpp - the program's device code, per CPU device ----------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/cpu/modules/Instances.h"
#include "runtime/check/Check.h"
#include "runtime/core/process/Stop.h"
#include "runtime/cpu/modules/CpuModules.h"
#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

namespace cufort::cpu {
namespace {

/// A file of the program in memory: what the dynamic linker made of it.
struct LoadedFile {
  const void *inside = nullptr; ///< an address that it holds
  char *base = nullptr;
  std::string path = {};
  std::vector<ElfW(Phdr)> segments = {};
};

int lookAt(dl_phdr_info *info, size_t, void *data) {
  auto &wanted = *static_cast<LoadedFile *>(data);
  auto *base = reinterpret_cast<char *>(info->dlpi_addr);
  const auto *inside = static_cast<const char *>(wanted.inside);
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr) &segment = info->dlpi_phdr[i];
    const char *begin = base + segment.p_vaddr;
    if (segment.p_type != PT_LOAD || inside < begin ||
        inside >= begin + segment.p_memsz)
      continue;
    wanted.base = base;
    wanted.path = *info->dlpi_name ? info->dlpi_name : "/proc/self/exe";
    wanted.segments.assign(info->dlpi_phdr, info->dlpi_phdr + info->dlpi_phnum);
    return 1;
  }
  return 0;
}

/// One more mapping of a file.
class Mapping {
public:
  /// To be the device code and variables of \p image on another device; or,
  /// with an \p origin, to hold the initial values of those whose file's
  /// address 0 is there.
  Mapping(const LoadedFile &file, const image::Image &image,
          std::optional<char *> origin = {})
      : file(file), image(image), origin(origin),
        page(static_cast<size_t>(sysconf(_SC_PAGESIZE))) {}

  ~Mapping() {
    if (reserved && !kept)
      munmap(reserved, reservedBytes);
  }
  Mapping(const Mapping &) = delete;
  Mapping &operator=(const Mapping &) = delete;

  /// Leaves it where it is until the process is gone.
  void keep() { kept = true; }

  /// Null and the reason, or where the file's address 0 is.
  char *make(std::string &problem) {
    const int descriptor = open(file.path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) {
      problem = "cannot open " + file.path + ": " + std::strerror(errno);
      return nullptr;
    }
    const bool mapped = map(descriptor, problem);
    close(descriptor);
    if (!mapped || !relocate(problem))
      return nullptr;
    return base;
  }

  size_t bytes() const { return span; }
  char *begin() const { return base + first; }

private:
  uint64_t floor(uint64_t address) const { return address & ~(page - 1); }
  uint64_t ceiling(uint64_t address) const { return floor(address + page - 1); }

  bool map(int descriptor, std::string &problem) {
    ElfW(Ehdr) header;
    if (pread(descriptor, &header, sizeof(header), 0) != sizeof(header) ||
        std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) {
      problem = file.path + " is not the program that runs";
      return false;
    }
    if (header.e_type != ET_DYN && !origin) {
      problem = "the executable is not position-independent: link it without "
                "-no-pie and -static";
      return false;
    }
    uint64_t last = 0, alignment = page;
    first = ~uint64_t(0);
    for (const ElfW(Phdr) &segment : file.segments)
      if (segment.p_type == PT_LOAD) {
        first = std::min<uint64_t>(first, floor(segment.p_vaddr));
        last = std::max<uint64_t>(last,
                                  ceiling(segment.p_vaddr + segment.p_memsz));
        alignment = std::max<uint64_t>(alignment, segment.p_align);
      }
    span = last - first;
    void *room = mmap(nullptr, span + alignment, PROT_NONE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (room == MAP_FAILED)
      return failed("no room for another instance", problem);
    reserved = room;
    reservedBytes = span + alignment;
    // As far from a multiple of the alignment as the original.
    const auto place = reinterpret_cast<uint64_t>(reserved);
    const uint64_t original = reinterpret_cast<uint64_t>(file.base) + first;
    base = reinterpret_cast<char *>(
        place + ((original - place) & (alignment - 1)) - first);
    for (const ElfW(Phdr) &segment : file.segments)
      if (segment.p_type == PT_LOAD && !mapSegment(descriptor, segment))
        return failed("cannot map " + file.path + " again", problem);
    return true;
  }

  bool mapSegment(int descriptor, const ElfW(Phdr) & segment) {
    const bool writable = segment.p_flags & PF_W;
    const int protection = ((segment.p_flags & PF_R) ? PROT_READ : 0) |
                           (writable ? PROT_WRITE : 0) |
                           ((segment.p_flags & PF_X) ? PROT_EXEC : 0);
    const uint64_t begin = floor(segment.p_vaddr);
    const uint64_t fileEnd = segment.p_vaddr + segment.p_filesz;
    const uint64_t end = ceiling(segment.p_vaddr + segment.p_memsz);
    uint64_t done = begin;
    if (segment.p_filesz) {
      done = ceiling(fileEnd);
      if (mmap(base + begin, done - begin, protection, MAP_PRIVATE | MAP_FIXED,
               descriptor,
               static_cast<off_t>(floor(segment.p_offset))) == MAP_FAILED)
        return false;
      if (writable && segment.p_memsz > segment.p_filesz)
        std::memset(base + fileEnd, 0, done - fileEnd);
    }
    return end <= done ||
           mmap(base + done, end - done, protection,
                MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1,
                0) != MAP_FAILED;
  }

  bool failed(const std::string &what, std::string &problem) {
    problem = what + ": " + std::strerror(errno);
    return false;
  }

  /// What the dynamic section, as it is in the file, says of \p tag.
  uint64_t dynamic(int64_t tag) const {
    for (const ElfW(Phdr) &segment : file.segments)
      if (segment.p_type == PT_DYNAMIC)
        for (auto *entry =
                 reinterpret_cast<const ElfW(Dyn) *>(base + segment.p_vaddr);
             entry->d_tag != DT_NULL; ++entry)
          if (entry->d_tag == tag)
            return entry->d_un.d_val;
    return 0;
  }

  /// Where something of the program at its address 0 + \p offset is for this
  /// instance.
  uint64_t address(uint64_t offset) const {
    return reinterpret_cast<uint64_t>(
        (sharedByInstances(image, file.base + offset) ? file.base
         : origin                                     ? *origin
                                                      : base) +
        offset);
  }

  bool relocate(std::string &problem) {
    if (dynamic(DT_TEXTREL)) {
      problem = file.path + " has relocations in its code: link it without "
                            "-z notext";
      return false;
    }
    relocate(dynamic(DT_RELA), dynamic(DT_RELASZ));
    if (!origin) // of code only
      relocate(dynamic(DT_JMPREL), dynamic(DT_PLTRELSZ));
    relocatePacked(dynamic(DT_RELR), dynamic(DT_RELRSZ));
    return true;
  }

  void relocate(uint64_t table, uint64_t bytes) {
    const size_t count = bytes / sizeof(ElfW(Rela));
    auto *entry = reinterpret_cast<const ElfW(Rela) *>(base + table);
    for (const auto *end = entry + count; entry < end; ++entry) {
      char *place = base + entry->r_offset;
      const char *original = file.base + entry->r_offset;
      switch (ELF64_R_TYPE(entry->r_info)) {
      case R_X86_64_NONE:
      case R_X86_64_COPY: // the host's data
        break;
      case R_X86_64_RELATIVE: {
        const uint64_t value = address(static_cast<uint64_t>(entry->r_addend));
        std::memcpy(place, &value, sizeof(value));
        break;
      }
      case R_X86_64_TLSDESC:
        std::memcpy(place, original, 16);
        break;
      case R_X86_64_JUMP_SLOT:
        // The original's may be waiting for its first call.
        if (void *function = dlsym(RTLD_DEFAULT, nameOf(*entry))) {
          std::memcpy(place, &function, sizeof(function));
          break;
        }
        [[fallthrough]];
      case R_X86_64_64:
        // The program may have changed the original's since.
        if (char *symbol = origin ? static_cast<char *>(
                                        dlsym(RTLD_DEFAULT, nameOf(*entry)))
                                  : nullptr) {
          symbol += entry->r_addend;
          std::memcpy(place, &symbol, sizeof(symbol));
          break;
        }
        [[fallthrough]];
      default: // What the dynamic linker has found for the original.
        std::memcpy(place, original, 8);
      }
    }
  }

  const char *nameOf(const ElfW(Rela) & entry) const {
    auto *symbols =
        reinterpret_cast<const ElfW(Sym) *>(base + dynamic(DT_SYMTAB));
    return base + dynamic(DT_STRTAB) +
           symbols[ELF64_R_SYM(entry.r_info)].st_name;
  }

  /// The packed form of relative relocations: an even word is a place, an odd
  /// one a bit for each of the 63 words that follow the last.
  void relocatePacked(uint64_t table, uint64_t bytes) {
    auto *entry = reinterpret_cast<const uint64_t *>(base + table);
    char *where = nullptr;
    const auto adjust = [&](char *place) {
      uint64_t value;
      std::memcpy(&value, place, sizeof(value));
      value = address(value);
      std::memcpy(place, &value, sizeof(value));
    };
    for (const uint64_t *end = entry + bytes / 8; entry < end; ++entry) {
      if (!(*entry & 1)) {
        adjust(base + *entry);
        where = base + *entry + 8;
        continue;
      }
      for (int bit = 0; bit < 63; ++bit)
        if (*entry >> (bit + 1) & 1)
          adjust(where + 8 * bit);
      where += 8 * 63;
    }
  }

  const LoadedFile &file;
  const image::Image &image;
  const std::optional<char *> origin;
  const uint64_t page;
  void *reserved = nullptr;
  size_t reservedBytes = 0;
  bool kept = false;
  uint64_t first = 0, span = 0;
  char *base = nullptr;
};

struct Instance {
  const Program *program;
  int device;
  ptrdiff_t distance;
  const char *begin, *end;
  const Instance *next;
};

/// Never destroyed: kernels may run until the process is gone.
std::atomic<const Instance *> Instances{nullptr};

const Instance *find(const Program &program, int device) {
  const Instance *each = Instances.load(std::memory_order_acquire);
  while (each && (each->program != &program || each->device != device))
    each = each->next;
  return each;
}

const Instance *make(const Program &program, int device) {
  LoadedFile file;
  file.inside = program.image;
  if (!dl_iterate_phdr(lookAt, &file))
    stopProgram(nullptr, 0, "CUFORT_CPU_DEVICES", cudaErrorNotSupported,
                "the device code is in no file of the program");
  auto instance = std::make_unique<Instance>();
  Mapping mapping(file, *program.image);
  std::string problem;
  char *base = mapping.make(problem);
  if (!base)
    stopProgram(nullptr, 0,
                "device variables of another CPU device (CUFORT_CPU_DEVICES)",
                cudaErrorNotSupported, problem.c_str());
  *instance = {&program,
               device,
               base - file.base,
               mapping.begin(),
               mapping.begin() + mapping.bytes(),
               Instances.load(std::memory_order_relaxed)};
  mapping.keep();
  return instance.release();
}

} // namespace

struct ImageInstance::Place {
  explicit Place(const image::Image &image) : mapping(file, image) {}

  LoadedFile file;
  Mapping mapping;
};

ImageInstance::ImageInstance(std::unique_ptr<Place> place)
    : place(std::move(place)) {}

ImageInstance::~ImageInstance() {
  check::released(place->mapping.begin(), place->mapping.bytes());
}

std::unique_ptr<ImageInstance> ImageInstance::make(const image::Image &original,
                                                   std::string *problem) {
  auto place = std::make_unique<Place>(original);
  place->file.inside = &original;
  if (!dl_iterate_phdr(lookAt, &place->file)) {
    *problem = "its code is in no file";
    return nullptr;
  }
  char *base = place->mapping.make(*problem);
  if (!base)
    return nullptr;
  check::belongs(place->mapping.begin(), place->mapping.bytes(),
                 /*written=*/true);
  const ptrdiff_t distance = base - place->file.base;
  std::unique_ptr<ImageInstance> instance(new ImageInstance(std::move(place)));
  instance->own = reinterpret_cast<const image::Image *>(
      reinterpret_cast<const char *>(&original) + distance);
  return instance;
}

ptrdiff_t instanceDistance(const Program &program, int device) {
  if (!device || !program.image->cpuInstances || !program.image->variableCount)
    return 0;
  if (const Instance *ready = find(program, device))
    return ready->distance;
  static auto *mutex = new std::mutex;
  std::lock_guard lock(*mutex);
  if (const Instance *ready = find(program, device))
    return ready->distance;
  const Instance *fresh = make(program, device);
  Instances.store(fresh, std::memory_order_release);
  return fresh->distance;
}

Error restoreVariables(const Program &program, int device) {
  const image::Image &image = *program.image;
  ptrdiff_t distance = 0;
  if (device) {
    const Instance *instance = find(program, device);
    if (!instance)
      return cudaSuccess; // not used yet
    distance = instance->distance;
  }
  if (!image.variableCount)
    return cudaSuccess;
  LoadedFile file;
  file.inside = program.image;
  if (!dl_iterate_phdr(lookAt, &file))
    return cudaErrorOperatingSystem;
  Mapping mapping(file, image, file.base + distance);
  std::string problem;
  const char *initial = mapping.make(problem);
  if (!initial)
    return cudaErrorOperatingSystem;
  for (uint64_t i = 0; i < image.variableCount; ++i) {
    const image::Variable &variable = image.variables[i];
    auto *own = static_cast<char *>(variable.cpuAddress);
    // What all devices have belongs to the first.
    if (!own || (device && sharedByInstances(image, own)))
      continue;
    std::memcpy(own + distance, initial + (own - file.base), variable.size);
  }
  return cudaSuccess;
}

bool sharedByInstances(const image::Image &image, const void *address) {
  const auto *wanted = static_cast<const char *>(address);
  for (uint64_t i = 0; i < image.sharedCount; ++i) {
    const auto *begin = static_cast<const char *>(image.shared[i].address);
    if (wanted >= begin &&
        wanted < begin + std::max<uint64_t>(1, image.shared[i].size))
      return true;
  }
  return false;
}

bool isInInstance(const void *address) {
  const auto *wanted = static_cast<const char *>(address);
  for (const Instance *each = Instances.load(std::memory_order_acquire); each;
       each = each->next)
    if (wanted >= each->begin && wanted < each->end)
      return true;
  return false;
}

VariablePlace findVariableOfAny(const void *address) {
  if (VariablePlace place = findModuleVariable(address); place.variable)
    return place;
  const auto *wanted = static_cast<const char *>(address);
  for (const Instance *each = Instances.load(std::memory_order_acquire); each;
       each = each->next)
    if (wanted >= each->begin && wanted < each->end)
      return {findVariableAt(wanted - each->distance), each->device};
  return {findVariableAt(address), 0};
}

} // namespace cufort::cpu

//===- Process.cpp - what a process has once ------------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/core/process/Process.h"
#include "RuntimeVersion.inc"
#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <link.h>

namespace cufort {

constinit std::atomic<Process *> JoinedProcess{nullptr};

} // namespace cufort

using namespace cufort;

// Its classes have other members.
#ifdef CUFORT_FAULT_INJECTION
static constexpr uint64_t Version = RuntimeVersion + 1;
#else
static constexpr uint64_t Version = RuntimeVersion;
#endif

static ThreadState &ownThread() {
  static constinit thread_local ThreadState state;
  return state;
}

/// This copy's, which the note names.
extern "C" {
[[gnu::visibility("hidden"), gnu::used]] constinit Process __cufort_process = {
    .version = Version, .thread = ownThread};
}

// The note: how far the Process is from here. Linkers keep notes, and those of
// all loaded files can be read without their symbols.
__asm__(".pushsection .note.cufort, \"a\", @note\n"
        ".balign 4\n"
        ".long 2f - 1f, 4f - 3f, 1\n"
        "1: .asciz \"cufort\"\n"
        "2: .balign 4\n"
        "3: .quad __cufort_process - 3b\n"
        "4: .balign 4\n"
        ".popsection");

namespace {

constexpr char NoteName[] = "cufort";
constexpr uint32_t NoteType = 1;

struct Search {
  Process *claimed = nullptr;
  bool otherVersion = false;
};

void look(Process *found, Search &search) {
  if (!found->claimed)
    return;
  if (found->version == Version)
    search.claimed = found;
  else
    search.otherVersion = true;
}

/// Called for each loaded file.
int readNotes(dl_phdr_info *file, size_t, void *search) {
  for (unsigned i = 0; i < file->dlpi_phnum; ++i) {
    const ElfW(Phdr) &part = file->dlpi_phdr[i];
    if (part.p_type != PT_NOTE)
      continue;
    const size_t alignment = part.p_align == 8 ? 8 : 4;
    auto aligned = [=](size_t bytes) {
      return (bytes + alignment - 1) & ~(alignment - 1);
    };
    const char *begin =
        reinterpret_cast<const char *>(file->dlpi_addr + part.p_vaddr);
    size_t at = 0;
    while (at + sizeof(ElfW(Nhdr)) <= part.p_memsz) {
      ElfW(Nhdr) head;
      std::memcpy(&head, begin + at, sizeof head);
      const size_t name = at + sizeof head,
                   content = aligned(name + head.n_namesz);
      if (content + head.n_descsz > part.p_memsz)
        break;
      int64_t distance;
      if (head.n_type == NoteType && head.n_namesz == sizeof NoteName &&
          head.n_descsz == sizeof distance &&
          !std::memcmp(begin + name, NoteName, sizeof NoteName)) {
        std::memcpy(&distance, begin + content, sizeof distance);
        look(const_cast<Process *>(
                 reinterpret_cast<const Process *>(begin + content + distance)),
             *static_cast<Search *>(search));
      }
      at = aligned(content + head.n_descsz);
    }
  }
  return 0;
}

/// The list of files is locked while it is gone through, so that nobody else
/// claims or leaves meanwhile: this is called for the first file, goes through
/// all of them and ends the outer turn.
int claim(dl_phdr_info *, size_t, void *search) {
  auto &result = *static_cast<Search *>(search);
  dl_iterate_phdr(readNotes, search);
  if (!result.claimed) {
    __cufort_process.claimed = true;
    result.claimed = &__cufort_process;
  }
  return 1;
}

/// The library that this copy is in stays loaded: engines and their threads,
/// and objects of other copies, have addresses of its functions.
void stayLoaded() {
  Dl_info place;
  link_map *file = nullptr;
  if (dladdr1(&__cufort_process, &place, reinterpret_cast<void **>(&file),
              RTLD_DL_LINKMAP) &&
      file && file->l_name && *file->l_name)
    dlopen(file->l_name, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
}

} // namespace

Process &cufort::joinProcess() {
  stayLoaded();
  Search search;
  dl_iterate_phdr(claim, &search);
  JoinedProcess.store(search.claimed, std::memory_order_release);
  if (search.claimed == &__cufort_process && search.otherVersion)
    std::fputs("cufort: warning: the program and its libraries, or two of its "
               "libraries, were linked with different versions of cufort, "
               "which do not share devices: link them again\n",
               stderr);
  return *search.claimed;
}

//===- SourceLines.cpp - from an address to a source line -----------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/cpu/launches/SourceLines.h"
#include <cstdint>
#include <cstring>
#include <elf.h>
#include <fcntl.h>
#include <fstream>
#include <link.h>
#include <string_view>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace cufort::cpu {
namespace {

/// Bytes that are read one after the other; at their end, zeros.
class Reader {
public:
  explicit Reader(std::string_view bytes) : bytes(bytes) {}

  bool atEnd() const { return at >= bytes.size(); }
  size_t position() const { return at; }
  void skip(uint64_t count) {
    at = count > bytes.size() - at ? bytes.size() : at + count;
  }
  /// The next \p count bytes, which are skipped.
  std::string_view take(uint64_t count) {
    const size_t begin = at;
    skip(count);
    return bytes.substr(begin, at - begin);
  }

  template <typename T> T fixed() {
    T value = 0;
    if (sizeof(T) <= bytes.size() - at)
      std::memcpy(&value, bytes.data() + at, sizeof(T));
    skip(sizeof(T));
    return value;
  }
  uint64_t offset(bool wide) {
    return wide ? fixed<uint64_t>() : fixed<uint32_t>();
  }
  uint64_t unsignedNumber() {
    uint64_t value = 0;
    unsigned shift = 0;
    uint8_t byte;
    do {
      byte = fixed<uint8_t>();
      if (shift < 64)
        value |= uint64_t(byte & 0x7f) << shift;
      shift += 7;
    } while (byte & 0x80 && !atEnd());
    return value;
  }
  int64_t signedNumber() {
    uint64_t value = 0;
    unsigned shift = 0;
    uint8_t byte;
    do {
      byte = fixed<uint8_t>();
      if (shift < 64)
        value |= uint64_t(byte & 0x7f) << shift;
      shift += 7;
    } while (byte & 0x80 && !atEnd());
    if (byte & 0x40 && shift < 64)
      value |= ~uint64_t(0) << shift;
    return static_cast<int64_t>(value);
  }
  std::string_view text() {
    const size_t end = bytes.find('\0', at);
    const std::string_view found =
        take(end == std::string_view::npos ? bytes.size() - at : end - at);
    skip(1);
    return found;
  }

private:
  std::string_view bytes;
  size_t at = 0;
};

/// A file of the program that is mapped while it is read.
class MappedFile {
public:
  explicit MappedFile(const char *path) {
    const int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    struct stat status;
    if (descriptor < 0)
      return;
    if (!fstat(descriptor, &status) && status.st_size > 0) {
      bytes = static_cast<size_t>(status.st_size);
      memory = mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE, descriptor, 0);
    }
    close(descriptor);
  }
  MappedFile(const MappedFile &) = delete;
  MappedFile &operator=(const MappedFile &) = delete;
  ~MappedFile() {
    if (memory != MAP_FAILED)
      munmap(memory, bytes);
  }

  std::string_view section(std::string_view name) const {
    const std::string_view all = content();
    if (all.size() < sizeof(Elf64_Ehdr) ||
        std::memcmp(all.data(), ELFMAG, SELFMAG) != 0)
      return {};
    const auto *header = reinterpret_cast<const Elf64_Ehdr *>(all.data());
    const uint64_t end =
        header->e_shoff + uint64_t(header->e_shnum) * sizeof(Elf64_Shdr);
    if (header->e_shoff % alignof(Elf64_Shdr) || end > all.size() ||
        header->e_shstrndx >= header->e_shnum)
      return {};
    const auto *sections =
        reinterpret_cast<const Elf64_Shdr *>(all.data() + header->e_shoff);
    const std::string_view names = part(sections[header->e_shstrndx]);
    for (unsigned i = 0; i < header->e_shnum; ++i)
      if (sections[i].sh_name < names.size() &&
          sections[i].sh_type != SHT_NOBITS &&
          !(sections[i].sh_flags & SHF_COMPRESSED) &&
          Reader(names.substr(sections[i].sh_name)).text() == name)
        return part(sections[i]);
    return {};
  }

private:
  std::string_view content() const {
    return memory == MAP_FAILED
               ? std::string_view()
               : std::string_view(static_cast<const char *>(memory), bytes);
  }
  std::string_view part(const Elf64_Shdr &section) const {
    return section.sh_offset > bytes
               ? std::string_view()
               : content().substr(section.sh_offset, section.sh_size);
  }

  void *memory = MAP_FAILED;
  size_t bytes = 0;
};

/// DWARF's numbers of forms and of what entries of version 5 hold.
enum Form : uint64_t {
  Data2 = 0x05,
  String = 0x08,
  Block = 0x09,
  Data1 = 0x0b,
  Strp = 0x0e,
  Udata = 0x0f,
  Data16 = 0x1e,
  LineStrp = 0x1f,
};
enum Content : uint64_t { Path = 1, Directory = 2 };

/// One unit's table.
class LineTable {
public:
  LineTable(std::string_view unit, bool wide, std::string_view strings,
            std::string_view lineStrings)
      : in(unit), wide(wide), strings(strings), lineStrings(lineStrings) {}

  /// The row of \p address.
  bool find(uint64_t address, SourceLine &found) {
    if (!readHeader())
      return false;
    Row row, before;
    bool any = false;
    while (!in.atEnd()) {
      bool emits = false, ends = false;
      step(row, emits, ends);
      if (!emits)
        continue;
      if (any && before.address <= address && address < row.address &&
          before.line)
        return take(before, found);
      before = row;
      any = !ends;
      if (ends)
        row = Row();
    }
    return false;
  }

private:
  struct Row {
    uint64_t address = 0, file = 1;
    int64_t line = 1;
  };
  struct File {
    std::string_view name;
    uint64_t folder = 0;
  };

  bool readHeader() {
    version = in.fixed<uint16_t>();
    if (version < 2 || version > 5)
      return false;
    if (version == 5)
      in.skip(2); // sizes of addresses and of segments
    const uint64_t length = in.offset(wide);
    const size_t program = in.position() + length;
    leastLength = in.fixed<uint8_t>();
    if (version >= 4)
      in.skip(1); // operations per instruction
    in.skip(1);   // default_is_stmt
    lineBase = in.fixed<int8_t>();
    lineRange = in.fixed<uint8_t>();
    opcodeBase = in.fixed<uint8_t>();
    if (!lineRange || !opcodeBase)
      return false;
    for (unsigned i = 1; i < opcodeBase; ++i)
      operandCounts.push_back(in.fixed<uint8_t>());
    if (version == 5) {
      for (File &folder : entries())
        folders.push_back(folder.name);
      files = entries();
    } else {
      readOldEntries();
    }
    if (in.position() > program)
      return false;
    in.skip(program - in.position());
    return true;
  }

  /// Version 4 counts from one; the first folder is that of the unit.
  void readOldEntries() {
    folders.push_back({});
    files.push_back({});
    for (std::string_view name; !(name = in.text()).empty();)
      folders.push_back(name);
    for (std::string_view name; !(name = in.text()).empty();) {
      const uint64_t folder = in.unsignedNumber();
      in.unsignedNumber(); // time
      in.unsignedNumber(); // size
      files.push_back({name, folder});
    }
  }

  std::vector<File> entries() {
    std::vector<std::pair<uint64_t, uint64_t>> format;
    for (unsigned count = in.fixed<uint8_t>(); count; --count) {
      const uint64_t content = in.unsignedNumber();
      format.push_back({content, in.unsignedNumber()});
    }
    std::vector<File> found;
    for (uint64_t count = in.unsignedNumber(); count && !in.atEnd(); --count) {
      File file;
      for (auto [content, form] : format) {
        std::string_view text;
        const uint64_t number = value(form, text);
        if (content == Path)
          file.name = text;
        else if (content == Directory)
          file.folder = number;
      }
      found.push_back(file);
    }
    return found;
  }

  uint64_t value(uint64_t form, std::string_view &text) {
    auto from = [&](std::string_view table) {
      const uint64_t place = in.offset(wide);
      if (place < table.size())
        text = Reader(table.substr(place)).text();
      return uint64_t(0);
    };
    switch (form) {
    case String:
      text = in.text();
      return 0;
    case LineStrp:
      return from(lineStrings);
    case Strp:
      return from(strings);
    case Data1:
      return in.fixed<uint8_t>();
    case Data2:
      return in.fixed<uint16_t>();
    case Udata:
      return in.unsignedNumber();
    case Data16:
      in.skip(16);
      return 0;
    case Block:
      in.skip(in.unsignedNumber());
      return 0;
    default: // nothing that compilers write
      in.skip(~uint64_t(0));
      return 0;
    }
  }

  /// Executes the next instruction of the line program.
  void step(Row &row, bool &emits, bool &ends) {
    const uint8_t opcode = in.fixed<uint8_t>();
    if (opcode >= opcodeBase) {
      const unsigned special = opcode - opcodeBase;
      row.address += uint64_t(special / lineRange) * leastLength;
      row.line += lineBase + int(special % lineRange);
      emits = true;
      return;
    }
    switch (opcode) {
    case 0: { // extended
      const uint64_t length = in.unsignedNumber();
      Reader extended(in.take(length));
      const uint8_t kind = extended.fixed<uint8_t>();
      if (kind == 1)
        emits = ends = true;
      else if (kind == 2)
        row.address = extended.fixed<uint64_t>();
      return;
    }
    case 1: // copy
      emits = true;
      return;
    case 2: // advance_pc
      row.address += in.unsignedNumber() * leastLength;
      return;
    case 3: // advance_line
      row.line += in.signedNumber();
      return;
    case 4: // set_file
      row.file = in.unsignedNumber();
      return;
    case 8: // const_add_pc
      row.address += uint64_t((255 - opcodeBase) / lineRange) * leastLength;
      return;
    case 9: // fixed_advance_pc
      row.address += in.fixed<uint16_t>();
      return;
    default: // says nothing of lines
      for (unsigned i = operandCounts[opcode - 1]; i; --i)
        in.unsignedNumber();
    }
  }

  bool take(const Row &row, SourceLine &found) {
    if (row.file >= files.size())
      return false;
    const File &file = files[row.file];
    found.file = file.name;
    found.path = file.name;
    if (file.folder < folders.size() && !file.name.starts_with('/') &&
        !folders[file.folder].empty())
      found.path = std::string(folders[file.folder]) + "/" + found.path;
    found.line = static_cast<unsigned>(row.line);
    return true;
  }

  Reader in;
  const bool wide;
  const std::string_view strings, lineStrings;
  unsigned version = 0, leastLength = 1, lineRange = 1, opcodeBase = 1;
  int lineBase = 0;
  std::vector<uint8_t> operandCounts;
  std::vector<std::string_view> folders;
  std::vector<File> files;
};

/// The file that \p address was loaded from, and where in it that is.
struct LoadedPlace {
  uint64_t address;
  std::string path;
  bool found = false;
};

int lookAt(dl_phdr_info *object, size_t, void *data) {
  auto &place = *static_cast<LoadedPlace *>(data);
  for (unsigned i = 0; i < object->dlpi_phnum; ++i) {
    const ElfW(Phdr) &segment = object->dlpi_phdr[i];
    const uint64_t begin = object->dlpi_addr + segment.p_vaddr;
    if (segment.p_type != PT_LOAD || place.address < begin ||
        place.address - begin >= segment.p_memsz)
      continue;
    place.path = *object->dlpi_name ? object->dlpi_name : "/proc/self/exe";
    place.address -= object->dlpi_addr;
    place.found = true;
    return 1;
  }
  return 0;
}

} // namespace

SourceLine sourceLineOf(const void *address) {
  SourceLine found;
  LoadedPlace place{reinterpret_cast<uint64_t>(address), {}};
  dl_iterate_phdr(lookAt, &place);
  if (!place.found)
    return found;
  const MappedFile file(place.path.c_str());
  const std::string_view strings = file.section(".debug_str"),
                         lineStrings = file.section(".debug_line_str");
  Reader units(file.section(".debug_line"));
  while (!units.atEnd()) {
    uint64_t length = units.fixed<uint32_t>();
    const bool wide = length == 0xffffffff;
    if (wide)
      length = units.fixed<uint64_t>();
    if (LineTable(units.take(length), wide, strings, lineStrings)
            .find(place.address, found))
      break;
  }
  return found;
}

std::string textOf(const SourceLine &place) {
  std::ifstream file(place.path);
  std::string text;
  for (unsigned line = 0; line < place.line; ++line)
    if (!std::getline(file, text))
      return "";
  const size_t begin = text.find_first_not_of(" \t"),
               end = text.find_last_not_of(" \t\r");
  return begin == std::string::npos ? "" : text.substr(begin, end + 1 - begin);
}

} // namespace cufort::cpu

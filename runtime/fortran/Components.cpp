//===- Components.cpp - components with a memory of their own -------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Flang describes each derived type in a table of its components. Our lowering
// writes the allocator of those that are managed or pinned into bytes of that
// table that Flang leaves unused.
//
//===----------------------------------------------------------------------===//

#include "runtime/fortran/Components.h"
#include "runtime/core/process/Stop.h"
#include "runtime/fortran/PagedMemory.h"
#include <algorithm>
#include <cstdlib>
#include <cstring>

using namespace cufort;
using namespace cufort::fortran;

namespace {

/// A descriptor of a table: so many words behind the header.
template <unsigned Words> struct Table {
  Descriptor header;
  int64_t words[Words];
};
constexpr unsigned NoAddendum = 0, Scalar = 2, Vector = 3, TypeVector = 5,
                   TypeMatrix = 8;
template <> struct Table<NoAddendum> {
  Descriptor header;
};

/// flang_rt's Value: a constant or something that depends on type parameters.
struct Bound {
  enum Genre : uint8_t { Explicit = 2 };
  uint8_t genre;
  int64_t value;
};

/// flang_rt's Component.
struct Component {
  enum Genre : uint8_t { Data = 1, Allocatable = 3 };
  static constexpr uint8_t Derived = 5;

  Table<NoAddendum> name;
  uint8_t genre, category, kind, rank;
  uint8_t allocator; ///< ours, from here on
  char mark[3];
  uint64_t offset;
  Bound characterLength;
  Table<Scalar> derived;
  Table<TypeVector> lengths;
  Table<TypeMatrix> bounds;
  void *initialization;

  /// The allocator of its attribute, the default where it has none.
  int wantedAllocator() const {
    return std::memcmp(mark, "CUF", sizeof(mark)) == 0 ? allocator
                                                       : int(AllocatorDefault);
  }
  size_t elements() const {
    size_t count = 1;
    const auto *bound = static_cast<const Bound *>(bounds.header.base);
    for (int i = 0; i < rank && bound; ++i, bound += 2) {
      if (bound[0].genre != Bound::Explicit ||
          bound[1].genre != Bound::Explicit)
        return 0;
      count *= static_cast<size_t>(
          std::max<int64_t>(0, bound[1].value - bound[0].value + 1));
    }
    return count;
  }
};
static_assert(sizeof(Component) == 256 && offsetof(Component, offset) == 32);

/// flang_rt's DerivedType, as far as it matters here.
struct DerivedType {
  Table<TypeVector> bindings;
  Table<NoAddendum> name;
  uint64_t sizeInBytes;
  Table<Scalar> uninstantiated;
  Table<Vector> kinds, lengthKinds;
  Table<TypeVector> components, procedurePointers;

  const Component *begin() const {
    return static_cast<const Component *>(components.header.base);
  }
  const Component *end() const {
    return begin() ? begin() + components.header.elements() : nullptr;
  }
};
static_assert(offsetof(DerivedType, components) == 232);

/// The dynamic type of the elements, null for what is no derived type.
const DerivedType *typeOf(const Descriptor &records) {
  if (records.type != TypeDerived || !records.hasAddendum())
    return nullptr;
  const DerivedType *type;
  std::memcpy(&type, records.dimensions() + records.rank,
              sizeof(DerivedType *));
  return type;
}

/// Whether an object of \p type has first values: its own, descriptors of
/// components, or what is not associated.
bool hasFirstValues(const DerivedType &type) {
  return type.procedurePointers.header.elements() ||
         std::any_of(type.begin(), type.end(), [](const Component &component) {
           const auto *inner =
               static_cast<const DerivedType *>(component.derived.header.base);
           return component.genre != Component::Data ||
                  component.initialization || (inner && hasFirstValues(*inner));
         });
}

/// Whether anything below \p type may have to be moved. What an allocatable
/// component is to have is known from its table, unless it is polymorphic.
bool concerns(const DerivedType &type) {
  return std::any_of(type.begin(), type.end(), [](const Component &component) {
    if (component.genre == Component::Allocatable &&
        component.category == Component::Derived)
      return true;
    if (component.wantedAllocator() != AllocatorDefault)
      return true;
    const auto *inner =
        static_cast<const DerivedType *>(component.derived.header.base);
    return component.genre == Component::Data && inner && concerns(*inner);
  });
}

bool isPlainHostMemory(const void *address) {
  PointerDescription description;
  return onDevice([&](Engine &e) {
           return e.describe(address, &description);
         }) != cudaSuccess ||
         description.type == PointerDescription::Unregistered;
}

/// Moves what flang_rt has allocated.
void move(Descriptor &array, int allocator, Place place) {
  if (array.allocator() == allocator)
    return;
  void *const old = array.base;
  if (old && isPlainHostMemory(old)) {
    const size_t bytes = array.bytes();
    void *memory = nullptr;
    const Error error = onDevice([&](Engine &e) {
      return e.allocate(&memory, std::max<size_t>(bytes, 1),
                        memoryKind(allocator));
    });
    if (error != cudaSuccess && allocator == AllocatorPinned)
      memory = haveMemory(place, "assignment of a record", [&] {
        return allocatePaged(std::max<size_t>(bytes, 1));
      });
    if (!memory)
      stopProgram(place.file, place.line, "assignment of a record",
                  error == cudaSuccess ? cudaErrorMemoryAllocation : error,
                  "there is no memory for one of its components");
    std::memcpy(memory, old, bytes);
    array.base = memory;
    std::free(old);
  }
  array.setAllocator(allocator);
}

void placeIn(char *record, const DerivedType &type, Place place);

void placeInArray(const Descriptor &records, const DerivedType &type,
                  Place place) {
  if (!records.base || !concerns(type))
    return;
  int64_t at[MaxRank] = {};
  for (size_t left = records.elements(); left; --left) {
    char *address = static_cast<char *>(records.base);
    for (int i = 0; i < records.rank; ++i)
      address += at[i] * records.dimensions()[i].stride;
    placeIn(address, type, place);
    for (int i = 0; i < records.rank; ++i) {
      if (++at[i] < records.dimensions()[i].extent)
        break;
      at[i] = 0;
    }
  }
}

void placeIn(char *record, const DerivedType &type, Place place) {
  for (const Component &component : type) {
    char *const member = record + component.offset;
    if (component.genre == Component::Allocatable) {
      auto &array = *reinterpret_cast<Descriptor *>(member);
      if (int wanted = component.wantedAllocator(); wanted != AllocatorDefault)
        move(array, wanted, place);
      if (const DerivedType *inner = typeOf(array))
        placeInArray(array, *inner, place);
    } else if (const auto *inner = static_cast<const DerivedType *>(
                   component.derived.header.base);
               inner && component.genre == Component::Data &&
               concerns(*inner)) {
      for (size_t i = 0; i < component.elements(); ++i)
        placeIn(member + i * inner->sizeInBytes, *inner, place);
    }
  }
}

} // namespace

bool cufort::fortran::hasFirstValues(const Descriptor &records) {
  const DerivedType *type = typeOf(records);
  return type && ::hasFirstValues(*type);
}

void cufort::fortran::placeComponents(const Descriptor &records, Place place) {
  const DerivedType *type = typeOf(records);
  if (!type)
    return;
  if (type->begin() &&
      type->components.header.elementBytes != sizeof(Component))
    stopProgram(place.file, place.line, "assignment of a record",
                cudaErrorInvalidKernelImage,
                "an object file was compiled by another compiler than cufort: "
                "compile it with cufort");
  placeInArray(records, *type, place);
}

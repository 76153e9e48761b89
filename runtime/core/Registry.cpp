//===- Registry.cpp - the program's kernels and variables -----------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/core/Registry.h"
#include "image/OwnName.h"
#include "runtime/core/process/Process.h"
#include <atomic>
#include <cctype>
#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

namespace cufort {
namespace {

/// What look-ups read: never changed once published, never freed, so that
/// readers need no lock. A later registration publishes a new one.
struct Tables {
  std::unordered_map<const void *, KernelReference> kernels;
  std::unordered_map<const void *, VariableReference> variables;
  std::unordered_map<std::string_view, VariableReference> variableNames;
  std::map<const char *, VariableReference> variableAddresses; ///< by begin
};

struct Registry {
  std::mutex mutex;
  std::vector<const Program *> programs;
  std::atomic<const Tables *> tables{nullptr};
  std::atomic<const char *> problem{nullptr};
};

Registry &registry() { return processWide<Registry>(ProcessObject::Registry); }

/// The variable that \p entry stands for: its file's own, where others have one
/// of that name, too.
template <typename Map>
typename Map::const_iterator findOwn(const Map &variables,
                                     const image::OffloadEntry &entry) {
  if (entry.data) {
    char digits[17];
    std::snprintf(digits, sizeof digits, "%llx",
                  static_cast<unsigned long long>(entry.data));
    if (auto own = variables.find(image::ownName(entry.name, digits));
        own != variables.end())
      return own;
  }
  return variables.find(entry.name);
}

/// Whether both addresses are in the program, or in the same library.
bool inOneFile(const void *a, const void *b) {
  Dl_info first, second;
  return dladdr(a, &first) && dladdr(b, &second) &&
         first.dli_fbase == second.dli_fbase;
}

/// Enters \p reference to what \p entry stands for. Where libraries have the
/// same name, it is for all of them what one of them has: the one whose is
/// there.
template <typename Map, typename Reference>
void enter(Map &map, const image::OffloadEntry &entry,
           const Reference &reference) {
  auto [place, fresh] = map.emplace(entry.address, reference);
  if (!fresh && !inOneFile(entry.address, place->second.program->begin))
    place->second = reference;
}

void enterProgram(Tables &tables, const Program &program) {
  const image::Image &image = *program.image;
  std::unordered_map<std::string_view, unsigned> kernels, variables;
  for (unsigned i = 0; i < image.kernelCount; ++i)
    kernels.emplace(image.kernels[i].name, i);
  for (unsigned i = 0; i < image.variableCount; ++i) {
    variables.emplace(image.variables[i].name, i);
    tables.variableNames.emplace(
        image.variables[i].name,
        VariableReference{&image.variables[i], &program, i});
    if (void *address = image.variables[i].cpuAddress)
      tables.variableAddresses.emplace(
          static_cast<const char *>(address),
          VariableReference{&image.variables[i], &program, i});
  }
  for (const image::OffloadEntry *entry = program.begin; entry < program.end;
       ++entry) {
    // The linker may pad the section between object files.
    if (!entry->address || !entry->name)
      continue;
    if (auto found = kernels.find(entry->name);
        entry->size == 0 && found != kernels.end())
      enter(tables.kernels, *entry,
            KernelReference{&image.kernels[found->second], &program,
                            found->second});
    else if (auto found = findOwn(variables, *entry); found != variables.end())
      enter(tables.variables, *entry,
            VariableReference{&image.variables[found->second], &program,
                              found->second});
  }
}

const Tables &tables() {
  Registry &r = registry();
  if (const Tables *ready = r.tables.load(std::memory_order_acquire))
    return *ready;
  std::lock_guard lock(r.mutex);
  if (const Tables *ready = r.tables.load(std::memory_order_acquire))
    return *ready;
  auto fresh = std::make_unique<Tables>();
  for (const Program *program : r.programs)
    enterProgram(*fresh, *program);
  const Tables *published = fresh.release();
  r.tables.store(published, std::memory_order_release);
  return *published;
}

template <typename Map>
Map::mapped_type find(const Map &map, const typename Map::key_type &key) {
  auto found = map.find(key);
  return found == map.end() ? typename Map::mapped_type{} : found->second;
}

} // namespace

KernelReference findKernel(const void *stub) {
  return find(tables().kernels, stub);
}

Error parameterOf(const KernelReference &kernel, size_t index, size_t *offset,
                  size_t *bytes) {
  if (!offset || index >= kernel.kernel->parameterCount)
    return cudaErrorInvalidValue;
  const auto &parameter = kernel.kernel->parameters[index];
  *offset = parameter.offset;
  if (bytes)
    *bytes = parameter.size;
  return cudaSuccess;
}

const void *stubOf(const KernelReference &kernel) {
  for (const auto &[stub, reference] : tables().kernels)
    if (reference.program == kernel.program && reference.index == kernel.index)
      return stub;
  return nullptr;
}

VariableReference findVariable(const void *shadow) {
  return find(tables().variables, shadow);
}

/// The Fortran name of a module variable: "m::x" for _QMmEx; the symbol itself
/// for others. Flang's names are lower case, its markers capitals.
static std::string fortranName(std::string_view symbol) {
  if (!symbol.starts_with("_QM"))
    return std::string(symbol);
  const size_t variable = symbol.rfind('E');
  const size_t module = symbol.find_first_of("SFPE", 3);
  if (variable == std::string_view::npos || module == std::string_view::npos)
    return std::string(symbol);
  return std::string(symbol.substr(3, module - 3)) +
         "::" + std::string(symbol.substr(variable + 1));
}

VariableReference findVariableByName(std::string_view name) {
  const Tables &t = tables();
  if (VariableReference exact = find(t.variableNames, name))
    return exact;
  std::string wanted(name);
  for (char &c : wanted)
    c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  VariableReference only;
  unsigned count = 0;
  for (const auto &[symbol, variable] : t.variableNames) {
    const std::string here = fortranName(symbol);
    if (here == wanted || symbol == wanted + "_")
      return variable;
    if (here.ends_with("::" + wanted)) {
      only = variable;
      ++count;
    }
  }
  return count == 1 ? only : VariableReference{};
}

VariableReference findVariableAt(const void *pointer) {
  const Tables &t = tables();
  const char *address = static_cast<const char *>(pointer);
  auto after = t.variableAddresses.upper_bound(address);
  if (after == t.variableAddresses.begin())
    return {};
  const auto &[begin, variable] = *std::prev(after);
  return address < begin + variable.variable->size ? variable
                                                   : VariableReference{};
}

std::vector<const Program *> programs() {
  Registry &r = registry();
  std::lock_guard lock(r.mutex);
  return r.programs;
}

bool haveGpuCode() {
  for (const Program *program : programs())
    if (program->image->codeCount)
      return true;
  return false;
}

const char *registrationProblem() {
  return registry().problem.load(std::memory_order_acquire);
}

} // namespace cufort

using namespace cufort;

void __cufort_register_image(const image::Image *image,
                             const image::OffloadEntry *begin,
                             const image::OffloadEntry *end) {
  Registry &r = registry();
  std::lock_guard lock(r.mutex);
  if (image->magic != image::Magic || image->version != image::Version) {
    r.problem.store("the program's device image was written by another version "
                    "of cufort than the runtime it is linked with: link it "
                    "again",
                    std::memory_order_release);
    return;
  }
  r.programs.push_back(
      new Program{image, begin, end, static_cast<unsigned>(r.programs.size())});
  r.tables.store(nullptr, std::memory_order_release);
}

//===- LinkLibrary.cpp - functions without an instruction -----------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/cpu/import/LinkLibrary.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;

namespace cufort::cpu {

/// Procedures of the device library whose body is the GPU's and which the CPU's
/// library has, too: among them the complex functions.
static bool isOfBothLibraries(const Function &function) {
  StringRef name = function.getName();
  return name.starts_with("__cufort_load_") ||
         name.starts_with("__cufort_store_") || name.starts_with("cufort_c") ||
         name.starts_with("__cufort_barrier_") ||
         name.starts_with("__cufort_tma_") ||
         name == "__cufort_fence_proxy_async" ||
         name.starts_with("__cufort_tile_") ||
         name.starts_with("__cufort_texture_");
}

/// Those, and mathematical functions without a body.
static bool mayBeReplaced(const Function &function) {
  return !function.use_empty() && (isOfBothLibraries(function) ||
                                   (function.isDeclaration() &&
                                    function.getName().starts_with("__nv_")));
}

/// "d2i", as intrinsics have conversions, in CUDA's words: "double2int"; empty
/// if it is none.
static std::string conversion(StringRef letters) {
  auto word = [](StringRef type) {
    return StringSwitch<StringRef>(type)
        .Case("d", "double")
        .Case("f", "float")
        .Case("i", "int")
        .Case("ui", "uint")
        .Cases({"ll", "ull"}, type)
        .Default("");
  };
  auto [from, to] = letters.split('2');
  return word(from).empty() || word(to).empty()
             ? ""
             : (word(from) + "2" + word(to)).str();
}

/// The library's function for \p intrinsic, an operation whose rounding is
/// directed; empty if it is none.
static std::string directedRounding(StringRef intrinsic) {
  if (!intrinsic.consume_front("llvm.nvvm."))
    return "";
  SmallVector<StringRef> words;
  intrinsic.split(words, '.');
  erase(words, "ftz");
  if (words.size() < 2)
    return "";
  StringRef mode = StringSwitch<StringRef>(words[1])
                       .Case("rm", "_rd")
                       .Case("rp", "_ru")
                       .Case("rz", "_rz")
                       .Default("");
  if (mode.empty())
    return "";
  if (words.size() == 2) {
    std::string name = conversion(words[0]);
    return name.empty() ? name : ("__nv_" + name + mode).str();
  }
  if (words.size() != 3 || (words[2] != "f" && words[2] != "d") ||
      !is_contained({"add", "mul", "div", "fma", "rcp", "sqrt"}, words[0]))
    return "";
  if (words[0] == "fma")
    return ("__nv_fma" + StringRef(words[2] == "f" ? "f" : "") + mode).str();
  return ("__nv_" + words[2] + words[0] + mode).str();
}

static void callForDirectedRounding(Module &module) {
  for (Function &function : make_early_inc_range(module.functions()))
    if (std::string name = directedRounding(function.getName()); !name.empty())
      function.replaceAllUsesWith(
          module.getOrInsertFunction(name, function.getFunctionType())
              .getCallee());
}

Error linkLibrary(Module &module, const CpuOptions &options) {
  callForDirectedRounding(module);
  std::string path = options.deviceFolder + "/cpu.bc";
  if (options.deviceFolder.empty() || none_of(module, mayBeReplaced) ||
      !sys::fs::exists(path))
    return Error::success();
  auto buffer = MemoryBuffer::getFile(path);
  if (!buffer)
    return createStringError("cannot read '" + path +
                             "': " + buffer.getError().message());
  auto library = parseBitcodeFile(**buffer, module.getContext());
  if (!library)
    return createStringError(
        "'" + path + "' is no LLVM bitcode: " + toString(library.takeError()));
  (*library)->setTargetTriple(module.getTargetTriple());
  (*library)->setDataLayout(module.getDataLayout());
  SmallVector<std::string> taken;
  for (Function &function : **library) {
    // What differs from the program's own functions would keep LLVM from
    // inlining.
    for (StringRef attribute : {"target-cpu", "target-features", "no-builtins"})
      function.removeFnAttr(attribute);
    if (function.isDeclaration())
      continue;
    taken.push_back(function.getName().str());
    Function *replaced = module.getFunction(function.getName());
    if (replaced && mayBeReplaced(*replaced)) {
      replaced->deleteBody(); // and external again
      replaced->removeFnAttr(Attribute::NoInline);
    }
  }
  if (Linker::linkModules(module, std::move(*library), Linker::LinkOnlyNeeded))
    return createStringError("cannot link '" + path + "'");
  for (const std::string &name : taken)
    if (Function *function = module.getFunction(name);
        function && !function->isDeclaration())
      function->setLinkage(GlobalValue::InternalLinkage);
  return Error::success();
}

void leaveToCpuLibrary(Module &module) {
  for (Function &function : module) {
    if (function.isDeclaration() || !isOfBothLibraries(function))
      continue;
    // Computed by the GPU's.
    if (function.getName().starts_with("cufort_c"))
      function.setName("gpu." + function.getName());
    else
      function.deleteBody();
  }
}

} // namespace cufort::cpu

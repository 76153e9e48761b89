//===- LinkLibrary.cpp - functions without an instruction -----------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/cpu/LinkLibrary.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;

namespace cufort::cpu {

/// Mathematical functions without a body, and procedures of the device library
/// whose body is the GPU's: among them the complex functions.
static bool mayBeReplaced(const Function &function) {
  StringRef name = function.getName();
  return !function.use_empty() &&
         (function.isDeclaration()
              ? name.starts_with("__nv_")
              : name.starts_with("__cufort_load_") ||
                    name.starts_with("__cufort_store_") ||
                    name.starts_with("cufort_c") ||
                    name.starts_with("__cufort_barrier_") ||
                    name.starts_with("__cufort_tma_") ||
                    name == "__cufort_fence_proxy_async" ||
                    name.starts_with("__cufort_tile_") ||
                    name.starts_with("__cufort_texture_"));
}

Error linkLibrary(Module &module, const CpuOptions &options) {
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

} // namespace cufort::cpu

//===- EmbedDeviceCode.cpp - device code inside the host object -----------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/lower/Lower.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/Frontend/Offloading/Utility.h"
#include "llvm/IR/Constants.h"
#include "llvm/Object/OffloadBinary.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace {

/// True for what the host may name: what this file defines and other files
/// see, or (variables with BIND(C)) may define instead.
bool isRegistered(const GlobalObject &object) {
  return !object.isDeclaration() &&
         (object.hasExternalLinkage() || object.hasWeakAnyLinkage());
}

void emitEntry(Module &host, StringRef name, uint64_t size, uint32_t flags) {
  Constant *address = host.getNamedValue(name);
  if (!address)
    return; // never referred to by host code: nothing to look up
  offloading::emitOffloadingEntry(host, object::OFK_Cuda, address, name, size,
                                  flags, /*Data=*/0);
}

} // namespace

void cufort::lower::registerDeviceCode(Module &host, const Module &device) {
  for (const Function &function : device)
    if (isRegistered(function) &&
        function.getCallingConv() == CallingConv::PTX_Kernel)
      emitEntry(host, function.getName(), 0, offloading::OffloadGlobalEntry);
  for (const GlobalVariable &variable : device.globals()) {
    constexpr unsigned Global = 1, Constant = 4;
    unsigned space = variable.getAddressSpace();
    if (!isRegistered(variable) || (space != Global && space != Constant))
      continue;
    uint64_t size =
        device.getDataLayout().getTypeAllocSize(variable.getValueType());
    emitEntry(host, variable.getName(), size,
              space == Constant ? offloading::OffloadGlobalConstant
                                : offloading::OffloadGlobalEntry);
  }
}

void cufort::lower::embedDeviceCode(Module &host, Module &device) {
  SmallString<0> bitcode;
  raw_svector_ostream stream(bitcode);
  WriteBitcodeToFile(device, stream);

  object::OffloadBinary::OffloadingImage image;
  image.TheImageKind = object::IMG_Bitcode;
  image.TheOffloadKind = object::OFK_Cuda;
  image.StringData["triple"] = device.getTargetTriple().str();
  image.StringData["arch"] = "generic";
  image.Image = MemoryBuffer::getMemBufferCopy(bitcode);
  SmallString<0> binary = object::OffloadBinary::write(image);
  embedBufferInModule(host, MemoryBufferRef(binary, "device"),
                      ".llvm.offloading",
                      Align(object::OffloadBinary::getAlignment()));
}

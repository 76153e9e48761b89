//===- HostPlaces.cpp - which statement calls CUDA ------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/check/HostPlaces.h"
#include "compiler/check/HostAccesses.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Support/Path.h"
#include <map>

using namespace llvm;

using cufort::check::isCuda;

namespace {

/// The runtime's, thread-local (runtime/check/Allocations.h).
constexpr char PlaceVariable[] = "__cufort_check_place";
/// That the program makes streams: what it launches before that may be
/// unordered with later work, too. The runtime looks whether there is such a
/// variable (runtime/check/Check.cpp).
constexpr char StreamsVariable[] = "__cufort_check_streams";

/// The name in the source of a function of C++ outside of namespaces.
StringRef plainName(StringRef symbol) {
  unsigned length;
  StringRef rest = symbol;
  if ((rest.consume_front("_ZL") || rest.consume_front("_Z")) &&
      !rest.consumeInteger(10, length) && length <= rest.size())
    return rest.take_front(length);
  return symbol;
}

class HostPlaces {
public:
  explicit HostPlaces(Module &module)
      : module(module), builder(module.getContext()),
        placeType(StructType::get(module.getContext(),
                                  {builder.getPtrTy(), builder.getInt32Ty(),
                                   builder.getInt32Ty()})) {}

  void visit(Function &function) {
    for (Instruction &instruction : instructions(function)) {
      auto *call = dyn_cast<CallBase>(&instruction);
      Function *callee = call ? call->getCalledFunction() : nullptr;
      if (callee && callee->getName().contains_insensitive("streamcreate"))
        noteStreams();
      const DILocation *location =
          callee && isCuda(callee->getName()) ? call->getDebugLoc() : nullptr;
      if (!location || !location->getLine())
        continue;
      builder.SetInsertPoint(call);
      builder.CreateStore(constant(*location),
                          builder.CreateThreadLocalAddress(variable()));
    }
  }

private:
  void noteStreams() {
    if (!module.getNamedValue(StreamsVariable))
      new GlobalVariable(module, builder.getInt32Ty(), /*isConstant=*/true,
                         GlobalValue::WeakAnyLinkage, builder.getInt32(1),
                         StreamsVariable);
  }

  GlobalVariable *variable() {
    if (GlobalVariable *known = module.getGlobalVariable(PlaceVariable))
      return known;
    return new GlobalVariable(module, builder.getPtrTy(), /*isConstant=*/false,
                              GlobalValue::ExternalLinkage, nullptr,
                              PlaceVariable, nullptr,
                              GlobalValue::GeneralDynamicTLSModel);
  }

  Constant *file(const DILocation &location) {
    SmallString<256> path = location.getFilename();
    if (!sys::path::is_absolute(path) && !location.getDirectory().empty()) {
      path = location.getDirectory();
      sys::path::append(path, location.getFilename());
    }
    Constant *&text = files[path];
    if (!text)
      text = builder.CreateGlobalString(path, "", 0, &module);
    return text;
  }

  Constant *constant(const DILocation &location) {
    Constant *name = file(location);
    Constant *&place =
        places[{name, {location.getLine(), location.getColumn()}}];
    if (!place)
      place = new GlobalVariable(
          module, placeType, /*isConstant=*/true, GlobalValue::PrivateLinkage,
          ConstantStruct::get(placeType,
                              {name, builder.getInt32(location.getLine()),
                               builder.getInt32(location.getColumn())}));
    return place;
  }

  Module &module;
  IRBuilder<> builder;
  StructType *placeType;
  StringMap<Constant *> files;
  std::map<std::pair<Constant *, std::pair<unsigned, unsigned>>, Constant *>
      places;
};

} // namespace

bool cufort::check::isCuda(StringRef function) {
  StringRef name = plainName(function);
  if (name.starts_with("_FortranACUF") || name.starts_with("_QMcudafor") ||
      name.starts_with("__device_stub__") || name.starts_with("__cuda"))
    return true;
  return (name.consume_front("cuda") || name.consume_front("cu")) &&
         !name.empty() && isUpper(name.front());
}

void cufort::check::noteHostPlaces(Module &host) {
  HostPlaces places(host);
  // What our headers define under CUDA's names has no statement of the user's.
  for (Function &function : host)
    if (!isCuda(function.getName()))
      places.visit(function);
}

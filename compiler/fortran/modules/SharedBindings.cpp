//===- SharedBindings.cpp - interfaces of one binding name ----------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/fortran/modules/SharedBindings.h"
#include "flang/Semantics/scope.h"
#include "flang/Semantics/semantics.h"
#include "flang/Semantics/symbol.h"
#include <map>
#include <string>
#include <vector>

using namespace Fortran;
using namespace Fortran::semantics;
using common::CUDASubprogramAttrs;

namespace {

/// The interfaces of one name.
struct Binding {
  std::vector<SubprogramDetails *> interfaces;
  bool ofHost = false, ofDevice = false;
};

using Bindings = std::map<std::string, Binding>;

} // namespace

static void collect(Scope &scope, Bindings &bindings) {
  for (auto &[name, symbol] : scope) {
    auto *details = symbol->detailsIf<SubprogramDetails>();
    const std::string *bindName = symbol->GetBindName();
    if (!details || !details->isInterface() || !bindName)
      continue;
    Binding &binding = bindings[*bindName];
    binding.interfaces.push_back(details);
    const CUDASubprogramAttrs attribute =
        details->cudaSubprogramAttrs().value_or(CUDASubprogramAttrs::Host);
    binding.ofHost |= attribute == CUDASubprogramAttrs::Host;
    binding.ofDevice |= attribute == CUDASubprogramAttrs::Device;
  }
  for (Scope &child : scope.children())
    collect(child, bindings);
}

void cufort::joinSharedBindings(SemanticsContext &context) {
  Bindings bindings;
  for (Scope &child : context.globalScope().children())
    if (!child.IsIntrinsicModules())
      collect(child, bindings);
  for (auto &[name, binding] : bindings)
    if (binding.ofHost && binding.ofDevice)
      for (SubprogramDetails *details : binding.interfaces)
        details->set_cudaSubprogramAttrs(CUDASubprogramAttrs::HostDevice);
}

//===- PassNames.cpp - the passes over FIR and device code ----------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/driver/PassNames.h"
#include "compiler/common/PassErrors.h"
#include "compiler/cpu/Pipeline.h"
#include "compiler/cpu/fission/Fission.h"
#include "compiler/gpu/Pipeline.h"
#include "compiler/lower/Pipeline.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace cufort;

Error cufort::driver::checkPasses(const PassOptions &options) {
  for (const lower::LowerPass &pass : lower::lowerPasses())
    if (options.isDisabled(pass.name))
      return cannotBeLeftOut(pass.name);
  return checkPassNames(options, [](StringRef name) {
    auto isNamed = [&](const PassName &pass) { return pass.name == name; };
    return name == cpu::RegionsStep || any_of(lower::lowerPasses(), isNamed) ||
           any_of(gpu::gpuPasses(), isNamed) ||
           any_of(cpu::cpuPasses(), isNamed);
  });
}

static void list(const PassName &pass, raw_ostream &out) {
  out << "  " << left_justify(pass.name, 30) << pass.does
      << (pass.optional ? "" : " (always)") << '\n';
}

/// The rows of one table, under the names of the places where they run.
template <typename Pass>
static void listPlaces(ArrayRef<Pass> passes, raw_ostream &out,
                       function_ref<StringRef(const Pass &)> placeOf) {
  StringRef place;
  for (const Pass &pass : passes) {
    if (StringRef here = placeOf(pass); here != place)
      out << " " << (place = here) << ":\n";
    list(pass, out);
  }
}

void cufort::driver::listPasses(raw_ostream &out) {
  out << "The passes in the order in which they run; --disable-pass= can leave "
         "out those that are not marked.\n"
         "\nFortran's FIR to host code and device code:\n";
  listPlaces<lower::LowerPass>(lower::lowerPasses(), out,
                               [](const lower::LowerPass &pass) {
                                 return lower::stageName(pass.stage);
                               });
  out << "\nDevice code to PTX:\n";
  listPlaces<gpu::GpuPass>(gpu::gpuPasses(), out, [](const gpu::GpuPass &pass) {
    return gpu::placeName(pass.place);
  });
  out << "\nDevice code to native code of the CPU:\n";
  for (const cpu::CpuPass &pass : cpu::cpuPasses())
    list(pass, out);
}

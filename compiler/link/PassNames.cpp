//===- PassNames.cpp - the passes of both engines -------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/link/PassNames.h"
#include "compiler/cpu/Pipeline.h"
#include "compiler/cpu/fission/Fission.h"
#include "compiler/gpu/Pipeline.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace cufort;

bool cufort::isPass(StringRef name) {
  auto isNamed = [&](const PassName &pass) { return pass.name == name; };
  return name == cpu::RegionsStep || any_of(gpu::gpuPasses(), isNamed) ||
         any_of(cpu::cpuPasses(), isNamed);
}

static void list(const PassName &pass, raw_ostream &out) {
  out << "  " << left_justify(pass.name, 28) << pass.does
      << (pass.optional ? "" : " (always)") << '\n';
}

void cufort::listPasses(raw_ostream &out) {
  out << "Device code to PTX, in this order; --disable-pass= leaves out what "
         "is "
         "not marked:\n";
  const char *place = "";
  for (const gpu::GpuPass &pass : gpu::gpuPasses()) {
    if (const char *here = gpu::placeName(pass.place); here != place)
      out << " " << (place = here) << ":\n";
    list(pass, out);
  }
  out << "\nDevice code to code of the CPU:\n";
  for (const cpu::CpuPass &pass : cpu::cpuPasses())
    list(pass, out);
}

//===- Registry.h - the program's kernels and variables ---------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Images register themselves before main. Registration only records; the
// tables are built at the first look-up, so nothing depends on the order in
// which constructors run.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_CORE_REGISTRY_H
#define CUFORT_RUNTIME_CORE_REGISTRY_H

#include "image/Image.h"
#include "runtime/core/process/Error.h"
#include <string_view>
#include <vector>

namespace cufort {

/// A registered image; lives as long as the program.
struct Program {
  const image::Image *image;
  const image::OffloadEntry *begin, *end;
  unsigned index; ///< in the order of registration
  /// Loaded while the program runs, for one device; not registered.
  bool module = false;
};

/// A kernel and where it comes from.
struct KernelReference {
  const image::Kernel *kernel = nullptr;
  const Program *program = nullptr;
  unsigned index = 0; ///< in the image's table
  explicit operator bool() const { return kernel; }
};

/// A device variable and where it comes from.
struct VariableReference {
  const image::Variable *variable = nullptr;
  const Program *program = nullptr;
  unsigned index = 0; ///< in the image's table
  explicit operator bool() const { return variable; }
};

/// The kernel whose host stub is at \p stub; empty if there is none.
KernelReference findKernel(const void *stub);

/// Where a kernel's parameter number \p index lies and how large it is; \p
/// bytes may be null.
Error parameterOf(const KernelReference &kernel, size_t index, size_t *offset,
                  size_t *bytes);

/// A host stub of \p kernel, as programs name it; null if there is none.
const void *stubOf(const KernelReference &kernel);

/// The device variable whose host shadow is at \p shadow; empty if there is
/// none.
VariableReference findVariable(const void *shadow);

/// The device variable that a program means by \p name: the symbol of that
/// name in the device code, that of the Fortran variable "module::variable", or
/// that of the only module variable called so; empty if there is none.
VariableReference findVariableByName(std::string_view name);

/// The device variable that \p address points into where the CPU is the
/// device; empty if there is none.
VariableReference findVariableAt(const void *address);

/// All registered images, oldest first.
std::vector<const Program *> programs();

/// Whether any image carries GPU code.
bool haveGpuCode();

/// A mistake of the tool chain found while images were registered (a foreign
/// format version); null if there is none.
const char *registrationProblem();

} // namespace cufort

extern "C" __attribute__((visibility("default"))) void
__cufort_register_image(const cufort::image::Image *image,
                        const cufort::image::OffloadEntry *begin,
                        const cufort::image::OffloadEntry *end);

#endif // CUFORT_RUNTIME_CORE_REGISTRY_H

//===- Instances.h - the program's device code, per CPU device --*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// As on GPUs, each device has its own device variables. The first CPU device
// uses the code and the variables that the program was linked with. For every
// other one the executable's (or shared library's) file is mapped once more,
// at another address, and relocated as the dynamic linker would; device code
// refers to its variables relative to itself and so finds those of its own
// instance. What all have in common (image::CpuShared) it reaches through
// pointers, which stay as they are. No code of the host runs in an instance.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_CPU_MODULES_INSTANCES_H
#define CUFORT_RUNTIME_CPU_MODULES_INSTANCES_H

#include "runtime/core/Registry.h"
#include "runtime/core/process/Error.h"
#include <cstddef>
#include <memory>
#include <string>

namespace cufort::cpu {

/// How far the instance of \p program's code and variables for CPU device
/// \p device lies from what was linked: 0 for device 0. Made at the first call;
/// stops the program where that cannot be done.
ptrdiff_t instanceDistance(const Program &program, int device);

/// What \p pointed points to, of the image of \p program, in the instance of \p
/// device.
template <typename T>
const T *inInstance(const T *pointed, const Program &program, int device) {
  if (!device || program.module)
    return pointed;
  return reinterpret_cast<const T *>(reinterpret_cast<const char *>(pointed) +
                                     instanceDistance(program, device));
}

/// One more instance of an image that is loaded while the program runs; it goes
/// with the object, and before what it is an instance of.
class ImageInstance {
public:
  /// Null, and the reason, where there can be none.
  static std::unique_ptr<ImageInstance> make(const image::Image &original,
                                             std::string *problem);
  ~ImageInstance();
  ImageInstance(const ImageInstance &) = delete;
  ImageInstance &operator=(const ImageInstance &) = delete;

  /// The tables of the instance; what all instances have in common is the
  /// original's.
  const image::Image &image() const { return *own; }

private:
  struct Place;
  explicit ImageInstance(std::unique_ptr<Place> place);

  std::unique_ptr<Place> place;
  const image::Image *own = nullptr;
};

/// Gives the variables of \p program on CPU device \p device the values again
/// with which the program starts; what all devices have in common with the
/// first device's.
Error restoreVariables(const Program &program, int device);

/// Whether \p address is that of something that all instances share.
bool sharedByInstances(const image::Image &image, const void *address);

/// Whether \p address lies in a program's code or variables for a further
/// device.
bool isInInstance(const void *address);

/// The device variable of any CPU device that \p address points into, and that
/// device; no reference if there is none.
struct VariablePlace {
  VariableReference variable;
  int device;
};
VariablePlace findVariableOfAny(const void *address);

} // namespace cufort::cpu

#endif // CUFORT_RUNTIME_CPU_MODULES_INSTANCES_H

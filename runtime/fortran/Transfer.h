//===- Transfer.h - transfers by assignment ---------------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_FORTRAN_TRANSFER_H
#define CUFORT_RUNTIME_FORTRAN_TRANSFER_H

#include "runtime/fortran/Descriptor.h"
#include <string>

namespace cufort::fortran {

/// Flang's transfer modes.
enum class Mode : unsigned {
  HostToDevice = 0,
  DeviceToHost = 1,
  DeviceToDevice = 2
};

/// "assignment (host to device)", for messages.
const char *describe(Mode mode);

/// Stops the program where the side of a transfer that is on the device lies in
/// no allocation. A GPU finds that out itself; on the CPU what has been freed
/// may be the host's by now.
void checkDeviceData(Engine &engine, const void *to, const void *from,
                     Mode mode, Place place);

/// Waits for a copy on the device if the host may look at \p to, managed
/// memory, in its next statement.
Error finishCopy(Engine &engine, const void *to, Mode mode);

/// Other compilers' programs go on after what \p detail says of a transfer: a
/// warning, once for each statement, or the end where CUFORT_STRICT is set.
void goOnOrStop(Place place, Mode mode, const std::string &detail);

/// Assigns \p from, an array of \p to's shape or a scalar, to the elements of
/// \p to, converting between types where they differ. Neither is reallocated.
/// Any strides; the two may overlap. Waits until it is done; stops the program
/// on errors, but goes on (goOnOrStop) without the transfer where a pointer is
/// not associated, and with the elements that both have where shapes differ.
void assign(const Descriptor &to, const Descriptor &from, Mode mode,
            Place place);

/// Writes the device copy of the module variable whose host descriptor is
/// \p host, if it is one.
void syncModuleDescriptor(const Descriptor &host, Place place);

/// The stream for launches without one: what cudaforSetDefaultStream set for
/// the calling thread.
StreamHandle defaultStream();

/// Waits for the calling thread's default stream where the legacy stream would
/// not, and for the streams of the arrays that \p to and \p from lie in.
void waitDefaultStream(Engine &engine, const void *to,
                       const void *from = nullptr);

} // namespace cufort::fortran

#endif // CUFORT_RUNTIME_FORTRAN_TRANSFER_H

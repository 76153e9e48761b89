//===- RoundingModes.h - rounding to whole numbers --------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_LINK_ROUNDINGMODES_H
#define CUFORT_COMPILER_LINK_ROUNDINGMODES_H

namespace llvm {
class Module;
}

namespace cufort {

/// A GPU has no rounding mode, and the CPU's is for threads that are lanes of
/// one vector, too. Flang sets it around one operation, the rounding to a whole
/// number (IEEE_INT, IEEE_RINT with ROUND=). Needs the linked device module, as
/// the front end has written it. Leaves an operation that rounds as the mode
/// says, and the mode "to nearest" where it is asked for; a mode that is set
/// for anything else is left for checkDevice to refuse.
void placeRounding(llvm::Module &device);

} // namespace cufort

#endif // CUFORT_COMPILER_LINK_ROUNDINGMODES_H

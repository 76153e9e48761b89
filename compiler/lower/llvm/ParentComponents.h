//===- ParentComponents.h - extended types, for debuggers -------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_LOWER_LLVM_PARENTCOMPONENTS_H
#define CUFORT_COMPILER_LOWER_LLVM_PARENTCOMPONENTS_H

namespace llvm {
class Module;
}

namespace cufort::lower {

/// Says of a type's parent component that the type inherits it. Flang describes
/// it as any other component, and a debugger finds `p%x` in `p%point%x` alone.
void describeParents(llvm::Module &module);

} // namespace cufort::lower

#endif // CUFORT_COMPILER_LOWER_LLVM_PARENTCOMPONENTS_H

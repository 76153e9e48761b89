//===- toolkit.h - what a toolkit's headers leave out -----------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The first header of every source file under --cuda-path=.
//
//===----------------------------------------------------------------------===//

#include <new> // operators new and delete, also of device code

//===- texture_fetch_functions.hpp - see texture_fetch_functions.h -*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "texture_fetch_functions.h"

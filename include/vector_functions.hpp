//===- vector_functions.hpp - make_int2 and the like -------------------*- C++
//-*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_VECTOR_FUNCTIONS_HPP
#define CUFORT_VECTOR_FUNCTIONS_HPP

#include "vector_functions.h"

#endif // CUFORT_VECTOR_FUNCTIONS_HPP

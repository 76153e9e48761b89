//===- Start.cpp - programs without device code that are checked ----------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// With --check the driver asks for this file by its symbol: a program whose
// image has no kernels, or that has no image, has its list of reports as well.
//
//===----------------------------------------------------------------------===//

#include "runtime/check/report/Report.h"

extern "C" void __cufort_check_start();

void __cufort_check_start() { cufort::check::start(); }

[[gnu::constructor]] static void atStart() { __cufort_check_start(); }

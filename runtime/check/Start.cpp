//===- Start.cpp - programs without device code that are checked ----------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// With --check the driver asks for this file by its symbol, and defines one for
// each checker: a program whose image has no kernels, or that has no image, is
// told of here which checkers it was built with. The tables of images say the
// same.
//
//===----------------------------------------------------------------------===//

#include "runtime/check/Check.h"

extern "C" {
[[gnu::weak]] void __cufort_check_with_memory();
[[gnu::weak]] void __cufort_check_with_race();
[[gnu::weak]] void __cufort_check_with_same_value();
[[gnu::weak]] void __cufort_check_with_init();
[[gnu::weak]] void __cufort_check_with_sync();
void __cufort_check_start();
}

void __cufort_check_start() {
  using namespace cufort;
  image::CheckTable table{image::CheckVersion, 0, 0, nullptr};
  if (__cufort_check_with_memory)
    table.checks |= image::CheckMemory;
  if (__cufort_check_with_race)
    table.checks |= image::CheckRace;
  if (__cufort_check_with_same_value)
    table.checks |= image::CheckSameValue;
  if (__cufort_check_with_init)
    table.checks |= image::CheckInit;
  if (__cufort_check_with_sync)
    table.checks |= image::CheckSync;
  check::start(table);
}

[[gnu::constructor(101)]] static void atStart() { __cufort_check_start(); }

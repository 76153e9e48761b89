//===- DeviceInfo.cpp - prints the devices of this machine ----------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include <cstdio>

extern "C" int __cufort_print_devices(std::FILE *file);

int main() { return __cufort_print_devices(stdout); }

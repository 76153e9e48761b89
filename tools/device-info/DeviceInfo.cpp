//===- DeviceInfo.cpp - prints the devices of this machine ----------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include <cerrno>
#include <cstdio>
#include <cstring>

extern "C" int __cufort_print_devices(std::FILE *file, int json);

/// Exit status 0: programs can use a GPU; 2: only the CPU; 1: wrong usage, or
/// nothing could be written.
int main(int argc, char **argv) {
  const bool json = argc == 2 && std::strcmp(argv[1], "--json") == 0;
  if (argc > 1 && !json) {
    std::fprintf(stderr, "usage: %s [--json]\n", argv[0]);
    return 1;
  }
  const int status = __cufort_print_devices(stdout, json);
  // In the name of `cufort info`, which calls this.
  if (status == 1)
    std::fprintf(stderr, "cufort: error: cannot write the output: %s\n",
                 std::strerror(errno));
  return status;
}

//===- MemoryModules.cpp - tables of a machine's memory -------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/cpu/modules/MemoryModules.h"
#include <cstdio>
#include <cstdlib>
#include <gtest/gtest.h>
#include <string>
#include <sys/stat.h>

using namespace cufort::cpu;

namespace {

/// A structure of SMBIOS with one text.
std::string structure(int kind, std::string body) {
  std::string result = {static_cast<char>(kind),
                        static_cast<char>(4 + body.size()), 0, 0};
  return result + body + std::string("DIMM\0\0", 6);
}

void put(std::string &body, size_t place, unsigned value, unsigned count = 2) {
  // Places count from the structure's start.
  for (unsigned n = 0; n != count; ++n)
    body[place - 4 + n] = static_cast<char>(value >> 8 * n);
}

/// A memory device as of SMBIOS 3.3.
std::string module(unsigned width, unsigned size, unsigned speed,
                   unsigned configured, unsigned longConfigured = 0) {
  std::string body(0x5c - 4, '\0');
  put(body, 0x0a, width);
  put(body, 0x0c, size);
  put(body, 0x15, speed);
  put(body, 0x20, configured);
  put(body, 0x58, longConfigured, 4);
  return structure(17, body);
}

TEST(MemoryModules, SlowestOfThosePresent) {
  const std::string table = structure(0, std::string(20, 'x')) +
                            module(64, 16384, 5600, 4800) +
                            module(64, 0, 0, 0) + // an empty place
                            module(64, 16384, 5600, 4400) + structure(127, "");
  const MemoryModules modules = modulesOf(table);
  EXPECT_EQ(modules.kilohertz, 2200000);
  EXPECT_EQ(modules.bits, 64);
}

TEST(MemoryModules, SpeedsElsewhere) {
  // Not configured: what the module can; fast ones have a field of their own.
  EXPECT_EQ(modulesOf(module(64, 8192, 3200, 0)).kilohertz, 1600000);
  EXPECT_EQ(modulesOf(module(64, 8192, 0xffff, 0xffff, 70000)).kilohertz,
            35000000);
}

TEST(MemoryModules, NothingIsMadeUp) {
  EXPECT_EQ(modulesOf("").kilohertz, 0);
  // One module that does not say so: neither is known of all.
  const std::string one = module(64, 8192, 3200, 3200);
  EXPECT_EQ(modulesOf(one + module(64, 8192, 0, 0)).kilohertz, 0);
  EXPECT_EQ(modulesOf(one + module(0xffff, 8192, 3200, 3200)).bits, 0);
  for (size_t bytes = 0; bytes != one.size(); ++bytes)
    EXPECT_EQ(modulesOf(one.substr(0, bytes)).kilohertz, 0) << bytes;
}

TEST(MemoryModules, ChannelsCountOnce) {
  char folder[] = "/tmp/cufort-edac-XXXXXX";
  ASSERT_NE(mkdtemp(folder), nullptr);
  auto add = [&](const std::string &controller, const std::string &name,
                 const char *size, const char *location) {
    const std::string path = folder + ("/" + controller);
    mkdir(path.c_str(), 0700);
    mkdir((path + "/" + name).c_str(), 0700);
    for (auto [file, text] :
         {std::pair("size", size), std::pair("dimm_location", location)}) {
      FILE *opened = std::fopen((path + "/" + name + "/" + file).c_str(), "w");
      ASSERT_NE(opened, nullptr);
      std::fputs(text, opened);
      std::fclose(opened);
    }
  };
  EXPECT_EQ(memoryChannels(folder), 0);
  add("mc0", "dimm0", "16384\n", "channel 0 slot 0 \n");
  add("mc0", "dimm1", "16384\n", "channel 0 slot 1 \n");
  add("mc0", "dimm2", "16384\n", "channel 1 slot 0 \n");
  add("mc0", "dimm3", "0\n", "channel 2 slot 0 \n");
  add("mc1", "dimm0", "16384\n", "channel 0 slot 0 \n");
  add("mc1", "dimm1", "16384\n", "memory 5 \n");
  EXPECT_EQ(memoryChannels(folder), 3);
  EXPECT_EQ(std::system(("rm -r " + std::string(folder)).c_str()), 0);
}

} // namespace

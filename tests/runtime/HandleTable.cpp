//===- HandleTable.cpp - the streams and events that exist ----------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/cuda/HandleTable.h"
#include <atomic>
#include <gtest/gtest.h>
#include <map>
#include <thread>
#include <vector>

using namespace cufort::cuda;

namespace {

/// As the driver gives them: eight to a line, some of them far away.
const void *handle(uintptr_t number) {
  return reinterpret_cast<const void *>(0x7f0000000000 + 8 * number +
                                        (number % 3 << 30));
}

/// Always the same numbers.
struct Numbers {
  unsigned state;
  unsigned operator()() {
    state = state * 1664525 + 1013904223;
    return state >> 8;
  }
};

TEST(HandleTable, IsAsAMap) {
  HandleTable table;
  std::map<unsigned, HandleTable::Entry> model;
  Numbers random{7};
  EXPECT_FALSE(table.has(handle(1)));
  EXPECT_FALSE(table.has(nullptr));
  EXPECT_FALSE(table.mark(handle(1)));
  EXPECT_FALSE(table.take(handle(1)));
  table.forget(1);
  for (int step = 0; step < 40000; ++step) {
    // Few at first, then many, then few again.
    const unsigned range = step < 10000 ? 40 : step < 30000 ? 3000 : 20;
    const unsigned number = random() % range;
    const auto old = model.find(number);
    switch (random() % 6) {
    case 0:
    case 1: {
      const HandleTable::Entry entry{int(random() % 3), random() % 2 == 0};
      table.enter(handle(number), entry);
      model[number] = entry;
      break;
    }
    case 2: {
      const HandleTable::Entry entry = table.take(handle(number));
      ASSERT_EQ(bool(entry), old != model.end());
      if (old == model.end())
        break;
      ASSERT_EQ(entry.device, old->second.device);
      ASSERT_EQ(entry.marked, old->second.marked);
      ASSERT_FALSE(table.has(handle(number)));
      if (random() % 3 == 0)
        table.putBack(handle(number), entry);
      else
        model.erase(old);
      break;
    }
    case 3:
      ASSERT_EQ(table.mark(handle(number)), old != model.end());
      if (old != model.end())
        old->second.marked = true;
      break;
    case 4:
      if (step % 50 == 0) {
        const int device = int(random() % 3);
        table.forget(device);
        std::erase_if(model, [&](const auto &entry) {
          return entry.second.device == device;
        });
      }
      break;
    default:
      break;
    }
    if (step % 400 == 0)
      for (unsigned i = 0; i < 3000; ++i) {
        const auto known = model.find(i);
        ASSERT_EQ(table.has(handle(i)), known != model.end());
        ASSERT_EQ(table.has(handle(i), true),
                  known != model.end() && known->second.marked);
        ASSERT_EQ(table.find(handle(i)).device,
                  known == model.end() ? -1 : known->second.device);
      }
  }
  // No handle of the driver's is odd; one that a program makes up may be.
  table.enter(handle(5000), {1, true});
  EXPECT_FALSE(table.has(static_cast<const char *>(handle(5000)) + 1));
}

// Those that stay are found at every moment while others come and go.
TEST(HandleTable, FindsWhatStaysWhileOthersMove) {
  HandleTable table;
  constexpr unsigned Kept = 60;
  for (unsigned i = 0; i < Kept; ++i)
    table.enter(handle(7 * i), {1, i % 2 == 0});
  std::atomic<bool> done{false};
  std::atomic<unsigned> lost{0};
  std::vector<std::thread> threads;
  threads.reserve(2);
  for (int t = 0; t < 2; ++t)
    threads.emplace_back([&] {
      while (!done)
        for (unsigned i = 0; i < Kept; ++i)
          lost += !table.has(handle(7 * i), i % 2 == 0);
    });
  Numbers random{11};
  for (int step = 0; step < 300000; ++step) {
    const unsigned number = 7 * (random() % 300) + 1 + random() % 6;
    if (!table.take(handle(number)))
      table.enter(handle(number), {2});
  }
  table.forget(2);
  done = true;
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(lost, 0u);
}

} // namespace

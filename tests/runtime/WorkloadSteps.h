//===- WorkloadSteps.h - calls that may be made to fail ---------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For functions with a parameter check, a WorkloadCheck: TRY returns if the
// call fails, ASK goes on, AT_END gives something back at the end of its block.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_TESTS_RUNTIME_WORKLOADSTEPS_H
#define CUFORT_TESTS_RUNTIME_WORKLOADSTEPS_H

#include "WorkloadNodes.h"

/// Where giving back is the call that has to fail, it is done once more.
template <typename Call> class AtEnd {
public:
  AtEnd(const WorkloadCheck &check, Call call, const char *text)
      : check(check), call(call), text(text) {}
  AtEnd(const AtEnd &) = delete;
  AtEnd &operator=(const AtEnd &) = delete;
  ~AtEnd() {
    if (!check(call(), text))
      call();
  }

private:
  const WorkloadCheck &check;
  Call call;
  const char *text;
};

#define TRY(call)                                                              \
  if (!check(call, #call))                                                     \
  return
#define ASK(call) check(call, #call)
#define GLUE2(a, b) a##b
#define GLUE(a, b) GLUE2(a, b)
#define AT_END(call)                                                           \
  const AtEnd GLUE(atEnd, __LINE__)(check, [=] { return call; }, #call)

#endif // CUFORT_TESTS_RUNTIME_WORKLOADSTEPS_H

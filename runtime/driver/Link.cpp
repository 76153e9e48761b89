//===- Link.cpp - CUDA driver API: linking of device code -----------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/core/engine/Modules.h"
#include "runtime/driver/Call.h"

using namespace cufort;
using namespace cufort::driver;

/// Whether there are values for \p count options.
static bool complete(unsigned count, const CUjit_option *options,
                     void *const *values) {
  return !count || (options && values);
}

static TranslationOptions optionsOf(unsigned count, CUjit_option *options,
                                    void **values) {
  return {count, reinterpret_cast<int *>(options), values};
}

CUFORT_DRIVER_API CUresult cuLinkCreate(unsigned count, CUjit_option *options,
                                        void **values, CUlinkState *link) {
  return onEngine([&](Engine &e) {
    if (!link || !complete(count, options, values))
      return cudaErrorInvalidValue;
    LinkHandle made = nullptr;
    const Error error =
        e.modules().createLink(optionsOf(count, options, values), &made);
    if (error == cudaSuccess)
      *link = static_cast<CUlinkState>(made);
    return error;
  });
}

CUFORT_DRIVER_API CUresult cuLinkAddData(CUlinkState link, CUjitInputType type,
                                         void *data, size_t bytes,
                                         const char *name, unsigned count,
                                         CUjit_option *options, void **values) {
  return onEngine([&](Engine &e) {
    return data && bytes && complete(count, options, values)
               ? e.modules().addToLink(link, type, data, bytes, name,
                                       optionsOf(count, options, values))
               : cudaErrorInvalidValue;
  });
}

CUFORT_DRIVER_API CUresult cuLinkAddFile(CUlinkState link, CUjitInputType type,
                                         const char *path, unsigned count,
                                         CUjit_option *options, void **values) {
  return onEngine([&](Engine &e) {
    return path && complete(count, options, values)
               ? e.modules().addFileToLink(link, type, path,
                                           optionsOf(count, options, values))
               : cudaErrorInvalidValue;
  });
}

CUFORT_DRIVER_API CUresult cuLinkComplete(CUlinkState link, void **code,
                                          size_t *bytes) {
  return onEngine([&](Engine &e) {
    return code ? e.modules().completeLink(link, code, bytes)
                : cudaErrorInvalidValue;
  });
}

CUFORT_DRIVER_API CUresult cuLinkDestroy(CUlinkState link) {
  return onEngine([&](Engine &e) { return e.modules().destroyLink(link); });
}

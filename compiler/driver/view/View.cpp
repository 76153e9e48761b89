//===- View.cpp - cufort view ---------------------------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/driver/view/View.h"
#include "compiler/driver/Diagnostics.h"
#include "compiler/driver/OutputFile.h"
#include "compiler/driver/toolchain/HostToolchain.h"
#include "compiler/driver/view/Page.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <optional>

using namespace llvm;
using namespace cufort::driver;

namespace {
struct Request {
  std::string trace, counts, output;
  bool help = false;
};
} // namespace

static constexpr StringRef Usage =
    "usage: cufort view FILE.json [--counts COUNTS.json] [-o FILE.html]\n"
    "\n"
    "Writes a page for a browser from the trace of a program that ran with\n"
    "CUFORT_TRACE=FILE.json: timeline, tables and roofline.\n"
    "\n"
    "  -o FILE.html           the page (default: FILE.html beside the trace)\n"
    "  --counts COUNTS.json   a trace of the same program built with\n"
    "                         --count-operations, for the roofline\n";

static std::optional<Request> read(ArrayRef<std::string> arguments) {
  Request request;
  bool files = false; // behind "--"
  for (size_t i = 0; i != arguments.size(); ++i) {
    StringRef each = arguments[i];
    const auto value = [&]() -> std::optional<std::string> {
      if (i + 1 == arguments.size()) {
        error("'" + each + "' needs a value after it");
        return std::nullopt;
      }
      return arguments[++i];
    };
    std::string *into = nullptr;
    if (files || !each.starts_with("-")) {
      if (!request.trace.empty()) {
        error("'cufort view' takes one trace: '" + request.trace + "' or '" +
              each + "'");
        return std::nullopt;
      }
      request.trace = each.str();
      continue;
    }
    if (each == "--") {
      files = true;
      continue;
    }
    if (each == "--help" || each == "-help" || each == "-h") {
      request.help = true;
      return request;
    }
    if (each.consume_front("--counts=")) {
      request.counts = each.str();
      continue;
    }
    into = each == "-o"         ? &request.output
           : each == "--counts" ? &request.counts
                                : nullptr;
    if (!into) {
      error("'cufort view' has no option '" + each +
            "'; it has '-o' and '--counts'");
      return std::nullopt;
    }
    std::optional<std::string> given = value();
    if (!given)
      return std::nullopt;
    *into = *given;
  }
  if (request.trace.empty()) {
    error("'cufort view' needs a trace, which CUFORT_TRACE=FILE.json in a "
          "program's environment writes");
    return std::nullopt;
  }
  return request;
}

static Error write(const Request &request) {
  Expected<TraceData> trace = readTrace(request.trace);
  if (!trace)
    return trace.takeError();
  std::optional<TraceData> counts;
  if (!request.counts.empty()) {
    Expected<TraceData> read = readTrace(request.counts);
    if (!read)
      return read.takeError();
    counts = std::move(*read);
  }

  const std::string place = ownFolder("lib") + "/cufort/view/page.html";
  ErrorOr<std::unique_ptr<MemoryBuffer>> page = MemoryBuffer::getFile(place);
  if (!page)
    return failure(place + ": " + page.getError().message());

  SmallString<256> path(request.output);
  if (path.empty()) {
    path = request.trace;
    sys::path::replace_extension(path, "html");
  }
  Expected<OutputFile> output = OutputFile::create(path);
  if (!output)
    return output.takeError();
  std::error_code problem;
  raw_fd_ostream out(output->temporary(), problem);
  if (problem)
    return failure(path + ": " + problem.message());
  if (Error failed = writePage(out, (*page)->getBuffer(),
                               sys::path::filename(request.trace), *trace,
                               counts ? &*counts : nullptr))
    return failed;
  out.close();
  if (out.has_error()) {
    const std::string text = out.error().message();
    out.clear_error();
    return failure(path + ": " + text);
  }
  return output->keep();
}

int cufort::driver::viewTrace(ArrayRef<std::string> arguments) {
  std::optional<Request> request = read(arguments);
  if (!request)
    return 1;
  if (request->help) {
    outs() << Usage;
    return finishOutput() ? 0 : 1;
  }
  if (Error failed = write(*request))
    return error(std::move(failed)), 1;
  return 0;
}

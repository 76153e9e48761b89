//===- Dependencies.cpp - what build systems want to know -----------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/driver/Dependencies.h"
#include "compiler/driver/Compile.h"
#include "compiler/driver/Diagnostics.h"
#include "compiler/driver/OutputFile.h"
#include "compiler/driver/options/Options.h"
#include "compiler/driver/toolchain/HostToolchain.h"
#include "compiler/fortran/CompileFortran.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Option/Arg.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace cufort;
using namespace cufort::driver;
using llvm::StringRef;
namespace opts = cufort::driver::options;

DependencyOptions
cufort::driver::readDependencyOptions(const llvm::opt::ArgList &args) {
  DependencyOptions options;
  options.system = args.hasArg(opts::OPT_MD);
  options.wanted = options.system || args.hasArg(opts::OPT_MMD);
  options.phony = args.hasArg(opts::OPT_MP);
  options.file = args.getLastArgValue(opts::OPT_MF).str();
  for (const llvm::opt::Arg *arg : args.filtered(opts::OPT_MT, opts::OPT_MQ)) {
    const std::string target = arg->getValue();
    std::string quoted;
    for (char c : target) {
      if (c == '$')
        quoted += '$';
      else if (c == ' ' || c == '#')
        quoted += '\\';
      quoted += c;
    }
    options.targets.push_back(arg->getOption().matches(opts::OPT_MQ) ? quoted
                                                                     : target);
  }
  return options;
}

std::optional<SourceModules> cufort::driver::scanSource(const CommandLine &line,
                                                        const Source &source) {
  auto arguments = planFrontend(line, source);
  if (!arguments) {
    error(arguments.takeError());
    return std::nullopt;
  }
  SourceModules modules;
  FortranJob job;
  job.input = source.path;
  job.kind = FortranJob::ModuleScan;
  job.frontendArgs = std::move(*arguments);
  job.modules = &modules;
  if (!compileFortran(job, line.program.c_str()))
    return std::nullopt;
  llvm::erase_if(modules.required, [](const std::string &name) {
    return llvm::sys::fs::exists(ownFolder("include") + "/flang/" +
                                 moduleFileName(name));
  });
  return modules;
}

/// \p name as make reads it.
static std::string quoted(StringRef name) {
  std::string text;
  for (char c : name) {
    if (c == ' ' || c == '#')
      text += '\\';
    if (c == '$')
      text += '$';
    text += c;
  }
  return text;
}

static std::string objectName(const CommandLine &line, const Source &source) {
  if (!line.output.empty() && line.action != Action::Link)
    return line.output;
  CommandLine object = line;
  object.action = Action::Object;
  object.emitLlvm = false;
  return defaultOutput(object, source);
}

static std::string moduleFile(const CommandLine &line, StringRef name) {
  llvm::SmallString<256> path(line.moduleFolder);
  llvm::sys::path::append(path, moduleFileName(name));
  return path.str().str();
}

bool cufort::driver::writeDependencies(const CommandLine &line,
                                       const Source &source,
                                       const SourceModules &modules) {
  const DependencyOptions &options = line.dependencies;
  const std::string object = objectName(line, source);
  std::vector<std::string> targets = options.targets;
  if (targets.empty()) {
    targets.push_back(quoted(object));
    for (const std::string &name : modules.provided)
      targets.push_back(quoted(moduleFile(line, name)));
  }
  std::vector<std::string> written;
  for (const std::string &name : modules.provided)
    written.push_back(llvm::sys::path::filename(moduleFile(line, name)).str());
  std::vector<std::string> needed;
  for (StringRef each : modules.files) {
    while (each.consume_front("./")) {
    }
    // Our own are found as bin/../include.
    llvm::SmallString<256> plain(each);
    llvm::sys::path::remove_dots(plain, /*remove_dot_dot=*/true);
    const bool isSystems =
        plain.starts_with(ownFolder("include")) || plain.starts_with("/usr/");
    // A file that this compilation has written, and read again.
    const bool isOwn =
        llvm::is_contained(written, llvm::sys::path::filename(each));
    if (!isOwn && (!isSystems || options.system))
      needed.push_back(quoted(each));
  }
  std::string rule = llvm::join(targets, " ") + ":";
  for (const std::string &each : needed)
    rule += " \\\n  " + each;
  rule += "\n";
  if (options.phony)
    for (const std::string &each : needed)
      if (each != quoted(source.path))
        rule += each + ":\n";

  llvm::SmallString<256> path(options.file);
  if (path.empty()) {
    path = object;
    llvm::sys::path::replace_extension(path, "d");
  }
  auto output = OutputFile::create(path);
  if (!output)
    return error(output.takeError());
  std::error_code code;
  llvm::raw_fd_ostream stream(output->temporary(), code);
  if (code)
    return error("cannot write '" + path + "': " + code.message());
  stream << rule;
  stream.close();
  if (llvm::Error failure = output->keep())
    return error(std::move(failure));
  return true;
}

bool cufort::driver::writeModuleDependencies(const CommandLine &line) {
  llvm::json::Array rules;
  for (const Source &source : line.sources) {
    if (source.language != Source::Fortran)
      continue;
    std::optional<SourceModules> modules = scanSource(line, source);
    if (!modules)
      return false;
    llvm::json::Array provided, required;
    for (const std::string &name : modules->provided)
      provided.push_back(
          llvm::json::Object{{"logical-name", name},
                             {"is-interface", true},
                             {"compiled-module-path", moduleFile(line, name)},
                             {"source-path", source.path}});
    for (const std::string &name : modules->required)
      required.push_back(llvm::json::Object{{"logical-name", name}});
    // -o names the file of the rules.
    CommandLine unnamed = line;
    unnamed.output.clear();
    llvm::json::Object rule{{"primary-output", objectName(unnamed, source)}};
    if (!provided.empty())
      rule["provides"] = std::move(provided);
    if (!required.empty())
      rule["requires"] = std::move(required);
    rules.push_back(std::move(rule));
  }
  auto output = OutputFile::create(line.output.empty() ? "-" : line.output);
  if (!output)
    return error(output.takeError());
  std::error_code code;
  llvm::raw_fd_ostream stream(output->temporary(), code);
  if (code)
    return error("cannot write '" + line.output + "': " + code.message());
  stream << llvm::formatv("{0:2}", llvm::json::Value(llvm::json::Object{
                                       {"version", 1},
                                       {"revision", 0},
                                       {"rules", std::move(rules)}}))
         << '\n';
  stream.close();
  if (llvm::Error failure = output->keep())
    return error(std::move(failure));
  return true;
}

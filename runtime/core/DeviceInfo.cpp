//===- DeviceInfo.cpp - the devices of this machine, as text --------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/core/DeviceInfo.h"
#include "runtime/core/engine/Engines.h"
#include "runtime/core/process/Environment.h"
#include <cstdio>
#include <string_view>

namespace cufort {
namespace {

/// One line of the report: its label, its value as text, its name and value in
/// JSON.
struct Field {
  const char *label, *key;
  std::string text, value;
};

std::string quoted(std::string_view text) {
  std::string result = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\')
      result += '\\';
    if (static_cast<unsigned char>(c) >= ' ')
      result += c;
  }
  return result + '"';
}

class Fields {
public:
  void number(const char *label, const char *key, size_t value,
              const char *unit = "") {
    const std::string text = std::to_string(value);
    list.push_back({label, key, text + unit, text});
  }
  void kilohertz(const char *label, const char *key, int value) {
    list.push_back({label, key,
                    value ? std::to_string(value / 1000) + " MHz" : "unknown",
                    std::to_string(value)});
  }
  void text(const char *label, const char *key, const std::string &value) {
    list.push_back({label, key, value, quoted(value)});
  }
  void yes(const char *label, const char *key, bool value) {
    list.push_back(
        {label, key, value ? "Yes" : "No", value ? "true" : "false"});
  }
  void three(const char *label, const char *key, const int (&v)[3],
             const char *between) {
    list.push_back({label, key,
                    std::to_string(v[0]) + between + std::to_string(v[1]) +
                        between + std::to_string(v[2]),
                    "[" + std::to_string(v[0]) + ", " + std::to_string(v[1]) +
                        ", " + std::to_string(v[2]) + "]"});
  }
  std::vector<Field> list;
};

const char *computeMode(int mode) {
  switch (mode) {
  case 0:
    return "default";
  case 1:
    return "exclusive";
  case 2:
    return "prohibited";
  case 3:
    return "exclusive-process";
  default:
    return "unknown";
  }
}

/// The lines of pgaccelinfo, in its order.
Fields fieldsOf(const DeviceProperties &p, size_t number,
                const std::string &problem) {
  Fields f;
  f.number("Device Number", "number", number);
  f.text("Device Name", "name", p.name);
  f.text("Device Revision Number", "computeCapability",
         std::to_string(p.major) + "." + std::to_string(p.minor));
  f.number("Global Memory Size", "memoryBytes", p.memoryBytes);
  f.number("Number of Multiprocessors", "multiprocessors",
           static_cast<size_t>(p.multiprocessors));
  f.yes("Concurrent Copy and Execution", "overlap", p.asyncEngines > 0);
  f.number("Total Constant Memory", "constantBytes", p.constantBytes);
  f.number("Total Shared Memory per Block", "sharedBytesPerBlock",
           p.sharedBytesPerBlock);
  f.number("Registers per Block", "registersPerBlock",
           static_cast<size_t>(p.registersPerBlock));
  f.number("Warp Size", "warpSize", static_cast<size_t>(p.warpSize));
  f.number("Maximum Threads per Block", "maxThreadsPerBlock",
           static_cast<size_t>(p.maxThreadsPerBlock));
  f.three("Maximum Block Dimensions", "maxBlock", p.maxBlock, ", ");
  f.three("Maximum Grid Dimensions", "maxGrid", p.maxGrid, " x ");
  f.number("Maximum Memory Pitch", "maxPitch", p.maxPitch, "B");
  f.number("Texture Alignment", "textureAlignment", p.textureAlignment, "B");
  f.kilohertz("Clock Rate", "clockKilohertz", p.clockKilohertz);
  f.yes("Execution Timeout", "executionTimeout", p.executionTimeout);
  f.yes("Integrated Device", "integrated", p.integrated);
  f.yes("Can Map Host Memory", "canMapHostMemory", p.canMapHostMemory);
  f.text("Compute Mode", "computeMode", computeMode(p.computeMode));
  f.yes("Concurrent Kernels", "concurrentKernels", p.concurrentKernels);
  f.yes("ECC Enabled", "ecc", p.ecc);
  f.kilohertz("Memory Clock Rate", "memoryClockKilohertz",
              p.memoryClockKilohertz);
  if (p.memoryBusBits)
    f.number("Memory Bus Width", "memoryBusBits",
             static_cast<size_t>(p.memoryBusBits), " bits");
  f.number("L2 Cache Size", "l2Bytes", static_cast<size_t>(p.l2Bytes),
           " bytes");
  f.number("Max Threads Per SMP", "maxThreadsPerMultiprocessor",
           static_cast<size_t>(p.maxThreadsPerMultiprocessor));
  f.number("Async Engines", "asyncEngines",
           static_cast<size_t>(p.asyncEngines));
  f.yes("Unified Addressing", "unifiedAddressing", p.unifiedAddressing);
  f.yes("Managed Memory", "managedMemory", p.managedMemory);
  f.yes("Concurrent Managed Memory", "concurrentManagedAccess",
        p.concurrentManagedAccess);
  f.yes("Preemption Supported", "preemption", p.preemption);
  f.yes("Cooperative Launch", "cooperativeLaunch", p.cooperativeLaunch);
  f.yes("Cluster Launch", "clusterLaunch", p.clusterLaunch);
  f.yes("Unified Memory", "pageableMemoryAccess", p.pageableMemoryAccess);
  f.text("Default Target", "target",
         p.kind == "GPU"
             ? "cc" + std::to_string(p.major) + std::to_string(p.minor)
             : p.codeName);
  f.text("Usable by cufort", "problem",
         problem.empty() ? "Yes" : "No: " + problem);
  f.list.back().key = "usable";
  f.list.back().value = problem.empty() ? "true" : "false";
  return f;
}

/// The first line of the NVIDIA driver's kernel module; empty: not loaded.
std::string kernelModule() {
  std::string result;
  if (std::FILE *file = std::fopen("/proc/driver/nvidia/version", "re")) {
    char line[512];
    while (std::fgets(line, sizeof(line), file)) {
      const std::string_view text = line;
      if (!text.starts_with("NVRM version:"))
        continue;
      result = text.substr(text.find_first_not_of(' ', 13));
      result.resize(result.find_last_not_of(" \n") + 1);
    }
    std::fclose(file);
  }
  return result;
}

void printLine(std::string &text, std::string label, const std::string &value) {
  label += ':';
  label.resize(std::max<size_t>(label.size() + 1, 31), ' ');
  text += label + value + '\n';
}

struct EngineReport {
  const char *name, *choice;
  std::vector<Fields> devices;
  bool usable = false;
  std::string problem;
};

EngineReport report(const char *name, const char *choice,
                    const std::vector<Engine *> &engines,
                    const std::string &problem) {
  EngineReport result{name, choice, {}, false, problem};
  for (size_t i = 0; i < engines.size(); ++i) {
    const std::string own = engines[i]->problem();
    result.usable |= own.empty();
    if (result.problem.empty())
      result.problem = own;
    result.devices.push_back(fieldsOf(engines[i]->properties(), i, own));
  }
  return result;
}

void print(std::string &text, const EngineReport &r) {
  text += std::string(r.name) + " (CUFORT_DEVICE=" + r.choice +
          "): " + (r.usable ? "works" : "does not work: " + r.problem) + "\n";
  for (const Fields &device : r.devices) {
    text += '\n';
    for (const Field &field : device.list)
      printLine(text, field.label, field.text);
  }
}

void printJson(std::string &text, const EngineReport &r) {
  text += "    {\n      \"engine\": " + quoted(r.choice) +
          ",\n      \"usable\": " + (r.usable ? "true" : "false") +
          ",\n      \"problem\": " + (r.usable ? "null" : quoted(r.problem)) +
          ",\n      \"devices\": [";
  for (size_t i = 0; i < r.devices.size(); ++i) {
    text += i ? ",\n        {" : "\n        {";
    const auto &list = r.devices[i].list;
    for (size_t k = 0; k < list.size(); ++k)
      text += (k ? ",\n          " : "\n          ") + quoted(list[k].key) +
              ": " + list[k].value;
    text += "\n        }";
  }
  text += r.devices.empty() ? "]\n    }" : "\n      ]\n    }";
}

} // namespace

bool describeMachine(std::string &text, bool json) {
  std::string problem;
  const std::vector<Engine *> gpus = makeCudaEngines(problem);
  const EngineReport cuda = report("NVIDIA GPUs", "cuda", gpus, problem);
  const EngineReport cpu =
      report("The CPU", "cpu", makeCpuEngines(environment()), "");
  const int version = gpus.empty() ? 0 : gpus[0]->properties().driverVersion;
  const std::string module = kernelModule();
  if (json) {
    text +=
        "{\n  \"driverVersion\": " + std::to_string(version) +
        ",\n  \"kernelModule\": " + (module.empty() ? "null" : quoted(module)) +
        ",\n  \"engines\": [\n";
    printJson(text, cuda);
    text += ",\n";
    printJson(text, cpu);
    text += "\n  ]\n}\n";
    return cuda.usable;
  }
  if (version)
    printLine(text, "CUDA Driver Version", std::to_string(version));
  if (!module.empty())
    printLine(text, "NVRM version", module);
  if (!text.empty())
    text += '\n';
  print(text, cuda);
  text += '\n';
  print(text, cpu);
  return cuda.usable;
}

} // namespace cufort

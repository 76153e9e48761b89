//===- Options.cpp - the table of the command's options -------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/driver/options/Options.h"
#include "compiler/driver/options/CommandLine.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace cufort::driver::options;
using namespace llvm::opt;

#define OPTTABLE_STR_TABLE_CODE
#include "compiler/driver/options/Options.inc"
#undef OPTTABLE_STR_TABLE_CODE

#define OPTTABLE_PREFIXES_TABLE_CODE
#include "compiler/driver/options/Options.inc"
#undef OPTTABLE_PREFIXES_TABLE_CODE

static constexpr OptTable::Info optionInfos[] = {
#define OPTION(...) LLVM_CONSTRUCT_OPT_INFO(__VA_ARGS__),
#include "compiler/driver/options/Options.inc"
#undef OPTION
};

namespace {
class Table : public GenericOptTable {
public:
  Table() : GenericOptTable(OptionStrTable, OptionPrefixesTable, optionInfos) {}
};
} // namespace

const OptTable &cufort::driver::options::table() {
  static const Table theTable;
  return theTable;
}

void cufort::driver::printHelp(llvm::StringRef program) {
  // Meson knows LLVM's Flang by the first words.
  llvm::StringRef name = llvm::sys::path::filename(program);
  const std::string usage =
      (name + " [options] file... [-o output]\n       " + name +
       " run [options] file... [-- argument...]\n       " + name +
       " info\n       " + name + " view FILE.json [-o FILE.html]")
          .str();
  table().printHelp(llvm::outs(), usage.c_str(),
                    "flang LLVM compiler with CUDA: cufort compiles CUDA "
                    "Fortran and CUDA C++ "
                    "for NVIDIA GPUs and for the CPU",
                    /*ShowHidden=*/false, /*ShowAllAliases=*/false);
}

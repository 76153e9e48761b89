//===- Options.cpp - the table of the command's options -------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/driver/Options.h"

using namespace cufort::driver::options;
using namespace llvm::opt;

#define OPTTABLE_STR_TABLE_CODE
#include "compiler/driver/Options.inc"
#undef OPTTABLE_STR_TABLE_CODE

#define OPTTABLE_PREFIXES_TABLE_CODE
#include "compiler/driver/Options.inc"
#undef OPTTABLE_PREFIXES_TABLE_CODE

static constexpr OptTable::Info optionInfos[] = {
#define OPTION(...) LLVM_CONSTRUCT_OPT_INFO(__VA_ARGS__),
#include "compiler/driver/Options.inc"
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

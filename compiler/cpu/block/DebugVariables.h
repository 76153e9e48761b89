//===- DebugVariables.h - what debuggers know of variables ------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// With -g (CpuOptions::debug) kernels and device procedures stay as they were
// written: one function each, whose variables lie in memory, run by fibers.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CPU_BLOCK_DEBUGVARIABLES_H
#define CUFORT_COMPILER_CPU_BLOCK_DEBUGVARIABLES_H

#include "compiler/cpu/CpuOptions.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

namespace cufort::cpu {

/// cpu-debug. With -g: every kernel gets cufort-fibers, and what is known of
/// variables says nothing of a GPU's kinds of memory any more.
llvm::Error runForDebugger(llvm::Module &module, const CpuOptions &options);

/// Whether \p function, of a program and not of the device library, stays a
/// function in a program that is debugged.
bool staysForDebugger(const llvm::Function &function);

/// What \p function does in procedures of the language's own headers, which
/// were inlined, it does at the statement that calls them.
void placeAtCallers(llvm::Function &function);

/// In \p function, what was said of the place \p old is said of \p now.
void moveDescriptions(llvm::Function &function, llvm::Value &old,
                      llvm::Value &now);

/// Says in \p function, where \p at is, that the shared variable \p variable
/// lies at \p place, if the function is where it is declared.
void describeShared(const llvm::GlobalVariable &variable, llvm::Value &place,
                    llvm::Instruction &at);

/// Whether the file of \p subprogram was compiled with -g: where it has lines
/// alone, LLVM takes no variables.
bool hasVariables(const llvm::DISubprogram *subprogram);

/// The predefined variables in the order in which \c describePredefined gets
/// their values, three of each: of the thread, the block, and their numbers.
inline constexpr llvm::StringRef PredefinedNames[] = {"threadIdx", "blockIdx",
                                                      "blockDim", "gridDim"};

/// Number \p number of these, as the language of \p subprogram calls it.
llvm::DILocalVariable *predefinedVariable(llvm::DISubprogram &subprogram,
                                          unsigned number,
                                          llvm::Module &module);

/// What indices count from in the language of \p subprogram.
uint32_t firstIndex(const llvm::DISubprogram &subprogram);

/// Gives \p function those of the predefined variables that it has not: where
/// \p at is, the values are stored that a GPU's registers have.
void describePredefined(llvm::Function &function,
                        llvm::ArrayRef<llvm::Value *> registers,
                        llvm::Instruction &at);

/// cpu-debug-variables. Needs cpu-thread-entry, and changes nothing without -g.
/// In code that stays as it was written, gives thread entries the predefined
/// variables, and every variable that is described by an address in a register
/// a place in memory that has the address, where it stays as long as the
/// function runs. In optimised code see UniformVariables.h.
llvm::Error keepVariables(llvm::Module &module, const CpuOptions &options);

/// Tells gdb to read \p script when it reads the program.
void nameDebuggerScript(llvm::Module &module, llvm::StringRef script);

} // namespace cufort::cpu

#endif // CUFORT_COMPILER_CPU_BLOCK_DEBUGVARIABLES_H

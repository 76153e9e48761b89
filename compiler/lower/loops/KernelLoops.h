//===- KernelLoops.h - the variables of kernel loops ------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a kernel loop (`cuf.kernel`) does with the variables of the procedure
// that contains it, and the arithmetic of reductions.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_LOWER_LOOPS_KERNELLOOPS_H
#define CUFORT_COMPILER_LOWER_LOOPS_KERNELLOOPS_H

#include "flang/Optimizer/Builder/FIRBuilder.h"
#include "flang/Optimizer/Dialect/CUF/CUFOps.h"
#include "flang/Optimizer/HLFIR/HLFIROps.h"
#include "llvm/ADT/MapVector.h"

namespace cufort::lower {

enum class Reduction { Sum, Product, Max, Min, And, Or, Xor, Eqv };

/// The name of \p reduction as users know it ("sum", ".and.", ...); the type
/// decides between the logical and the bitwise spelling.
llvm::StringRef reductionName(Reduction reduction, mlir::Type type);

/// What becomes of a variable of the procedure that the loop assigns.
struct LoopVariable {
  enum Role {
    Private, ///< each thread has its own
    Reduced, ///< each thread has its own, starting from the identity; all are
             ///< combined with the variable after the loop
    Shared   ///< in device memory, assigned by an arbitrary iteration
  } role = Private;
  Reduction reduction = Reduction::Sum;
  bool onDevice = false;   ///< the variable lives in device memory
  bool needsValue = false; ///< its value before the loop may be read
};

using LoopVariables = llvm::MapVector<hlfir::DeclareOp, LoopVariable>;

/// Finds the scalar variables from outside that the body of \p kernel assigns
/// and what becomes of each. Reports, and fails on, a variable that carries a
/// value from one iteration to another and is no reduction.
mlir::LogicalResult classifyVariables(cuf::KernelOp kernel,
                                      LoopVariables &variables);

/// Gives scalar components of records that the body of \p loop both reads and
/// assigns, in records whose place the loop does not change, variables of their
/// own, so that they are private or reduced as other scalars are. They get the
/// components' values before the loop, and the components theirs after it.
/// Reports, and fails on, a component of a REDUCE clause that cannot be so.
mlir::LogicalResult separateComponents(cuf::KernelOp loop);

/// Of a load before a loop's launch: the value is for the loop's own private
/// variables, and no sign that something earlier is needed.
inline constexpr char PrivateValueAttribute[] = "cufort.private_value";

/// The loop's attribute that holds what is LOCAL or LOCAL_INIT in the DO
/// CONCURRENT that it was: a dictionary from the name to whether each iteration
/// begins with the variable's value.
inline constexpr char LoopLocalsAttribute[] = "cufort.locals";

/// Makes LOCAL the small device arrays of the procedure from which the body of
/// \p loop reads only what the same iteration has assigned, if nothing but
/// such loops uses them, and warns.
void findWorkspaces(cuf::KernelOp loop);

/// Gives the body of \p loop variables of its own in place of these. Reports,
/// and fails on, those whose size is not known before the program runs, or that
/// have allocatable components.
mlir::LogicalResult makeLocals(cuf::KernelOp loop);

/// The loop's attribute that holds the operations of a REDUCE clause on
/// components: a dictionary from "record%component" to FIR's reductions.
inline constexpr char ComponentReductionsAttribute[] =
    "cufort.component_reductions";

/// Reports, and fails on, components in host memory that the body of \p loop
/// uses or assigns and that are too much for the launch to copy: allocatable
/// and pointer components without a memory attribute, and assignments to arrays
/// in records that go to the kernel by value.
mlir::LogicalResult checkHostComponents(cuf::KernelOp loop);

/// Whether \p value, an address or a descriptor, leads to a record or a part of
/// one that may be in ordinary host memory, whatever its type says.
bool mayBeOnHost(mlir::Value value);

/// Whether the body of \p loop assigns to what \p value leads to, or hands it
/// to a procedure.
bool assigns(cuf::KernelOp loop, mlir::Value value);

/// Reads before \p loop, at \p host, what its body reads of records of the host
/// and does not change: descriptors of components, and scalars. \p changes says
/// which variables the loop assigns.
void hoistComponents(cuf::KernelOp loop, mlir::OpBuilder &host,
                     llvm::function_ref<bool(hlfir::DeclareOp)> changes);

/// The integer that \p value, a loop's limit or a subscript, is before the
/// program runs, whatever its kind.
std::optional<int64_t> constantValue(mlir::Value value);

/// The variables that the body's start sets from the loops' numbers, the
/// outermost loop's first; null where there is none.
llvm::SmallVector<hlfir::DeclareOp> loopVariables(cuf::KernelOp loop);

/// Lets the body of \p loop use variables that are always there in place of
/// optional dummy arguments, and answers PRESENT before the loop.
void separateOptionals(cuf::KernelOp loop);

/// Reports, and fails on, assignments to elements and sections of arrays by
/// which iterations depend on each other for certain, or which all of them
/// assign; warns where all may assign the same value.
mlir::LogicalResult checkDependences(cuf::KernelOp loop);

/// Whether the declared variable is in memory that kernels reach by address.
bool isInDeviceMemory(hlfir::DeclareOp declare);

/// The variable's name as the user wrote it.
llvm::StringRef variableName(hlfir::DeclareOp declare);

/// The neutral value of \p reduction for \p type.
mlir::Value createIdentity(fir::FirOpBuilder &builder, mlir::Location location,
                           Reduction reduction, mlir::Type type);

/// \p a combined with \p b, both of the same type.
mlir::Value createCombination(fir::FirOpBuilder &builder,
                              mlir::Location location, Reduction reduction,
                              mlir::Value a, mlir::Value b);

} // namespace cufort::lower

#endif // CUFORT_COMPILER_LOWER_LOOPS_KERNELLOOPS_H

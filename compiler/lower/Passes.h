//===- Passes.h - the passes of the lowering --------------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One function per pass; Pipeline.cpp has them in the order in which they run.
// The header is light on purpose: no MLIR operation is named here.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_LOWER_PASSES_H
#define CUFORT_COMPILER_LOWER_PASSES_H

#include <memory>

namespace mlir {
class Pass;
}

namespace cufort::lower {

/// Gives the private copies that OpenMP's constructs make of variables in
/// device, managed or pinned memory their place there; the front end makes all
/// of them in the host's. Needs HLFIR with OpenMP's recipes (`omp.private`);
/// leaves recipes that allocate, copy and free by the runtime, and an error
/// where there is none.
std::unique_ptr<mlir::Pass> createPrivateVariables();

/// Diagnoses what is legal on the other side only and what the front end lets
/// pass: device procedures called and built-in variables used by the host, host
/// variables and dynamic dispatch in device code, input into device data,
/// shared variables with a first value. Needs HLFIR as the front end leaves it;
/// leaves it unchanged.
std::unique_ptr<mlir::Pass> createCheckRestrictions();

/// Makes assignments of device code to allocatable module variables and dummy
/// arguments assignments to what is allocated: device code has copies of the
/// descriptors and cannot allocate for the host. Needs HLFIR; leaves no such
/// assignment that may allocate.
std::unique_ptr<mlir::Pass> createDeviceAssignments();

/// Copies the device arrays that array expressions in host code read, and takes
/// apart transfers whose right side is such an expression (a vector subscript,
/// a type conversion): it is evaluated on the host, and its value moves on
/// where the left side is on the device. Needs HLFIR before its first
/// verification; leaves transfers between variables.
std::unique_ptr<mlir::Pass> createTransferExpressions();

/// Lets WHERE, FORALL and assignments to vector subscripts in host code work on
/// copies of the device's variables, which move back where they are assigned.
/// Needs HLFIR as the front end leaves it; leaves no device data in the regions
/// of such statements.
std::unique_ptr<mlir::Pass> createOrderedAssignments();

/// Copies the device data that host code reads outside of transfers: scalars in
/// conditions, bounds and subscripts, arrays that operations and functions of
/// Flang's runtime compute from; makes transfers of assignments to device data
/// that the front end holds to be the host's. Needs HLFIR in which transfers
/// have been repaired; leaves no load from a device address in host code.
std::unique_ptr<mlir::Pass> createHostReads();

/// Lets output statements of host code begin after the last function that their
/// items call: it may wait for a kernel that prints, too. Needs HLFIR; leaves
/// statements whose items are in loops or depend on each other's success as
/// they are.
std::unique_ptr<mlir::Pass> createHostOutput();

/// Checks that host code does not access device memory: whatever has device
/// data as an operand and is not known to leave memory alone is an error. Needs
/// HLFIR after all passes that copy; leaves it unchanged.
std::unique_ptr<mlir::Pass> createHostAccess();

/// Gives scalar transfers with a type conversion an address on both sides: the
/// front end leaves a bare value there, which for a transfer from the device
/// would mean that the host loads from a device address. Needs HLFIR before its
/// first verification; leaves valid transfers. Values that are computed from
/// several operands are assigned on the host. Logical values get all bytes of
/// their kind, streams of kernel loops 64 bits.
std::unique_ptr<mlir::Pass> createRepairTransfers();

/// Lets atomiccas return the old value, as CUDA does; the front end returns
/// whether values were exchanged, converted to the type of the value. Makes all
/// atomic functions as strong as CUDA's: relaxed, for all threads of the
/// device. Needs HLFIR as the front end leaves it; leaves no use of that flag.
std::unique_ptr<mlir::Pass> createRepairAtomics();

/// Removes the host runtime's initialisation of derived types where it does
/// nothing (the type has no default values) or is overwritten at once (the
/// temporary of a structure constructor, unless components are allocatable),
/// and that of shared variables, which each thread would do anew. Needs HLFIR
/// as the front end leaves it; device code can then construct values.
std::unique_ptr<mlir::Pass> createRepairConstructors();

/// Computes expressions of host code that are assigned to device arrays and
/// read others on the device: elementwise operations by a kernel loop, what
/// they and array functions have as operands in temporary device memory. Needs
/// HLFIR as the front end leaves it, before createDeviceIntrinsics.
std::unique_ptr<mlir::Pass> createDeviceExpressions();

/// Computes array intrinsics of device arrays in host code (sum, maxval,
/// matmul, random_number and the like) on the device, by calls of the
/// procedures in modules/intrinsics.cpp; those without a kernel, and
/// elementwise expressions of device arrays as arguments, from copies on the
/// host. Needs HLFIR as the front end leaves it; leaves no such operation that
/// reads device memory on the host.
std::unique_ptr<mlir::Pass> createDeviceIntrinsics();

/// Gives device data of type character its length, which Flang's cuf-convert
/// takes for one: transfers get descriptors, arrays are allocated as bytes, and
/// VALUE arguments of kernels become the address of bytes that travel by value
/// (ParameterPassing::Record). Needs FIR; leaves nothing that depends on the
/// length of an element.
std::unique_ptr<mlir::Pass> createCharacterData();

/// Turns every kernel loop (`cuf.kernel`) into a kernel and a launch of it,
/// with a second kernel that combines partial results where the loop reduces.
/// Needs HLFIR as the front end leaves it: the variables' declarations tell
/// device data from host data; leaves no `cuf.kernel`. Scalars of the host go
/// by value, or are private or reduced; one that carries a value from one
/// iteration to another is an error.
std::unique_ptr<mlir::Pass> createOutlineKernelLoops();

/// Puts the values of expressions that are actual arguments of host code into
/// managed memory where the dummy argument is there. Needs HLFIR; an error
/// where the value is of a derived type or a character.
std::unique_ptr<mlir::Pass> createManagedArguments();

/// Gives kernels the bytes of records with allocatable components that they get
/// by value; the front end copies what the components describe as well. Needs
/// HLFIR; leaves VALUE arguments of procedures other than kernels as they are.
std::unique_ptr<mlir::Pass> createValueRecords();

/// Replaces shared arrays by local ones until the end of Flang's passes on
/// HLFIR, whose alias analysis does not know `cuf.shared_memory`: assignments
/// of sections of what may overlap anything are calls of the Fortran runtime.
/// Several assumed-size ones in one kernel do overlap and stay. Needs HLFIR;
/// leaves `fir.alloca` marked with the attributes of the shared variable.
std::unique_ptr<mlir::Pass> createSharedAsLocal();

/// Puts the shared arrays back that createSharedAsLocal replaced. Needs its
/// marks; leaves none.
std::unique_ptr<mlir::Pass> createLocalAsShared();

/// Assigns short arrays in device code that may overlap, `f(:, 0) = f(:, 1)`,
/// through a copy in the thread's own memory. Needs HLFIR with shared arrays as
/// local ones; leaves to the Fortran runtime only overlapping sections that are
/// long or of a size known at run time.
std::unique_ptr<mlir::Pass> createOverlappingAssignments();

/// Gives the arrays that CSHIFT and EOSHIFT shift lower bounds of one, without
/// which Flang's code in line goes wrong. Needs HLFIR; leaves such operands.
std::unique_ptr<mlir::Pass> createDefaultBounds();

/// Has output statements of device code write objects of derived type component
/// by component. Needs FIR as the front end leaves it; leaves objects that are
/// polymorphic, have components in memory of their own, or whose types have
/// procedures, one of which may write them.
std::unique_ptr<mlir::Pass> createOutputRecords();

/// Diagnoses what cufort cannot lower yet: input and other output than to units
/// in device code.
/// Needs FIR as the front end leaves it; leaves it unchanged. Every diagnostic
/// names the construct and its source line.
std::unique_ptr<mlir::Pass> createCheckSupported();

//===----------------------------------------------------------------------===//
// The host half
//===----------------------------------------------------------------------===//

/// Answers `on_device()` in what runs on the host, also in procedures for both
/// sides, and removes what is then never executed. Needs FIR as the front end
/// leaves it; leaves no such question. Calls of device procedures that a
/// procedure for both sides still has are errors.
std::unique_ptr<mlir::Pass> createOnDeviceIsFalse();

/// Turns every `cuf.kernel_launch` into a call of the runtime's launch entry
/// point (`_FortranACUFLaunch`, see runtime/fortran). Needs the kernels'
/// declarations; leaves one array of parameter addresses per launch. A
/// descriptor argument is passed by value: its parameter address is the
/// address of the host's descriptor.
std::unique_ptr<mlir::Pass> createLaunchToRuntime();

/// Makes of the transfers of records, and of their descriptors, what
/// cuf-convert expects: a record that becomes every element of an array gets a
/// descriptor, descriptors that are values lie in memory. Copies of records of
/// the host that have components in device memory become calls of our runtime
/// in place of Flang's, their static first values know the components' memory,
/// and those that are a function's result do not lie in memory of the
/// function's own. Needs FIR; leaves no copy of such a record by the host.
std::unique_ptr<mlir::Pass> createHostRecords();

/// Gives local variables of host procedures that are too large for a stack
/// memory of the heap. Needs HLFIR or FIR without device code; leaves variables
/// of varying size, which
/// `-fstack-arrays` is about.
std::unique_ptr<mlir::Pass> createLargeLocals();

/// Lets interface bodies say assumed shape of arrays that external procedures
/// declare with explicit shape: a global tells which arguments a procedure
/// takes as addresses, and calls pass the address of the array or of its
/// descriptor accordingly. Needs HLFIR or FIR of the host; leaves indirect
/// calls.
std::unique_ptr<mlir::Pass> createInterfaceShapes();

/// Puts the descriptors of local device arrays on the host's stack. Needs
/// `cuf.alloc` of descriptors; leaves none. Upstream keeps them in managed
/// memory for kernels to read; our kernels receive them by value. Also marks
/// deallocations so that cuf-convert calls the device's runtime for pointers
/// too, clears PINNED= variables, of which the runtime sets one byte, and has
/// the runtime follow what move_alloc does to descriptors.
std::unique_ptr<mlir::Pass> createHostAllocations();

/// Has host code ask for the address of a device variable of a module where it
/// is used: the variable lies on every device at another address, and Flang's
/// cuf-convert asks once at the start of a procedure, which may change the
/// current device. Needs cuf-convert.
std::unique_ptr<mlir::Pass> createDeviceAddresses();

/// Reduces the module to its host code: the body of a kernel becomes empty (the
/// address of the empty function is the key of its launches), device
/// procedures go, `constant` variables become ordinary host shadows. Needs
/// launches and allocations lowered; leaves FIR that Flang's own pipeline takes
/// to LLVM IR, without the attributes that would make it allocate descriptors
/// of device arrays with the runtime. Refuses built-in variables
/// such as `threadidx` outside `if (on_device())`.
std::unique_ptr<mlir::Pass> createSelectHostCode();

//===----------------------------------------------------------------------===//
// The device half
//===----------------------------------------------------------------------===//

/// Says the bounds of arrays where device code names them and their elements,
/// for the checkers. Needs device code in FIR before it is optimised, of a
/// program that is compiled with --check; leaves calls that compiler/check
/// knows.
std::unique_ptr<mlir::Pass> createIndexChecks();

/// The same for what runs on the device, where calls of host procedures are
/// errors.
std::unique_ptr<mlir::Pass> createOnDeviceIsTrue();

/// Reduces the module to its device code: kernels, device procedures, device
/// variables, and everything these refer to, transitively. Needs FIR; leaves
/// FIR in which every procedure with attributes is `device` or `global`.
std::unique_ptr<mlir::Pass> createSelectDeviceCode();

/// Replaces `threadidx`, `blockidx`, `blockdim` and `griddim` by local
/// variables filled from the special registers (plus one for the indices).
/// Needs references to the front end's built-in variables; leaves none. A
/// variable that is passed on or copied whole therefore works as any other.
std::unique_ptr<mlir::Pass> createPredefinedVariables();

/// Puts the compiler's own temporary arrays of device code, such as those of
/// array constructors, into the frame of the procedure if they are short: the
/// heap of a GPU is slow, and loops with it do not become vectors. Needs FIR
/// with structured loops; leaves on the heap what programs allocate, and long
/// arrays.
std::unique_ptr<mlir::Pass> createThreadTemporaries();

/// Ends the program with the statement's line where ALLOCATE in device code
/// finds its variable allocated and has no STAT=, which Flang does not test; in
/// modules with AllocationsAttribute, too, where the heap has no memory, also
/// for automatic and temporary arrays, and where DEALLOCATE has nothing to
/// free. Needs FIR with structured control flow, in which all arrays have their
/// places.
std::unique_ptr<mlir::Pass> createAllocationChecks();

/// Gives every shared variable its place: a fixed-size one becomes a global of
/// its own in the shared address space, all assumed-size ones become the start
/// of the dynamic shared memory. Needs `cuf.shared_memory`; leaves none.
std::unique_ptr<mlir::Pass> createSharedMemory();

/// Marks the descriptor and derived-type parameters of kernels that are passed
/// by value (`llvm.byval`) and drops the data attributes of all dummy
/// arguments, by which Flang's code generation would allocate descriptors on
/// the host. Needs target-independent FIR signatures; leaves them unchanged but
/// for the attributes.
std::unique_ptr<mlir::Pass> createKernelParameters();

/// The one combined conversion of the device half from FIR, CUF and the core
/// dialects to the LLVM and NVVM dialects. Needs FIR after code-generation
/// rewriting, in a module with the device's triple and data layout; leaves a
/// module that translates to LLVM IR, kernels marked with their calling
/// convention and launch bounds.
std::unique_ptr<mlir::Pass> createDeviceToLlvm();

/// Registers the passes above under their names for textual pipelines
/// (tools/cufort-lower-opt).
void registerLowerPasses();

} // namespace cufort::lower

#endif // CUFORT_COMPILER_LOWER_PASSES_H

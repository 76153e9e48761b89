//===- Options.td - the options of the cufort command ---------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One place for every option. The group decides what becomes of an option:
//
//   (no group)   the driver looks at it
//   Forward      handed to Flang's driver as it stands, for compiling and for
//                linking: Flang and Clang know better what it means
//   ForwardC     handed to Clang's front end alone: C, C++ and CUDA C++
//   Feature      instruction sets of x86 for host code, in every language
//   Ignored      accepted so that existing makefiles work; has no effect here,
//                and its help text says so
//   Warned       accepted, has no effect, and leaving it out changes what the
//                program does or reports: a warning says so
//   NotYet       a diagnostic: cufort cannot do this
//
// What has the flag ForClang as well goes to Clang's front end, too.
//
// docs/options.md lists them for users, docs/command-line.md explains those that
// need more than a line (packaging/options.py, tests/driver/documented.test).
//
//===----------------------------------------------------------------------===//

include "llvm/Option/OptParser.td"

def Action_Group : OptionGroup<"action">;
def Forward_Group : OptionGroup<"forward">;
def ForwardC_Group : OptionGroup<"forward to Clang">;
def Feature_Group : OptionGroup<"instruction sets">;
// With a text a group has a list of its own after the others in --help.
def Ignored_Group : OptionGroup<"ignored">,
  HelpText<"OPTIONS WITHOUT EFFECT (accepted as other compilers' makefiles have them)">;
def Warned_Group : OptionGroup<"warned">,
  HelpText<"OPTIONS WITHOUT EFFECT (a warning says so)">;
def NotYet_Group : OptionGroup<"not yet">,
  HelpText<"OPTIONS THAT ARE NOT SUPPORTED">;

def ForClang : OptionFlag;

class Forward { OptionGroup Group = Forward_Group; }
class ForwardC { OptionGroup Group = ForwardC_Group; }
class Ignored<string why = ""> {
  OptionGroup Group = Ignored_Group;
  string HelpText = "Accepted; has no effect" # !if(!empty(why), "", ": " # why);
}
class Warned<string why> {
  OptionGroup Group = Warned_Group;
  string HelpText = "Accepted with a warning; has no effect: " # why;
}
class NotYet<string why> {
  OptionGroup Group = NotYet_Group;
  string HelpText = "Not supported: " # why;
}

//===----------------------------------------------------------------------===//
// What to do
//===----------------------------------------------------------------------===//

let Group = Action_Group in {
def c : Flag<["-"], "c">, HelpText<"Compile, do not link">;
def S : Flag<["-"], "S">, HelpText<"Compile to assembly (host code)">;
def E : Flag<["-"], "E">, HelpText<"Preprocess only, to standard output or -o">;
def fatbin : Flag<["-", "--"], "fatbin">,
  HelpText<"Write only device code, for both engines: a module for cuModuleLoad">;
def ptx : Flag<["-", "--"], "ptx">,
  HelpText<"Write only the PTX of one architecture">;
def cubin : Flag<["-", "--"], "cubin">,
  HelpText<"Write only the PTX of one architecture, assembled by NVIDIA's ptxas">;
def fsyntax_only : Flag<["-"], "fsyntax-only">,
  HelpText<"Check the sources; write module files only">;
}
def emit_llvm : Flag<["-"], "emit-llvm">,
  HelpText<"With -S or -c: write LLVM IR or bitcode (host code)">;
def o : JoinedOrSeparate<["-"], "o">, MetaVarName<"<file>">,
  HelpText<"Write the output to <file>">;
def x : JoinedOrSeparate<["-"], "x">, MetaVarName<"<language>">,
  HelpText<"Treat the files that follow as cuda (CUDA Fortran), f95, f95-cpp-input, cu (CUDA C++), c++, c, or by their suffix again (none)">;

def help : Flag<["-", "--"], "help">, HelpText<"Show this text">;
def h : Flag<["-"], "h">, Alias<help>;
def version : Flag<["-", "--"], "version">, HelpText<"Show the version">;
def V : Flag<["-"], "V">, Alias<version>;
def v : Flag<["-"], "v">, HelpText<"Show each step while it is done">;
def hash_hash_hash : Flag<["-"], "###">,
  HelpText<"Show each step without doing it">;
def dryrun : Flag<["-", "--"], "dryrun">, Alias<hash_hash_hash>;
def timing : Flag<["-", "--"], "timing">,
  HelpText<"Show the time of each phase">;
def save_temps : Flag<["-", "--"], "save-temps">,
  HelpText<"Keep intermediate files: FIR, device LLVM IR, PTX, image object">;
def save_temps_EQ : Joined<["-", "--"], "save-temps=">, MetaVarName<"cwd|obj">,
  HelpText<"Keep intermediate files in the current folder (cwd) or beside the output (obj)">;
def Mkeepasm : Flag<["-"], "Mkeepasm">, Alias<save_temps>;
def print_after : Joined<["-", "--"], "print-after=">, MetaVarName<"<pass,...>">,
  HelpText<"Print FIR or device code after these passes">;
def disable_pass : Joined<["-", "--"], "disable-pass=">, MetaVarName<"<pass,...>">,
  HelpText<"Leave out these passes">;
def time_passes : Flag<["-", "--"], "time-passes">,
  HelpText<"Show the time of each pass over FIR and device code">;
def help_passes : Flag<["-", "--"], "help-passes">,
  HelpText<"List the passes over FIR and device code in the order in which they run">;
def gpu_passes_for_cpu : Flag<["-", "--"], "gpu-passes-for-cpu">,
  HelpText<"Give the CPU engine the device code that the GPU's passes make, to test them without a GPU">;

//===----------------------------------------------------------------------===//
// CUDA
//===----------------------------------------------------------------------===//

def cuda : Flag<["-"], "cuda">,
  HelpText<"Compile CUDA Fortran in files not called .cuf or .CUF as well">;
def cuda_EQ : CommaJoined<["-"], "cuda=">, MetaVarName<"<sub-option,...>">,
  HelpText<"As -cuda; charstring and madconst are accepted and have no effect">;
def Mcuda : Flag<["-"], "Mcuda">, Alias<cuda>;
def Mcuda_EQ : CommaJoined<["-"], "Mcuda=">, MetaVarName<"<sub-option,...>">,
  HelpText<"As -cuda with the sub-options of -gpu=, and emu: CPU only">;
def gpu_EQ : CommaJoined<["-"], "gpu=">, MetaVarName<"<sub-option,...>">,
  HelpText<"ccXX or sm_XX, fastmath, [no]fma, [no]flushz, lineinfo, debug, keep, ptxinfo, maxregcount:<n>, rdc">;
def device_EQ : Joined<["--", "-"], "device=">, MetaVarName<"cpu|gpu|both">,
  HelpText<"For which devices to generate code (both)">;
def check : Flag<["--"], "check">,
  HelpText<"Build the checkers into the program: the CPU engine reports races, invalid accesses, uninitialised memory and bad barriers">;
def check_EQ : CommaJoined<["--"], "check=">, MetaVarName<"<checker,...>">,
  HelpText<"Build in only these checkers: memory, race, init, sync; race,same-value reports writes of the same value as well">;
def count_operations : Flag<["--"], "count-operations">,
  HelpText<"Count floating-point operations and bytes of kernels on the CPU, for the roofline of 'cufort view'">;
def libdevice_EQ : Joined<["--", "-"], "libdevice=">, MetaVarName<"<file>">,
  HelpText<"Use the mathematical functions of this libdevice bitcode in device code; none: those of libclc">;
def nocudalib : Flag<["-"], "nocudalib">,
  HelpText<"Use the mathematical functions of libclc in device code even if CUDA's libdevice is found">;
def cuda_path_EQ : Joined<["--"], "cuda-path=">, MetaVarName<"<folder>">,
  HelpText<"Use C headers, libdevice and ptxas of this CUDA toolkit">;
def cccl_path_EQ : Joined<["--"], "cccl-path=">, MetaVarName<"<folder>">,
  HelpText<"Use Thrust, CUB and libcu++ of this folder: a checkout of CCCL, or a folder with its headers (otherwise those of the system: libthrust-dev, libcub-dev)">;
def cudalib_EQ : CommaJoined<["-"], "cudalib=">, MetaVarName<"<library,...>">,
  HelpText<"Accept these CUDA libraries, with which every program is linked: cublas, cufft, curand, cusolver, cusparse, cutensor, nccl, nvtx3">;
def cudalib : Flag<["-"], "cudalib">, Ignored<"the libraries are always linked">;
def Mcudalib_EQ : CommaJoined<["-"], "Mcudalib=">, Alias<cudalib_EQ>;
def cudaforlibs : Flag<["-"], "cudaforlibs">, Ignored<"the libraries are always linked">;
def acc : Flag<["-"], "acc">,
  HelpText<"Define _OPENACC and make OpenACC's directives errors (without this option they are comments)">;
def noacc : Flag<["-"], "noacc">, HelpText<"OpenACC's directives are comments (default)">;
def acc_EQ : CommaJoined<["-"], "acc=">, MetaVarName<"<target,...>">,
  HelpText<"As -acc; the target has no effect">;
def fopenacc : Flag<["-"], "fopenacc">, Alias<acc>;
def ta_EQ : CommaJoined<["-"], "ta=">, MetaVarName<"<target,...>">,
  HelpText<"As -acc; what follows tesla: are sub-options of -gpu=">;
def stdpar : Flag<["-"], "stdpar">, NotYet<"standard parallelism on the GPU">;
def stdpar_EQ : CommaJoined<["-"], "stdpar=">,
  NotYet<"standard parallelism on the GPU">;

//===----------------------------------------------------------------------===//
// Source and language
//===----------------------------------------------------------------------===//

def D : JoinedOrSeparate<["-"], "D">, Forward, Flags<[ForClang]>, MetaVarName<"<macro>=<value>">,
  HelpText<"Define <macro>">;
def U : JoinedOrSeparate<["-"], "U">, Forward, Flags<[ForClang]>, MetaVarName<"<macro>">,
  HelpText<"Undefine <macro>">;
def I : JoinedOrSeparate<["-"], "I">, Forward, Flags<[ForClang]>, MetaVarName<"<folder>">,
  HelpText<"Look for include files and modules in <folder>">;
def cpp : Flag<["-"], "cpp">, Forward, HelpText<"Preprocess the sources">;
def nocpp : Flag<["-"], "nocpp">, Forward,
  HelpText<"Do not preprocess, whatever the suffix">;
def Mpreprocess : Flag<["-"], "Mpreprocess">, Alias<cpp>;
def P : Flag<["-"], "P">, Forward, Flags<[ForClang]>, HelpText<"No line markers with -E">;

def module_dir : JoinedOrSeparate<["-"], "module-dir">, MetaVarName<"<folder>">,
  HelpText<"Write modules to <folder>, and look for them there">;
def J : JoinedOrSeparate<["-"], "J">, Alias<module_dir>;
def module : Separate<["-"], "module">, Alias<module_dir>;
def module_EQ : Joined<["-"], "module=">, Alias<module_dir>;
def fintrinsic_modules_path : Separate<["-"], "fintrinsic-modules-path">,
  Forward, MetaVarName<"<folder>">,
  HelpText<"Look for intrinsic modules in <folder> as well">;

def ffixed_form : Flag<["-"], "ffixed-form">, HelpText<"Fixed source form">;
def Mfixed : Flag<["-"], "Mfixed">, Alias<ffixed_form>;
def Mnofree : Flag<["-"], "Mnofree">, Alias<ffixed_form>;
def Mnofreeform : Flag<["-"], "Mnofreeform">, Alias<ffixed_form>;
def ffree_form : Flag<["-"], "ffree-form">, HelpText<"Free source form">;
def Mfree : Flag<["-"], "Mfree">, Alias<ffree_form>;
def Mfreeform : Flag<["-"], "Mfreeform">, Alias<ffree_form>;
def ffixed_line_length_EQ : Joined<["-"], "ffixed-line-length=">,
  MetaVarName<"<n>">, HelpText<"Length of source lines in fixed form (72)">;
def Mextend : Flag<["-"], "Mextend">, Alias<ffixed_line_length_EQ>,
  AliasArgs<["132"]>, HelpText<"Source lines of 132 characters in fixed form">;
def fbackslash : Flag<["-"], "fbackslash">, Forward,
  HelpText<"A backslash in a string is an escape">;
def Mbackslash : Flag<["-"], "Mbackslash">, Ignored<"it is the default">;
def Mnobackslash : Flag<["-"], "Mnobackslash">, Alias<fbackslash>;
def fd_lines_as_code : Flag<["-"], "fd-lines-as-code">, Forward,
  HelpText<"Compile fixed-form lines that have a D in column 1">;
def Mdlines : Flag<["-"], "Mdlines">, Alias<fd_lines_as_code>;
def fd_lines_as_comments : Flag<["-"], "fd-lines-as-comments">, Forward,
  HelpText<"Treat fixed-form lines that have a D in column 1 as comments">;

def fdefault_integer_8 : Flag<["-"], "fdefault-integer-8">, Forward,
  HelpText<"integer and logical are 8 bytes wide">;
def i8 : Flag<["-"], "i8">, Alias<fdefault_integer_8>;
def fdefault_integer_4 : Flag<["-"], "fdefault-integer-4">, Forward,
  HelpText<"integer and logical are 4 bytes wide">;
def i4 : Flag<["-"], "i4">, Alias<fdefault_integer_4>;
def fdefault_real_8 : Flag<["-"], "fdefault-real-8">, Forward,
  HelpText<"real is 8 bytes wide">;
def r8 : Flag<["-"], "r8">,
  HelpText<"As -fdefault-real-8 -fdefault-double-8">;
def fdefault_real_4 : Flag<["-"], "fdefault-real-4">, Forward,
  HelpText<"real is 4 bytes wide">;
def r4 : Flag<["-"], "r4">, Alias<fdefault_real_4>;
def fdefault_double_8 : Flag<["-"], "fdefault-double-8">, Forward,
  HelpText<"double precision is 8 bytes wide, whatever real is">;
def std_EQ : Joined<["-", "--"], "std=">, MetaVarName<"<standard>">,
  HelpText<"Fortran: warn about what is not in <standard> (f2018); C and C++: compile <standard> (c++17)">;
def std : Separate<["-", "--"], "std">, Alias<std_EQ>;
def pedantic : Flag<["-"], "pedantic">, Forward, Flags<[ForClang]>,
  HelpText<"Warn about extensions of the language">;
def Mstandard : Flag<["-"], "Mstandard">, Alias<pedantic>;
def fimplicit_none : Flag<["-"], "fimplicit-none">, Forward,
  HelpText<"Every name must be declared">;
def fno_implicit_none : Flag<["-"], "fno-implicit-none">, Forward,
  HelpText<"Names need not be declared (default)">;
def Mdclchk : Flag<["-"], "Mdclchk">, Alias<fimplicit_none>;
def Mnodclchk : Flag<["-"], "Mnodclchk">, Alias<fno_implicit_none>;
def fno_automatic : Flag<["-"], "fno-automatic">, Forward,
  HelpText<"Local variables keep their values (save)">;
def Msave : Flag<["-"], "Msave">, Alias<fno_automatic>;
def Mnosave : Flag<["-"], "Mnosave">, Ignored<"it is the default">;
def Mrecursive : Flag<["-"], "Mrecursive">, Ignored<"it is the default">;
def Mnorecursive : Flag<["-"], "Mnorecursive">, Ignored;
def frealloc_lhs : Flag<["-"], "frealloc-lhs">, Forward,
  HelpText<"Assignment reallocates its left side (default)">;
def fno_realloc_lhs : Flag<["-"], "fno-realloc-lhs">, Forward,
  HelpText<"Assignment does not reallocate its left side">;
def Mallocatable_EQ : Joined<["-"], "Mallocatable=">, MetaVarName<"95|03">,
  HelpText<"As -fno-realloc-lhs (95) or -frealloc-lhs (03)">;
def fstack_arrays : Flag<["-"], "fstack-arrays">, Forward,
  HelpText<"Host arrays of varying size lie on the stack">;
def fno_stack_arrays : Flag<["-"], "fno-stack-arrays">, Forward,
  HelpText<"Host arrays of varying size lie on the heap (default)">;
def Mstack_arrays : Flag<["-"], "Mstack_arrays">, Alias<fstack_arrays>;
def fconvert_EQ : Joined<["-"], "fconvert=">, Forward, MetaVarName<"<order>">,
  HelpText<"Byte order of unformatted files">;
def Mbyteswapio : Flag<["-"], "Mbyteswapio">, Alias<fconvert_EQ>,
  AliasArgs<["swap"]>;
def byteswapio : Flag<["-"], "byteswapio">, Alias<fconvert_EQ>,
  AliasArgs<["swap"]>;
def funderscoring : Flag<["-"], "funderscoring">, Forward,
  HelpText<"External names end in an underscore (default)">;
def fno_underscoring : Flag<["-"], "fno-underscoring">, Forward,
  HelpText<"External names do not end in an underscore">;
def fopenmp : Flag<["-"], "fopenmp">, Forward, Flags<[ForClang]>, HelpText<"Compile OpenMP directives">;
def mp : Flag<["-"], "mp">, Alias<fopenmp>;
def mp_EQ : CommaJoined<["-"], "mp=">, MetaVarName<"<sub-option,...>">,
  HelpText<"As -mp; multicore, align, numa and allcores have no effect, gpu is an error">;
def nomp : Flag<["-"], "nomp">, HelpText<"No OpenMP">;
def fopenmp_version_EQ : Joined<["-"], "fopenmp-version=">, Forward,
  MetaVarName<"<n>">, HelpText<"Version of OpenMP">;
def fcoarray : Flag<["-"], "fcoarray">, NotYet<"coarrays">;

//===----------------------------------------------------------------------===//
// Optimisation and target of the host code
//===----------------------------------------------------------------------===//

def O : Joined<["-"], "O">, MetaVarName<"<level>">,
  HelpText<"Optimise: 0, 1, 2, 3, 4 (as 3), g (as 1), s (as 2) or fast">;
def fast : Flag<["-"], "fast">, HelpText<"-O3 -march=native">;
def fastsse : Flag<["-"], "fastsse">, Alias<fast>;
def ffast_math : Flag<["-"], "ffast-math">, Forward, Flags<[ForClang]>,
  HelpText<"Allow lossy floating-point optimisations in host code">;
def fno_fast_math : Flag<["-"], "fno-fast-math">, Forward, Flags<[ForClang]>,
  HelpText<"No lossy floating-point optimisations in host code (default)">;
def ffp_contract_EQ : Joined<["-"], "ffp-contract=">, Forward, Flags<[ForClang]>,
  MetaVarName<"off|fast">, HelpText<"Fused multiply-add">;
def Mfma : Flag<["-"], "Mfma">, Alias<ffp_contract_EQ>, AliasArgs<["fast"]>;
def Mnofma : Flag<["-"], "Mnofma">, Alias<ffp_contract_EQ>, AliasArgs<["off"]>;
def funroll_loops : Flag<["-"], "funroll-loops">, Forward, Flags<[ForClang]>,
  HelpText<"Unroll loops">;
def fno_unroll_loops : Flag<["-"], "fno-unroll-loops">, Forward, Flags<[ForClang]>,
  HelpText<"Do not unroll loops">;
def Munroll : Flag<["-"], "Munroll">, Alias<funroll_loops>;
def Munroll_EQ : Joined<["-"], "Munroll=">, Alias<funroll_loops>;
def Mnounroll : Flag<["-"], "Mnounroll">, Alias<fno_unroll_loops>;
def fvectorize : Flag<["-"], "fvectorize">, Forward, Flags<[ForClang]>, HelpText<"Vectorise loops">;
def fno_vectorize : Flag<["-"], "fno-vectorize">, Forward, Flags<[ForClang]>,
  HelpText<"Do not vectorise loops">;
def Mvect : Flag<["-"], "Mvect">, Alias<fvectorize>;
def Mvect_EQ : Joined<["-"], "Mvect=">, Alias<fvectorize>;
def Mnovect : Flag<["-"], "Mnovect">, Alias<fno_vectorize>;
def fveclib_EQ : Joined<["-"], "fveclib=">, Forward, Flags<[ForClang]>, MetaVarName<"<library>">,
  HelpText<"Vector math library for host code">;
def march_EQ : Joined<["-"], "march=">, Forward, Flags<[ForClang]>, MetaVarName<"<processor>">,
  HelpText<"Generate host code for <processor> (x86-64), and kernels on the CPU for it alone (without it the best of x86-64-v2, -v3 and -v4 is chosen when the program starts)">;
// Instruction sets of x86, by LLVM's names; what the first says is for all.
class Feature<string name> : Flag<["-"], name>, Flags<[ForClang]> {
  OptionGroup Group = Feature_Group;
}
def mavx2 : Feature<"mavx2">,
  HelpText<"Host code may use AVX2; the same of other instruction sets by the names that GCC and Clang have for them (-mfma, -mpopcnt; -mno-avx512f: host code may not)">;
foreach name = ["adx", "aes", "avx", "avx512bf16", "avx512bitalg", "avx512bw",
                "avx512cd", "avx512dq", "avx512f", "avx512fp16", "avx512ifma",
                "avx512vbmi", "avx512vbmi2", "avx512vl", "avx512vnni",
                "avx512vpopcntdq", "avxvnni", "bmi", "bmi2", "clflushopt",
                "clwb", "cx16", "f16c", "fma", "fma4", "fsgsbase", "gfni",
                "lzcnt", "mmx", "movbe", "pclmul", "pku", "popcnt", "prfchw",
                "rdrnd", "rdseed", "sahf", "sha", "sse", "sse2", "sse3",
                "sse4.1", "sse4.2", "sse4a", "ssse3", "tbm", "vaes",
                "vpclmulqdq", "xop", "xsave", "xsavec", "xsaveopt",
                "xsaves"] in {
  def "m"#!subst(".", "_", name) : Feature<"m"#name>;
  def "mno_"#!subst(".", "_", name) : Feature<"mno-"#name>;
}
def mno_avx2 : Feature<"mno-avx2">;
def mtune_EQ : Joined<["-"], "mtune=">, Forward, Flags<[ForClang]>, MetaVarName<"<processor>">,
  HelpText<"Tune host code for <processor>">;
def tp_EQ : Joined<["-"], "tp=">, MetaVarName<"<processor>">,
  HelpText<"native and host: as -march=native; other values have no effect">;
def tp : Separate<["-"], "tp">, Alias<tp_EQ>;
def mcmodel_EQ : Joined<["-"], "mcmodel=">, Forward, Flags<[ForClang]>, MetaVarName<"<model>">,
  HelpText<"Code model of the host code">;
def m64 : Flag<["-"], "m64">, Ignored<"it is the default">;
def Kieee : Flag<["-"], "Kieee">, Ignored<"it is the default">;
def Knoieee : Flag<["-"], "Knoieee">, Ignored;
def Mlarge_arrays : Flag<["-"], "Mlarge_arrays">, Ignored<"arrays may be large">;
def Mlre : Flag<["-"], "Mlre">, Ignored;
def Mnolre : Flag<["-"], "Mnolre">, Ignored;
def Mautoinline : Flag<["-"], "Mautoinline">, Ignored;
def Minline : Flag<["-"], "Minline">, Ignored<"-O2 and -O3 inline">;
def Minline_EQ : Joined<["-"], "Minline=">, Ignored<"-O2 and -O3 inline">;
def Mnoinline : Flag<["-"], "Mnoinline">, Ignored;
def Mipa : Flag<["-"], "Mipa">, Ignored;
def Mipa_EQ : Joined<["-"], "Mipa=">, Ignored;
def Mflushz : Flag<["-"], "Mflushz">, Ignored<"for device code use -gpu=flushz">;
def Mnoflushz : Flag<["-"], "Mnoflushz">, Ignored<"it is the default">;
def Mdaz : Flag<["-"], "Mdaz">, Ignored;
def Mnodaz : Flag<["-"], "Mnodaz">, Ignored<"it is the default">;
def Mcache_align : Flag<["-"], "Mcache_align">, Ignored;
def Mframe : Flag<["-"], "Mframe">, Ignored;
def Mnoframe : Flag<["-"], "Mnoframe">, Ignored;
def Mconcur : Flag<["-"], "Mconcur">, Ignored;
def Mlist : Flag<["-"], "Mlist">, Ignored;
def Mbounds : Flag<["-"], "Mbounds">,
  Warned<"host code is not checked for array bounds (--check checks kernels)">;
def C : Flag<["-"], "C">, Alias<Mbounds>;
def Mnobounds : Flag<["-"], "Mnobounds">, Ignored<"it is the default">;
def Mchkptr : Flag<["-"], "Mchkptr">,
  Warned<"host code is not checked for null pointers">;
def Mchkstk : Flag<["-"], "Mchkstk">, Ignored;
def Ktrap_EQ : Joined<["-"], "Ktrap=">,
  Warned<"floating-point exceptions do not stop host code (CUFORT_FPE stops kernels on the CPU)">;

//===----------------------------------------------------------------------===//
// Diagnostics and debugging
//===----------------------------------------------------------------------===//

def g : Flag<["-"], "g">, HelpText<"Debug information">;
def gopt : Flag<["-"], "gopt">, Alias<g>;
def g0 : Flag<["-"], "g0">, HelpText<"No debug information">;
def gline_tables_only : Flag<["-"], "gline-tables-only">, Forward, Flags<[ForClang]>,
  HelpText<"Line numbers only">;
def gdwarf : Joined<["-"], "gdwarf-">, Forward, Flags<[ForClang]>, MetaVarName<"<n>">,
  HelpText<"Debug information of DWARF version <n>">;
def traceback : Flag<["-"], "traceback">, Ignored;
def notraceback : Flag<["-"], "notraceback">, Ignored;
def w : Flag<["-"], "w">, Forward, Flags<[ForClang]>, HelpText<"No warnings">;
def silent : Flag<["-"], "silent">, Alias<w>;
def Wall : Flag<["-"], "Wall">, Alias<pedantic>;
def Wextra : Flag<["-"], "Wextra">, Alias<pedantic>;
def W : Joined<["-"], "W">, Flags<[ForClang]>,
  MetaVarName<"<warning>">,
  HelpText<"Enable a warning (Flang's and Clang's names), -Wno-<warning> disables it">;
def Wno_deprecated_gpu : Flag<["-"], "Wno-deprecated-gpu-targets">, Ignored;
def Wno_deprecated_gpu_long : Flag<["--"], "Wno-deprecated-gpu-targets">, Ignored;
def Wdefault_stream : Flag<["-", "--"], "Wdefault-stream-launch">, Ignored;
def Wext_lambda : Flag<["-", "--"], "Wext-lambda-captures-this">, Ignored;
def Werror_EQ : Joined<["-", "--"], "Werror=">, Flags<[ForClang]>, MetaVarName<"<warning>">,
  HelpText<"C and C++: make a warning an error; Fortran: enable the warning">;
def Minform_EQ : Joined<["-"], "Minform=">, Ignored;
def Minfo : Flag<["-"], "Minfo">,
  HelpText<"As -Minfo=accel">;
def Minfo_EQ : CommaJoined<["-"], "Minfo=">, MetaVarName<"<what,...>">,
  HelpText<"accel: list the kernels of the program when linking, and what of their code for the CPU is vectorised; other values have no effect">;
def Mneginfo : Flag<["-"], "Mneginfo">, Ignored;
def Mneginfo_EQ : Joined<["-"], "Mneginfo=">, Ignored;
def fcolor_diagnostics : Flag<["-"], "fcolor-diagnostics">, Forward, Flags<[ForClang]>,
  HelpText<"Colours in diagnostics">;
def fno_color_diagnostics : Flag<["-"], "fno-color-diagnostics">, Forward, Flags<[ForClang]>,
  HelpText<"No colours in diagnostics">;
def fdiagnostics_color_EQ : Joined<["-"], "fdiagnostics-color=">, Forward, Flags<[ForClang]>,
  MetaVarName<"auto|always|never">, HelpText<"Colours in diagnostics">;
def Xflang : Separate<["-"], "Xflang">, Forward, MetaVarName<"<argument>">,
  HelpText<"Pass <argument> to Flang's front end">;
def mllvm : Separate<["-"], "mllvm">, Forward, Flags<[ForClang]>, MetaVarName<"<argument>">,
  HelpText<"Pass <argument> to LLVM">;
def mmlir : Separate<["-"], "mmlir">, Forward, MetaVarName<"<argument>">,
  HelpText<"Pass <argument> to MLIR">;

//===----------------------------------------------------------------------===//
// Linking
//===----------------------------------------------------------------------===//

def L : JoinedOrSeparate<["-"], "L">, MetaVarName<"<folder>">, Forward,
  HelpText<"Look for libraries in <folder>">;
def l : JoinedOrSeparate<["-"], "l">, MetaVarName<"<name>">,
  Flags<[RenderJoined]>, HelpText<"Link library <name>">;
def Wl_COMMA : CommaJoined<["-"], "Wl,">, MetaVarName<"<argument,...>">,
  HelpText<"Pass the arguments to the linker">;
def Xlinker : Separate<["-"], "Xlinker">, MetaVarName<"<argument>">,
  HelpText<"Pass <argument> to the linker">;
def shared : Flag<["-"], "shared">, HelpText<"Link a shared library">;
def static : Flag<["-"], "static">,
  HelpText<"Link everything statically; the program then runs on the CPU only">;
def Bstatic : Flag<["-"], "Bstatic">, Alias<static>;
def pie : Flag<["-"], "pie">, Forward, Flags<[ForClang]>,
  HelpText<"Link a position-independent executable (default)">;
def no_pie : Flag<["-"], "no-pie">, Forward, Flags<[ForClang]>, HelpText<"Link an executable that is not position-independent">;
def fPIC : Flag<["-"], "fPIC">, Forward, Flags<[ForClang]>, HelpText<"Position-independent code">;
def fpic : Flag<["-"], "fpic">, Alias<fPIC>;
def fno_PIC : Flag<["-"], "fno-pic">, Forward, Flags<[ForClang]>, HelpText<"Code that is not position-independent">;
def pthread : Flag<["-"], "pthread">, Forward, Flags<[ForClang]>, HelpText<"Link the threads library (default)">;
def rdynamic : Flag<["-"], "rdynamic">, Forward,
  HelpText<"Export all symbols of the executable">;
def s : Flag<["-"], "s">, HelpText<"Strip the executable">;
def fuse_ld_EQ : Joined<["-"], "fuse-ld=">, Forward, MetaVarName<"<linker>">,
  HelpText<"Link with <linker> (ld, lld, gold, mold; usually lld)">;
def B : JoinedOrSeparate<["-"], "B">, Forward, MetaVarName<"<folder>">,
  HelpText<"Look for the linker and its start files in <folder>">;
def rpath : Separate<["-"], "rpath">, MetaVarName<"<folder>">, Forward,
  HelpText<"The executable looks for libraries in <folder>">;
def R : Joined<["-"], "R">, MetaVarName<"<folder>">,
  HelpText<"As -rpath">;
def Mnomain : Flag<["-"], "Mnomain">,
  Ignored<"the main program may come from an object of another language">;
def fno_fortran_main : Flag<["-"], "fno-fortran-main">, Alias<Mnomain>;
def resource_dir : Separate<["-"], "resource-dir">, Forward, Flags<[ForClang]>,
  MetaVarName<"<folder>">, HelpText<"Where LLVM's resource folder is">;
def resource_dir_EQ : Joined<["-"], "resource-dir=">, Alias<resource_dir>;
def gcc_toolchain : Joined<["--"], "gcc-toolchain=">, Forward, Flags<[ForClang]>,
  MetaVarName<"<folder>">, HelpText<"Where GCC's libraries are">;
def gcc_install_dir : Joined<["--"], "gcc-install-dir=">, Forward, Flags<[ForClang]>,
  MetaVarName<"<folder>">, HelpText<"The folder of one GCC's libraries">;
def sysroot_EQ : Joined<["--"], "sysroot=">, Forward, Flags<[ForClang]>, MetaVarName<"<folder>">,
  HelpText<"The root of the target's system">;
def static_libgcc : Flag<["-"], "static-libgcc">, Ignored<"it is the default">;
def static_libstdcxx : Flag<["-"], "static-libstdc++">,
  Ignored<"it is the default">;
def static_nvidia : Flag<["-"], "static-nvidia">, Ignored<"it is the default">;
def Bstatic_nvidia : Flag<["-"], "Bstatic_nvidia">, Ignored<"it is the default">;
def Bstatic_pgi : Flag<["-"], "Bstatic_pgi">, Ignored<"it is the default">;
def Bdynamic : Flag<["-"], "Bdynamic">, Ignored<"it is the default">;
def pgf90libs : Flag<["-"], "pgf90libs">, Ignored<"they are always linked">;
def fortranlibs : Flag<["-"], "fortranlibs">, Ignored<"they are always linked">;
def cxxlibs : Flag<["-"], "c++libs">,
  HelpText<"Link C++'s library">;
def pgcpplibs : Flag<["-"], "pgc++libs">, Alias<cxxlibs>;
def Mnorpath : Flag<["-"], "Mnorpath">, Ignored<"no rpath is written">;
def pipe : Flag<["-"], "pipe">, Ignored;

include "BuildOptions.td"
include "FortranOptions.td"

//===----------------------------------------------------------------------===//
// C, C++ and CUDA C++; nvcc's spellings
//===----------------------------------------------------------------------===//

include "NvccOptions.td"

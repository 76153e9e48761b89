//===- FortranOptions.td - spellings of other Fortran compilers -----------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What nvfortran and gfortran have beside the options of Options.td, so that a
// makefile works with another FC: options that change nothing here, and options
// whose absence the user should know of. Part of Options.td.
//
//===----------------------------------------------------------------------===//

// nvfortran's: what is left to LLVM, and what is so by default.
foreach name = ["Mdalign", "Mnodalign", "Mdefaultunit", "Mnodefaultunit",
                "Mdepchk", "Mnodepchk", "Mdse", "Mnodse", "Mfpapprox",
                "Mfpmisalign", "Mfprelaxed", "Mnofprelaxed", "Mfunc32",
                "Mhugetlb", "Midiom", "Mnoidiom", "Miomutex", "Mnoiomutex",
                "Mlfs", "Mnolfs", "Mllalign", "Mloop32", "Mnoloop32", "Mmovnt",
                "Mnomovnt", "Mnoautoinline", "Mnoconcur", "Mnoi4", "Mnoipa",
                "Mnolarge_arrays", "Mnolist", "Mnoonetrip", "Mnopre",
                "Mnoprefetch", "Mnor8", "Mnor8intrinsics", "Mnoreentrant",
                "Mnoref_externals", "Mnosafe_lastval", "Mnosafeptr",
                "Mnosecond_underscore", "Mnosgimp", "Mnosignextend", "Mnosmart",
                "Mnosmartalloc", "Mnostride0", "Mnotraceback", "Mnounixlogical",
                "Mnoupcase", "Mpre", "Mprefetch", "Mreentrant",
                "Mref_externals", "Msafe_lastval", "Msafeptr", "Msignextend",
                "Msmart", "Msmartalloc", "Mstride0", "Mtraceback",
                "noswitcherror", "nvmalloc"] in def ""#name : Flag<["-"], name>,
        Ignored;

foreach name = ["Mconcur", "Mfprelaxed", "Mfpapprox", "Mprefetch", "Msafeptr",
                "Msmartalloc", "target"] in def ""#name#_EQ
    : Joined<["-"], name#"=">,
        Ignored;

// The same of gfortran.
foreach name = ["fall-intrinsics", "fallow-argument-mismatch",
                "fallow-invalid-boz", "fbacktrace", "fcray-pointer",
                "ffrontend-optimize", "finline-functions", "fno-backtrace",
                "fno-protect-parens", "fno-range-check",
                "fno-second-underscore", "fopenmp-simd", "fprotect-parens",
                "frecursive", "frepack-arrays", "fsign-zero",
                "ftree-vectorize"] in def ""#!subst("-", "_", name)
    : Flag<["-"], name>,
        Ignored;
def ffree_line_length : Joined<["-"], "ffree-line-length-">,
                        Ignored<"lines may have any length">;
def fmax_errors_EQ : Joined<["-"], "fmax-errors=">, Ignored;

// Their other names of what is here.
def Kpic : Flag<["-"], "Kpic">, Alias<fPIC>;
def KPIC : Flag<["-"], "KPIC">, Alias<fPIC>;
def Mi4 : Flag<["-"], "Mi4">, Alias<fdefault_integer_4>;
def Mr8 : Flag<["-"], "Mr8">, Alias<r8>;
def Mnoopenmp : Flag<["-"], "Mnoopenmp">, Alias<nomp>;
def time_flag : Flag<["-"], "time">, Alias<timing>;
def ffixed_line_length_joined : Joined<["-"], "ffixed-line-length-">,
                                Alias<ffixed_line_length_EQ>;

// What programs lack without them.
def fcheck_EQ : Joined<["-"], "fcheck=">,
                Warned<"host code is not checked for bounds and the like">;
def ffpe_trap_EQ : Joined<["-"], "ffpe-trap=">,
                   Warned<"floating-point exceptions do not stop host code (CUFORT_FPE stops kernels on the CPU)">;
def finit : Joined<["-"], "finit-">,
            Warned<"variables are not initialised">;
def flto : Flag<["-"], "flto">, Warned<"host code is optimised file by file">;
def flto_EQ : Joined<["-"], "flto=">,
              Warned<"host code is optimised file by file">;
def Monetrip : Flag<["-"], "Monetrip">,
               Warned<"loops without iterations are not executed">;
def Munixlogical : Flag<["-"], "Munixlogical">,
                   Warned<"logical values are represented as in Flang">;
def Mupcase : Flag<["-"], "Mupcase">,
              Warned<"external names are in lower case">;
def Msecond_underscore : Flag<["-"], "Msecond_underscore">,
                         Warned<"external names end in one underscore">;
def Mr8intrinsics : Flag<["-"], "Mr8intrinsics">,
                    Warned<"the results of cmplx and float have the default kind">;
def pg : Flag<["-"], "pg">, Warned<"use CUFORT_PROFILE=1 or perf to profile">;
def Minstrument : Flag<["-"], "Minstrument">, Warned<"use CUFORT_PROFILE=1 or perf to profile">;
def Mprof_EQ : Joined<["-"], "Mprof=">, Warned<"use CUFORT_PROFILE=1 or perf to profile">;

// What Debian's packages are built with, and MPI's wrappers pass on: of C and
// C++ alone.
foreach name = ["fstack-protector", "fstack-protector-strong",
                "fstack-protector-all", "fno-stack-protector",
                "fstack-clash-protection", "fno-stack-clash-protection",
                "fcf-protection"] in def ""#!subst("-", "_", name)
    : Flag<["-"], name>, ForwardC,
      HelpText<"As in Clang: harden C and C++">;
foreach name = ["ffile-prefix-map", "fdebug-prefix-map", "fmacro-prefix-map",
                "fcf-protection"] in def ""#!subst("-", "_", name)#_EQ
    : Joined<["-"], name#"=">, ForwardC,
      HelpText<"As in Clang, for C and C++">;

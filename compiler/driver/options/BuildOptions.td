//===- BuildOptions.td - what build systems ask and say -------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// GCC's questions, which Autoconf, Libtool, Meson and scripts ask of every
// compiler. Part of Options.td.
//
//===----------------------------------------------------------------------===//

def help_EQ : Joined<["-", "--"], "help=">, Alias<help>;

let Group = Action_Group in {
def dumpversion : Flag<["-", "--"], "dumpversion">,
  HelpText<"Print the version of LLVM's Flang, which build systems expect of a Flang">;
def dumpmachine : Flag<["-", "--"], "dumpmachine">,
  HelpText<"Print the target">;
def print_search_dirs : Flag<["-", "--"], "print-search-dirs">,
  HelpText<"Print the folders of programs and libraries">;
def print_resource_dir : Flag<["-", "--"], "print-resource-dir">,
  HelpText<"Print where LLVM's resource folder is">;
def print_libgcc_file_name : Flag<["-", "--"], "print-libgcc-file-name">,
  HelpText<"Print the path of libgcc">;
def print_file_name_EQ : Joined<["-", "--"], "print-file-name=">,
  MetaVarName<"<file>">, HelpText<"Print the path of a library">;
def print_prog_name_EQ : Joined<["-", "--"], "print-prog-name=">,
  MetaVarName<"<program>">, HelpText<"Print the path of a program">;
}
// What Libtool says to a compiler that it does not know as if it were the linker.
def soname : Separate<["-", "--"], "soname">, MetaVarName<"<name>">,
  HelpText<"The name of a shared library (-Wl,-soname,...)">;
foreach name = ["whole-archive", "no-whole-archive", "export-dynamic"] in
def linker_#!subst("-", "_", name) : Flag<["-", "--"], name>,
  HelpText<"As -Wl,--" # name>;

let Group = Action_Group in
def module_dependencies : Flag<["-", "--"], "module-dependencies">,
  HelpText<"Print which modules Fortran sources define and use, in the form P1689">;
def j : JoinedOrSeparate<["-"], "j">, MetaVarName<"<n>">,
  HelpText<"Compile up to <n> files at the same time, in the order that their modules require">;
def no_cache : Flag<["-", "--"], "no-cache">,
  HelpText<"Do not take device code from the cache of earlier links">;
def print_target_triple : Flag<["-", "--"], "print-target-triple">,
  Alias<dumpmachine>;

//===- NvccOptions.td - options for C, C++ and CUDA C++ -------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A part of Options.td: nvcc's spellings among them.
//
//===----------------------------------------------------------------------===//

def list_gpu_arch : Flag<["-", "--"], "list-gpu-arch">,
  HelpText<"List the GPU architectures as compute_80, ...">;
def arch_ls : Flag<["-"], "arch-ls">, Alias<list_gpu_arch>;
def list_gpu_code : Flag<["-", "--"], "list-gpu-code">,
  HelpText<"List the GPU architectures as sm_80, ...">;
def code_ls : Flag<["-"], "code-ls">, Alias<list_gpu_code>;

def include_file : JoinedOrSeparate<["-", "--"], "include">, ForwardC,
  MetaVarName<"<file>">, HelpText<"Include <file> before the source (C, C++)">;
def pre_include : Separate<["--"], "pre-include">, Alias<include_file>;
def pre_include_EQ : Joined<["--"], "pre-include=">, Alias<include_file>;
def include_path : Separate<["--"], "include-path">, Alias<I>;
def include_path_EQ : Joined<["--"], "include-path=">, Alias<I>;
def isystem : JoinedOrSeparate<["-"], "isystem">, ForwardC,
  MetaVarName<"<folder>">, HelpText<"Look for system headers in <folder>">;
def isystem_EQ : Joined<["-"], "isystem=">, Alias<isystem>;
def system_include_EQ : Joined<["--"], "system-include=">, Alias<isystem>;
def system_include : Separate<["--"], "system-include">, Alias<isystem>;
def idirafter : JoinedOrSeparate<["-"], "idirafter">, ForwardC,
  MetaVarName<"<folder>">, HelpText<"Look for headers in <folder> last">;
def iquote : JoinedOrSeparate<["-"], "iquote">, ForwardC,
  MetaVarName<"<folder>">, HelpText<"Look for quoted headers in <folder>">;
def define_macro_EQ : Joined<["--"], "define-macro=">, Alias<D>;
def undefine_macro_EQ : Joined<["--"], "undefine-macro=">, Alias<U>;
def output_file : Separate<["--"], "output-file">, Alias<o>;
def output_file_EQ : Joined<["--"], "output-file=">, Alias<o>;
def compile_EQ : Flag<["--", "-"], "compile">, Alias<c>;
let Group = Action_Group in {
def device_c : Flag<["-", "--"], "dc">,
  HelpText<"As -c, for a device link across files">;
def device_w : Flag<["-", "--"], "dw">,
  HelpText<"As -c -rdc=false">;
}
def device_c_long : Flag<["--", "-"], "device-c">, Alias<device_c>;
def device_w_long : Flag<["--", "-"], "device-w">, Alias<device_w>;
def preprocess : Flag<["--"], "preprocess">, Alias<E>;
def debug_long : Flag<["--"], "debug">, Alias<g>;
def verbose_long : Flag<["--"], "verbose">, Alias<v>;
def library_EQ : Joined<["--"], "library=">, Alias<l>;
def library_path_EQ : Joined<["--"], "library-path=">, Alias<L>;
def linker_options_EQ : Joined<["--"], "linker-options=">, Alias<Xlinker>;
def Xlinker_EQ : Joined<["-"], "Xlinker=">, Alias<Xlinker>;
def shared_long : Flag<["--"], "shared">, Alias<shared>;
def optimize_EQ : Joined<["--"], "optimize=">, Alias<O>;
def optimize : Separate<["--"], "optimize">, Alias<O>;
def use_fast_math : Flag<["-", "--"], "use_fast_math">, Alias<gpu_EQ>,
  AliasArgs<["fastmath"]>;
def arch_EQ : Joined<["-", "--"], "arch=">, MetaVarName<"<architecture>">,
  HelpText<"As -gpu=: sm_90, compute_90, native or all">;
def arch : Separate<["-", "--"], "arch">, Alias<arch_EQ>;
def gpu_architecture : Separate<["--", "-"], "gpu-architecture">, Alias<arch_EQ>;
def gpu_architecture_EQ : Joined<["--", "-"], "gpu-architecture=">,
  Alias<arch_EQ>;
def gencode_EQ : Joined<["-", "--"], "gencode=">, MetaVarName<"<list>">,
  HelpText<"As -gpu=sm_90 for arch=compute_90,code=sm_90">;
def gencode : Separate<["-", "--"], "gencode">, Alias<gencode_EQ>;
def generate_code : Separate<["--", "-"], "generate-code">, Alias<gencode_EQ>;
def generate_code_EQ : Joined<["--", "-"], "generate-code=">, Alias<gencode_EQ>;
def code_EQ : Joined<["-", "--"], "code=">, MetaVarName<"<list>">,
  HelpText<"No effect: -arch= names the architecture">;
def code_sep : Separate<["-", "--"], "code">, Alias<code_EQ>;
def gpu_code : Separate<["--", "-"], "gpu-code">, Alias<code_EQ>;
def gpu_code_EQ : Joined<["--", "-"], "gpu-code=">, Alias<code_EQ>;
def Xcompiler_EQ : Joined<["-"], "Xcompiler=">, MetaVarName<"<options>">,
  HelpText<"Options for host code, separated by commas">;
def Xcompiler : Separate<["-"], "Xcompiler">, Alias<Xcompiler_EQ>;
def compiler_options : Separate<["--"], "compiler-options">,
  Alias<Xcompiler_EQ>;
def compiler_options_EQ : Joined<["--"], "compiler-options=">,
  Alias<Xcompiler_EQ>;
def Xptxas_EQ : Joined<["-"], "Xptxas=">, MetaVarName<"<options>">,
  HelpText<"-v: as -gpu=ptxinfo; -maxrregcount; others have no effect">;
def Xptxas : Separate<["-"], "Xptxas">, Alias<Xptxas_EQ>;
def ptxas_options : Separate<["--", "-"], "ptxas-options">, Alias<Xptxas_EQ>;
def ptxas_options_EQ : Joined<["--", "-"], "ptxas-options=">,
  Alias<Xptxas_EQ>;
def resource_usage : Flag<["-", "--"], "resource-usage">, Alias<gpu_EQ>,
  AliasArgs<["ptxinfo"]>;
def res_usage : Flag<["-", "--"], "res-usage">, Alias<gpu_EQ>,
  AliasArgs<["ptxinfo"]>;
def maxrregcount_EQ : Joined<["-", "--"], "maxrregcount=">,
  MetaVarName<"<n>">, HelpText<"As -gpu=maxregcount:<n>">;
def maxrregcount : Separate<["-", "--"], "maxrregcount">,
  Alias<maxrregcount_EQ>;
def fmad_EQ : Joined<["-", "--"], "fmad=">, MetaVarName<"true|false">,
  HelpText<"As -gpu=[no]fma">;
def fmad : Separate<["-", "--"], "fmad">, Alias<fmad_EQ>;
def ftz_EQ : Joined<["-", "--"], "ftz=">, MetaVarName<"true|false">,
  HelpText<"As -gpu=[no]flushz">;
def ftz : Separate<["-", "--"], "ftz">, Alias<ftz_EQ>;
def lineinfo : Flag<["-", "--"], "lineinfo">, Alias<gpu_EQ>,
  AliasArgs<["lineinfo"]>;
def generate_line_info : Flag<["-", "--"], "generate-line-info">,
  Alias<gpu_EQ>, AliasArgs<["lineinfo"]>;
def G : Flag<["-"], "G">, Alias<gpu_EQ>, AliasArgs<["debug"]>;
def device_debug : Flag<["--"], "device-debug">, Alias<gpu_EQ>,
  AliasArgs<["debug"]>;
def keep : Flag<["-", "--"], "keep">, Alias<gpu_EQ>, AliasArgs<["keep"]>;
def default_stream_EQ : Joined<["-", "--"], "default-stream=">,
  MetaVarName<"legacy|per-thread">,
  HelpText<"What the default stream is in C, C++ and CUDA C++ (legacy)">;
def default_stream : Separate<["-", "--"], "default-stream">,
  Alias<default_stream_EQ>;
def fexceptions : Flag<["-"], "fexceptions">, ForwardC;
def fno_exceptions : Flag<["-"], "fno-exceptions">, ForwardC,
  HelpText<"C++ without exceptions">;
def frtti : Flag<["-"], "frtti">, ForwardC;
def fno_rtti : Flag<["-"], "fno-rtti">, ForwardC,
  HelpText<"C++ without run-time type information">;
def ftemplate_depth_EQ : Joined<["-"], "ftemplate-depth=">, ForwardC,
  MetaVarName<"<n>">, HelpText<"C++: greatest depth of nested template instantiations">;
def ftemplate_depth_long_EQ : Joined<["--"], "ftemplate-depth=">,
  Alias<ftemplate_depth_EQ>;
def ftemplate_backtrace_limit_EQ :
  Joined<["-"], "ftemplate-backtrace-limit=">, ForwardC,
  MetaVarName<"<n>">, HelpText<"C++: most template instantiations that a diagnostic shows">;
def ftemplate_backtrace_limit_long_EQ :
  Joined<["--"], "ftemplate-backtrace-limit=">,
  Alias<ftemplate_backtrace_limit_EQ>;
def fno_strict_aliasing : Flag<["-"], "fno-strict-aliasing">, ForwardC,
  HelpText<"C and C++: pointers to different types may have one target">;
def fvisibility_EQ : Joined<["-"], "fvisibility=">, ForwardC,
  HelpText<"C and C++: default visibility of symbols">;
def fpermissive : Flag<["-"], "fpermissive">, ForwardC;
def ffunction_sections : Flag<["-"], "ffunction-sections">, ForwardC;
def fdata_sections : Flag<["-"], "fdata-sections">, ForwardC;
def fomit_frame_pointer : Flag<["-"], "fomit-frame-pointer">, ForwardC;
def fno_omit_frame_pointer : Flag<["-"], "fno-omit-frame-pointer">, ForwardC;
def nostdinc : Flag<["-"], "nostdinc">, ForwardC;
let Group = Action_Group in {
def M : Flag<["-"], "M">,
  HelpText<"Print the headers that a C or C++ source includes, for make">;
def MM : Flag<["-"], "MM">,
  HelpText<"As -M, without system headers">;
}
def generate_dependencies : Flag<["--"], "generate-dependencies">, Alias<M>;
def generate_nonsystem_dependencies :
  Flag<["--"], "generate-nonsystem-dependencies">, Alias<MM>;
def MD : Flag<["-"], "MD">, ForwardC,
  HelpText<"Write what a source depends on to a .d file">;
def MMD : Flag<["-"], "MMD">, ForwardC,
  HelpText<"As -MD, without system headers">;
def MP : Flag<["-"], "MP">, ForwardC,
  HelpText<"With -MD: an empty rule for every header">;
def MF : JoinedOrSeparate<["-"], "MF">, ForwardC, MetaVarName<"<file>">,
  HelpText<"With -MD: the file to write">;
def MT : JoinedOrSeparate<["-"], "MT">, ForwardC, MetaVarName<"<target>">,
  HelpText<"With -MD: the rule's target">;
def MQ : JoinedOrSeparate<["-"], "MQ">, ForwardC, MetaVarName<"<target>">,
  HelpText<"With -MD: the rule's target, quoted for make">;
def generate_dependencies_with_compile :
  Flag<["--"], "generate-dependencies-with-compile">, Alias<MD>;
def generate_nonsystem_dependencies_with_compile :
  Flag<["--"], "generate-nonsystem-dependencies-with-compile">, Alias<MMD>;
def generate_dependency_targets :
  Flag<["--"], "generate-dependency-targets">, Alias<MP>;
def dependency_target_name : Separate<["--"], "dependency-target-name">,
  Alias<MT>;
def dependency_target_name_EQ : Joined<["--"], "dependency-target-name=">,
  Alias<MT>;
def dependency_output_EQ : Joined<["--"], "dependency-output=">, Alias<MF>;
def dependency_output : Separate<["--"], "dependency-output">, Alias<MF>;
def output_directory : Separate<["-", "--"], "output-directory">,
  MetaVarName<"<folder>">, HelpText<"Write outputs that no -o names to <folder>">;
def output_directory_EQ : Joined<["-", "--"], "output-directory=">,
  Alias<output_directory>;
def odir : Separate<["-", "--"], "odir">, Alias<output_directory>;
def odir_EQ : Joined<["-", "--"], "odir=">, Alias<output_directory>;
def run : Flag<["-", "--"], "run">,
  HelpText<"As 'cufort run': compile to a temporary place and run">;
def run_args : Separate<["-", "--"], "run-args">, MetaVarName<"<list>">,
  HelpText<"Arguments for the program that --run runs, separated by commas">;
def run_args_EQ : Joined<["-", "--"], "run-args=">, Alias<run_args>;
def rdc_EQ : Joined<["-", "--"], "rdc=">, MetaVarName<"<true|false>">,
  HelpText<"Link device code across files (true, the default), or finish it in each .cu file's object, for any linker (false)">;
def rdc : Separate<["-", "--"], "rdc">, Alias<rdc_EQ>;
def relocatable_EQ : Joined<["--", "-"], "relocatable-device-code=">,
  Alias<rdc_EQ>;
def relocatable : Separate<["--", "-"], "relocatable-device-code">,
  Alias<rdc_EQ>;
def ccbin_EQ : Joined<["-", "--"], "ccbin=">, Ignored<"Clang compiles host code">;
def ccbin : Separate<["-", "--"], "ccbin">, Alias<ccbin_EQ>;
def compiler_bindir_EQ : Joined<["--", "-"], "compiler-bindir=">,
  Alias<ccbin_EQ>;
def compiler_bindir : Separate<["--", "-"], "compiler-bindir">, Alias<ccbin_EQ>;
def allow_unsupported : Flag<["-", "--"], "allow-unsupported-compiler">,
  Ignored<"Clang compiles host code">;
def relaxed_constexpr : Flag<["-", "--"], "expt-relaxed-constexpr">,
  Ignored<"it is the default">;
def extended_lambda : Flag<["-", "--"], "extended-lambda">,
  Ignored<"it is the default">;
def expt_extended_lambda : Flag<["-", "--"], "expt-extended-lambda">,
  Ignored<"it is the default">;
def prec_div_EQ : Joined<["-", "--"], "prec-div=">,
  Ignored<"division is exact unless -use_fast_math is given">;
def prec_sqrt_EQ : Joined<["-", "--"], "prec-sqrt=">,
  Ignored<"square roots are exact unless -use_fast_math is given">;
def prec_div : Separate<["-", "--"], "prec-div">, Alias<prec_div_EQ>;
def prec_sqrt : Separate<["-", "--"], "prec-sqrt">, Alias<prec_sqrt_EQ>;
def cudart_EQ : Joined<["-", "--"], "cudart=">,
  Ignored<"the runtime is always linked">;
def cudart : Separate<["-", "--"], "cudart">, Alias<cudart_EQ>;
def cudadevrt_EQ : Joined<["-", "--"], "cudadevrt=">, Ignored;
def Xnvlink_EQ : Joined<["-"], "Xnvlink=">, Ignored;
def Xnvlink : Separate<["-"], "Xnvlink">, Alias<Xnvlink_EQ>;
def nvlink_options_EQ : Joined<["--"], "nvlink-options=">, Alias<Xnvlink_EQ>;
def Xcudafe_EQ : Joined<["-"], "Xcudafe=">, Ignored;
def Xcudafe : Separate<["-"], "Xcudafe">, Alias<Xcudafe_EQ>;
def diag_suppress_EQ : Joined<["-", "--"], "diag-suppress=">, Ignored;
def diag_suppress : Separate<["-", "--"], "diag-suppress">,
  Alias<diag_suppress_EQ>;
def no_display_error_number :
  Flag<["--", "-"], "no-display-error-number">, Ignored;
def no_err_no : Flag<["-"], "no-err-no">, Alias<no_display_error_number>;
def display_error_number : Flag<["-", "--"], "display-error-number">, Ignored;
def err_no : Flag<["-"], "err-no">, Alias<display_error_number>;
def source_in_ptx : Flag<["-", "--"], "source-in-ptx">, Ignored;
def restrict_flag : Flag<["-", "--"], "restrict">, Ignored;
def extra_device_vectorization :
  Flag<["-", "--"], "extra-device-vectorization">, Ignored;
def threads_EQ : Joined<["--", "-"], "threads=">, Ignored;
def threads : Separate<["--", "-"], "threads">, Alias<threads_EQ>;
def t_EQ : Joined<["-"], "t=">, Ignored;
def t_sep : Separate<["-"], "t">, Alias<t_EQ>;
def machine_EQ : Joined<["--", "-"], "machine=">, Ignored<"64 bits">;
def machine : Separate<["--", "-"], "machine">, Alias<machine_EQ>;
def m_EQ : Joined<["-"], "m=">, Alias<machine_EQ>;
def m_64 : Separate<["-"], "m">, Ignored<"64 bits">;
def m64_long : Flag<["--"], "m64">, Ignored<"it is the default">;
def device_syntax_only : Flag<["-", "--"], "fdevice-syntax-only">,
  Alias<fsyntax_only>;
def device_time_trace_EQ : Joined<["-", "--"], "fdevice-time-trace=">, Ignored;
def device_time_trace : Separate<["-", "--"], "fdevice-time-trace">,
  Alias<device_time_trace_EQ>;
def archiver_binary_EQ : Joined<["--", "-"], "archiver-binary=">,
  Ignored<"-lib writes the archive itself">;
def archiver_binary : Separate<["-", "--"], "archiver-binary">,
  Alias<archiver_binary_EQ>;
def arbin_EQ : Joined<["-", "--"], "arbin=">, Alias<archiver_binary_EQ>;
def arbin : Separate<["-", "--"], "arbin">, Alias<archiver_binary_EQ>;
def Xarchive_EQ : Joined<["-"], "Xarchive=">, Ignored;
def Xarchive : Separate<["-"], "Xarchive">, Alias<Xarchive_EQ>;
def archive_options_EQ : Joined<["--"], "archive-options=">,
  Alias<Xarchive_EQ>;
def archive_options : Separate<["--"], "archive-options">, Alias<Xarchive_EQ>;
def objtemp : Flag<["-", "--"], "objtemp">, Ignored;
def objdir_as_tempdir : Flag<["--", "-"], "objdir-as-tempdir">, Ignored;
def nohdinitlist : Flag<["-"], "nohdinitlist">, Ignored;
def no_host_device_initializer_list :
  Flag<["--"], "no-host-device-initializer-list">, Ignored;
def nohdmoveforward : Flag<["-"], "nohdmoveforward">, Ignored;
def no_host_device_move_forward :
  Flag<["--"], "no-host-device-move-forward">, Ignored;
def device_entity_hidden_EQ :
  Joined<["-", "--"], "device-entity-has-hidden-visibility=">, Ignored;
def device_entity_hidden :
  Separate<["-", "--"], "device-entity-has-hidden-visibility">,
  Alias<device_entity_hidden_EQ>;
def device_stack_protector_EQ :
  Joined<["-", "--"], "device-stack-protector=">, Ignored;
def device_stack_protector : Separate<["-", "--"], "device-stack-protector">,
  Alias<device_stack_protector_EQ>;
def jump_table_density_EQ : Joined<["-", "--"], "jump-table-density=">, Ignored;
def jump_table_density : Separate<["-", "--"], "jump-table-density">,
  Alias<jump_table_density_EQ>;
def jtd_EQ : Joined<["-", "--"], "jtd=">, Alias<jump_table_density_EQ>;
def jtd : Separate<["-", "--"], "jtd">, Alias<jump_table_density_EQ>;
def frandom_seed_EQ : Joined<["-", "--"], "frandom-seed=">, Ignored;
def frandom_seed : Separate<["-", "--"], "frandom-seed">,
  Alias<frandom_seed_EQ>;
def jobserver : Flag<["-", "--"], "jobserver">, Ignored;
def split_compile_extended_EQ :
  Joined<["-", "--"], "split-compile-extended=">, Ignored;
def split_compile_extended : Separate<["-", "--"], "split-compile-extended">,
  Alias<split_compile_extended_EQ>;
def use_local_env : Flag<["-", "--"], "use-local-env">, Ignored;
def cuda_nvcc : Flag<["-", "--"], "cuda-nvcc">, Ignored;
let Group = Action_Group in {
def dlink : Flag<["-", "--"], "dlink">,
  HelpText<"Link only the device code of the objects, to an object for another linker">;
def lib : Flag<["-", "--"], "lib">,
  HelpText<"Write the objects to a static library">;
}
def device_link : Flag<["-", "--"], "device-link">, Alias<dlink>;
def Xfatbin_EQ : Joined<["-"], "Xfatbin=">, Ignored;
def Xfatbin : Separate<["-"], "Xfatbin">, Alias<Xfatbin_EQ>;
def fatbin_options_EQ : Joined<["--"], "fatbin-options=">, Alias<Xfatbin_EQ>;
def fatbin_options : Separate<["--"], "fatbin-options">, Alias<Xfatbin_EQ>;
def nvlink_options : Separate<["--"], "nvlink-options">, Alias<Xnvlink_EQ>;
def keep_dir_EQ : Joined<["-", "--"], "keep-dir=">,
  Ignored<"what is kept lies in the current folder">;
def keep_dir : Separate<["-", "--"], "keep-dir">, Alias<keep_dir_EQ>;
def split_compile_EQ : Joined<["-", "--"], "split-compile=">, Ignored;
def split_compile : Separate<["-", "--"], "split-compile">,
  Alias<split_compile_EQ>;
def time_EQ : Joined<["-", "--"], "time=">, Ignored<"--timing shows phases">;
def time_sep : Separate<["-", "--"], "time">, Alias<time_EQ>;
def static_global_template_stub_EQ :
  Joined<["-", "--"], "static-global-template-stub=">, Ignored;
def static_global_template_stub :
  Separate<["-", "--"], "static-global-template-stub">,
  Alias<static_global_template_stub_EQ>;
def gen_opt_lto : Flag<["-", "--"], "gen-opt-lto">,
  Ignored<"device code is always optimised across files">;
def dlto : Flag<["-"], "dlto">,
  Ignored<"device code is always optimised across files">;
def dlink_time_opt : Flag<["--"], "dlink-time-opt">, Alias<dlto>;
def lto : Flag<["-", "--"], "lto">, Alias<dlto>;
def forward_unknown_to_host_compiler :
  Flag<["-", "--"], "forward-unknown-to-host-compiler">,
  Ignored<"host options are options">;
def forward_unknown_to_host_linker :
  Flag<["-", "--"], "forward-unknown-to-host-linker">,
  Ignored<"linker options are options">;
def forward_unknown_opts : Flag<["-", "--"], "forward-unknown-opts">,
  Ignored<"host options are options">;
def src_in_ptx : Flag<["-", "--"], "src-in-ptx">, Ignored;
def cudadevrt : Separate<["-", "--"], "cudadevrt">, Alias<cudadevrt_EQ>;
def noprof : Flag<["-"], "noprof">, Ignored;
def dont_use_profile : Flag<["--"], "dont-use-profile">, Ignored;
def noeh : Flag<["-"], "noeh">, Alias<fno_exceptions>;
def no_exceptions : Flag<["--"], "no-exceptions">, Alias<fno_exceptions>;
def disable_warnings : Flag<["--"], "disable-warnings">, Alias<w>;
def whole_program : Flag<["-"], "ewp">, Ignored;
def extensible_whole_program : Flag<["--"], "extensible-whole-program">,
  Alias<whole_program>;
def brief_diagnostics_EQ : Joined<["-", "--"], "brief-diagnostics=">, Ignored;
def opt_info_EQ : Joined<["-", "--"], "opt-info=">, Ignored;
def optimization_info_EQ : Joined<["--"], "optimization-info=">,
  Alias<opt_info_EQ>;
def optimization_info : Separate<["--"], "optimization-info">,
  Alias<opt_info_EQ>;
def opt_info : Separate<["-", "--"], "opt-info">, Alias<opt_info_EQ>;
def diag_warn_EQ : Joined<["-", "--"], "diag-warn=">, Ignored;
def diag_error_EQ : Joined<["-", "--"], "diag-error=">, Ignored;
def diag_warn : Separate<["-", "--"], "diag-warn">, Alias<diag_warn_EQ>;
def diag_error : Separate<["-", "--"], "diag-error">, Alias<diag_error_EQ>;
def brief_diagnostics : Separate<["-", "--"], "brief-diagnostics">,
  Alias<brief_diagnostics_EQ>;
def brief_diag_EQ : Joined<["-"], "brief-diag=">, Alias<brief_diagnostics_EQ>;
def brief_diag : Separate<["-"], "brief-diag">, Alias<brief_diagnostics_EQ>;
def compress_mode_EQ : Joined<["-", "--"], "compress-mode=">, Ignored;
def compress_mode : Separate<["-", "--"], "compress-mode">,
  Alias<compress_mode_EQ>;
def dopt_EQ : Joined<["-", "--"], "dopt=">,
  Ignored<"device code is optimised unless -G says otherwise">;
def dopt : Separate<["-", "--"], "dopt">, Alias<dopt_EQ>;
def ldir_EQ : Joined<["-", "--"], "ldir=">, Ignored;
def ldir : Separate<["-", "--"], "ldir">, Alias<ldir_EQ>;
def libdevice_directory_EQ : Joined<["--"], "libdevice-directory=">,
  Alias<ldir_EQ>;
def libdevice_directory : Separate<["--"], "libdevice-directory">,
  Alias<ldir_EQ>;
def target_directory_EQ : Joined<["--"], "target-directory=">, Ignored;
def target_directory : Separate<["--"], "target-directory">,
  Alias<target_directory_EQ>;
def target_dir_EQ : Joined<["-"], "target-dir=">, Alias<target_directory_EQ>;
def target_dir : Separate<["-"], "target-dir">, Alias<target_directory_EQ>;
def ddir_EQ : Joined<["-", "--"], "ddir=">, Ignored;
def ddir : Separate<["-", "--"], "ddir">, Alias<ddir_EQ>;
def no_compress : Flag<["-", "--"], "no-compress">, Ignored;
def relocatable_ptx : Flag<["-", "--"], "relocatable-ptx">, Ignored;
def reloc_ptx : Flag<["-"], "reloc-ptx">, Alias<relocatable_ptx>;
def keep_device_functions :
  Flag<["-", "--"], "keep-device-functions">, Ignored;
def entries_EQ : Joined<["--"], "entries=">, Ignored;
def entries : Separate<["--"], "entries">, Alias<entries_EQ>;
def no_align_double : Flag<["--"], "no-align-double">, Ignored;
def Wreorder : Flag<["-"], "Wreorder">, Ignored;
def Wmissing_launch_bounds : Flag<["-"], "Wmissing-launch-bounds">, Ignored;
def compress_all : Flag<["--"], "compress-all">, Ignored;
def link_long : Flag<["-", "--"], "link">, Ignored<"it is the default">;
def options_file : Separate<["-", "--"], "options-file">,
  HelpText<"Read options from a file, as @file">;
def optf : Separate<["-"], "optf">, Alias<options_file>;

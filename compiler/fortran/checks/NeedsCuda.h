//===- NeedsCuda.h - CUDA Fortran without the option ------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_FORTRAN_CHECKS_NEEDSCUDA_H
#define CUFORT_COMPILER_FORTRAN_CHECKS_NEEDSCUDA_H

#include <string>
#include <vector>

namespace Fortran::parser {
class Parsing;
}

namespace cufort {

/// Whether the source, which is compiled without CUDA, uses a module that is
/// not to be had without: cudafor, or one whose file has kernels, device
/// procedures or data with a memory attribute, also of modules that it uses in
/// turn. \p folders is where module files may be. Needs a prescanned source.
bool usesCudaModule(Fortran::parser::Parsing &parsing,
                    const std::vector<std::string> &folders);

/// Reports launches and attributes of CUDA Fortran in a source that is compiled
/// without CUDA, and which option turns it on: Flang's parser would only say
/// which character it expects. Returns false if there are any. Needs a
/// prescanned source.
bool checkCudaIsOff(Fortran::parser::Parsing &parsing);

} // namespace cufort

#endif // CUFORT_COMPILER_FORTRAN_CHECKS_NEEDSCUDA_H

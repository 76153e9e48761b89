//===- CheckStatements.h - what Flang's parser cannot explain ---*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_FORTRAN_CHECKS_CHECKSTATEMENTS_H
#define CUFORT_COMPILER_FORTRAN_CHECKS_CHECKSTATEMENTS_H

namespace Fortran::parser {
class Parsing;
}

namespace cufort {

/// Mistakes that Flang's parser answers with the character it expects: launches
/// with too few or too many arguments in chevrons, or outside of CALL, unknown
/// operations of REDUCE, and ATTRIBUTES statements among components. Needs a
/// prescanned source, before it is parsed. False where there were errors, which
/// are among the messages of \p parsing then.
bool checkStatements(Fortran::parser::Parsing &parsing);

/// Refuses the first directive of OpenACC in a source that has been prescanned
/// with these. False if there is one, among the messages of \p parsing.
bool checkNoOpenACC(Fortran::parser::Parsing &parsing);

} // namespace cufort

#endif // CUFORT_COMPILER_FORTRAN_CHECKS_CHECKSTATEMENTS_H

//===- OwnName.h - variables of one name in several files -------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_IMAGE_OWNNAME_H
#define CUFORT_IMAGE_OWNNAME_H

#include <string>
#include <string_view>

namespace cufort::image {

/// The name in the image of a variable that several files of C++ define, each
/// its own; all but one of them have such names. \p unit: the digits of
/// OffloadEntry::data of the file's variables, lower case.
inline std::string ownName(std::string name, std::string_view unit) {
  return name.append("$").append(unit);
}

} // namespace cufort::image

#endif // CUFORT_IMAGE_OWNNAME_H

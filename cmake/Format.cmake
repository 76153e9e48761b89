# The target format: all C++ of the repository in the house style.
find_program(CLANG_FORMAT NAMES clang-format-22
             HINTS ${LLVM_TOOLS_BINARY_DIR})
find_package(Git QUIET)
if(CLANG_FORMAT AND Git_FOUND)
  add_custom_target(format
    COMMAND ${GIT_EXECUTABLE} ls-files -z *.cpp *.h | xargs -0
            ${CLANG_FORMAT} -i
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
    COMMENT "Formatting")
endif()

# The targets format (all C and C++ of the repository in the house style), which
# the test driver/format.test checks, and tidy (clang-tidy over all of it).
find_program(CLANG_FORMAT NAMES clang-format-22
             HINTS ${LLVM_TOOLS_BINARY_DIR})
find_program(RUN_CLANG_TIDY NAMES run-clang-tidy-22 run-clang-tidy
             HINTS ${LLVM_TOOLS_BINARY_DIR})
find_package(Git QUIET)
if(CLANG_FORMAT AND Git_FOUND)
  add_custom_target(format
    COMMAND ${GIT_EXECUTABLE} ls-files -z *.cpp *.h *.c | xargs -0
            ${CLANG_FORMAT} -i
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
    COMMENT "Formatting")
endif()
# What compile_commands.json names. Takes an hour of one core; what a change
# touches: tools/tidy-changes, which ./check runs.
if(RUN_CLANG_TIDY)
  add_custom_target(tidy
    COMMAND ${RUN_CLANG_TIDY} -quiet -p ${CMAKE_BINARY_DIR}
            ^${PROJECT_SOURCE_DIR}/\(compiler|runtime|modules|tools\)/
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
    COMMENT "Looking for defects with clang-tidy" USES_TERMINAL VERBATIM)
endif()

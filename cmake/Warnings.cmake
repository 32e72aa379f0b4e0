# Options every target shares: warnings, as errors.
add_library(cmb2kueue_options INTERFACE)
target_compile_options(cmb2kueue_options INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor
                                                   -Woverloaded-virtual -Wimplicit-fallthrough -Werror)
# g++ 12 reports overlapping copies and null dereferences inside its own std::string at -O2; clang has no such flags.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(cmb2kueue_options INTERFACE -Wno-restrict)
endif()
target_include_directories(cmb2kueue_options INTERFACE ${CMAKE_SOURCE_DIR}/include)

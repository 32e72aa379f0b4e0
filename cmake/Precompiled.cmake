# With CMB2KUEUE_PCH the standard headers nearly every file includes are read once per build, and those of the tests
# once more. Off by default, so that a header a file forgot to include is still found by the builds without it.
option(CMB2KUEUE_PCH "precompile the common headers" OFF)

set(cmb2kueue_common_headers <algorithm> <cstdint> <functional> <map> <memory> <optional> <set> <sstream> <string>
                             <string_view> <utility> <variant> <vector> <fmt/format.h>)

# cmb2kueue_precompile(target [header...]): the first target of a kind owns its headers, later ones share them.
function(cmb2kueue_precompile target)
  if(CMB2KUEUE_PCH)
    target_precompile_headers(${target} PRIVATE ${cmb2kueue_common_headers} ${ARGN})
  endif()
endfunction()

function(cmb2kueue_share_precompiled target owner)
  if(CMB2KUEUE_PCH)
    target_precompile_headers(${target} REUSE_FROM ${owner})
  endif()
endfunction()

# ccache needs the compiler to say which precompiled header it used. g++ 12 forgets that precompiled headers are the
# system's and reports bounds it misjudges inside its own std::string; the builds without them keep that warning.
if(CMB2KUEUE_PCH AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  add_compile_options(-fpch-preprocess)
  target_compile_options(cmb2kueue_options INTERFACE -Wno-array-bounds -Wno-stringop-overflow -Wno-stringop-overread)
elseif(CMB2KUEUE_PCH)
  add_compile_options("SHELL:-Xclang -fno-pch-timestamp")
endif()

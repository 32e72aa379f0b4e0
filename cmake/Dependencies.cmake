# Every outside library, looked up once. All of them are Debian packages (script/bootstrap).
find_package(yaml-cpp REQUIRED)
find_package(simdjson REQUIRED)
find_package(fmt REQUIRED)
find_package(CLI11 REQUIRED)
find_package(CURL 7.77 REQUIRED)
find_library(MD_LIBRARY md REQUIRED)
find_package(Threads REQUIRED)
# Large exports are many small texts; this allocator makes and frees them faster than glibc's. Sanitizers bring their
# own, and nothing depends on it.
if(NOT CMB2KUEUE_SANITIZE)
  find_package(mimalloc QUIET)
endif()

# The name used in src/arrows.txt -> what to link.
set(CMB2KUEUE_LIB_md ${MD_LIBRARY})
set(CMB2KUEUE_LIB_fmt fmt::fmt)
set(CMB2KUEUE_LIB_yaml-cpp yaml-cpp)
set(CMB2KUEUE_LIB_simdjson simdjson::simdjson)
set(CMB2KUEUE_LIB_libcurl CURL::libcurl)
set(CMB2KUEUE_LIB_CLI11 CLI11::CLI11)

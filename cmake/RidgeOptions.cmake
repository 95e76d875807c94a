# Build options and the flags every box shares.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Release is the only build type whose figures are comparable" FORCE)
endif()

option(RIDGE_TESTS "Build the tests" ON)
option(RIDGE_WERROR "Treat warnings as errors" OFF)
option(RIDGE_LTO "Optimise across files when linking" OFF)
option(RIDGE_FUZZ "Build the libFuzzer targets (clang only)" OFF)
set(RIDGE_CUDA AUTO CACHE STRING "CUDA kernels: AUTO builds them when nvcc is there, ON requires it, OFF needs no CUDA at all")
set_property(CACHE RIDGE_CUDA PROPERTY STRINGS AUTO ON OFF)
set(RIDGE_SANITIZE "" CACHE STRING "Sanitizers to build with, for example address,undefined or thread")

add_compile_options(-Wall -Wextra -Wpedantic -Wshadow
                    $<$<COMPILE_LANGUAGE:CXX>:-Wnon-virtual-dtor> $<$<COMPILE_LANGUAGE:CXX>:-Woverloaded-virtual>)
if(RIDGE_WERROR)
  add_compile_options(-Werror)
endif()
# What is shipped does not carry the folder it was built in.
add_compile_options("$<$<CONFIG:Release>:-ffile-prefix-map=${PROJECT_SOURCE_DIR}/=>")
if(RIDGE_SANITIZE)
  add_compile_options(-fsanitize=${RIDGE_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${RIDGE_SANITIZE})
endif()
if(RIDGE_LTO)
  set(CMAKE_INTERPROCEDURAL_OPTIMIZATION ON)
endif()

find_program(RIDGE_CCACHE ccache)
if(RIDGE_CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${RIDGE_CCACHE}")
  set(CMAKE_C_COMPILER_LAUNCHER "${RIDGE_CCACHE}")
endif()

# ridge_box(NAME name [DEPENDS targets…] [PRIVATE targets…] [THREADED]) makes the static library ridge_<name> of every *.cpp in the
# calling folder (not in its subfolders) and, of its *_test.cpp files, the test program <name>_tests known to ctest.
# THREADED: threads meet in this box, so its tests get the label `threads` and also run under the thread sanitizer.
# Each *.cu is compiled and embedded (see RidgeCuda.cmake); without CUDA, sources named cuda*.cpp are left out too.
# Includes are written from the top of the source tree: #include "reports/record/record.hpp".
if(RIDGE_TESTS)
  add_library(ridge_test_main STATIC "${PROJECT_SOURCE_DIR}/tests/support/main.cpp" "${PROJECT_SOURCE_DIR}/tests/support/golden.cpp")
  target_include_directories(ridge_test_main PUBLIC "${PROJECT_SOURCE_DIR}")
  target_compile_definitions(ridge_test_main PRIVATE RIDGE_GOLDEN_FOLDER="${PROJECT_SOURCE_DIR}/tests/golden")
  target_link_libraries(ridge_test_main PUBLIC Catch2::Catch2)
  # Catch2's own code is not what is tested: optimised and under sanitizers it alone takes minutes to compile.
  target_compile_options(ridge_test_main PRIVATE -O0 -g0 -fno-sanitize=all)
  # What the thread sanitizer's preset builds: the test programs of the boxes marked THREADED.
  add_custom_target(threaded_tests)
endif()

function(ridge_box)
  cmake_parse_arguments(BOX "THREADED" "NAME" "DEPENDS;PRIVATE;EXTRA_SOURCES" ${ARGN})
  set(target ridge_${BOX_NAME})
  file(GLOB sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*.cpp")
  set(tests ${sources})
  list(FILTER tests INCLUDE REGEX "_test\\.cpp$")
  list(FILTER sources EXCLUDE REGEX "_test\\.cpp$")
  list(APPEND sources ${BOX_EXTRA_SOURCES})
  file(GLOB kernels CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*.cu")
  if(RIDGE_WITH_CUDA AND kernels)
    ridge_cuda_images(sources ${kernels})
  elseif(NOT RIDGE_WITH_CUDA)
    list(FILTER sources EXCLUDE REGEX "/cuda[^/]*\\.cpp$")
    list(FILTER tests EXCLUDE REGEX "/cuda[^/]*_test\\.cpp$")
  endif()
  if(sources)
    add_library(${target} STATIC ${sources})
    target_include_directories(${target} PUBLIC "${PROJECT_SOURCE_DIR}" "${PROJECT_BINARY_DIR}/generated")
    target_link_libraries(${target} PUBLIC ${BOX_DEPENDS} PRIVATE fmt::fmt ${BOX_PRIVATE})
    # What a short loop takes in a cache hangs on where it happens to lie: an edit to another function once made one 1.7 times as slow. Only
    # Release builds are compared, and only what is measured is short enough to show it.
    if(CMAKE_CURRENT_SOURCE_DIR MATCHES "^${PROJECT_SOURCE_DIR}/(kernels|collectives)/")
      target_compile_options(${target} PRIVATE $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CONFIG:Release>>:-falign-loops=32>)
    endif()
  else()
    add_library(${target} INTERFACE)
    target_include_directories(${target} INTERFACE "${PROJECT_SOURCE_DIR}")
    target_link_libraries(${target} INTERFACE ${BOX_DEPENDS})
  endif()
  if(RIDGE_TESTS AND tests)
    set(labels "")
    if(BOX_THREADED)
      set(labels LABELS threads)
    endif()
    ridge_test_program(${BOX_NAME}_tests SOURCES ${tests} DEPENDS ${target} ${BOX_PRIVATE} ${labels})
  endif()
endfunction()

# ridge_test_program(name SOURCES files… DEPENDS targets… [LABELS label]): a Catch2 program whose test cases ctest lists one by one.
function(ridge_test_program name)
  cmake_parse_arguments(TEST "" "" "SOURCES;DEPENDS;LABELS" ${ARGN})
  add_executable(${name} ${TEST_SOURCES})
  target_link_libraries(${name} PRIVATE ${TEST_DEPENDS} ridge_test_main fmt::fmt)
  target_compile_options(${name} PRIVATE -O0)  # the tests' own code: half of all compile time, none of it measured
  if("threads" IN_LIST TEST_LABELS)
    add_dependencies(threaded_tests ${name})
  endif()
  catch_discover_tests(${name} TEST_PREFIX "${name}: " DISCOVERY_MODE PRE_TEST
    PROPERTIES TIMEOUT 900 SKIP_REGULAR_EXPRESSION "skipped: " LABELS "${TEST_LABELS}")
endfunction()

# Adds every subfolder that holds a CMakeLists.txt, in alphabetical order: a new folder needs no edit elsewhere.
function(ridge_add_subfolders)
  file(GLOB folders CONFIGURE_DEPENDS RELATIVE "${CMAKE_CURRENT_SOURCE_DIR}" "${CMAKE_CURRENT_SOURCE_DIR}/*/CMakeLists.txt")
  foreach(file IN LISTS folders)
    get_filename_component(folder "${file}" DIRECTORY)
    add_subdirectory(${folder})
  endforeach()
endfunction()

# Writes generated/ridge_version.hpp: version, commit, build type, compiler. Stamped into every report.
set(RIDGE_COMMIT "unknown")
find_package(Git QUIET)
# An unpacked archive has no commit, even when it was unpacked inside another repository.
if(GIT_FOUND AND EXISTS "${PROJECT_SOURCE_DIR}/.git")
  execute_process(COMMAND "${GIT_EXECUTABLE}" rev-parse --git-path logs/HEAD
    WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}" OUTPUT_VARIABLE moves OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  get_filename_component(moves "${moves}" ABSOLUTE BASE_DIR "${PROJECT_SOURCE_DIR}")
  if(EXISTS "${moves}")
    # A new commit configures again, so that a binary never carries the stamp of an older one.
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${moves}")
  endif()
  execute_process(COMMAND "${GIT_EXECUTABLE}" describe --always --dirty --abbrev=12
    WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}" OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
  if(NOT failed AND commit)
    set(RIDGE_COMMIT "${commit}")
  endif()
endif()
list(JOIN RIDGE_CUDA_ARCHITECTURES_BUILT "," RIDGE_CUDA_ARCHITECTURES_STAMP)
configure_file("${PROJECT_SOURCE_DIR}/cmake/ridge_version.hpp.in" "${PROJECT_BINARY_DIR}/generated/ridge_version.hpp" @ONLY)

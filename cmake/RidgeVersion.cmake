# Writes generated/ridge_version.hpp: version, commit, build type, compiler. Stamped into every report.
set(RIDGE_COMMIT "unknown")
find_package(Git QUIET)
if(GIT_FOUND)
  execute_process(COMMAND "${GIT_EXECUTABLE}" describe --always --dirty --abbrev=12
    WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}" OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
  if(NOT failed AND commit)
    set(RIDGE_COMMIT "${commit}")
  endif()
endif()
configure_file("${PROJECT_SOURCE_DIR}/cmake/ridge_version.hpp.in" "${PROJECT_BINARY_DIR}/generated/ridge_version.hpp" @ONLY)

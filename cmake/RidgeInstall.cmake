# make install, and the relocatable package: bin/ridge, the shared libraries it needs in lib/, papers in share/ridge/.
# Component `ridge` is what `make install` copies; component `bundle` is what only the package carries beside it.
include(GNUInstallDirs)
if(NOT TARGET ridge)
  return()
endif()

# DT_RPATH and not DT_RUNPATH: only the former also holds for the libraries that the libraries in lib/ need.
set_target_properties(ridge PROPERTIES INSTALL_RPATH "$ORIGIN/../lib" RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}")
target_link_options(ridge PRIVATE LINKER:--disable-new-dtags)

install(TARGETS ridge RUNTIME_DEPENDENCY_SET ridge_libraries
  RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT ridge)
install(DIRECTORY docs DESTINATION share/ridge COMPONENT ridge FILES_MATCHING PATTERN "*.md")
install(FILES LICENSE README.md DESTINATION share/ridge COMPONENT ridge)
file(GLOB_RECURSE schemas CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/reports/*.schema.json")
install(PROGRAMS scripts/gpu-check.sh DESTINATION share/ridge COMPONENT ridge)
install(FILES ${schemas} DESTINATION share/ridge/schema COMPONENT ridge)

# Every system has these, and mixing two of any of them in one process is how a package breaks.
install(RUNTIME_DEPENDENCY_SET ridge_libraries
  PRE_EXCLUDE_REGEXES [[^(libc|libm|libdl|librt|libpthread|libstdc\+\+|libgcc_s|ld-linux[^/]*)\.so]]
  LIBRARY DESTINATION lib COMPONENT bundle)
set(notices "${PROJECT_SOURCE_DIR}/scripts/third-party-notices.sh")
install(CODE "
  set(root \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}\")
  execute_process(COMMAND \"${notices}\" \"${PROJECT_BINARY_DIR}\" \"\${root}/lib\"
    OUTPUT_FILE \"\${root}/share/ridge/THIRD-PARTY-NOTICES\" RESULT_VARIABLE failed)
  if(failed)
    message(FATAL_ERROR \"third-party notices could not be gathered\")
  endif()" COMPONENT bundle)

set(CPACK_GENERATOR TGZ)
set(CPACK_PACKAGE_FILE_NAME "ridge-${PROJECT_VERSION}-linux-${CMAKE_SYSTEM_PROCESSOR}")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_INSTALL_CMAKE_PROJECTS "${PROJECT_BINARY_DIR};ridge;ridge;/;${PROJECT_BINARY_DIR};ridge;bundle;/")
include(CPack)

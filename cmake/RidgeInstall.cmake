# make install and the relocatable package.
include(GNUInstallDirs)
if(TARGET ridge)
  install(TARGETS ridge RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
endif()

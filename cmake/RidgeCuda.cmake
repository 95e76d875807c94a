# Decides whether CUDA kernels are built, and says so. CMake's own CUDA language stays off: Ridge embeds fatbins and PTX
# and opens the driver at run time, so nothing links against a CUDA library.
set(RIDGE_WITH_CUDA OFF)
if(NOT RIDGE_CUDA STREQUAL "OFF")
  find_program(RIDGE_NVCC nvcc HINTS /usr/local/cuda/bin ENV CUDA_PATH PATH_SUFFIXES bin)
  if(RIDGE_NVCC)
    get_filename_component(RIDGE_CUDA_ROOT "${RIDGE_NVCC}" REALPATH)
    get_filename_component(RIDGE_CUDA_ROOT "${RIDGE_CUDA_ROOT}/../.." ABSOLUTE)
    find_path(RIDGE_CUDA_INCLUDE cuda.h HINTS "${RIDGE_CUDA_ROOT}/include"
      "${RIDGE_CUDA_ROOT}/targets/${CMAKE_SYSTEM_PROCESSOR}-linux/include" "${RIDGE_CUDA_ROOT}/targets/sbsa-linux/include")
  endif()
  if(RIDGE_NVCC AND RIDGE_CUDA_INCLUDE)
    set(RIDGE_WITH_CUDA ON)
    message(STATUS "CUDA kernels: on (${RIDGE_NVCC})")
  elseif(RIDGE_CUDA STREQUAL "ON")
    message(FATAL_ERROR "RIDGE_CUDA=ON, but nvcc or cuda.h was not found; install the CUDA Toolkit or set CUDA_PATH")
  else()
    message(STATUS "CUDA kernels: off (no nvcc found; RIDGE_CUDA=ON would make this an error)")
  endif()
else()
  message(STATUS "CUDA kernels: off (RIDGE_CUDA=OFF)")
endif()
if(NOT RIDGE_WITH_CUDA)
  add_compile_definitions(RIDGE_WITH_CUDA=0)
  return()
endif()
add_compile_definitions(RIDGE_WITH_CUDA=1)

# What is embedded: "all" is what a package carries, "ptx" what tests need; or a list such as "sm_90a;compute_80".
set(RIDGE_CUDA_ARCHITECTURES all CACHE STRING "GPU architectures to embed: all, ptx, or a list such as sm_90a;compute_80")
set(checked "")
if(RIDGE_CUDA_ARCHITECTURES STREQUAL "all")
  set(RIDGE_CUDA_ARCHITECTURES_BUILT sm_80 sm_86 sm_89 sm_90 sm_90a sm_100 sm_100a sm_103a sm_120 compute_80)
elseif(RIDGE_CUDA_ARCHITECTURES STREQUAL "ptx")
  set(RIDGE_CUDA_ARCHITECTURES_BUILT compute_80)
  set(checked -- sm_80)
else()
  set(RIDGE_CUDA_ARCHITECTURES_BUILT ${RIDGE_CUDA_ARCHITECTURES})
endif()
foreach(architecture IN LISTS RIDGE_CUDA_ARCHITECTURES_BUILT)
  if(NOT architecture MATCHES "^(sm|compute)_[0-9]+a?$")
    message(FATAL_ERROR "RIDGE_CUDA_ARCHITECTURES: '${architecture}' is not all, ptx, sm_N or compute_N")
  endif()
endforeach()
list(FIND RIDGE_CUDA_ARCHITECTURES_BUILT compute_80 found)
if(found EQUAL -1)
  list(APPEND RIDGE_CUDA_ARCHITECTURES_BUILT compute_80)  # newer GPUs and the reference machine need it
endif()
set(RIDGE_CUDA_COMPILE_LIST ${RIDGE_CUDA_ARCHITECTURES_BUILT} ${checked})
list(JOIN RIDGE_CUDA_ARCHITECTURES_BUILT "," RIDGE_CUDA_ARCHITECTURES_BUILT)  # as the version stamp shows them

# cuda.h for the boxes that speak to the driver: types and constants, no library.
add_library(ridge_cuda_header INTERFACE)
target_include_directories(ridge_cuda_header SYSTEM INTERFACE "${RIDGE_CUDA_INCLUDE}")

# ridge_cuda_images(list-variable files…): compiles each NAME.cu of the calling folder and appends to the
# list a source that embeds it. NAME_image.hpp, included as "<folder>/NAME_image.hpp", declares it as
# ridge::<folder>::NAME_image. The plain PTX stays in the build folder for tests.
function(ridge_cuda_images list_name)
  file(RELATIVE_PATH folder "${PROJECT_SOURCE_DIR}" "${CMAKE_CURRENT_SOURCE_DIR}")
  string(REGEX REPLACE "^kernels/" "" space "${folder}")
  string(REPLACE "/" "::" space "ridge::${space}")
  set(result ${${list_name}})
  foreach(file IN LISTS ARGN)
    get_filename_component(name "${file}" NAME_WE)
    set(stem "${PROJECT_BINARY_DIR}/generated/${folder}/${name}")
    string(REPLACE "/" "_" symbol "ridge_${folder}_${name}")
    add_custom_command(OUTPUT "${stem}.fatbin" "${stem}.ptx" "${stem}.resources"
      COMMAND "${PROJECT_SOURCE_DIR}/scripts/compile-kernels.sh" "${RIDGE_CUDA_ROOT}" "${file}" "${stem}" ${RIDGE_CUDA_COMPILE_LIST}
      DEPENDS "${file}" "${PROJECT_SOURCE_DIR}/scripts/compile-kernels.sh" "${PROJECT_SOURCE_DIR}/scripts/check-spills.sh"
        "${PROJECT_SOURCE_DIR}/scripts/ptxas-resources.awk"
      DEPFILE "${stem}.d" COMMENT "Compiling kernels ${folder}/${name}.cu" VERBATIM)
    configure_file("${PROJECT_SOURCE_DIR}/cmake/kernel_image.hpp.in" "${stem}_image.hpp" @ONLY)
    configure_file("${PROJECT_SOURCE_DIR}/cmake/kernel_image.cpp.in" "${stem}_image.cpp" @ONLY)
    # Symbols that an assembler statement defines are not seen by link-time optimisation.
    set_source_files_properties("${stem}_image.cpp" PROPERTIES OBJECT_DEPENDS "${stem}.fatbin;${stem}.resources"
      COMPILE_OPTIONS -fno-lto)
    list(APPEND result "${stem}_image.cpp")
    set_property(GLOBAL APPEND PROPERTY RIDGE_IMAGES "${folder}/${name}_image.hpp=${space}::${name}_image")
  endforeach()
  set(${list_name} ${result} PARENT_SCOPE)
endfunction()

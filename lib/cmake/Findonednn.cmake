# oneDNN, target onednn::onednn. Debian's own dnnl-config.cmake asks for OpenCL's headers, which
# its CPU build has no use for, so look for the two files directly.
find_path(ONEDNN_INCLUDE_DIR dnnl.hpp)
find_library(ONEDNN_LIBRARY dnnl)
mark_as_advanced(ONEDNN_INCLUDE_DIR ONEDNN_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(onednn REQUIRED_VARS ONEDNN_LIBRARY ONEDNN_INCLUDE_DIR)

if(onednn_FOUND AND NOT TARGET onednn::onednn)
  add_library(onednn::onednn UNKNOWN IMPORTED)
  set_target_properties(
    onednn::onednn PROPERTIES IMPORTED_LOCATION ${ONEDNN_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES
                                                                  ${ONEDNN_INCLUDE_DIR})
endif()

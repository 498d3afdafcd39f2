# The Debian package: cpack -G DEB --config build/cpu/CPackConfig.cmake. It holds everything that is
# installed; what it depends on is debian.sh's list, and what the libraries are linked with.
find_program(BASH bash)
mark_as_advanced(BASH)
if(NOT BASH)
  return()  # debian.sh is bash's
endif()
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME luatorch)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR})
set(CPACK_PACKAGE_CONTACT "LuaTorch's maintainers <maintainers@luatorch.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "tensors and neural networks for LuaJIT (Torch7's API)")
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)

set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "gnuplot-nox | gnuplot-qt, libhdf5-103-1, openmpi-bin, graphviz")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
    "The packages of the Torch7 distribution (torch, nn, optim, image and others)
 on a new core, and th, which runs scripts and has a prompt with completion.")

# A list of debian.sh.
function(debian_packages list result)
  execute_process(
    COMMAND ${BASH} -c "source '${CMAKE_CURRENT_FUNCTION_LIST_DIR}/debian.sh' && printf '%s;' \"\${${list}_packages[@]}\""
    OUTPUT_VARIABLE packages
    COMMAND_ERROR_IS_FATAL ANY)
  list(REMOVE_ITEM packages "")
  set(${result} ${packages} PARENT_SCOPE)
endfunction()

# Names of libraries come from the linker, and carry versions then (debian_depends.cmake).
debian_packages(run packages)
list(FILTER packages EXCLUDE REGEX "^(libdnnl|libhwy|libgomp|libstdc|libpng|libonnx|libprotobuf)")
list(TRANSFORM packages REPLACE "^luajit2?$" "luajit2 | luajit")
list(JOIN packages ", " CPACK_DEBIAN_PACKAGE_DEPENDS)

# cuBLAS and cuDNN are opened when they are used, and come from NVIDIA's archive.
if(TH_CUDA)
  set(CPACK_PACKAGE_NAME luatorch-cuda)
  set(CPACK_DEBIAN_PACKAGE_PROVIDES luatorch)
  set(CPACK_DEBIAN_PACKAGE_CONFLICTS luatorch)
  set(CPACK_DEBIAN_PACKAGE_REPLACES luatorch)
  debian_packages(cuda_run packages)
  list(JOIN packages ", " packages)
  string(APPEND CPACK_DEBIAN_PACKAGE_SUGGESTS ", ${packages}")
endif()

configure_file(${CMAKE_CURRENT_LIST_DIR}/debian_depends.cmake.in ${PROJECT_BINARY_DIR}/install/debian_depends.cmake
               @ONLY)
set(CPACK_PROJECT_CONFIG_FILE ${PROJECT_BINARY_DIR}/install/debian_depends.cmake)

# Where Debian's own Lua packages lie, so that a plain luajit finds ours, too.
configure_file(${CMAKE_CURRENT_LIST_DIR}/debian_layout.cmake.in ${PROJECT_BINARY_DIR}/install/debian_layout.cmake
               @ONLY)
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_BINARY_DIR}/install/debian_layout.cmake)
include(CPack)

# The Debian package: cpack -G DEB --config build/cpu/CPackConfig.cmake. It holds everything that is
# installed; what it depends on is debian.sh's list, and what the libraries are linked with.
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
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "gnuplot-nox | gnuplot-qt, libhdf5-103-1, graphviz")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
    "The packages of the Torch7 distribution (torch, nn, optim, image and others)
 on a new core, and th, which runs scripts and has a prompt with completion.")

# Names of libraries come from the linker, and carry versions then.
execute_process(
  COMMAND bash -c "source '${CMAKE_CURRENT_LIST_DIR}/debian.sh' && printf '%s;' \"\${run_packages[@]}\""
  OUTPUT_VARIABLE packages
  COMMAND_ERROR_IS_FATAL ANY)
list(FILTER packages EXCLUDE REGEX "^(libdnnl|libhwy|libgomp|libstdc|libpng|$)")
list(TRANSFORM packages REPLACE "^luajit2?$" "luajit2 | luajit")
list(JOIN packages ", " CPACK_DEBIAN_PACKAGE_DEPENDS)

# Where Debian's own Lua packages lie, so that a plain luajit finds ours, too.
configure_file(${CMAKE_CURRENT_LIST_DIR}/debian_layout.cmake.in ${PROJECT_BINARY_DIR}/install/debian_layout.cmake
               @ONLY)
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_BINARY_DIR}/install/debian_layout.cmake)
include(CPack)

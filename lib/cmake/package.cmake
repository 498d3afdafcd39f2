# find_package(LuaTorch): for programs that use libTH.so, and operations that others write
# (docs/guides/embedding.md). The build tree has one, too, laid out as a prefix has it, so that CMake
# finds either where its `th` is on the PATH.
include(CMakePackageConfigHelpers)
set(package_folder share/cmake/LuaTorch)

string(REPLACE ";" " " TH_SANITIZER_FLAGS "${sanitizer_flags}")
set(LuaTorch_PLACES
    "set(LuaTorch_LIBRARY \"${PROJECT_BINARY_DIR}/lib/libTH.so\")
set(LuaTorch_INCLUDE_DIRS \"${PROJECT_SOURCE_DIR}/lib/TH\" \"${PROJECT_SOURCE_DIR}/lib/TH/include\")
set(LuaTorch_LUA_DIRS \"${PROJECT_SOURCE_DIR}/lua\" \"${PROJECT_BINARY_DIR}/lua\")
set(LuaTorch_EXECUTABLE \"${PROJECT_BINARY_DIR}/bin/th\")")
configure_file(${CMAKE_CURRENT_LIST_DIR}/LuaTorchConfig.cmake.in
               ${PROJECT_BINARY_DIR}/${package_folder}/LuaTorchConfig.cmake @ONLY)

set(LuaTorch_PLACES
    "get_filename_component(luatorch_prefix \"\${CMAKE_CURRENT_LIST_DIR}/../../..\" ABSOLUTE)
set(LuaTorch_LIBRARY \"\${luatorch_prefix}/${TH_INSTALL_LIBDIR}/libTH.so\")
set(LuaTorch_INCLUDE_DIRS \"\${luatorch_prefix}/${TH_INSTALL_INCLUDEDIR}\")
set(LuaTorch_LUA_DIRS \"\${luatorch_prefix}/${TH_INSTALL_LUADIR}\")
set(LuaTorch_EXECUTABLE \"\${luatorch_prefix}/${TH_INSTALL_BINDIR}/th\")")
configure_file(${CMAKE_CURRENT_LIST_DIR}/LuaTorchConfig.cmake.in
               ${PROJECT_BINARY_DIR}/install/LuaTorchConfig.cmake @ONLY)

# The C++ side changes with any version.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/${package_folder}/LuaTorchConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/install/LuaTorchConfig.cmake
              ${PROJECT_BINARY_DIR}/${package_folder}/LuaTorchConfigVersion.cmake
        DESTINATION ${package_folder} COMPONENT torch)

# The Lua packages and the launcher: used from the source tree, copied on installation. Each package
# is a component, so that a rock can have it alone; `torch` has what th cannot do without.
set(torch_packages torch paths sys xlua trepl)
# Within lua/torch, and yet components of their own.
set(torch_folders train dataset)

set(torch_exclusions)
foreach(folder IN LISTS torch_folders)
  list(APPEND torch_exclusions PATTERN torch/${folder} EXCLUDE)
endforeach()

file(GLOB packages CONFIGURE_DEPENDS LIST_DIRECTORIES ON RELATIVE ${PROJECT_SOURCE_DIR}/lua
     ${PROJECT_SOURCE_DIR}/lua/*)
foreach(package IN LISTS packages)
  set(component ${package})
  if(package IN_LIST torch_packages)
    set(component torch)
  endif()
  install(
    DIRECTORY ${PROJECT_SOURCE_DIR}/lua/${package}
    DESTINATION ${TH_INSTALL_LUADIR}
    COMPONENT ${component}
    FILES_MATCHING
    PATTERN "*.lua"
    PATTERN "*.cmake"
    PATTERN "image/assets/*"
    ${torch_exclusions})
endforeach()
foreach(folder IN LISTS torch_folders)
  install(
    DIRECTORY ${PROJECT_SOURCE_DIR}/lua/torch/${folder}
    DESTINATION ${TH_INSTALL_LUADIR}/torch
    COMPONENT ${folder}
    FILES_MATCHING
    PATTERN "*.lua")
endforeach()

# find_package(Torch) finds this one where CMake looks by itself.
install(FILES ${PROJECT_SOURCE_DIR}/lua/torch/cmake/TorchConfig.cmake DESTINATION share/cmake/Torch
        COMPONENT torch)

# What the Lua language server wants to know of them; docs/editors.md tells.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs/definitions DESTINATION share/luatorch COMPONENT torch)

# In the build tree the launcher knows where sources and generated files lie; an installed one
# finds them beside itself, wherever the tree is moved to.
set(TH_ROOTS "lua_roots='${PROJECT_SOURCE_DIR}/lua
${PROJECT_BINARY_DIR}/lua'
lib_roots='${PROJECT_BINARY_DIR}/lib'")
configure_file(${PROJECT_SOURCE_DIR}/bin/th.in ${PROJECT_BINARY_DIR}/bin/th @ONLY
               FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE
                                WORLD_READ WORLD_EXECUTE)

set(TH_ROOTS "lua_roots=$prefix/share/lua/5.1
lib_roots=$prefix/lib/lua/5.1")
configure_file(${PROJECT_SOURCE_DIR}/bin/th.in ${PROJECT_BINARY_DIR}/install/th @ONLY)
install(PROGRAMS ${PROJECT_BINARY_DIR}/install/th DESTINATION ${TH_INSTALL_BINDIR} COMPONENT torch)
install(FILES ${PROJECT_SOURCE_DIR}/packaging/th.1 DESTINATION share/man/man1 COMPONENT torch)

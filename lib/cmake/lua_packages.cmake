# The Lua packages and the launcher: used from the source tree, copied on installation.

install(
  DIRECTORY ${PROJECT_SOURCE_DIR}/lua/
  DESTINATION ${TH_INSTALL_LUADIR}
  FILES_MATCHING
  PATTERN "*.lua"
  PATTERN "image/assets/*")

# What the Lua language server wants to know of them; docs/editors.md tells.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs/definitions DESTINATION share/luatorch)

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
install(PROGRAMS ${PROJECT_BINARY_DIR}/install/th DESTINATION ${TH_INSTALL_BINDIR})

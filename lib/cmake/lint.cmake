# Targets `lint` (reports) and `format` (rewrites C++). The folders are listed once, here.
set(lua_folders lua test examples bench rocks)
set(cxx_folders lib test examples)

set(lua_paths "")
foreach(folder IN LISTS lua_folders)
  if(IS_DIRECTORY ${PROJECT_SOURCE_DIR}/${folder})
    list(APPEND lua_paths ${folder})
  endif()
endforeach()

set(cxx_globs "")
foreach(folder IN LISTS cxx_folders)
  list(APPEND cxx_globs ${folder}/*.cpp ${folder}/*.h ${folder}/*.cu ${folder}/*.cuh)
endforeach()
list(TRANSFORM cxx_globs PREPEND ${PROJECT_SOURCE_DIR}/)
file(GLOB_RECURSE cxx_files CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR} ${cxx_globs})
# Lua in a C header's clothes: its lines are not clang-format's to arrange.
list(REMOVE_ITEM cxx_files lib/TH/ops/calls.h lib/TH/ops/rows.h)

find_program(LUACHECK luacheck)
find_program(CLANG_FORMAT clang-format)
mark_as_advanced(LUACHECK CLANG_FORMAT)

add_custom_target(
  lint_lua
  COMMAND ${LUACHECK} --quiet ${lua_paths}
  WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
  COMMENT "luacheck"
  VERBATIM)
add_custom_target(
  lint_cxx
  COMMAND ${CLANG_FORMAT} --dry-run -Werror ${cxx_files}
  WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
  COMMENT "clang-format --dry-run"
  VERBATIM)
add_custom_target(lint DEPENDS lint_lua lint_cxx)
add_custom_target(
  format
  COMMAND ${CLANG_FORMAT} -i ${cxx_files}
  WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
  COMMENT "clang-format -i"
  VERBATIM)

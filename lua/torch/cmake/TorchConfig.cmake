# What find_package(Torch) gives to packages for Torch7 that install themselves by CMake:
# ADD_TORCH_PACKAGE, ADD_TORCH_LIBRARY, and where an installation has its Lua files and libraries.
# CMake looks here when Torch_DIR names this folder in the environment, as `th --env` says.
#
# Torch7's C interface (TH.h, luaT.h) is none of ours: sources that include it are refused by name.
set(Torch_FOUND TRUE)

# LuaRocks has a folder of its own for each rock, and moves the files from there.
if(CMAKE_INSTALL_PREFIX MATCHES "/luarocks/rocks")
  set(Torch_INSTALL_LUA_PATH_SUBDIR lua)
  set(Torch_INSTALL_LUA_CPATH_SUBDIR lib)
else()
  set(Torch_INSTALL_LUA_PATH_SUBDIR share/lua/5.1)
  set(Torch_INSTALL_LUA_CPATH_SUBDIR lib/lua/5.1)
endif()
set(Torch_INSTALL_BIN_SUBDIR bin)
set(Torch_INSTALL_LIB_SUBDIR lib)
set(Torch_INSTALL_INCLUDE_SUBDIR include)
set(Torch_INSTALL_PREFIX "${CMAKE_INSTALL_PREFIX}")
set(Torch_INSTALL_LUA_PATH "${CMAKE_INSTALL_PREFIX}/${Torch_INSTALL_LUA_PATH_SUBDIR}")
set(Torch_INSTALL_LUA_CPATH "${CMAKE_INSTALL_PREFIX}/${Torch_INSTALL_LUA_CPATH_SUBDIR}")

function(_torch_refuse_torch7s_c package)
  foreach(source IN LISTS ARGN)
    get_filename_component(path "${source}" ABSOLUTE)
    if(NOT EXISTS "${path}")
      continue()  # made by the build
    endif()
    file(STRINGS "${path}" includes REGEX "#[ \t]*include[ \t]*[<\"](TH/|THC/)?(TH|luaT)[A-Za-z]*\\.h")
    if(includes)
      list(GET includes 0 first)
      message(FATAL_ERROR
        "Torch: ${package}: ${source} has ${first}, Torch7's C interface, which LuaTorch has not; "
        "a package of Lua alone installs, as does C that LuaJIT's FFI or Lua's own interface calls "
        "(docs/compat.md, Packages from their own sources)")
    endif()
  endforeach()
endfunction()

# A library of C or C++: ADD_TORCH_LIBRARY(name SHARED|STATIC|MODULE "sources")
# Headers are found beside the CMakeLists.txt, whatever folder the sources are in.
macro(ADD_TORCH_LIBRARY package type src)
  include_directories(${CMAKE_CURRENT_SOURCE_DIR})
  _torch_refuse_torch7s_c(${package} ${src})
  add_library(${package} ${type} ${src})
endmacro()

# A package: its Lua files go into a folder of its name, its C, if there is any, becomes
# lib<name>.so on package.cpath: ADD_TORCH_PACKAGE(name "sources" "Lua files" ["description"])
macro(ADD_TORCH_PACKAGE package src luasrc)
  if(NOT "${src}" STREQUAL "")
    ADD_TORCH_LIBRARY(${package} MODULE "${src}")
    find_path(Torch_LUA_INCLUDE_DIR lua.h HINTS ${LUA_INCDIR} PATH_SUFFIXES luajit-2.1 lua5.1)
    if(Torch_LUA_INCLUDE_DIR)
      target_include_directories(${package} PRIVATE ${Torch_LUA_INCLUDE_DIR})
    endif()
    set_target_properties(${package} PROPERTIES PREFIX lib)
    install(TARGETS ${package} DESTINATION ${Torch_INSTALL_LUA_CPATH_SUBDIR})
  endif()
  if(NOT "${luasrc}" STREQUAL "")
    install(FILES ${luasrc} DESTINATION ${Torch_INSTALL_LUA_PATH_SUBDIR}/${package})
  endif()
endmacro()

# Torch7 made C of Lua declarations by it, for its C interface.
macro(ADD_TORCH_WRAP target)
  message(FATAL_ERROR "Torch: ADD_TORCH_WRAP(${target}): its wrappers are for Torch7's C interface, "
    "which LuaTorch has not; declare the functions to LuaJIT's FFI (ffi.cdef)")
endmacro()

# Torch7 made pages of documents by it.
macro(ADD_TORCH_DOK)
endmacro()

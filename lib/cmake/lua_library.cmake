# th_add_lua_library(NAME): the package NAME's lib/NAME as libNAME.so, which works with libTH.so, and the
# declarations of include/NAME.h that LuaJIT reads, NAME/gen/cdef.lua. The target is NAME_package.
function(th_add_lua_library name)
  set(root ${CMAKE_CURRENT_SOURCE_DIR})
  set(target ${name}_package)
  file(GLOB sources CONFIGURE_DEPENDS core/*.cpp)
  find_package(Threads REQUIRED)

  add_library(${target} SHARED ${sources})
  set_target_properties(
    ${target} PROPERTIES OUTPUT_NAME ${name} CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON
                         BUILD_RPATH "\$ORIGIN" INSTALL_RPATH "\$ORIGIN")
  target_include_directories(
    ${target} PUBLIC ${root} ${root}/include ${PROJECT_SOURCE_DIR}/lib/TH
                     ${PROJECT_SOURCE_DIR}/lib/TH/include)
  target_link_libraries(${target} PRIVATE TH Threads::Threads ${CMAKE_DL_LIBS})
  th_enable_warnings(${target})
  th_sanitize_threads(${sources})
  install(TARGETS ${target} LIBRARY DESTINATION ${TH_INSTALL_LIBDIR} COMPONENT ${name})

  set(generated ${PROJECT_BINARY_DIR}/lua/${name}/gen/cdef.lua)
  th_preprocess(
    ${generated}
    SOURCE ${root}/include/${name}.h
    DEFINES TH_CDEF
    INCLUDES ${root}/include
    LONG_STRING)
  add_custom_target(${name}_generated_lua ALL DEPENDS ${generated})
  install(FILES ${generated} DESTINATION ${TH_INSTALL_LUADIR}/${name}/gen COMPONENT ${name})
endfunction()

# One binary holds code for several instruction sets. An inline function or template that two of
# them instantiate (std::sort, a vector's destructor) is one symbol to the linker, which may keep
# the copy with the newest instructions for all: a crash on every older processor. Target
# `check_isolation` looks for such symbols in the objects.
#
#   th_check_isolation(<baseline object target> <kernel object target>...)
#
# This file is also the script that the target runs (cmake -P), see its end.

function(th_check_isolation)
  set(lists "")
  foreach(target IN LISTS ARGN)
    set(list ${CMAKE_CURRENT_BINARY_DIR}/${target}.objects)
    file(GENERATE OUTPUT ${list} CONTENT "$<JOIN:$<TARGET_OBJECTS:${target}>,\n>\n")
    list(APPEND lists ${list})
  endforeach()
  set(name check_isolation)
  if(TARGET check_isolation)  # of another library: one target looks at all
    list(GET ARGN 0 first)
    set(name check_isolation_${first})
    add_dependencies(check_isolation ${name})
  endif()
  add_custom_target(
    ${name}
    COMMAND ${CMAKE_COMMAND} -DNM=${CMAKE_NM} "-DOBJECT_LISTS=${lists}" -P
            ${CMAKE_CURRENT_FUNCTION_LIST_FILE}
    DEPENDS ${ARGN}
    COMMENT "Looking for symbols that instruction sets share"
    VERBATIM)
endfunction()

# The weak symbols that the objects named in a file define. Data (vtables, type information) is
# the same for every instruction set.
function(weak_symbols list result)
  execute_process(
    COMMAND ${NM} --defined-only --format=posix @${list}
    OUTPUT_VARIABLE text
    COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL "[^\n ]+ W " symbols "${text}")
  list(TRANSFORM symbols REPLACE " . $" "")
  list(REMOVE_DUPLICATES symbols)
  set(${result} "${symbols}" PARENT_SCOPE)
endfunction()

if(CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
  cmake_minimum_required(VERSION 3.25)
  set(seen "")
  set(shared "")
  foreach(list IN LISTS OBJECT_LISTS)
    weak_symbols(${list} symbols)
    foreach(symbol IN LISTS symbols)
      if(symbol IN_LIST seen)
        list(APPEND shared ${symbol})
      endif()
    endforeach()
    list(APPEND seen ${symbols})
  endforeach()
  if(shared)
    list(REMOVE_DUPLICATES shared)
    list(JOIN shared "\n  " text)
    message(FATAL_ERROR "Compiled for several instruction sets, linked once (see c++filt):\n  "
                        "${text}\nPut them into namespace TH_ISA or an unnamed one, or make them "
                        "always inline.")
  endif()
endif()

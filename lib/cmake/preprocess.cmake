# Lua written by the C preprocessor: TH.h becomes the FFI declarations, ops/rows.h the list of
# operations, so that neither is ever typed twice.
#
#   th_preprocess(<output> SOURCE <header> [DEFINES NAME...] [INCLUDES dir...] [DEPENDS file...]
#                 [LONG_STRING])
#
# LONG_STRING makes the output a Lua module that returns the text as a string.
#
# This file is also the script that the build runs (cmake -P), see its end.

function(th_preprocess output)
  cmake_parse_arguments(ARG "LONG_STRING" "SOURCE" "DEFINES;INCLUDES;DEPENDS" ${ARGN})
  list(TRANSFORM ARG_DEFINES PREPEND -D)
  list(TRANSFORM ARG_INCLUDES PREPEND -I)
  set(command ${CMAKE_CXX_COMPILER} -x c -E -P ${ARG_DEFINES} ${ARG_INCLUDES} ${ARG_SOURCE})
  file(RELATIVE_PATH name ${PROJECT_BINARY_DIR} ${output})
  add_custom_command(
    OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} "-DCOMMAND=${command}" -DOUTPUT=${output}
            -DLONG_STRING=${ARG_LONG_STRING} -P ${CMAKE_CURRENT_FUNCTION_LIST_FILE}
    DEPENDS ${ARG_SOURCE} ${ARG_DEPENDS} ${CMAKE_CURRENT_FUNCTION_LIST_FILE}
    COMMENT "Preprocessing ${name}"
    VERBATIM)
endfunction()

if(CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
  cmake_minimum_required(VERSION 3.25)
  execute_process(COMMAND ${COMMAND} OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
  if(LONG_STRING)
    set(text "return [==[\n${text}]==]\n")
  endif()
  file(WRITE ${OUTPUT} "-- Generated from the C headers by lib/cmake/preprocess.cmake.\n${text}")
endif()

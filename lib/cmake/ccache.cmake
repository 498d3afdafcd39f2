# Compile through ccache where it is installed; a build without it is merely slower.
find_program(CCACHE_PROGRAM ccache)
mark_as_advanced(CCACHE_PROGRAM)
if(CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # The presets compile the same files: without the build folder in the hash they share them. What
  # includes precompiled headers (test/CMakeLists.txt) is cached under these two conditions alone.
  set(CMAKE_CXX_COMPILER_LAUNCHER
      ${CMAKE_COMMAND} -E env CCACHE_NOHASHDIR=true CCACHE_SLOPPINESS=pch_defines,time_macros
      ${CCACHE_PROGRAM})
endif()
if(CCACHE_PROGRAM AND NOT CMAKE_CUDA_COMPILER_LAUNCHER)
  set(CMAKE_CUDA_COMPILER_LAUNCHER ${CMAKE_CXX_COMPILER_LAUNCHER})
endif()

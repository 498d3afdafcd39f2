# AddressSanitizer and UndefinedBehaviorSanitizer for everything compiled here. LuaJIT itself is
# not instrumented, so it must be started with the run-time libraries preloaded; libasan alone dies
# at the first C++ throw, because it looks for __cxa_throw before libstdc++ is there.
set(TH_SANITIZER_ENVIRONMENT "")  # lines for bin/th.in
if(TH_SANITIZE)
  set(sanitizer_flags -fsanitize=address,undefined -fno-sanitize-recover=undefined
                      -fno-omit-frame-pointer)
  if(TH_FUZZ)
    # libFuzzer's view of what an input reached. The executables bring the run-time libraries.
    if(NOT CMAKE_CXX_COMPILER_ID MATCHES Clang)
      message(FATAL_ERROR "TH_FUZZ needs clang: cmake --preset fuzz (Debian: apt install clang)")
    endif()
    list(APPEND sanitizer_flags -fsanitize=fuzzer-no-link)
  endif()
  add_compile_options(${sanitizer_flags})
  add_link_options(${sanitizer_flags})
endif()
if(TH_SANITIZE AND NOT TH_FUZZ)
  set(preload "")
  foreach(library libasan.so libstdc++.so)
    execute_process(
      COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=${library}
      OUTPUT_VARIABLE path
      OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
    string(APPEND preload " ${path}")
  endforeach()
  string(STRIP "${preload}" preload)
  # LuaJIT's allocator maps its own memory, which LeakSanitizer does not scan: what only Lua refers
  # to would count as leaked. The C++ tests do look for leaks.
  # A damaged file makes libhdf5 ask for petabytes: malloc refuses them as it does elsewhere.
  set(TH_SANITIZER_ENVIRONMENT
      "export LD_PRELOAD='${preload}' ASAN_OPTIONS=\"detect_leaks=0:allocator_may_return_null=1:$ASAN_OPTIONS\"")
endif()

# ThreadSanitizer for what threads share: core, and those files of cpu that keep something between
# calls. Loops over elements share nothing and stay as they are, so that a stress test gets about.
# core/runtime/threads.cpp says itself what libgomp, which is not instrumented either, makes others wait for.
function(th_sanitize_threads)
  if(TH_TSAN)
    set_source_files_properties(
      ${ARGN} PROPERTIES COMPILE_OPTIONS "-fsanitize=thread;-fno-omit-frame-pointer;-UNDEBUG")
  endif()
endfunction()
if(TH_TSAN)
  add_link_options(-fsanitize=thread)
endif()

# Warnings for our own code. Only the presets make them errors: whoever builds a release with a
# newer compiler should get a library, not a lecture.
function(th_enable_warnings target)
  target_compile_options(${target} PRIVATE -Wall -Wextra
    # std::string's operator+ sets it off wrongly in gcc 12 (its bug 105651).
    $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict> $<$<BOOL:${TH_WERROR}>:-Werror>)
endfunction()

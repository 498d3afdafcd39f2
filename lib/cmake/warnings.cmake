# Warnings for our own code. Only the presets make them errors: whoever builds a release with a
# newer compiler should get a library, not a lecture.
function(th_enable_warnings target)
  target_compile_options(${target} PRIVATE -Wall -Wextra $<$<BOOL:${TH_WERROR}>:-Werror>)
endfunction()

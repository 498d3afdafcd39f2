# Thrust's headers, THRUST_INCLUDE_DIR: the CUDA toolkit's, or Debian's libthrust-dev. The simulated
# build compiles them with the host's compiler and needs nothing else of CUDA.
find_path(
  THRUST_INCLUDE_DIR thrust/version.h
  HINTS ENV CUDA_PATH
  PATHS /usr/local/cuda
  PATH_SUFFIXES include/cccl include)
mark_as_advanced(THRUST_INCLUDE_DIR)
if(NOT THRUST_INCLUDE_DIR)
  message(FATAL_ERROR "The simulated build needs Thrust's headers: install libthrust-dev and "
                      "libcub-dev, or the CUDA toolkit")
endif()

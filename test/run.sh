#!/usr/bin/env bash
# Every test: installs the packages that are missing, builds, runs GoogleTest, busted (CUDA types on
# simulated devices) and the linters, compiles for CUDA where there is a toolkit, and ends with a
# count. --asan does the CPU's part again under AddressSanitizer and UndefinedBehaviorSanitizer.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1
source lib/cmake/debian.sh
source test/support/runners.sh

presets=(cpu)
for word in "$@"; do
  case "$word" in
    --asan) presets+=(asan) ;;
    *)
      echo "usage: bash test/run.sh [--asan]" >&2
      exit 2
      ;;
  esac
done

install_packages "${build_packages[@]}" "${run_packages[@]}" "${test_packages[@]}" \
  "${example_packages[@]}" "${sim_packages[@]}" || exit 1
for preset in "${presets[@]}"; do
  build_preset "$preset" || exit 1
  run_googletest "build/$preset"
  run_busted "build/$preset"
done
build_preset sim || exit 1
run_googletest build/sim thc_tests
test ! -x build/sim/bin/vendor_tests || run_googletest build/sim vendor_tests # where cudnn.h is
export THC_SIM_DEVICES=4 THC_SIM_MEMORY=2G
run_busted build/sim test/cutorch test/cunn test/cudnn test/examples test/docs
run_busted build/sim --run=cuda # the specs of tensors and layers, on CUDA types
unset THC_SIM_DEVICES THC_SIM_MEMORY
nvcc=$(type -P nvcc || type -P /usr/local/cuda/bin/nvcc)
if test -n "$nvcc"; then
  CUDACXX=$nvcc run_check 'compiles for CUDA' build_preset cuda
  run_check 'what kernels take' bash test/gpu/resources.sh build/cuda
else
  heading 'no CUDA toolkit here: not compiled for CUDA'
fi
run_check luacheck cmake --build --preset cpu --target lint_lua
run_check clang-format cmake --build --preset cpu --target lint_cxx
run_check 'instruction sets apart' cmake --build --preset cpu --target check_isolation
print_count

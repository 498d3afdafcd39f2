# shellcheck shell=bash disable=SC2154 # variables are run.sh's
# The specs, a process for each file: those of the CUDA packages, then those of tensors and layers on
# CUDA types, at last the one that fills the device's memory. Sourced by run.sh.

spec() {
  job "$1${2:+, $2}" "${LIMIT:-150}" env THC_MEMORY="${2:-ranges}" "$th" "$busted" \
    --output=plainTerminal "${@:3}" "$1"
}

heading 'the CUDA packages'
for file in test/cutorch/{,walks/}*_spec.lua test/cudnn/*_spec.lua test/cunn/*_spec.lua; do
  test "$file" = test/cutorch/walks/pressure_spec.lua || spec "$file"
done
for file in test/cutorch/{tensors,operations}_spec.lua; do
  spec "$file" segments
done

heading 'tensors and layers on CUDA types'
mapfile -t files < <(luajit test/gpu/cuda_specs.lua)
run_job "a list of specs: ${#files[@]}" 10 test ${#files[@]} -gt 0
for file in "${files[@]}"; do
  spec "$file" '' --run=cuda
done

heading 'an example'
spec test/examples/fashion_mnist_spec.lua

heading 'memory at its end' # waits for the others: it takes the whole device
LIMIT=200 spec test/cutorch/walks/pressure_spec.lua

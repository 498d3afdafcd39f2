# shellcheck shell=bash disable=SC2154 # variables are run.sh's
# The first minutes on a device: what can be loaded, then one of each operation by itself in both
# ways that memory is taken, then the C++ suites. Sourced by run.sh.

heading 'the machine'
{
  uname -a
  ldd --version | head -n 1
  nproc
  test -n "$sim" || nvidia-smi
} >>"$results" 2>&1

heading 'loading'
resolved() {
  ! ldd "$1" | grep 'not found'
}
export -f resolved
for file in "$prefix"/bin/th*_tests "$prefix"/lib/*.so "$prefix"/lib/lua/5.1/*.so; do
  [[ $file != */lib@(THonnx|distributed).so ]] || continue # optional: what they need may be missing
  test ! -e "$file" || job "ldd $(basename "$file")" 10 bash -c 'resolved "$1"' - "$file"
done
job 'a tensor of the CPU' 20 "$th" -e "assert(torch.ones(3):sum() == 3)"
wait
tell="
  require 'cutorch'
  for i = 1, cutorch.getDeviceCount() do
    local p = cutorch.getDeviceProperties(i)
    print(i, p.name, ('%d.%d'):format(p.major, p.minor), ('%.1f GiB'):format(p.totalGlobalMem / 2 ^ 30),
      p.multiProcessorCount .. ' multiprocessors')
  end
  print('CUDA runtime', cutorch.getRuntimeVersion(), 'driver', cutorch.getDriverVersion())
  print('cuDNN', cutorch.cudnnVersion() or 'missing')
  print('memory ranges', cutorch.getMemoryRanges())"
described() {
  "$1" -e "$2" >>"$3" 2>&1
}
export -f described
job 'what the devices are' 60 bash -c 'described "$@"' - "$th" "$tell" "$results"
wait
job 'a tensor of the device' 60 "$th" -e "require 'cutorch'; assert(torch.CudaTensor(3):fill(1):sum() == 3)"
wait

heading 'one of each operation'
mapfile -t names < <("$th" test/gpu/operations.lua)
run_job "a list of operations: ${#names[@]}" 10 test ${#names[@]} -gt 0
for mode in ranges segments; do
  for name in "${names[@]}"; do
    job "$name, $mode" 60 env THC_MEMORY=$mode "$th" test/gpu/operations.lua "$name"
  done
done

heading 'C++ suites'
unset THC_SIM_DEVICES THC_SIM_MEMORY # on simulated devices they make their own
mapfile -t names < <("$prefix/bin/thc_tests" --gtest_list_tests | sed -n 's/^\([^ ]*\)[.].*/\1/p')
run_job "a list of suites: ${#names[@]}" 10 test ${#names[@]} -gt 0
for name in "${names[@]}"; do
  job "$name" 90 "$prefix/bin/thc_tests" --gtest_filter="$name.*"
done

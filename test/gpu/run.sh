#!/usr/bin/env bash
# The GPU suite, in three parts of a few minutes each:
#
#   bash test/gpu/run.sh first  BUILD OUT    6 minutes: loading, one of each operation, C++ suites
#   bash test/gpu/run.sh suites BUILD OUT    9 minutes: the specs, first those of cutorch
#   bash test/gpu/run.sh bench  BUILD OUT    9 minutes: benchmarks against PyTorch, then sanitizers
#
# BUILD is what test/gpu/pack.sh made, or a folder that has it unpacked. Every operation, suite and
# spec file is a process of its own with a time limit, several at a time ($JOBS): a fault of a device
# ends its process and no other. Results are written into the folder OUT as they come, so that a
# run that is cut off leaves them, the benchmarks' own lines too; what did not come to its turn in time
# says so. $BUDGET: seconds for the part. $NEEDS: a script to source first, which puts luajit,
# busted and the libraries of the CPU's side onto the paths where the system has none.
#
# --sim before the part takes simulated devices, to try the script itself: BUILD is then a build of
# preset sim.
set -uo pipefail
sim=
if [ "${1:-}" = --sim ]; then
  sim=yes
  shift
fi
part=${1:-}
build=${2:-}
out=${3:-}
if [[ ! $part =~ ^(first|suites|bench)$ || ! -e $build || -z $out ]]; then
  sed -n '2,/^set/p' "${BASH_SOURCE[0]}" | sed -n 's/^# \{0,1\}//p' >&2
  exit 2
fi
mkdir -p "$out" && out=$(cd "$out" && pwd) && build=$(readlink -f "$build")
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
# shellcheck source=/dev/null
test -z "${NEEDS:-}" || source "$NEEDS"

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
if [ -n "$sim" ]; then
  export THC_SIM_DEVICES=${THC_SIM_DEVICES:-4} THC_SIM_MEMORY=${THC_SIM_MEMORY:-2G}
  prefix=$build
else
  unset THC_SIM_DEVICES
  prefix=$build
  if [ -f "$build" ]; then
    prefix=$scratch/prefix
    mkdir "$prefix"
    tar -xzf "$build" -C "$prefix" || exit 1
  fi
  export LD_LIBRARY_PATH=$prefix/lib/lua/5.1${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
fi
# shellcheck disable=SC2034 # for the parts
th=$prefix/bin/th busted=$(type -P busted)

source test/gpu/jobs.sh
# shellcheck source=/dev/null
source "test/gpu/$part.sh"
finish

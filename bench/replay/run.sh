#!/usr/bin/env bash
# bench/replay/run.sh: what allocation traces reserve with our strategy and with PyTorch's, as a
# table in bench/RESULTS.md, between the lines that say so. BUILD names the build folder; --record
# makes the recorded traces anew first (needs the preset sim).
set -euo pipefail
cd "$(dirname "$0")/../.."

build=${BUILD:-build/sim}
results=bench/RESULTS.md
if [ "${1:-}" = --record ]; then
  THC_SIM_DEVICES=1 THC_SIM_MEMORY=4G "$build/bin/th" bench/replay/record.lua bench/replay/traces
fi

table=$(mktemp)
trap 'rm -f "$table"' EXIT
{
  echo "<!-- replay: written by bench/replay/run.sh -->"
  echo
  cat bench/replay/about.md
  echo
  cpu=$(sed -n '/^model name/{s/^[^:]*: //p;q}' /proc/cpuinfo)
  echo "$(date -u +%Y-%m-%d), $cpu."
  echo
  "$build/bin/th_replay" bench/replay/traces/*.trace
  echo
  echo "<!-- end of replay -->"
} >"$table"

if grep -q '^<!-- replay:' "$results"; then
  sed -i -e "/^<!-- replay:/,/^<!-- end of replay/{/^<!-- end of replay/r $table" -e 'd}' "$results"
else
  { echo; cat "$table"; } >>"$results"
fi

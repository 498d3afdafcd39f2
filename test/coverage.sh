#!/usr/bin/env bash
# The lines of lib/THC/core that the tests run on simulated devices, file by file; fails below 95%.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

if ! command -v gcovr >/dev/null; then
  echo "coverage: gcovr is missing: sudo apt-get install gcovr" >&2
  exit 1
fi
build=build/coverage
cmake --preset coverage
cmake --build --preset coverage
find "$build" -name '*.gcda' -delete # counts of earlier runs
"$build/bin/thc_tests" --gtest_brief=1
export THC_SIM_DEVICES=4 THC_SIM_MEMORY=2G
for memory in ranges segments; do
  THC_MEMORY=$memory "$build/bin/th" "$(command -v busted)" --output=plainTerminal \
    test/cutorch >"$build/busted.log" || { cat "$build/busted.log"; exit 1; }
  grep 'successes' "$build/busted.log"
done
gcovr --root . --filter lib/THC/core/ --object-directory "$build" "$build/lib/THC" \
  --exclude-throw-branches --print-summary --fail-under-line 95

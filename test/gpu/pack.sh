#!/usr/bin/env bash
# pack.sh BUILD FOLDER: what a machine with a GPU needs of BUILD (preset cuda) to run test/gpu/run.sh,
# stripped and in a tree that may be moved.
set -euo pipefail
if [ $# != 2 ] || [ ! -e "$1/bin/thc_tests" ]; then
  echo "usage: bash test/gpu/pack.sh BUILD FOLDER, after cmake --build --preset cuda in BUILD" >&2
  exit 2
fi
rm -rf "$2"
cmake --install "$1" --prefix "$2" --strip >/dev/null
strip -o "$2/bin/thc_tests" "$1/bin/thc_tests"
du -sh "$2"

#!/usr/bin/env bash
# pack.sh BUILD ARCHIVE.tar.gz: what a machine with a GPU needs of BUILD (preset cuda) to run
# test/gpu/run.sh, installed and stripped. Fails where the archive is larger than $MOST_MIB (64), which
# is what such a machine may be sent at once; build for its architecture alone then.
set -euo pipefail
if [ $# != 2 ] || [ ! -e "$1/bin/thc_tests" ]; then
  echo "usage: bash test/gpu/pack.sh BUILD ARCHIVE.tar.gz, where BUILD is a build of preset cuda" >&2
  exit 2
fi
prefix=$(mktemp -d)
trap 'rm -rf "$prefix"' EXIT
cmake --install "$1" --prefix "$prefix" --strip >/dev/null
strip -o "$prefix/bin/thc_tests" "$1/bin/thc_tests"
mkdir -p "$(dirname "$2")"
tar -czf "$2" -C "$prefix" .
du -h "$2"
most=${MOST_MIB:-64}
if [ "$(stat -c %s "$2")" -gt $((most << 20)) ]; then
  echo "$2 is larger than $most MiB: build with CMAKE_CUDA_ARCHITECTURES for that machine alone" >&2
  exit 1
fi

#!/usr/bin/env bash
# The documents as a site of plain HTML, search included: bash docs/build.sh [FOLDER]
# The folder (build/site) can be opened from disk or put on any web server. Fails on a broken link.
# Installs what is missing: cmark-gfm, and what th needs (luajit, lua-filesystem).
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
out=$(realpath -m "${1:-$root/build/site}")
cd "$root"
source lib/cmake/debian.sh
install_packages "${site_packages[@]}" "$luajit" lua-filesystem
luajit docs/site/build.lua "$out"

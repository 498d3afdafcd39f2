#!/usr/bin/env bash
# Everything of a release, into a folder that `luarocks install --server=FOLDER` takes rocks from:
#   bash rocks/tools/release.sh FOLDER [URL]
# the archive of the sources (of the commit, where git is), rockspecs that fetch it from URL, binary
# rocks, LuaRocks' manifest, and the Debian package. CMakeLists.txt has the version. TH_BUILD names a
# folder in which CMake has built everything (preset cuda-release, for one); else it is compiled in
# build/release. CPACK_OPTIONS are for cpack.
set -euo pipefail
test $# -ge 1 || { sed -n '2,7s/^# \{0,1\}//p' "$0" >&2; exit 2; }
mkdir -p "$1"
out=$(realpath "$1")
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
bash lib/cmake/debian.sh --check release.sh compile run pack
version=$(sed -n 's/^project(LuaTorch VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
archive=luatorch-$version.tar.gz
url=${2:-file://$out/$archive}

if test -e .git && type -P git >/dev/null; then
  git archive --prefix="luatorch-$version/" --output="$out/$archive" HEAD
else
  echo "no git here: without $archive" >&2
fi

if test -z "${TH_BUILD:-}"; then
  TH_BUILD=$PWD/build/release
  cmake -S . -B "$TH_BUILD" -DCMAKE_BUILD_TYPE=Release -DBUILD_TESTING=OFF
  cmake --build "$TH_BUILD" --parallel "$(nproc)" --target runtime
fi
TH_BUILD=$(realpath "$TH_BUILD")
export TH_BUILD

luajit rocks/tools/write.lua "$out" "$url"
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
luajit -e 'for _, rock in ipairs(dofile "rocks/tools/packages.lua") do print(rock[1]) end' >"$tree/names"
while read -r rock; do
  luarocks make --tree "$tree" "$out/$rock-$version-1.rockspec" </dev/null
  (cd "$out" && luarocks pack --tree "$tree" "$rock" </dev/null)
done <"$tree/names"
luarocks-admin make-manifest "$out"
read -r -a cpack_options <<<"${CPACK_OPTIONS:-}"
cpack -G DEB --config "$TH_BUILD/CPackConfig.cmake" -B "$tree/deb" "${cpack_options[@]}"
mv "$tree"/deb/*.deb "$out/"

#!/usr/bin/env bash
# Everything of a release, into a folder that `luarocks install --only-server=FOLDER` takes rocks from:
#   bash rocks/tools/release.sh FOLDER [URL]
# the archive of the sources (of the commit, where git is), rockspecs that fetch it from URL, binary
# rocks, LuaRocks' manifest, and the Debian package. CMakeLists.txt has the version. Compiled, or not,
# as packaging/build_deb.sh says.
set -euo pipefail
test $# -ge 1 || { sed -n '2,6s/^# \{0,1\}//p' "$0" >&2; exit 2; }
mkdir -p "$1"
out=$(realpath "$1")
test -z "${TH_BUILD:-}" || TH_BUILD=$(realpath -m "$TH_BUILD") # the caller's folder, as FOLDER is
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
bash lib/cmake/debian.sh --check release.sh compile run pack
version=$(sed -n 's/^project(LuaTorch VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
archive=luatorch-$version.tar.gz
url=${2:-file://$out/$archive}

if test -e .git && type -P git >/dev/null; then
  # The archive is of the commit, rocks and package are of the files: they must be the same.
  if ! git diff --quiet HEAD --; then
    echo "release.sh: there are changes that are not committed (git status), a release is of a commit" >&2
    test "${TH_UNCOMMITTED:-OFF}" = ON || exit 1 # for the specs
  fi
  git archive --prefix="luatorch-$version/" --output="$out/$archive" HEAD
else
  echo "no git here: without $archive" >&2
fi

bash packaging/build_deb.sh "$out"
export TH_BUILD=${TH_BUILD:-$PWD/build/package}

luajit rocks/tools/write.lua "$out" "$url"
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
luajit -e 'for _, rock in ipairs(dofile "rocks/tools/packages.lua") do print(rock[1]) end' >"$tree/names"
while read -r rock; do
  luarocks make --tree "$tree" "$out/$rock-$version-1.rockspec" </dev/null
  (cd "$out" && luarocks pack --tree "$tree" "$rock" </dev/null)
done <"$tree/names"
luarocks-admin make-manifest "$out"

// Where the files of an archive lie once they are unpacked: a folder of its own, which stays.
#pragma once

#include <string>

#include "archive.h"

namespace bundle {

/// The folder with all of the archive's files, which are unpacked where they are not there yet, or
/// no longer. The first that serves of
///   $LUATORCH_BUNDLES alone, where it is set; otherwise
///   $XDG_CACHE_HOME/luatorch/bundles or ~/.cache/luatorch/bundles; /tmp/luatorch-UID
/// Any number of processes may do so at once. Failure: where it was tried, and why not there.
std::string unpacked(const Archive& archive);

}  // namespace bundle

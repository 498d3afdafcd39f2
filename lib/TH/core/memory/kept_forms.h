// Other forms of what a storage holds, such as a convolution's weights as its kernels want them:
// kept from one call to the next while nothing is written to the storage.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

#include "TH_core.h"
#include "core/plan_cache.h"

#pragma GCC visibility push(default)  // for backends in libraries of their own
namespace th {

/// Bytes that all kept forms take together at most.
inline constexpr int64_t kMostKeptBytes = int64_t{128} << 20;

/// `floats` elements that make(to) fills, for the elements of host memory that begin at t's first.
/// Nothing is made, and nullptr returned, when it is asked for the first time since the storage was
/// written to (who trains writes before each use), where writes may go unseen (other threads' and
/// files' memory, that of storages over storages, pointers that scripts have), or where it would be
/// too much. Forms go with their storage and by TH_emptyCache. While `make` runs no lock is held.
std::shared_ptr<const float> kept_form(const TH_Tensor& t, const PlanKey& form, int64_t floats,
                                       const std::function<void(float*)>& make);

/// Whether the memory is neither a file's, which other processes write, nor one that a script
/// brought.
bool is_own(const TH_Storage& s);

/// A storage is about to lose its memory.
void forget_forms(TH_Storage* s);
/// All go, as plans do.
void drop_forms();
int64_t kept_form_bytes();
size_t kept_form_entries();

/// A script gets a pointer to the storage's memory: writes are not seen from now on.
void expose_storage(TH_Storage* s);

}  // namespace th
#pragma GCC visibility pop

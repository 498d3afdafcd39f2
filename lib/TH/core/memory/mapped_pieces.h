// Which pieces the memory behind a range of addresses was mapped in.
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>
#include <new>

#pragma GCC visibility push(default)  // for backends in libraries of their own
namespace th {

/// A device unmaps a mapping as a whole or not at all, and every mapping costs calls to its driver.
/// So memory is mapped in pieces of up to kPiece bytes: few calls to fill a card, and yet what lies
/// between live blocks can be given back at least as finely as PyTorch does with its 20 MiB.
class MappedPieces {
 public:
  static constexpr size_t kPiece = size_t(16) << 20;

  /// Cover [ptr, ptr + bytes) with pieces by map_one(ptr, bytes), which says whether it could. If
  /// one could not, those before are taken back by unmap_one(ptr, bytes): nothing changed.
  template <class Map, class Unmap>
  bool map(void* ptr, size_t bytes, Map&& map_one, Unmap&& unmap_one) {
    char* const begin = static_cast<char*>(ptr);
    size_t done = 0;
    try {
      while (done < bytes) {
        const size_t size = std::min(bytes - done, kPiece);
        const auto piece = pieces_.emplace(begin + done, size).first;
        if (!map_one(begin + done, size)) {
          pieces_.erase(piece);
          break;
        }
        done += size;
      }
    } catch (const std::bad_alloc&) {  // the host has no memory for the record
    }
    if (done < bytes) {
      unmap(ptr, done, unmap_one);
    }
    return done >= bytes;
  }

  /// Take all pieces of [ptr, ptr + bytes) back; both ends are borders.
  template <class Unmap>
  void unmap(void* ptr, size_t bytes, Unmap&& unmap_one) {
    char* const end = static_cast<char*>(ptr) + bytes;
    auto piece = pieces_.lower_bound(static_cast<char*>(ptr));
    while (piece != pieces_.end() && piece->first < end) {
      unmap_one(piece->first, piece->second);
      piece = pieces_.erase(piece);
    }
  }

  /// Whether no piece has this address inside.
  bool is_border(const void* ptr) const {
    char* const at = static_cast<char*>(const_cast<void*>(ptr));
    const auto next = pieces_.upper_bound(at);
    if (next == pieces_.begin()) {
      return true;
    }
    const auto [begin, bytes] = *std::prev(next);
    return at == begin || at >= begin + bytes;
  }

  /// f(ptr, bytes) for every piece.
  template <class F>
  void for_each(F&& f) const {
    for (const auto& [ptr, bytes] : pieces_) {
      f(ptr, bytes);
    }
  }

 private:
  std::map<char*, size_t> pieces_;
};

}  // namespace th

#pragma GCC visibility pop

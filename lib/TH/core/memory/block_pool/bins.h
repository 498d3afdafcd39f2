// The free blocks of a heap by size: a two-level segregated fit.
//
// Source: Masmano, Ripoll, Crespo and Real, "TLSF: a new dynamic memory allocator for real-time
// systems", ECRTS 2004. A bitmap of octaves and one of eight linear steps in each lead to a list
// that fits in constant time. Unlike there, a few blocks of the request's own class are looked at
// before the next class is taken: a network that asks for the same odd sizes at every step finds
// the very blocks it gave back.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "core/memory/block_pool/block.h"

namespace th {

/// Classes over sizes in granules: eight linear steps per octave, exact below 16 granules.
struct SizeClass {
  static constexpr int kOctaves = 48;
  static constexpr int kSteps = 8;
  static constexpr int kCount = kOctaves * kSteps;

  /// The class that `granules` (>= 1) falls into.
  static int of(uint64_t granules) {
    if (granules < kSteps) {
      return int(granules);
    }
    const int log2 = std::bit_width(granules) - 1;
    return (log2 - 2) * kSteps + int((granules >> (log2 - 3)) & (kSteps - 1));
  }
  /// The smallest size of a class, in granules.
  static uint64_t floor_of(int size_class) {
    const int octave = size_class / kSteps, step = size_class % kSteps;
    return octave == 0 ? uint64_t(step) : uint64_t(kSteps + step) << (octave - 1);
  }
  /// The smallest class floor that is not below `granules`.
  static uint64_t round_up(uint64_t granules) {
    const int size_class = of(granules);
    return floor_of(size_class) == granules ? granules : floor_of(size_class + 1);
  }
};

/// Free lists, one per class, in constant time. Links lie in the blocks.
class Bins {
 public:
  explicit Bins(size_t granule) : shift_(std::countr_zero(granule)) {}

  /// A block that streams still use goes behind the others of its class: it is taken last, and the
  /// one that waited longest first.
  void insert(Block* block);
  void remove(Block* block);
  /// A block of at least `bytes`, close to it, or nullptr. Stays in its list.
  Block* find(size_t bytes) const;
  /// The first block of the class of `bytes`, or nullptr.
  Block* first_of_class(size_t bytes) const { return lists_[class_of(bytes)].first; }
  /// The largest class's first block, or nullptr: no free block is larger by an eighth.
  Block* largest() const;

  int class_of(size_t bytes) const { return SizeClass::of(bytes >> shift_); }

 private:
  struct List {
    Block* first = nullptr;
    Block* last = nullptr;
  };

  /// The first class from `from` on that has a block, or -1.
  int next_class(int from) const {
    int octave = from / SizeClass::kSteps;
    const unsigned steps =
        octave < SizeClass::kOctaves ? steps_[octave] & (~0u << (from % SizeClass::kSteps)) : 0u;
    if (steps != 0) {
      return octave * SizeClass::kSteps + std::countr_zero(steps);
    }
    const uint64_t octaves = octaves_ & (~uint64_t(1) << octave);
    if (octaves == 0) {
      return -1;
    }
    octave = std::countr_zero(octaves);
    return octave * SizeClass::kSteps + std::countr_zero(unsigned(steps_[octave]));
  }
  static Block* best_of(const List& list, size_t bytes);

  /// How many blocks of a list are compared. Bounds the search, and with it the time of a call.
  static constexpr int kLook = 16;

  int shift_;  // log2 of the granule
  uint64_t octaves_ = 0;
  std::array<uint8_t, SizeClass::kOctaves> steps_{};
  std::array<List, SizeClass::kCount> lists_{};
};

inline void Bins::insert(Block* block) {
  const int size_class = class_of(block->bytes);
  List& list = lists_[size_class];
  const bool last = !block->uses.empty();
  block->previous_free = last ? list.last : nullptr;
  block->next_free = last ? nullptr : list.first;
  (block->previous_free != nullptr ? block->previous_free->next_free : list.first) = block;
  (block->next_free != nullptr ? block->next_free->previous_free : list.last) = block;
  steps_[size_class / SizeClass::kSteps] |= uint8_t(1u << (size_class % SizeClass::kSteps));
  octaves_ |= uint64_t(1) << (size_class / SizeClass::kSteps);
}

inline void Bins::remove(Block* block) {
  const int size_class = class_of(block->bytes);
  List& list = lists_[size_class];
  (block->previous_free != nullptr ? block->previous_free->next_free : list.first) =
      block->next_free;
  (block->next_free != nullptr ? block->next_free->previous_free : list.last) =
      block->previous_free;
  if (list.first == nullptr) {
    const int octave = size_class / SizeClass::kSteps;
    steps_[octave] &= uint8_t(~(1u << (size_class % SizeClass::kSteps)));
    if (steps_[octave] == 0) {
      octaves_ &= ~(uint64_t(1) << octave);
    }
  }
}

inline Block* Bins::best_of(const List& list, size_t bytes) {
  Block* best = nullptr;
  Block* block = list.first;
  for (int i = 0; block != nullptr && i < kLook; block = block->next_free, ++i) {
    if (block->bytes == bytes) {
      return block;
    }
    if (block->bytes > bytes && (best == nullptr || block->bytes < best->bytes ||
                                 (block->bytes == best->bytes && block->ptr < best->ptr))) {
      best = block;
    }
  }
  return best;
}

inline Block* Bins::find(size_t bytes) const {
  Block* last = nullptr;
  for (int c = class_of(bytes); c >= 0; c = next_class(c + 1)) {
    Block* block = best_of(lists_[c], bytes);
    if (block == nullptr) {
      continue;  // only in the request's own class
    }
    // What lies before a gap can grow into it, so it counts as the largest.
    if (last == nullptr && block->next != nullptr &&
        block->next->state == Block::State::kUnmapped) {
      last = block;
      continue;
    }
    return block;
  }
  return last;
}

inline Block* Bins::largest() const {
  if (octaves_ == 0) {
    return nullptr;
  }
  const int octave = std::bit_width(octaves_) - 1;
  const int step = std::bit_width(unsigned(steps_[octave])) - 1;
  return lists_[octave * SizeClass::kSteps + step].first;
}

}  // namespace th

// Vectors of elements of any type.
#include <algorithm>
#include <cstddef>
#include <memory>
#include <new>
#include <string_view>
#include <utility>
#include <vector>

#include "core/element.h"
#include "core/lock.h"

struct tds_vec final : tds::Container {
  ~tds_vec() override {
    for (const tds_elem& e : elements) {
      tds::disown(e);
    }
  }
  void share_elements() override {
    for (const tds_elem& e : elements) {
      tds::share(e);
    }
  }
  std::vector<tds_elem> elements;
  uint64_t changes = 0;  // what was read before can no longer be relied on
};

namespace {

std::vector<tds_elem>::iterator at(tds_vec* vec, int64_t place) {
  return vec->elements.begin() + place;
}

const tds_elem& element(const tds_vec* vec, int64_t place) {
  const bool there = place >= 0 && place < static_cast<int64_t>(vec->elements.size());
  return there ? vec->elements[static_cast<size_t>(place)] : tds::kNil;
}

bool replace(tds_vec* vec, int64_t place, tds_elem value) {
  tds_elem old{};
  bool done = tds::own(value);
  if (vec->shared()) {
    tds::share(value);
  }
  if (done) {
    const tds::Container::Guard guard(vec);
    ++vec->changes;
    try {
      const auto needed = static_cast<size_t>(place) + 1;
      if (needed > vec->elements.size()) {
        if (needed > vec->elements.capacity()) {
          vec->elements.reserve(std::max(needed, 2 * vec->elements.capacity()));
        }
        vec->elements.resize(needed);
      }
      old = std::exchange(vec->elements[static_cast<size_t>(place)], value);
    } catch (const std::exception&) {
      done = false;
      old = value;
    }
  } else if (value.type == TDS_OBJECT) {
    old = value;
  }
  tds::disown(old);
  return done;
}

/// Numbers that are none stay behind all others: < alone is no order of them.
bool number_before(const tds_elem& a, const tds_elem& b) {
  return a.number < b.number || (b.number != b.number && a.number == a.number);
}

bool text_before(const tds_elem& a, const tds_elem& b) {
  return std::string_view(a.string, a.size) < std::string_view(b.string, b.size);
}

/// The order that elements have of their own; nullptr where they have none.
auto natural_order(const tds_vec* vec) -> bool (*)(const tds_elem&, const tds_elem&) {
  const auto all_are = [vec](uint8_t type) {
    return std::all_of(vec->elements.begin(), vec->elements.end(),
                       [type](const tds_elem& e) { return e.type == type; });
  };
  return all_are(TDS_NUMBER) ? number_before : (all_are(TDS_STRING) ? text_before : nullptr);
}

/// What a vector holds, and where, to be sorted while others use the vector.
class Copies {
 public:
  struct Entry {
    tds_elem element;
    size_t place;
  };

  /// Under the vector's lock. Throws without memory.
  explicit Copies(const tds_vec* vec) : changes_(vec->changes) {
    entries.reserve(vec->elements.size());
    sorted_.reserve(vec->elements.size());
    for (const tds_elem& e : vec->elements) {
      entries.push_back({{}, entries.size()});
      if (tds::lend(e, &entries.back().element) == TDS_SHORT) {
        give_back();
        throw std::bad_alloc();
      }
    }
  }
  ~Copies() { give_back(); }
  Copies(const Copies&) = delete;
  Copies& operator=(const Copies&) = delete;

  /// The vector's elements in the entries' order; false where they are others by now.
  bool put(tds_vec* vec) {
    const tds::Container::Guard guard(vec);
    if (vec->changes != changes_) {
      return false;
    }
    for (const Entry& entry : entries) {
      sorted_.push_back(vec->elements[entry.place]);
    }
    vec->elements.swap(sorted_);
    ++vec->changes;
    return true;
  }

  std::vector<Entry> entries;

 private:
  void give_back() {
    for (const Entry& entry : entries) {
      tds_return(&entry.element);
    }
    entries.clear();
  }

  const uint64_t changes_;
  std::vector<tds_elem> sorted_;
};

/// Sorts by merging, which no comparison leads astray: std::sort and qsort may
/// leave the array where it is no order.
template <class Before>
void merge_sort(std::vector<Copies::Entry>& entries, Before before) {
  std::vector<Copies::Entry> merged(entries.size());
  const auto size = static_cast<std::ptrdiff_t>(entries.size());
  for (std::ptrdiff_t run = 1; run < size; run *= 2) {
    for (std::ptrdiff_t first = 0; first < size; first += 2 * run) {
      const auto from = entries.begin();
      const auto middle = from + std::min(first + run, size);
      const auto last = from + std::min(first + 2 * run, size);
      std::merge(from + first, middle, middle, last, merged.begin() + first, before);
    }
    entries.swap(merged);
  }
}

}  // namespace

extern "C" {

tds_vec* tds_vec_new() { return new (std::nothrow) tds_vec; }
tds_vec* tds_vec_gone() {
  static auto* const gone = [] {
    auto* vec = new tds_vec;
    vec->share();
    return vec;
  }();
  return gone;
}
void tds_vec_retain(void* vec) { static_cast<tds_vec*>(vec)->retain(); }
void tds_vec_free(void* vec) { static_cast<tds_vec*>(vec)->release(); }

void tds_vec_share(void* vec) { static_cast<tds_vec*>(vec)->share(); }

int64_t tds_vec_size(tds_vec* vec) {
  const tds::Container::Guard guard(vec);
  return static_cast<int64_t>(vec->elements.size());
}

bool tds_vec_resize(tds_vec* vec, int64_t size) {
  std::vector<tds_elem> cut;
  try {
    const tds::Container::Guard guard(vec);
    ++vec->changes;
    if (size < static_cast<int64_t>(vec->elements.size())) {
      cut.assign(at(vec, size), vec->elements.end());
    }
    vec->elements.resize(static_cast<size_t>(size));
  } catch (const std::exception&) {
    return false;
  }
  for (const tds_elem& e : cut) {
    tds::disown(e);
  }
  return true;
}

bool tds_vec_set(tds_vec* vec, int64_t place, const tds_elem* value) {
  return replace(vec, place, *value);
}
bool tds_vec_set_n(tds_vec* vec, int64_t place, double value) {
  return replace(vec, place, tds::number(value));
}

bool tds_vec_set_s(tds_vec* vec, int64_t place, const char* value, size_t size) {
  return replace(vec, place, tds::text(value, size));
}

int tds_vec_get(tds_vec* vec, int64_t place, tds_elem* value) {
  const tds::Container::Guard guard(vec);
  return tds::lend(element(vec, place), value);
}
int tds_vec_read(tds_vec* vec, int64_t place, tds_reading* value) {
  const tds::Container::Guard guard(vec);
  return tds::read(element(vec, place), value);
}

bool tds_vec_insert(tds_vec* vec, int64_t place, const tds_elem* given) {
  tds_elem value = *given;
  if (!tds::own(value)) {
    return false;
  }
  if (vec->shared()) {
    tds::share(value);
  }
  try {
    const tds::Container::Guard guard(vec);
    ++vec->changes;
    if (place > static_cast<int64_t>(vec->elements.size())) {
      vec->elements.resize(static_cast<size_t>(place));
    }
    vec->elements.insert(at(vec, place), value);
  } catch (const std::exception&) {
    tds::disown(value);
    return false;
  }
  return true;
}

bool tds_vec_remove(tds_vec* vec, int64_t place) {
  tds_elem gone{};
  {
    const tds::Container::Guard guard(vec);
    if (place < 0 || place >= static_cast<int64_t>(vec->elements.size())) {
      return false;
    }
    ++vec->changes;
    gone = *at(vec, place);
    vec->elements.erase(at(vec, place));
  }
  tds::disown(gone);
  return true;
}

// Under the lock: numbers and texts are compared by nobody's code.
int tds_vec_sort(tds_vec* vec) {
  const tds::Container::Guard guard(vec);
  const auto before = natural_order(vec);
  if (before == nullptr) {
    return 0;
  }
  std::sort(vec->elements.begin(), vec->elements.end(), before);
  ++vec->changes;
  return 1;
}

// Without the lock: the comparison may use the vector, and an error of Lua in it may leave from
// here.
int tds_vec_sort_by(tds_vec* vec, int (*compare)(const tds_elem*, const tds_elem*)) {
  try {
    std::unique_ptr<Copies> copies;
    {
      const tds::Container::Guard guard(vec);
      copies = std::make_unique<Copies>(vec);
    }
    merge_sort(copies->entries, [compare](const Copies::Entry& a, const Copies::Entry& b) {
      return compare(&a.element, &b.element) < 0;
    });
    return copies->put(vec) ? 1 : -2;
  } catch (const std::bad_alloc&) {
    return -1;
  }
}

uint64_t tds_vec_changes(tds_vec* vec) {
  const tds::Container::Guard guard(vec);
  return vec->changes;
}

int tds_vec_permute(tds_vec* vec, const int64_t* order, int64_t size, uint64_t changes) {
  const tds::Container::Guard guard(vec);
  if (changes != vec->changes || size != static_cast<int64_t>(vec->elements.size())) {
    return -2;
  }
  std::vector<tds_elem> sorted;
  try {
    sorted.reserve(static_cast<size_t>(size));
  } catch (const std::exception&) {
    return -1;
  }
  for (int64_t i = 0; i < size; ++i) {
    sorted.push_back(vec->elements[static_cast<size_t>(order[i])]);
  }
  vec->elements.swap(sorted);
  ++vec->changes;
  return 1;
}

}  // extern "C"

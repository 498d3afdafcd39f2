// Vectors of elements of any type.
#include <algorithm>
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
};

namespace {

std::vector<tds_elem>::iterator at(tds_vec* vec, int64_t place) {
  return vec->elements.begin() + place;
}

bool replace(tds_vec* vec, int64_t place, tds_elem value) {
  tds_elem old{};
  bool done = tds::own(value);
  if (vec->shared()) {
    tds::share(value);
  }
  if (done) {
    const tds::Container::Guard guard(vec);
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

/// Under the lock while it is sorted: a merge sort, which no comparison leads astray.
bool sort_by(tds_vec* vec, int (*compare)(const void*, const void*)) {
  const tds::Container::Guard guard(vec);
  std::qsort(vec->elements.data(), vec->elements.size(), sizeof(tds_elem), compare);
  return true;
}

int compare_texts(const void* a, const void* b) {
  const auto* x = static_cast<const tds_elem*>(a);
  const auto* y = static_cast<const tds_elem*>(b);
  return std::string_view(x->string, x->size).compare({y->string, y->size});
}

bool all_are(tds_vec* vec, uint8_t type) {
  return std::all_of(vec->elements.begin(), vec->elements.end(),
                     [type](const tds_elem& e) { return e.type == type; });
}

}  // namespace

extern "C" {

tds_vec* tds_vec_new() { return new (std::nothrow) tds_vec; }
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

int tds_vec_get(tds_vec* vec, int64_t place, tds_elem* value) {
  const tds::Container::Guard guard(vec);
  if (place < 0 || place >= static_cast<int64_t>(vec->elements.size())) {
    value->type = TDS_NIL;
    return TDS_NIL;
  }
  return tds::lend(vec->elements[static_cast<size_t>(place)], value);
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
    gone = *at(vec, place);
    vec->elements.erase(at(vec, place));
  }
  tds::disown(gone);
  return true;
}

int tds_vec_sort(tds_vec* vec) {
  const tds::Container::Guard guard(vec);
  if (all_are(vec, TDS_NUMBER)) {
    // Numbers that are none stay behind all others: < alone is no order of them.
    std::sort(vec->elements.begin(), vec->elements.end(), [](const tds_elem& a, const tds_elem& b) {
      return a.number < b.number || (b.number != b.number && a.number == a.number);
    });
    return 1;
  } else if (all_are(vec, TDS_STRING)) {
    std::sort(vec->elements.begin(), vec->elements.end(),
              [](const tds_elem& a, const tds_elem& b) { return compare_texts(&a, &b) < 0; });
    return 1;
  }
  return 0;
}

bool tds_vec_sort_by(tds_vec* vec, int (*compare)(const tds_elem*, const tds_elem*)) {
  return sort_by(vec, reinterpret_cast<int (*)(const void*, const void*)>(compare));
}

bool tds_vec_permute(tds_vec* vec, const int64_t* order, int64_t size) {
  const tds::Container::Guard guard(vec);
  if (size != static_cast<int64_t>(vec->elements.size())) {
    return false;
  }
  std::vector<tds_elem> sorted;
  try {
    sorted.reserve(static_cast<size_t>(size));
  } catch (const std::exception&) {
    return false;
  }
  for (int64_t i = 0; i < size; ++i) {
    sorted.push_back(vec->elements[static_cast<size_t>(order[i])]);
  }
  vec->elements.swap(sorted);
  return true;
}

}  // extern "C"

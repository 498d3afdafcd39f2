// Hash tables: entries in the order in which they came, and an index of them by linear probing.
//
// The index has 8 bytes an entry, so that a look into it is all that a key which is not there, or a
// new one, costs of memory far away; new entries lie side by side.
#include <limits>
#include <new>
#include <utility>

#include "core/element.h"
#include "core/lock.h"

namespace tds {
namespace {

struct Entry {
  tds_elem key;  // nil: taken out
  tds_elem value;
};

/// A place of the index: the key's hash, and the entry's number counted from 1. 0: empty.
using Slot = uint64_t;
constexpr uint32_t kGone = std::numeric_limits<uint32_t>::max();

uint32_t entry_of(Slot slot) { return static_cast<uint32_t>(slot); }
uint32_t hash_in(Slot slot) { return static_cast<uint32_t>(slot >> 32); }
Slot make_slot(uint32_t hash, uint32_t entry) { return Slot{hash} << 32 | entry; }

}  // namespace
}  // namespace tds

using tds::Entry;
using tds::Slot;

struct tds_hash final : tds::Container {
  ~tds_hash() override {
    for (uint32_t i = 0; i < used_; ++i) {
      tds::disown(entries_[i].key);
      tds::disown(entries_[i].value);
    }
    std::free(entries_);
    std::free(slots_);
  }

  void share_elements() override {
    for (uint32_t i = 0; i < used_; ++i) {
      tds::share(entries_[i].key);
      tds::share(entries_[i].value);
    }
  }

  int64_t size() const { return live_; }
  uint32_t used() const { return used_; }
  const Entry& entry(uint32_t i) const { return entries_[i]; }

  Entry* find(const tds_elem& key, uint32_t hash) const {
    if (slots_ == nullptr) {
      return nullptr;
    }
    for (uint32_t at = hash & mask_;; at = (at + 1) & mask_) {
      const Slot slot = slots_[at];
      if (slot == 0) {
        return nullptr;
      }
      if (tds::hash_in(slot) == hash && tds::entry_of(slot) != tds::kGone) {
        Entry& e = entries_[tds::entry_of(slot) - 1];
        if (tds::equal(e.key, key)) {
          return &e;
        }
      }
    }
  }

  /// A key that is not there; its texts are the container's already. False without memory.
  bool add(const tds_elem& key, const tds_elem& value, uint32_t hash) {
    if (used_ == room_ && !grow()) {
      return false;
    }
    entries_[used_++] = {key, value};
    ++live_;
    enter(hash, used_);
    return true;
  }

  void erase(Entry* e, uint32_t hash) {
    const auto number = static_cast<uint32_t>(e - entries_) + 1;
    uint32_t at = hash & mask_;
    while (tds::entry_of(slots_[at]) != number) {
      at = (at + 1) & mask_;
    }
    slots_[at] = tds::make_slot(hash, tds::kGone);
    *e = {};
    --live_;
  }

 private:
  void enter(uint32_t hash, uint32_t number) {
    uint32_t at = hash & mask_;
    while (slots_[at] != 0) {
      at = (at + 1) & mask_;
    }
    slots_[at] = tds::make_slot(hash, number);
  }

  /// Room for one more: without the entries that are gone where these are many, else for as many
  /// again. Three quarters of the index are full at most.
  bool grow() {
    const bool sweep = live_ < used_ - used_ / 4;
    const uint32_t wanted = room_ == 0 ? 6 : sweep ? room_ : 2 * room_;
    if (wanted > (1U << 30)) {
      return false;
    }
    uint32_t slots = 8;
    while (slots / 4 * 3 < wanted) {
      slots *= 2;
    }
    auto* index = static_cast<Slot*>(std::calloc(slots, sizeof(Slot)));
    auto* memory = index == nullptr || wanted == room_
                       ? entries_
                       : static_cast<Entry*>(std::realloc(entries_, wanted * sizeof(Entry)));
    if (index == nullptr || memory == nullptr) {
      std::free(index);
      return false;
    }
    entries_ = memory;
    if (sweep) {
      uint32_t kept = 0;
      for (uint32_t i = 0; i < used_; ++i) {
        if (entries_[i].key.type != TDS_NIL) {
          entries_[kept++] = entries_[i];
        }
      }
      used_ = kept;
      std::swap(index, slots_);
      mask_ = slots - 1;
      for (uint32_t i = 0; i < used_; ++i) {
        enter(tds::hash_of(entries_[i].key), i + 1);
      }
    } else {
      std::swap(index, slots_);
      const uint32_t before = index == nullptr ? 0 : mask_ + 1;
      mask_ = slots - 1;
      for (uint32_t at = 0; at < before; ++at) {
        if (index[at] != 0 && tds::entry_of(index[at]) != tds::kGone) {
          enter(tds::hash_in(index[at]), tds::entry_of(index[at]));
        }
      }
    }
    std::free(index);
    room_ = wanted;
    return true;
  }

  Entry* entries_ = nullptr;
  Slot* slots_ = nullptr;
  uint32_t mask_ = 0;
  uint32_t room_ = 0;
  uint32_t used_ = 0;
  uint32_t live_ = 0;
};

namespace {

bool set(tds_hash* hash, const tds_elem& key, tds_elem value) {
  // Given back when the lock is: an object that the table has or wants no more, texts of its own.
  tds_elem given = key.type == TDS_OBJECT ? key : tds::kNil;
  tds_elem old_key{}, old_value{};
  bool done = tds::own(value);
  if (hash->shared()) {
    tds::share(key);
    tds::share(value);
  }
  if (done) {
    const uint32_t h = tds::hash_of(key);
    const tds::Container::Guard guard(hash);
    if (Entry* e = hash->find(key, h)) {
      old_value = std::exchange(e->value, value);
      if (value.type == TDS_NIL) {
        old_key = e->key;
        hash->erase(e, h);
      }
    } else if (value.type != TDS_NIL) {
      tds_elem mine = key;
      done = tds::own(mine);
      if (done && hash->add(mine, value, h)) {
        given = {};
      } else {
        old_key = done && given.type == TDS_NIL ? mine : tds::kNil;
        old_value = value;
        done = false;
      }
    }
  } else {
    old_value = value.type == TDS_OBJECT ? value : tds::kNil;
  }
  tds::disown(given);
  tds::disown(old_key);
  tds::disown(old_value);
  return done;
}

int get(tds_hash* hash, const tds_elem& key, tds_elem* value) {
  const uint32_t h = tds::hash_of(key);
  const tds::Container::Guard guard(hash);
  const Entry* e = hash->find(key, h);
  return tds::lend(e == nullptr ? tds::kNil : e->value, value);
}

int read(tds_hash* hash, const tds_elem& key, tds_reading* value) {
  const uint32_t h = tds::hash_of(key);
  const tds::Container::Guard guard(hash);
  const Entry* e = hash->find(key, h);
  return tds::read(e == nullptr ? tds::kNil : e->value, value);
}

}  // namespace

extern "C" {

tds_hash* tds_hash_new() { return new (std::nothrow) tds_hash; }
tds_hash* tds_hash_gone() {
  static auto* const gone = [] {
    auto* hash = new tds_hash;
    hash->share();
    return hash;
  }();
  return gone;
}
void tds_hash_retain(void* hash) { static_cast<tds_hash*>(hash)->retain(); }
void tds_hash_free(void* hash) { static_cast<tds_hash*>(hash)->release(); }

void tds_hash_share(void* hash) { static_cast<tds_hash*>(hash)->share(); }

int64_t tds_hash_size(tds_hash* hash) {
  const tds::Container::Guard guard(hash);
  return hash->size();
}

bool tds_hash_set(tds_hash* hash, const tds_elem* key, const tds_elem* value) {
  return set(hash, *key, *value);
}
bool tds_hash_set_nn(tds_hash* hash, double key, double value) {
  return set(hash, tds::number(key), tds::number(value));
}
bool tds_hash_set_ns(tds_hash* hash, double key, const char* value, size_t size) {
  return set(hash, tds::number(key), tds::text(value, size));
}
bool tds_hash_set_sn(tds_hash* hash, const char* key, size_t size, double value) {
  return set(hash, tds::text(key, size), tds::number(value));
}

int tds_hash_get(tds_hash* hash, const tds_elem* key, tds_elem* value) {
  return get(hash, *key, value);
}

int tds_hash_read_n(tds_hash* hash, double key, tds_reading* value) {
  return read(hash, tds::number(key), value);
}
int tds_hash_read_s(tds_hash* hash, const char* key, size_t size, tds_reading* value) {
  return read(hash, tds::text(key, size), value);
}

int64_t tds_hash_next(tds_hash* hash, int64_t place, tds_elem* key, tds_elem* value) {
  const tds::Container::Guard guard(hash);
  for (; place < hash->used(); ++place) {
    const Entry& e = hash->entry(static_cast<uint32_t>(place));
    if (e.key.type != TDS_NIL) {
      tds::lend(e.key, key);
      tds::lend(e.value, value);
      return place + 1;
    }
  }
  return -1;
}

}  // extern "C"

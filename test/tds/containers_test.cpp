// Containers, queues and locks under several threads at once: build with preset `tsan` and run
//   build/tsan/bin/threads_tests
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "tds.h"
#include "threads.h"

namespace {

constexpr int kThreads = 4;
constexpr int kRounds = 3000;

template <class F>
void on_threads(F&& f) {
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&f, i] { f(i); });
  }
  for (std::thread& t : threads) {
    t.join();
  }
}

tds_elem number(double x) {
  tds_elem e{};
  e.number = x;
  e.type = TDS_NUMBER;
  return e;
}

tds_elem object(int kind, void* what) {
  tds_elem e{};
  e.object = what;
  e.kind = static_cast<uint16_t>(kind);
  e.type = TDS_OBJECT;
  return e;
}

int vec_kind() { return tds_kind("vec", tds_vec_retain, tds_vec_free, tds_vec_share); }

TEST(Containers, HashKeepsWhatEachThreadStored) {
  tds_hash* hash = tds_hash_new();
  const int kind = vec_kind();
  tds_hash_share(hash);
  on_threads([&](int me) {
    for (int i = 0; i < kRounds; ++i) {
      const double mine = me * kRounds + i;
      const std::string text = "text " + std::to_string(i);
      tds_hash_set_ns(hash, mine, text.data(), text.size());
      tds_elem value{};
      const tds_elem my_key = number(mine);
      ASSERT_EQ(tds_hash_get(hash, &my_key, &value), TDS_STRING);
      ASSERT_EQ(std::string(value.string, value.size), text);
      tds_return(&value);
      tds_reading reading{};
      ASSERT_EQ(tds_hash_read_n(hash, mine, &reading), TDS_STRING);
      ASSERT_EQ(std::string(reading.text, reading.size), text);
      // One that all replace, and read while others do.
      const tds_elem key = number(-1 - i % 5);
      const tds_elem vec = object(kind, tds_vec_new());
      tds_hash_set(hash, &key, &vec);
      if (tds_hash_get(hash, &key, &value) == TDS_OBJECT) {
        tds_vec_set_n(static_cast<tds_vec*>(value.object), i % 7, i);
        tds_return(&value);
      }
      if (i % 3 == 0) {
        const tds_elem nil{};
        const tds_elem gone = number(mine);
        tds_hash_set(hash, &gone, &nil);
      }
    }
  });
  EXPECT_EQ(tds_hash_size(hash), kThreads * kRounds * 2 / 3 + 5);
  tds_hash_free(hash);
}

TEST(Containers, VecAndCounterLoseNothing) {
  tds_vec* vec = tds_vec_new();
  tds_atomic_counter* counter = tds_atomic_counter_new();
  tds_vec_share(vec);
  on_threads([&](int) {
    for (int i = 0; i < kRounds; ++i) {
      const tds_elem value = number(tds_atomic_counter_inc(counter));
      tds_vec_insert(vec, i % 10, &value);
      if (i % 500 == 0) {
        tds_vec_sort(vec);
      }
    }
  });
  EXPECT_EQ(tds_atomic_counter_get(counter), kThreads * kRounds);
  ASSERT_EQ(tds_vec_size(vec), kThreads * kRounds + 0);
  tds_vec_sort(vec);
  tds_elem last{};
  tds_vec_get(vec, kThreads * kRounds - 1, &last);
  EXPECT_EQ(last.number, kThreads * kRounds);
  tds_atomic_counter_free(counter);
  tds_vec_free(vec);
}

TEST(Containers, OneVectorIsSortedBySeveralThreads) {
  tds_vec* vec = tds_vec_new();
  tds_vec_share(vec);
  constexpr int kElements = 20000;
  for (int i = 0; i < kElements; ++i) {
    tds_vec_set_n(vec, i, i * 7919 % kElements);
  }
  on_threads([&](int me) {
    for (int i = 0; i < 5; ++i) {
      tds_vec_set_n(vec, (me * 31 + i) % kElements, -1 - me);
      EXPECT_EQ(tds_vec_sort(vec), 1);
    }
  });
  tds_elem before{}, after{};
  for (int i = 1; i < kElements; ++i) {
    tds_vec_get(vec, i - 1, &before);
    tds_vec_get(vec, i, &after);
    ASSERT_LE(before.number, after.number);
  }
  tds_vec_free(vec);
}

// What is not an order gives some order of the same elements.
TEST(Containers, AComparisonThatIsNoOrderLosesNothing) {
  tds_vec* vec = tds_vec_new();
  for (int i = 0; i < 1000; ++i) {
    tds_vec_set_n(vec, i, i);
  }
  const auto anyhow = [](const tds_elem*, const tds_elem*) {
    static uint32_t state = 1;
    state = state * 1664525 + 1013904223;
    return int(state >> 30) - 1;
  };
  const auto always = [](const tds_elem*, const tds_elem*) { return -1; };
  for (int (*compare)(const tds_elem*, const tds_elem*) : {+anyhow, +always}) {
    EXPECT_EQ(tds_vec_sort_by(vec, compare), 1);
    std::vector<bool> found(1000);
    for (int i = 0; i < 1000; ++i) {
      tds_elem value{};
      tds_vec_get(vec, i, &value);
      found.at(static_cast<size_t>(value.number)) = true;
    }
    EXPECT_EQ(std::count(found.begin(), found.end(), true), 1000);
  }
  tds_vec_free(vec);
}

TEST(Containers, APermutationIsOfWhatWasReadBefore) {
  tds_vec* vec = tds_vec_new();
  for (int i = 0; i < 3; ++i) {
    tds_vec_set_n(vec, i, i);
  }
  const int64_t order[] = {2, 0, 1};
  const uint64_t read = tds_vec_changes(vec);
  EXPECT_EQ(tds_vec_permute(vec, order, 2, read), -2);
  EXPECT_EQ(tds_vec_permute(vec, order, 3, read), 1);
  EXPECT_EQ(tds_vec_permute(vec, order, 3, read), -2);  // the first was a change
  tds_elem value{};
  for (int i = 0; i < 3; ++i) {
    tds_vec_get(vec, i, &value);
    EXPECT_EQ(value.number, order[i]);
  }
  tds_vec_free(vec);
}

tds_vec* sorted_by_others = nullptr;

TEST(Containers, AComparisonMayUseTheVectorThatIsSorted) {
  tds_vec* vec = tds_vec_new();
  sorted_by_others = vec;
  for (int i = 0; i < 100; ++i) {
    tds_vec_set_n(vec, i, (i * 37) % 100);
  }
  const auto reads = [](const tds_elem* a, const tds_elem* b) {
    return tds_vec_size(sorted_by_others) == 100 ? int(a->number - b->number) : 0;
  };
  const auto writes = [](const tds_elem* a, const tds_elem* b) {
    tds_vec_set_n(sorted_by_others, 5, -1);
    return int(a->number - b->number);
  };
  for (const bool shared : {false, true}) {
    if (shared) {
      tds_vec_share(vec);
    }
    EXPECT_EQ(tds_vec_sort_by(vec, reads), 1);
    tds_elem value{};
    for (int i = 0; i < 100; ++i) {
      tds_vec_get(vec, i, &value);
      EXPECT_EQ(value.number, i);
    }
    EXPECT_EQ(tds_vec_sort_by(vec, writes), -2);  // and is as the comparison left it
    tds_vec_get(vec, 5, &value);
    EXPECT_EQ(value.number, -1);
    tds_vec_set_n(vec, 5, 5);
  }
  tds_vec_free(vec);
}

TEST(Containers, TextsOfASharedVectorAreSorted) {
  tds_vec* vec = tds_vec_new();
  tds_vec_share(vec);
  for (const char* text : {"b", "", "ab", "a"}) {
    tds_elem e{};
    e.string = text;
    e.size = static_cast<uint32_t>(std::strlen(text));
    e.type = TDS_STRING;
    tds_vec_insert(vec, 0, &e);
  }
  EXPECT_EQ(tds_vec_sort(vec), 1);
  std::string all;
  for (int i = 0; i < 4; ++i) {
    tds_elem e{};
    tds_vec_get(vec, i, &e);
    all += std::string(e.string, e.size) + ",";
    tds_return(&e);
  }
  EXPECT_EQ(all, ",a,ab,b,");
  const tds_elem one = number(1);
  tds_vec_insert(vec, 0, &one);
  EXPECT_EQ(tds_vec_sort(vec), 0);
  tds_vec_free(vec);
}

TEST(Queues, PassEveryMessageOnce) {
  threads_Queue* queue = threads_queue_new(3);
  threads_Mutex* mutex = threads_mutex_new();
  double sum = 0;
  on_threads([&](int me) {
    if (me % 2 == 0) {
      for (int i = 1; i <= kRounds; ++i) {
        TH_StorageRef none{};
        const double parcel = threads_parcel_new();
        threads_parcel_add(parcel, "vec", tds_vec_new(), tds_vec_free);
        while (!threads_queue_put(queue, &none, parcel, 20)) {
        }
      }
      return;
    }
    for (int i = 1; i <= kRounds; ++i) {
      TH_StorageRef none{};
      double parcel = 0;
      while (!threads_queue_take(queue, &none, &parcel, 20)) {
      }
      ASSERT_TRUE(threads_parcel_claim(parcel));
      ASSERT_FALSE(threads_parcel_claim(parcel));
      ASSERT_NE(threads_parcel_get(parcel, 0, "vec"), nullptr);
      ASSERT_EQ(threads_parcel_get(parcel, 0, "hash"), nullptr);
      ASSERT_EQ(threads_parcel_get(parcel, 1, "vec"), nullptr);
      threads_parcel_drop(parcel);
      while (threads_mutex_lock(mutex, 20) == 0) {
      }
      sum += 1;
      ASSERT_EQ(threads_mutex_unlock(mutex), 1);
    }
  });
  EXPECT_EQ(sum, kThreads / 2 * kRounds);
  EXPECT_EQ(threads_parcel_count(), 0);
  threads_mutex_release(mutex);
  threads_queue_release(queue);
}

}  // namespace

// Storages in memory from elsewhere than a backend's pool.
#include "core/memory/storage.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "TH.h"
#include "TH/support/tensors.h"
#include "TH_account.h"
#include "core/memory/account.h"
#include "core/runtime/error.h"

namespace th::test {
namespace {

constexpr int64_t kUnit = 64;  // what the source rounds to

struct Book {
  int64_t most = std::numeric_limits<int64_t>::max();  // it has no larger piece
  int refusals = 0;                                    // that are still to come, whatever is asked
  std::vector<int64_t> asked, rather;
  int given = 0, waited = 0;
};
Book book;

constexpr MemorySource kElsewhere{
    .take = [](int64_t* bytes, int64_t rather, void** owner) -> void* {
      book.asked.push_back(*bytes);
      book.rather.push_back(rather);
      *bytes = rather <= book.most ? std::max(*bytes, rather) : *bytes;
      if (*bytes > book.most || book.refusals > 0) {
        book.refusals = std::max(book.refusals - 1, 0);
        throw OutOfMemory("nothing is left elsewhere");
      }
      *bytes = (*bytes + kUnit - 1) / kUnit * kUnit;
      return *owner = std::aligned_alloc(kUnit, static_cast<size_t>(*bytes));
    },
    .give =
        [](void* owner) {
          ++book.given;
          std::free(owner);
        },
    .wait = [](void*) { ++book.waited; },
};

class Elsewhere : public testing::Test {
 protected:
  void SetUp() override { book = {}; }
  void TearDown() override {
    release(s_);
    book = {};
  }
  TH_Storage* make(int64_t bytes) { return s_ = new_storage_from(kElsewhere, TH_BYTE, bytes); }

 private:
  TH_Storage* s_ = nullptr;
};

TEST_F(Elsewhere, HasRoomForAsManyElementsAsTheSourceGave) {
  TH_Storage* s = make(1000);
  const void* const data = s->data;
  EXPECT_EQ(s->capacity, 1024);
  resize_storage(s, 1024);
  EXPECT_EQ(s->data, data);
  EXPECT_EQ(book.asked, (std::vector<int64_t>{1000}));
}

TEST_F(Elsewhere, GrowsByHalvesAndTakesTheElementsWithIt) {
  TH_Storage* s = make(1000);
  std::memset(s->data, 7, 1000);
  resize_storage(s, 1025);
  EXPECT_EQ(book.asked, (std::vector<int64_t>{1000, 1025}));
  EXPECT_EQ(book.rather, (std::vector<int64_t>{0, 1536}));
  EXPECT_EQ(s->capacity, 1536);
  EXPECT_EQ(book.given, 1);
  EXPECT_EQ(book.waited, 1) << "before the elements were moved";
  EXPECT_EQ(s->byte_data[0], 7);
  EXPECT_EQ(s->byte_data[999], 7);
  for (int64_t length = 1025; length < 128 * 1024; length += 100) {
    resize_storage(s, length);
  }
  EXPECT_LT(book.asked.size(), 16u);
  EXPECT_EQ(book.given + 1, static_cast<int>(book.asked.size()));
}

TEST_F(Elsewhere, GrowsToWhatIsNeededWhereThereIsNoMore) {
  TH_Storage* s = make(1000);
  book.most = 1200;
  resize_storage(s, 1100);
  EXPECT_EQ(book.asked, (std::vector<int64_t>{1000, 1100}));
  EXPECT_EQ(s->length, 1100);
}

TEST_F(Elsewhere, WaitsForNobodyWhereThereIsNothingToTakeAlong) {
  TH_Storage* s = make(1000);
  resize_storage(s, 0);
  resize_storage(s, 2000);
  EXPECT_EQ(book.waited, 0);
  EXPECT_EQ(book.given, 1);
}

TEST_F(Elsewhere, StaysWhatItIsWhenThereIsNothingLeft) {
  TH_Storage* s = make(1000);
  const void* const data = s->data;
  book.most = 1200;
  EXPECT_THROW(resize_storage(s, 5000), OutOfMemory);
  EXPECT_EQ(s->data, data);
  EXPECT_EQ(s->length, 1000);
  EXPECT_EQ(book.given, 0);
}

TEST_F(Elsewhere, AppealsToOtherStatesAsThePoolsDo) {
  book.refusals = 1;
  expect_last_resort();
  EXPECT_NO_THROW(make(1000));
  EXPECT_EQ(book.asked.size(), 2u);
}

TEST_F(Elsewhere, IsNotExchangedForTheMemoryOfAComposite) {
  const Tensor q = from(TH_FLOAT, {1, 2, 2}, {1, 2, 3, 4});
  Tensor expected = empty(TH_FLOAT), y = empty(TH_FLOAT);
  ASSERT_EQ(TH_attention(&expected, &q, &q, &q, nullptr, nullptr, false, 1), TH_OK);
  Storage* s = new_storage_from(kElsewhere, TH_FLOAT, 0);
  set_storage(y, s, 0, {}, {});
  release(s);
  ASSERT_EQ(TH_attention(&y, &q, &q, &q, nullptr, nullptr, false, 1), TH_OK);
  EXPECT_EQ(y.store, s);
  EXPECT_EQ(book.asked.size(), 1u);
  EXPECT_EQ(values(y), values(expected));
}

TEST(Exchange, LeavesMemoryThatAScriptPointsInto) {
  const Tensor q = from(TH_FLOAT, {1, 2, 2}, {1, 2, 3, 4});
  Tensor y = make(TH_FLOAT, {1, 2, 2});
  ASSERT_TRUE(replaceable(*y.store));
  TH_Storage_expose(y.store);
  const void* const pointer = y.store->data;
  ASSERT_EQ(TH_attention(&y, &q, &q, &q, nullptr, nullptr, false, 1), TH_OK);
  EXPECT_EQ(y.store->data, pointer);
}

}  // namespace
}  // namespace th::test

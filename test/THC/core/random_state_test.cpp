#include "core/random_state.h"

#include <vector>

#include "THC/support/devices.h"

namespace thc::test {
namespace {

using RandomState = OnDevices;

// Known answers of Random123 1.09, the authors' library (examples/kat_vectors, philox4x32 10).
TEST(Philox, GivesItsAuthorsKnownAnswers) {
  const auto check = [](Random4 counter, uint32_t key0, uint32_t key1, Random4 expected) {
    const Random4 r = philox4x32(counter, key0, key1);
    for (int i = 0; i < 4; ++i) {
      EXPECT_EQ(r.x[i], expected.x[i]) << i;
    }
  };
  check({{0, 0, 0, 0}}, 0, 0, {{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}});
  check({{~0u, ~0u, ~0u, ~0u}}, ~0u, ~0u, {{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}});
  check({{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}}, 0xa4093822, 0x299f31d0,
        {{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}});
}

TEST(Philox, UniformNumbersStayInTheirIntervals) {
  EXPECT_EQ(unit_float(0), 0);
  EXPECT_LT(unit_float(~0u), 1);
  EXPECT_GT(open_unit_float(0), 0);
  EXPECT_LT(open_unit_float(~0u), 1);
  EXPECT_EQ(unit_double(0, 0), 0);
  EXPECT_LT(unit_double(~0u, ~0u), 1);
  EXPECT_GT(open_unit_double(0, 0), 0);
  EXPECT_LT(open_unit_double(~0u, ~0u), 1);
}

TEST_F(RandomState, ASeedStartsTheSequenceAnew) {
  manual_seed(0, 42);
  const PhiloxPosition first = take_random(0, 10);
  const PhiloxPosition second = take_random(0, 10);
  EXPECT_EQ(first.seed, 42u);
  EXPECT_EQ(second.offset, first.offset + 10);
  manual_seed(0, 42);
  EXPECT_EQ(take_random(0, 1).offset, first.offset);
  EXPECT_EQ(initial_seed(0), 42u);
}

TEST_F(RandomState, DevicesHaveGeneratorsOfTheirOwn) {
  manual_seed(0, 1);
  manual_seed(1, 1);
  take_random(0, 100);
  EXPECT_EQ(take_random(1, 1).offset, 0u);
  uint64_t a = 0;
  uint64_t b = 0;
  ASSERT_EQ(THC_seed(0, &a), TH_OK);
  ASSERT_EQ(THC_seed(1, &b), TH_OK);
  EXPECT_NE(a, b);
  EXPECT_LT(a, uint64_t{1} << 53);
}

TEST_F(RandomState, ASavedStateGoesOnWhereItWas) {
  manual_seed(0, 7);
  take_random(0, 123);
  std::vector<uint8_t> state(THC_RANDOM_STATE_BYTES);
  ASSERT_EQ(THC_getRandomState(0, state.data(), THC_RANDOM_STATE_BYTES), TH_OK);
  const PhiloxPosition wanted = take_random(0, 5);
  manual_seed(0, 99);
  ASSERT_EQ(THC_setRandomState(0, state.data(), THC_RANDOM_STATE_BYTES), TH_OK);
  const PhiloxPosition got = take_random(0, 5);
  EXPECT_EQ(got.seed, wanted.seed);
  EXPECT_EQ(got.offset, wanted.offset);
}

TEST_F(RandomState, BytesThatAreNoStateAreRefusedAndChangeNothing) {
  manual_seed(0, 7);
  std::vector<uint8_t> state(THC_RANDOM_STATE_BYTES);
  get_state(0, state);
  std::vector<uint8_t> damaged = state;
  damaged[9] ^= 1;
  EXPECT_EQ(error_of(THC_setRandomState(0, damaged.data(), THC_RANDOM_STATE_BYTES)),
            "setRNGState: these bytes are not the state of a CUDA generator; use what "
            "cutorch.getRNGState() gave");
  EXPECT_NE(error_of(THC_setRandomState(0, state.data(), 31)).find("has 32 bytes, got 31"),
            std::string::npos);
  EXPECT_EQ(error_of(THC_getRandomState(0, state.data(), 5048)),
            "getRNGState: the state has 32 bytes, got room for 5048");
  EXPECT_EQ(take_random(0, 1).seed, 7u);
}

}  // namespace
}  // namespace thc::test

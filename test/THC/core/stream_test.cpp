#include "core/stream.h"

#include <set>

#include "THC/support/devices.h"
#include "core/event.h"

namespace thc::test {
namespace {

using Streams = OnDevices;

/// The first element after run(), over many orders of the streams.
template <class F>
std::set<double> outcomes(F&& run) {
  std::set<double> seen;
  for (uint64_t seed = 1; seed <= 30; ++seed) {
    sim::set_seed(seed);
    seen.insert(run());
  }
  return seen;
}

TEST_F(Streams, AreReservedOnceAndCountFromOne) {
  ASSERT_EQ(THC_reserveStreams(3, true), TH_OK);
  ASSERT_EQ(THC_reserveStreams(2, true), TH_OK);  // never fewer
  int count = 0;
  ASSERT_EQ(THC_streamCount(&count), TH_OK);
  EXPECT_EQ(count, 3);
  ASSERT_EQ(THC_setStream(1, 3), TH_OK);
  int stream = -1;
  ASSERT_EQ(THC_currentStream(1, &stream), TH_OK);
  EXPECT_EQ(stream, 3);
  ASSERT_EQ(THC_currentStream(0, &stream), TH_OK);
  EXPECT_EQ(stream, 0);
  EXPECT_EQ(error_of(THC_setStream(0, 4)),
            "setStream: stream 4 does not exist: there are streams 0 to 3; reserve more with "
            "cutorch.reserveStreams(4)");
  EXPECT_EQ(error_of(THC_reserveStreams(-1, false)), "reserveStreams: cannot reserve -1 streams");
}

TEST_F(Streams, WorkOfTwoStreamsNeedsAWaitBetween) {
  ASSERT_EQ(THC_reserveStreams(3, true), TH_OK);
  Tensor x = on_device(TH_FLOAT, {64});
  const auto run = [&](bool wait) {
    return outcomes([&] {
      THC_setStream(0, 1);
      TH_fill(&x, 1.5);
      if (wait) {
        THC_streamWaitFor(0, 2, 0, 1);
      }
      THC_setStream(0, 2);
      TH_fill(&x, 2.5);
      THC_setStream(0, 0);
      THC_synchronize(0);
      return th::test::values(download(x))[0];
    });
  };
  EXPECT_EQ(run(false), (std::set<double>{1.5, 2.5}));
  EXPECT_EQ(run(true), (std::set<double>{2.5}));
}

TEST_F(Streams, AnEventHoldsBackAStreamOfAnotherDevice) {
  ASSERT_EQ(THC_reserveStreams(3, true), TH_OK);
  Tensor x = on_device(TH_FLOAT, {64});
  Tensor y = on_device(TH_FLOAT, {64}, Layout::Compact, 1);
  EXPECT_EQ(outcomes([&] {
              TH_fill(&x, 1.5);
              THC_Event* event = THC_Event_new(0, false);
              THC_setStream(1, 1);
              THC_Event_waitOn(event, 1);
              TH_copy(&y, &x);
              THC_Event_free(event);
              THC_setStream(1, 0);
              THC_synchronize(-1);
              return th::test::values(download(y))[0];
            }),
            (std::set<double>{1.5}));
}

TEST_F(Streams, EventsTellWhenAndHowLong) {
  Tensor x = on_device(TH_FLOAT, {64});
  THC_Event* start = THC_Event_new(0, true);
  ASSERT_NE(start, nullptr);
  TH_fill(&x, 1.5);
  THC_Event* end = THC_Event_new(0, true);
  bool passed = true;
  for (int i = 0; i < 100; ++i) {
    ASSERT_EQ(THC_Event_query(end, &passed), TH_OK);
  }
  EXPECT_TRUE(passed);
  ASSERT_EQ(THC_Event_synchronize(end), TH_OK);
  double milliseconds = -1;
  ASSERT_EQ(THC_Event_elapsed(start, end, &milliseconds), TH_OK);
  EXPECT_GE(milliseconds, 0);
  EXPECT_NE(error_of(THC_Event_record(end, 1)).find("belongs to device 1"), std::string::npos);
  THC_Event* untimed = THC_Event_new(0, false);
  EXPECT_NE(error_of(THC_Event_elapsed(start, untimed, &milliseconds)).find("timed"),
            std::string::npos);
  THC_Event_free(untimed);
  THC_Event_free(start);
  THC_Event_free(end);
  EXPECT_EQ(THC_Event_new(9, false), nullptr);
}

TEST_F(Streams, MemoryFreedOnOneStreamIsNotOverwrittenWhileAnotherReadsIt) {
  ASSERT_EQ(THC_reserveStreams(3, true), TH_OK);
  EXPECT_EQ(outcomes([&] {
              Tensor result = on_device(TH_FLOAT, {4096});
              THC_setStream(0, 1);
              {
                Tensor x = on_device(TH_FLOAT, {4096});  // belongs to stream 1
                TH_fill(&x, 3.5);
                THC_streamWaitFor(0, 2, 0, 1);
                THC_setStream(0, 2);
                TH_copy(&result, &x);  // read by stream 2
              }
              THC_setStream(0, 1);
              Tensor next = on_device(TH_FLOAT, {4096});  // the same memory
              TH_fill(&next, 7.5);
              THC_setStream(0, 0);
              THC_synchronize(0);
              return th::test::values(download(result))[100];
            }),
            (std::set<double>{3.5}));
}

}  // namespace
}  // namespace thc::test

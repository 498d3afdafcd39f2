#include <cerrno>
#include <csignal>
#include <cstdio>
#include <vector>

#include <gtest/gtest.h>
#include <unistd.h>

#include "TH_core.h"
#include "TH_file.h"

namespace th::test {
namespace {

constexpr int64_t kBytes = (int64_t(21) << 20) + 5;  // several slices, the last one not whole

char byte_at(int64_t place) { return char((place * 2654435761u) >> 13); }

class ReadFile : public testing::Test {
 protected:
  void SetUp() override {
    std::vector<char> bytes(kBytes);
    for (int64_t i = 0; i < kBytes; ++i) {
      bytes[size_t(i)] = byte_at(i);
    }
    ASSERT_EQ(std::fwrite(bytes.data(), 1, size_t(kBytes), file_), size_t(kBytes));
    ASSERT_EQ(std::fflush(file_), 0);
  }
  void TearDown() override {
    std::fclose(file_);
    TH_setNumThreads(before_);
  }

  // What is read of `bytes` from `at` on, and whether each byte is the file's.
  int64_t read(int64_t at, int64_t bytes) {
    std::vector<char> to(size_t(bytes), 0);
    int64_t got = -1;
    EXPECT_EQ(TH_readFile(fileno(file_), to.data(), at, bytes, &got, &reason_), TH_OK);
    for (int64_t i = 0; i < got; ++i) {
      if (to[size_t(i)] != byte_at(at + i)) {
        ADD_FAILURE() << "byte " << at + i;
        break;
      }
    }
    return got;
  }

  std::FILE* file_ = std::tmpfile();
  int reason_ = -1;
  const int before_ = TH_getNumThreads();
};

TEST_F(ReadFile, HasTheBytesFromAPlaceOn) {
  for (const int threads : {1, 3}) {
    TH_setNumThreads(threads);
    for (const int64_t at : {0, 3, 4 << 20}) {
      EXPECT_EQ(read(at, kBytes - at), kBytes - at);
      EXPECT_EQ(reason_, 0);
    }
    EXPECT_EQ(read(7, 1000), 1000);
    EXPECT_EQ(read(7, 0), 0);
  }
}

TEST_F(ReadFile, LeavesTheFilesOwnPosition) {
  ASSERT_EQ(lseek(fileno(file_), 11, SEEK_SET), 11);
  read(0, kBytes);
  EXPECT_EQ(lseek(fileno(file_), 0, SEEK_CUR), 11);
}

TEST_F(ReadFile, EndsWhereTheFileEnds) {
  for (const int threads : {1, 3}) {
    TH_setNumThreads(threads);
    EXPECT_EQ(read(9, kBytes), kBytes - 9);
    EXPECT_EQ(reason_, 0);
    EXPECT_EQ(read(kBytes + 1, kBytes), 0);
    EXPECT_EQ(reason_, 0);
  }
}

// Shorter than it was: other threads are at places that are gone.
TEST_F(ReadFile, EndsWhereTheFileWasCut) {
  TH_setNumThreads(3);
  for (const int64_t left : {(int64_t(13) << 20) + 1, int64_t(100), int64_t(0)}) {
    ASSERT_EQ(ftruncate(fileno(file_), left), 0);
    EXPECT_EQ(read(0, kBytes), left);
    EXPECT_EQ(reason_, 0);
  }
}

TEST_F(ReadFile, SaysWhyItCannot) {
  std::vector<char> to(static_cast<size_t>(kBytes), 0);
  int64_t got = -1;
  ASSERT_EQ(TH_readFile(-1, to.data(), 0, kBytes, &got, &reason_), TH_OK);
  EXPECT_EQ(got, 0);
  EXPECT_EQ(reason_, EBADF);
}

TEST_F(ReadFile, IsGivenUpAtAnInterrupt) {
  std::vector<char> to(static_cast<size_t>(kBytes), 0);
  for (const int threads : {1, 3}) {
    TH_setNumThreads(threads);
    TH_onInterrupt([](int) {});
    TH_interrupt(SIGINT);
    int64_t got = -1;
    EXPECT_EQ(TH_readFile(fileno(file_), to.data(), 0, kBytes, &got, &reason_), TH_ERROR);
    EXPECT_STREQ(TH_lastError(), "read: interrupted");
    TH_forgetInterrupts();
    TH_onInterrupt(nullptr);
  }
  std::signal(SIGINT, SIG_DFL);
}

}  // namespace
}  // namespace th::test

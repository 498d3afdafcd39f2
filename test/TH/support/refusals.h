// Calls that are to throw, and what they are to say.
#pragma once

#include <exception>
#include <string>

#include <gtest/gtest.h>

namespace th::test {

/// The call throws an error whose text contains `text`.
template <class F>
void expect_refusal(const std::string& text, F&& call) {
  try {
    call();
    ADD_FAILURE() << "no error; wanted: " << text;
  } catch (const std::exception& error) {
    EXPECT_NE(std::string(error.what()).find(text), std::string::npos)
        << error.what() << "\nwanted: " << text;
  }
}

}  // namespace th::test

// What a rank tells the others before each operation, so that those who disagree are both named.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "distributed.h"

namespace distributed {

struct Header {
  int64_t number;  // of the operation, counted by each rank in each group from 1
  int32_t kind;
  int32_t dtype;
  int32_t reduction;
  int32_t root;
  int32_t ordered;
  int32_t meet;
  int32_t ndim;
  int64_t count;
  int64_t sizes[8];
  char line[48];
};

Header header_of(const distributed_Request& request, int64_t number);

/// "allReduce (sum) of 3x4 floats at train.lua:17"
std::string described(const Header& header);
const char* kind_name(int kind);

/// Nothing where these ranks can work together; otherwise what differs, with both named.
/// @param ranks their numbers, from 0
std::string disagreement(const std::vector<Header>& headers, const std::vector<int>& ranks);

}  // namespace distributed

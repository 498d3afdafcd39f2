#include "core/header.h"

#include <algorithm>
#include <cstring>

#include "core/runtime/error.h"

namespace distributed {

namespace {

const char* const KINDS[] = {
    "barrier", "broadcast", "allReduce", "reduceScatter",        "allGather", "gather", "scatter",
    "send",    "receive",   "group",     "the end of its script"};
const char* const REDUCTIONS[] = {"sum", "product", "min", "max"};
const char* const TYPES[] = {
#define TH_DTYPE(TAG, NAME, ELEMENT, C, FIELD, KIND, COMPUTED) #NAME,
#include "ops/dtypes.def"
#undef TH_DTYPE
};

bool reduces(int kind) {
  return kind == DISTRIBUTED_ALL_REDUCE || kind == DISTRIBUTED_REDUCE_SCATTER;
}

bool has_root(int kind) {
  return kind == DISTRIBUTED_BROADCAST || kind == DISTRIBUTED_GATHER || kind == DISTRIBUTED_SCATTER;
}

bool has_elements(int kind) {
  return kind != DISTRIBUTED_BARRIER && kind != DISTRIBUTED_GROUP && kind != DISTRIBUTED_END;
}

// Sizes of elements, ranks of a group.
std::string list_of(const Header& h, const char* between) {
  std::string text = h.ndim == 0 ? "0" : "";
  for (int d = 0; d < std::min(h.ndim, 8); ++d) {
    text += (d > 0 ? between : "") + std::to_string(h.sizes[d]);
  }
  return text;
}

bool same(const Header& a, const Header& b) {
  if (a.kind != b.kind || a.number != b.number) {
    return false;
  }
  if (a.kind == DISTRIBUTED_GROUP) {
    return a.ndim == b.ndim && std::equal(a.sizes, a.sizes + std::min(a.ndim, 8), b.sizes);
  } else if (!has_elements(a.kind)) {
    return true;
  }
  return a.dtype == b.dtype && a.count == b.count && a.ndim == b.ndim && a.meet == b.meet &&
         std::equal(a.sizes, a.sizes + std::min(a.ndim, 8), b.sizes) &&
         (!has_root(a.kind) || a.root == b.root) &&
         (!reduces(a.kind) || (a.reduction == b.reduction && a.ordered == b.ordered));
}

}  // namespace

const char* kind_name(int kind) { return KINDS[kind]; }

Header header_of(const distributed_Request& request, int64_t number) {
  Header h;
  std::memset(&h, 0, sizeof h);
  h.number = number;
  h.kind = request.kind;
  h.dtype = request.dtype;
  h.reduction = request.reduction;
  h.root = request.root;
  h.ordered = request.ordered ? 1 : 0;
  h.meet = request.meet ? 1 : 0;
  h.ndim = request.ndim;
  h.count = request.count;
  std::copy(std::begin(request.sizes), std::end(request.sizes), h.sizes);
  std::memcpy(h.line, request.line, sizeof h.line);
  h.line[sizeof h.line - 1] = 0;
  return h;
}

std::string described(const Header& h) {
  std::string text = kind_name(h.kind);
  if (reduces(h.kind)) {
    text += th::str(" (", REDUCTIONS[h.reduction], h.ordered != 0 ? ", in order)" : ")");
  } else if (h.kind == DISTRIBUTED_BROADCAST || h.kind == DISTRIBUTED_SCATTER) {
    text += th::str(" from rank ", h.root + 1);
  } else if (h.kind == DISTRIBUTED_GATHER) {
    text += th::str(" to rank ", h.root + 1);
  }
  if (h.kind == DISTRIBUTED_GROUP) {
    text += th::str(" of the ranks ", list_of(h, ", "));
  } else if (has_elements(h.kind)) {
    text += th::str(" of a ", list_of(h, "x"), " ", h.meet != 0 ? "Cuda" : "", TYPES[h.dtype],
                    "Tensor");
  }
  return h.line[0] != 0 ? text + " at " + h.line : text;
}

std::string disagreement(const std::vector<Header>& headers, const std::vector<int>& ranks) {
  for (size_t i = 1; i < headers.size(); ++i) {
    if (!same(headers[0], headers[i])) {
      return th::str("the ranks disagree: rank ", ranks[0] + 1, " is at ", described(headers[0]),
                     ", rank ", ranks[i] + 1, " at ", described(headers[i]), ", in operation ",
                     headers[0].number,
                     "; all ranks have to make the same calls in the same order, with tensors of "
                     "the same sizes and types");
    }
  }
  return "";
}

}  // namespace distributed

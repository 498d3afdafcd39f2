#include "core/operations.h"

#include "core/backend.h"
#include "core/call/call.h"

namespace th {
namespace {

/// Without those who watch.
namespace unwatched {

#define TH_OP(NAME, PARAMS, ARGS)                              \
  void NAME PARAMS {                                           \
    const Backend& backend = th::backend(device_type_of ARGS); \
    const auto function = backend.NAME;                        \
    if (function == nullptr) [[unlikely]] {                    \
      missing(#NAME, backend);                                 \
    }                                                          \
    Announce{backend} ARGS;                                    \
    function ARGS;                                             \
    count_writes ARGS;                                         \
  }
#include "ops/all.def"
#undef TH_OP

}  // namespace unwatched
}  // namespace

namespace ops {

#define TH_OP(NAME, PARAMS, ARGS)          \
  void NAME PARAMS {                       \
    if (!watched()) [[likely]] {           \
      unwatched::NAME ARGS;                \
      return;                              \
    }                                      \
    Tell{Op::NAME, TH_OK, false} ARGS;     \
    try {                                  \
      unwatched::NAME ARGS;                \
    } catch (...) {                        \
      Tell{Op::NAME, TH_ERROR, true} ARGS; \
      throw;                               \
    }                                      \
    Tell{Op::NAME, TH_OK, true} ARGS;      \
  }
#include "ops/all.def"
#undef TH_OP

}  // namespace ops
}  // namespace th

#include "core/operations.h"

#include "core/backend.h"
#include "core/call/call.h"
#include "core/gradient/record.h"
#include "core/operand_handles.h"

namespace th {
namespace {

/// Without those who watch.
namespace unwatched {

#define TH_INVOKE(NAME, PARAMS, ARGS, RESIZES)                       \
  void NAME PARAMS {                                                 \
    OneDevice device;                                                \
    const Backend& backend = th::backend(device.type_for ARGS);      \
    const auto function = backend.NAME;                              \
    if (function == nullptr) [[unlikely]] {                          \
      missing(#NAME, backend);                                       \
    }                                                                \
    Announce{backend} ARGS;                                          \
    Invoke<Resizes::RESIZES, decltype(backend.NAME)>{function} ARGS; \
    count_writes ARGS;                                               \
  }
#define TH_OP(NAME, PARAMS, ARGS) TH_INVOKE(NAME, PARAMS, ARGS, Otherwise)
#define TH_OP_AS_FIRST(NAME, PARAMS, ARGS) TH_INVOKE(NAME, PARAMS, ARGS, AsFirst)
#include "ops/all.def"
#undef TH_OP
#undef TH_OP_AS_FIRST

}  // namespace unwatched

/// For who watches, and for the record. Apart, so that a call without either pays for a test alone.
namespace attended {

#define TH_OP(NAME, PARAMS, ARGS)                                         \
  [[gnu::cold, gnu::noinline]] void NAME PARAMS {                         \
    const auto run = [&] { unwatched::NAME ARGS; };                       \
    gradient::Attended{Op::NAME, gradient::has_variables ARGS, run} ARGS; \
  }
#include "ops/all.def"
#undef TH_OP

}  // namespace attended
}  // namespace

namespace ops {

#define TH_OP(NAME, PARAMS, ARGS)                                                \
  void NAME PARAMS {                                                             \
    if (!noticed() || !(watched() || gradient::has_variables ARGS)) [[likely]] { \
      unwatched::NAME ARGS;                                                      \
    } else {                                                                     \
      attended::NAME ARGS;                                                       \
    }                                                                            \
  }
#include "ops/all.def"
#undef TH_OP

}  // namespace ops
}  // namespace th

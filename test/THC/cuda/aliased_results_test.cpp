// Results under operands, on a device, for every operation of the list that CUDA has.
#include "TH/support/aliased_results.h"

#include "THC/support/devices.h"
#include "core/backend.h"

namespace thc::test {
namespace {

using AliasedResults = OnDevices;

bool on_cuda(const std::string& name) {
#define TH_OP(NAME, PARAMS, ARGS)                \
  if (name == #NAME) {                           \
    return th::backend(TH_CUDA).NAME != nullptr; \
  }
#include "ops/all.def"
#undef TH_OP
  return false;
}

TEST_F(AliasedResults, AreWhatTheyAreElsewhere) {
  th::test::AliasedResults results({[](const TH_Tensor& host, Layout layout) {
                                      if (host.ndim > 0) {
                                        return upload(host, layout);
                                      }
                                      return on_device(host.dtype, {}, Layout::Compact);
                                    },
                                    [](const TH_Tensor& t) { return download(t); },
                                    []() -> TH_Generator* {
                                      THC_manualSeed(0, 5);
                                      return nullptr;
                                    }});
  for (const th::test::Case& c : th::test::cases_of_operations()) {
    if (on_cuda(c.name)) {
      for (const Layout layout : th::test::kLayouts) {
        results.walk(c, layout);
      }
    }
  }
  EXPECT_GT(results.compared(), 1000);
}

}  // namespace
}  // namespace thc::test

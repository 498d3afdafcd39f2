// Results under operands, on the CPU, for every operation of the list.
#include "TH/support/aliased_results.h"

#include <memory>

namespace th::test {
namespace {

struct FreeGenerator {
  void operator()(TH_Generator* g) const { TH_Generator_free(g); }
};

Side cpu() {
  const std::shared_ptr<TH_Generator> g(TH_Generator_new(), FreeGenerator{});
  return {[](const TH_Tensor& host, Layout layout) {
            Tensor t = make(host.dtype, sizes(host), layout);
            if (host.ndim > 0) {
              assign(t, values(host));
            }
            return t;
          },
          [](const TH_Tensor& t) { return Tensor(t); },
          [g] {
            TH_Generator_manualSeed(g.get(), 5);
            return g.get();
          }};
}

TEST(AliasedResults, EveryOperationHasACase) {
  std::set<std::string> names;
  for (const Case& c : cases_of_operations()) {
    names.insert(c.name);
  }
  EXPECT_EQ(names, operations_with_results_and_operands());
}

TEST(AliasedResults, AreWhatTheyAreElsewhere) {
  AliasedResults results(cpu());
  for (const Case& c : cases_of_operations()) {
    for (const Layout layout : kLayouts) {
      results.walk(c, layout);
    }
  }
  EXPECT_GT(results.compared(), 1000);
}

}  // namespace
}  // namespace th::test

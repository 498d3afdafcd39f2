#include "THC/support/compare.h"

namespace thc::test {
namespace {

using th::test::empty;

class Index : public AgainstCpu {
 protected:
  /// Positions 1 ... size, some of them several times.
  Tensor positions(const Sizes& shape, int64_t size) {
    Tensor t = th::test::make(TH_LONG, shape);
    for (int64_t i = 0; i < numel(t); ++i) {
      data<int64_t>(t)[i] = draw(1, size);
    }
    return t;
  }
};

TEST_F(Index, SlicesReadAndWritten) {
  for (int round = 0; round < 120; ++round) {
    const int dtype = round % TH_NUM_DTYPES;
    const Layout layout = draw_layout();
    const Sizes sizes = draw_sizes(4, 8);
    const auto dim = static_cast<int>(draw(0, static_cast<int64_t>(sizes.size()) - 1));
    const int64_t size = sizes[static_cast<size_t>(dim)];
    SCOPED_TRACE(describe("index", dtype, sizes, layout));
    Sizes slices = sizes;
    const int64_t n = draw(1, 12);
    slices[static_cast<size_t>(dim)] = n;
    expect_agreement(list(empty(dtype), draw_tensor(dtype, sizes), positions({n}, size)), layout, 0,
                     THC_CALL(TH_index(&t[0], &t[1], dim, &t[2])));
    const std::vector<Tensor> t =
        list(draw_tensor(dtype, sizes), positions({n}, size), draw_tensor(dtype, slices));
    expect_agreement(t, layout, 0, THC_CALL(TH_index_copy(&t[0], dim, &t[1], &t[2])));
    expect_agreement(t, layout, 0, THC_CALL(TH_index_add(&t[0], dim, &t[1], &t[2])));
    expect_agreement(t, layout, 0, THC_CALL(TH_index_fill(&t[0], dim, &t[1], 3.25)));
  }
}

TEST_F(Index, SumsOf16BitsAreRoundedOnce) {
  for (const int dtype : {TH_HALF, TH_BFLOAT16}) {
    const int64_t n = 2000;
    const std::vector<double> ones(static_cast<size_t>(n), 1);
    Tensor sums = th::test::from(dtype, {2}, {3, 5});
    Tensor p = th::test::from(TH_LONG, {n}, ones);
    Tensor x = th::test::from(dtype, {n}, ones);
    expect_agreement(list(std::move(sums), std::move(p), std::move(x)), Layout::Compact, 0,
                     THC_CALL(TH_index_add(&t[0], 0, &t[1], &t[2])));
  }
}

TEST_F(Index, ElementsReadAndWritten) {
  for (int round = 0; round < 120; ++round) {
    const int dtype = round % TH_NUM_DTYPES;
    const Layout layout = draw_layout();
    // Long lines that are few, many short ones, and a few steps.
    const Sizes sizes = round % 10 == 0   ? Sizes{2, 150}
                        : round % 10 == 5 ? Sizes{80, 6, 70}
                                          : draw_sizes(4, 8);
    const auto dim = round % 10 == 0 || round % 10 == 5
                         ? 1
                         : static_cast<int>(draw(0, static_cast<int64_t>(sizes.size()) - 1));
    const int64_t size = sizes[static_cast<size_t>(dim)];
    SCOPED_TRACE(describe("gather", dtype, sizes, layout));
    Sizes shape = sizes;
    shape[static_cast<size_t>(dim)] = draw(1, 2 * size);
    expect_agreement(list(empty(dtype), draw_tensor(dtype, sizes), positions(shape, size)), layout,
                     0, THC_CALL(TH_gather(&t[0], &t[1], dim, &t[2])));
    Sizes more = shape;
    more[static_cast<size_t>(dim)] += draw(0, 2);
    const std::vector<Tensor> t =
        list(draw_tensor(dtype, sizes), positions(shape, size), draw_tensor(dtype, more));
    expect_agreement(t, layout, 0, THC_CALL(TH_scatter(&t[0], dim, &t[1], &t[2])));
    expect_agreement(t, layout, 0, THC_CALL(TH_scatter_value(&t[0], dim, &t[1], -2)));
  }
}

TEST_F(Index, SlicesOfAnotherShapeAreRearranged) {
  const std::vector<Tensor> t = list(draw_tensor(TH_INT, {4, 5, 6}), positions({3}, 5),
                                     draw_tensor(TH_INT, {6, 3, 4}), draw_tensor(TH_INT, {24, 3}));
  for (Layout layout : th::test::kLayouts) {
    expect_agreement(t, layout, 0, THC_CALL(TH_index_copy(&t[0], 1, &t[1], &t[2])));
    expect_agreement(t, layout, 0, THC_CALL(TH_index_add(&t[0], 1, &t[1], &t[2])));
    expect_agreement(t, layout, 0, THC_CALL(TH_index_copy(&t[0], 1, &t[1], &t[3])));
  }
}

TEST_F(Index, OperandsMayBeOneTensor) {
  Tensor x = positions({6}, 6);
  expect_agreement(list(copy_of(x)), Layout::Compact, 0,
                   THC_CALL(TH_index(&t[0], &t[0], 0, &t[0])));
  expect_agreement(list(copy_of(x)), Layout::Compact, 0,
                   THC_CALL(TH_gather(&t[0], &t[0], 0, &t[0])));
  expect_agreement(list(copy_of(x)), Layout::Compact, 0,
                   THC_CALL(TH_index_copy(&t[0], 0, &t[0], &t[0])));
  expect_agreement(list(copy_of(x)), Layout::Compact, 0,
                   THC_CALL(TH_index_add(&t[0], 0, &t[0], &t[0])));
  expect_agreement(list(copy_of(x)), Layout::Compact, 0,
                   THC_CALL(TH_scatter(&t[0], 0, &t[0], &t[0])));
}

// Of all operations that write: nothing is written, the text is the CPU's.
TEST_F(Index, PositionsOutOfRangeAreRefused) {
  for (int64_t bad : {int64_t{0}, int64_t{-1}, int64_t{6}, INT64_MIN, INT64_MAX}) {
    Tensor slices = positions({9}, 5);
    data<int64_t>(slices)[4] = bad;
    data<int64_t>(slices)[7] = 77;
    Tensor elements = positions({9, 3}, 5);
    data<int64_t>(elements)[20] = bad;
    const std::vector<Tensor> t =
        list(draw_tensor(TH_FLOAT, {5, 3}), std::move(slices), draw_tensor(TH_FLOAT, {9, 3}),
             std::move(elements), empty(TH_FLOAT));
    const auto refused = [&](const Operation& f) { expect_refusal(t, Layout::Spread, 0, f); };
    refused(THC_CALL(TH_index(&t[4], &t[0], 0, &t[1])));
    refused(THC_CALL(TH_index_copy(&t[0], 0, &t[1], &t[2])));
    refused(THC_CALL(TH_index_add(&t[0], 0, &t[1], &t[2])));
    refused(THC_CALL(TH_index_fill(&t[0], 0, &t[1], 1)));
    refused(THC_CALL(TH_gather(&t[4], &t[0], 0, &t[3])));
    refused(THC_CALL(TH_scatter(&t[0], 0, &t[3], &t[2])));
    refused(THC_CALL(TH_scatter_value(&t[0], 0, &t[3], 1)));
  }
}

TEST_F(Index, WrongShapesAndTypesAreRefused) {
  const std::vector<Tensor> t =
      list(draw_tensor(TH_FLOAT, {5, 3}), positions({4}, 3), draw_tensor(TH_FLOAT, {4, 2}),
           draw_tensor(TH_DOUBLE, {4, 3}), positions({2, 2}, 3), draw_tensor(TH_INT, {4}),
           empty(TH_LONG));
  const auto refused = [&](const Operation& f) { expect_refusal(t, Layout::Compact, 0, f); };
  refused(THC_CALL(TH_index(&t[0], &t[0], 2, &t[1])));
  refused(THC_CALL(TH_index(&t[3], &t[0], 0, &t[1])));
  refused(THC_CALL(TH_index(&t[0], &t[0], 0, &t[4])));
  refused(THC_CALL(TH_index(&t[0], &t[0], 0, &t[5])));
  refused(THC_CALL(TH_index(&t[0], &t[0], 0, &t[6])));
  refused(THC_CALL(TH_index_copy(&t[0], 0, &t[1], &t[2])));
  refused(THC_CALL(TH_index_add(&t[0], 0, &t[1], &t[3])));
  refused(THC_CALL(TH_index_copy(&t[0], 1, &t[1], &t[2])));
  refused(THC_CALL(TH_gather(&t[2], &t[0], 0, &t[1])));
  refused(THC_CALL(TH_scatter(&t[0], 0, &t[4], &t[2])));
}

}  // namespace
}  // namespace thc::test

#include "THC/support/compare.h"

namespace thc::test {
namespace {

using Construct = AgainstCpu;
using th::test::empty;
using th::test::kLayouts;
using th::test::make;

TEST_F(Construct, SequencesAreThoseOfTheCpu) {
  for (int dtype = 0; dtype < TH_NUM_DTYPES; ++dtype) {
    const double precision = 2 * th::test::precision(dtype);
    SCOPED_TRACE(class_name(dtype));
    for (Layout layout : kLayouts) {
      expect_same_answer(list(empty(dtype)), layout, precision,
                         THC_CALL(TH_range(&t[0], 1, 100, 3)));
      expect_same_answer(list(make(dtype, {2, 4})), layout, precision,
                         THC_CALL(TH_range(&t[0], 9, 2, -1)));
      expect_same_answer(list(empty(dtype)), layout, precision,
                         THC_CALL(TH_range(&t[0], -0.5, 20, 0.75)));
      expect_same_answer(list(make(dtype, {3, 7})), layout, precision,
                         THC_CALL(TH_linspace(&t[0], -3, 4, 21)));
      expect_same_answer(list(empty(dtype)), layout, precision,
                         THC_CALL(TH_linspace(&t[0], 2, 2, 1)));
      expect_same_answer(list(empty(dtype)), layout, 2 * precision,
                         THC_CALL(TH_logspace(&t[0], -2, 2, 40)));
    }
  }
}

TEST_F(Construct, WrongSequencesAreRefusedInTheCpusWords) {
  for (int dtype : {TH_INT, TH_FLOAT}) {
    expect_agreement(list(make(dtype, {3})), Layout::Compact, 0, THC_CALL(TH_fill(&t[0], 7)));
    const auto refused = [&](const Operation& f) {
      Tensor full = make(dtype, {3});
      th::test::assign(full, {1, 2, 3});
      expect_refusal(list(std::move(full)), Layout::Compact, 0, f);
    };
    refused(THC_CALL(TH_range(&t[0], 1, 10, 0)));
    refused(THC_CALL(TH_range(&t[0], 1, 10, -1)));
    refused(THC_CALL(TH_range(&t[0], 1, INFINITY, 1)));
    refused(THC_CALL(TH_linspace(&t[0], 1, 10, 0)));
    refused(THC_CALL(TH_linspace(&t[0], 1, 10, 1)));
    refused(THC_CALL(TH_logspace(&t[0], 1, 10, -2)));
    refused(THC_CALL(TH_eye(&t[0], 0, 1)));
  }
}

TEST_F(Construct, MatricesOfAnyTypeAndLayout) {
  for (int dtype = 0; dtype < TH_NUM_DTYPES; ++dtype) {
    for (Layout layout : kLayouts) {
      SCOPED_TRACE(describe("matrices", dtype, {5, 7}, layout));
      expect_agreement(list(make(dtype, {4, 4})), layout, 0, THC_CALL(TH_eye(&t[0], 4, 0)));
      expect_agreement(list(empty(dtype)), layout, 0, THC_CALL(TH_eye(&t[0], 3, 5)));
      for (int64_t k : {-9, -2, 0, 1, 6, 8}) {
        for (const Sizes& sizes : {Sizes{5, 7}, Sizes{7, 3}, Sizes{6}}) {
          const auto operands = [&] {
            return list(draw(0, 1) != 0 ? empty(dtype) : make(dtype, {2, 3}),
                        draw_tensor(dtype, sizes));
          };
          std::vector<Tensor> t = operands();
          expect_same_answer(t, layout, 0, THC_CALL(TH_diag(&t[0], &t[1], k)));
          t = operands();
          expect_same_answer(t, layout, 0, THC_CALL(TH_tril(&t[0], &t[1], k)));
          expect_same_answer(t, layout, 0, THC_CALL(TH_triu(&t[0], &t[1], k)));
          expect_same_answer(list(draw_tensor(dtype, sizes)), layout, 0,
                             THC_CALL(TH_tril(&t[0], &t[0], k)));
          expect_same_answer(list(draw_tensor(dtype, sizes)), layout, 0,
                             THC_CALL(TH_diag(&t[0], &t[0], k)));
        }
      }
    }
  }
}

TEST_F(Construct, JoinsAlongAnyDimension) {
  for (int round = 0; round < 60; ++round) {
    const int dtype = static_cast<int>(draw(0, TH_NUM_DTYPES - 1));
    const Layout layout = draw_layout();
    Sizes sizes = draw_sizes(4, 6);
    const int dim = static_cast<int>(draw(-1, static_cast<int64_t>(sizes.size())));
    SCOPED_TRACE(describe("cat", dtype, sizes, layout));
    std::vector<Tensor> tensors;
    tensors.push_back(empty(dtype));
    const auto count = static_cast<int>(draw(1, 4));
    for (int i = 0; i < count; ++i) {
      if (draw(0, 7) == 0) {
        tensors.push_back(empty(dtype));
        continue;
      }
      Sizes each = sizes;
      const size_t along = dim < 0 ? sizes.size() - 1 : static_cast<size_t>(dim);
      if (along < each.size()) {
        each[along] = draw(1, 5);
      }
      tensors.push_back(draw_tensor(dtype, each));
    }
    expect_agreement(tensors, layout, 0, [=](std::vector<Tensor>& t, Numbers&) {
      std::vector<const TH_Tensor*> xs;
      for (size_t i = 1; i < t.size(); ++i) {
        xs.push_back(&t[i]);
      }
      return TH_cat(&t[0], xs.data(), count, dim);
    });
  }
}

TEST_F(Construct, ATensorJoinedWithItself) {
  expect_agreement(list(draw_tensor(TH_FLOAT, {3, 2})), Layout::Compact, 0,
                   [](std::vector<Tensor>& t, Numbers&) {
                     const TH_Tensor* xs[] = {&t[0], &t[0]};
                     return TH_cat(&t[0], xs, 2, 0);
                   });
}

TEST_F(Construct, AnEmptyTensorJoinedWithAnother) {
  expect_agreement(list(empty(TH_FLOAT), draw_tensor(TH_FLOAT, {3, 2})), Layout::Compact, 0,
                   [](std::vector<Tensor>& t, Numbers&) {
                     const TH_Tensor* xs[] = {&t[0], &t[1], &t[0], &t[1]};
                     return TH_cat(&t[0], xs, 4, 0);
                   });
}

TEST_F(Construct, TensorsThatDoNotFitAreNotJoined) {
  const auto join = [](std::vector<Tensor>& t, Numbers&) {
    const TH_Tensor* xs[] = {&t[1], &t[2]};
    return TH_cat(&t[0], xs, 2, 0);
  };
  std::vector<Tensor> shapes = list(empty(TH_FLOAT), draw_tensor(TH_FLOAT, {3, 2}));
  shapes.push_back(draw_tensor(TH_FLOAT, {3, 4}));
  expect_refusal(shapes, Layout::Compact, 0, join);
  std::vector<Tensor> types = list(empty(TH_FLOAT), draw_tensor(TH_FLOAT, {3, 2}));
  types.push_back(draw_tensor(TH_DOUBLE, {3, 2}));
  expect_refusal(types, Layout::Compact, 0, join);
}

}  // namespace
}  // namespace thc::test

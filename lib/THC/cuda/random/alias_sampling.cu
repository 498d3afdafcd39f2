// Draws from weighted categories in constant time each, by the alias method. Its tables are made on
// the host: that goes from category to category.
#include "core/backend.h"
#include "core/checks/random.h"
#include "core/tables/signal.h"
#include "cuda/atomics.h"
#include "cuda/launch.h"
#include "cuda/random/random.h"
#include "cuda/register.h"
#include "cuda/wide_elements.h"

namespace thc {
namespace {

Tensor on_host(int dtype, std::span<const int64_t> sizes) {
  Tensor t;
  init(t, dtype, TH_CPU, 0);
  resize(t, sizes);
  return t;
}

void multinomial_alias_setup(TH_Tensor* alias, TH_Tensor* q, const TH_Tensor* probabilities) {
  check_alias_setup(alias, q, probabilities);
  const auto sizes = sizes_of(*probabilities);
  Tensor p = on_host(probabilities->dtype, sizes);
  Tensor host_alias = on_host(TH_LONG, sizes);
  Tensor host_q = on_host(probabilities->dtype, sizes);
  copy(p, *probabilities);
  th::backend(TH_CPU).multinomial_alias_setup(&host_alias, &host_q, &p);
  // Copies from the host may take memory.
  Tensor device_alias = Tensor::like(*alias, TH_LONG, sizes_of(p));
  Tensor device_q = Tensor::like(*q, q->dtype, sizes_of(p));
  copy(device_alias, host_alias);
  copy(device_q, host_q);
  reserve(*alias, sizes_of(p));
  resize(*q, sizes_of(p));
  resize(*alias, sizes_of(p));
  copy(*alias, device_alias);
  copy(*q, device_q);
}

/// The table, in doubles.
struct Table {
  WideElements<double> q;
  WideElements<int64_t> alias;
  int64_t q_step, alias_step;
  int64_t n;

  Table(const TH_Tensor& alias_tensor, const TH_Tensor& q_tensor)
      : q(q_tensor),
        alias(alias_tensor),
        q_step(q_tensor.strides[0]),
        alias_step(alias_tensor.strides[0]),
        n(q_tensor.sizes[0]) {}
  TH_HD double kept(int64_t i) const { return q.load(i * q_step); }
  TH_HD int64_t other(int64_t i) const { return alias.load(i * alias_step); }
};

/// The first entry that is none.
struct FindBadEntry {
  Table table;
  int64_t* first;
  TH_HD void operator()(int64_t i) const {
    if (!is_alias_entry(table.kept(i), table.other(i), table.n)) {
      atomic_min(first, i);
    }
  }
};

struct Fetch {
  Table table;
  int64_t i;
  double* kept;
  int64_t* other;
  TH_HD void operator()(int64_t) const {
    *kept = table.kept(i);
    *other = table.other(i);
  }
};

void check_entries(const TH_Tensor& r, const Table& table) {
  const cudaStream_t stream = stream_for(r);
  const Scratch scratch(r, 3 * 8);
  auto* const first = scratch.data<int64_t>();
  THC_CHECK(cudaMemsetAsync(first, 0x7f, sizeof(int64_t), stream));
  launch(stream, table.n, FindBadEntry{table, first});
  const int64_t bad = fetch(first, stream);
  if (bad < table.n) {
    auto* const kept = scratch.data<double>() + 1;
    launch(stream, 1, Fetch{table, bad, kept, first + 2});
    not_an_alias_entry(bad, fetch(kept, stream), fetch(first + 2, stream));
  }
}

struct DrawByAlias {
  PhiloxPosition random;
  Table table;
  int64_t* r;
  OffsetCalculator layout;

  TH_HD void operator()(int64_t i) const {
    const Random4 bits = random(static_cast<uint64_t>(i));
    const auto at =
        static_cast<int64_t>(unit_double(bits.x[0], bits.x[1]) * static_cast<double>(table.n));
    const int64_t column = at < table.n ? at : table.n - 1;
    const bool keeps = unit_double(bits.x[2], bits.x[3]) < table.kept(column);
    r[layout.offset(i)] = keeps ? column + 1 : table.other(column);
  }
};

void multinomial_alias(TH_Tensor* r, TH_Generator* g, const TH_Tensor* alias, const TH_Tensor* q) {
  check_drawn(r, g);
  check_alias_table(*r, alias, q);
  const Table table(*alias, *q);
  check_entries(*r, table);
  if (r->ndim == 0) {
    return;
  }
  const Tensor drawn = Tensor::like(*r, TH_LONG, sizes_of(*r));  // r may be the table
  const PhiloxPosition random = take_random(r->device, static_cast<uint64_t>(numel(drawn)));
  launch(stream_for(*r), numel(drawn),
         DrawByAlias{random, table, data<int64_t>(drawn), OffsetCalculator(drawn)});
  copy(*r, drawn);
}

}  // namespace

void register_alias_sampling(th::SignalTable& b) {
  b.multinomial_alias_setup = multinomial_alias_setup;
  b.multinomial_alias = multinomial_alias;
}

}  // namespace thc

// The CPU's table. It registers itself when the library is loaded.
#include "core/backend.h"

#include <cstring>

#include "core/memory/host_allocator.h"
#include "cpu/register.h"

namespace th::cpu {
namespace {

Backend make() {
  Backend b;
  b.name = "CPU";
  b.allocate = [](int, int64_t bytes, void** owner) {
    Block* block = HostAllocator::instance().allocate(static_cast<size_t>(bytes));
    *owner = block;
    return block->ptr;
  };
  b.release = [](int, void* owner) { HostAllocator::instance().free(static_cast<Block*>(owner)); };
  b.empty_cache = [] { HostAllocator::instance().empty_cache(); };
  b.live_bytes = &HostAllocator::instance().live_bytes();
  const auto move = [](void* to, const void* from, int64_t bytes, int) {
    std::memcpy(to, from, static_cast<size_t>(bytes));
  };
  b.read = move;
  b.write = move;
  b.move = move;
  register_pointwise(b);
  register_compare(b);
  register_copy(b);
  register_fill(b);
  register_construct(b);
  register_cat(b);
  register_reduce(b);
  register_scan(b);
  register_index(b);
  register_mask(b);
  register_sort(b);
  register_blas(b);
  register_linalg_solve(b);
  register_linalg_cholesky(b);
  register_linalg_eigen(b);
  register_linalg_qr(b);
  register_vector_geometry(b);
  register_convolve(b);
  register_histogram(b);
  register_random(b);
  register_sampling(b);
  register_alias_sampling(b);
  register_softmax(b);
  register_conv(b);
  register_pooling(b);
  register_average_pooling(b);
  register_resample(b);
  register_batch_norm(b);
  register_row_norm(b);
  register_recurrent_cells(b);
  register_lstm(b);
  register_few_states(b);
  register_attention(b);
  register_quantized(b);
  register_packed_rows(b);
  register_loss(b);
  register_dropout(b);
  register_optim(b);
  return b;
}

const bool registered = (register_backend(TH_CPU, make()), true);

}  // namespace
}  // namespace th::cpu

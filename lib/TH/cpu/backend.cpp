// The CPU's table. It registers itself when the library is loaded.
#include <cstring>

#include "core/host_allocator.h"
#include "cpu/fill_backend.h"

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
  fill_pointwise(b);
  fill_compare(b);
  fill_copy(b);
  fill_construct(b);
  fill_cat(b);
  fill_reduce(b);
  fill_scan(b);
  fill_index(b);
  fill_mask(b);
  fill_sort(b);
  fill_blas(b);
  fill_linalg_solve(b);
  fill_linalg_cholesky(b);
  fill_linalg_eigen(b);
  fill_linalg_qr(b);
  fill_vector_geometry(b);
  fill_convolve(b);
  fill_histogram(b);
  fill_random(b);
  fill_sampling(b);
  fill_alias_sampling(b);
  fill_softmax(b);
  fill_conv(b);
  fill_pooling(b);
  fill_average_pooling(b);
  fill_batch_norm(b);
  fill_loss(b);
  fill_linear(b);
  fill_dropout(b);
  return b;
}

const bool registered = (register_backend(TH_CPU, make()), true);

}  // namespace
}  // namespace th::cpu

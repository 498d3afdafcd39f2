// CUDA's table. It registers itself when the library is loaded.
#include "core/backend.h"

#include <atomic>

#include "core/allocator.h"
#include "core/stream.h"
#include "cuda/fill_backend.h"

namespace thc {
namespace {

int64_t live = 0;

void count_live(int64_t bytes) {
  std::atomic_ref<int64_t>(live).fetch_add(bytes, std::memory_order_relaxed);
}

void move_bytes(void* to, const void* from, int64_t bytes, cudaMemcpyKind kind, int device) {
  activate(device);
  const cudaStream_t stream = current_stream(device);
  THC_CHECK(cudaMemcpyAsync(to, from, static_cast<size_t>(bytes), kind, stream));
  if (kind != cudaMemcpyDeviceToDevice) {
    THC_CHECK(cudaStreamSynchronize(stream));
  }
}

Backend make() {
  Backend b;
#ifdef THC_SIMULATED
  b.name = "CUDA (simulated)";
#else
  b.name = "CUDA";
#endif
  b.allocate = [](int device, int64_t bytes, void** owner) {
    activate(device);
    Block* block = allocate_block(device, bytes, current_stream(device));
    count_live(static_cast<int64_t>(block->bytes));
    *owner = block;
    return block->ptr;
  };
  b.release = [](int device, void* owner) {
    auto* block = static_cast<Block*>(owner);
    count_live(-static_cast<int64_t>(block->bytes));
    device_pool(device).free(block);
  };
  b.empty_cache = empty_cache;
  b.live_bytes = &live;
  b.read = [](void* host, const void* memory, int64_t bytes, int device) {
    move_bytes(host, memory, bytes, cudaMemcpyDeviceToHost, device);
  };
  b.write = [](void* memory, const void* host, int64_t bytes, int device) {
    move_bytes(memory, host, bytes, cudaMemcpyHostToDevice, device);
  };
  b.move = [](void* to, const void* from, int64_t bytes, int device) {
    move_bytes(to, from, bytes, cudaMemcpyDeviceToDevice, device);
    if (many_streams()) {  // `from` is about to go back to the pool of who knows which stream
      THC_CHECK(cudaStreamSynchronize(current_stream(device)));
    }
  };
  b.enter = [](const TH_Tensor& t) {
    activate(t.device);
    note_use(t, current_stream(t.device));
  };
  fill_pointwise(b);
  fill_pointwise_scalar(b);
  fill_pointwise_binary(b);
  fill_compare(b);
  fill_copy(b);
  fill_construct(b);
  fill_reduce(b);
  fill_scan(b);
  fill_index(b);
  fill_index_slices(b);
  fill_scatter(b);
  fill_mask(b);
  fill_sort(b);
  fill_blas(b);
  fill_vector_geometry(b);
  fill_convolve(b);
  fill_histogram(b);
  fill_random(b);
  fill_random_discrete(b);
  fill_sampling(b);
  fill_alias_sampling(b);
  fill_linear(b);
  fill_softmax(b);
  fill_conv(b);
  fill_pooling(b);
  fill_average_pooling(b);
  fill_batch_norm(b);
  fill_loss(b);
  fill_dropout(b);
  return b;
}

const bool registered = (th::register_backend(TH_CUDA, make()), true);

}  // namespace
}  // namespace thc

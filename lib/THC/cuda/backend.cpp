// CUDA's table. It registers itself when the library is loaded.
#include "core/backend.h"

#include <atomic>

#include "core/event.h"
#include "core/memory/allocator.h"
#include "core/stream.h"
#include "cuda/register.h"

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

th::Backend make() {
  th::Backend b;
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
  b.mark = [](int device) -> void* { return new Event(device, true); };
  b.between = [](const void* mark, const void* later) {
    const auto& end = *static_cast<const Event*>(later);
    end.synchronize();
    return Event::elapsed(*static_cast<const Event*>(mark), end);
  };
  b.forget = [](void* mark) { delete static_cast<Event*>(mark); };
  register_pointwise(b);
  register_pointwise_scalar(b);
  register_pointwise_binary(b);
  register_compare(b);
  register_copy(b);
  register_fill(b);
  register_construct(b);
  register_reduce(b);
  register_scan(b);
  register_index(b);
  register_index_slices(b);
  register_scatter(b);
  register_mask(b);
  register_sort(b);
  register_blas(b);
  register_vector_geometry(b);
  register_convolve(b);
  register_histogram(b);
  register_random(b);
  register_random_discrete(b);
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
  register_loss(b);
  register_dropout(b);
  register_quantized(b);
  register_packed_rows(b);
  register_optim(b);
  return b;
}

const bool registered = (th::register_backend(TH_CUDA, make()), true);

}  // namespace
}  // namespace thc

#include <thrust/sort.h>

#include "cuda/launch.h"
#include "cuda/order/sort_pairs.h"

namespace thc {

void sort_pairs(cudaStream_t stream, uint64_t* keys, int64_t* values, int64_t n) {
  if (n > 1) {
    run(stream,
        [=](const auto& policy) { thrust::stable_sort_by_key(policy, keys, keys + n, values); });
  }
}

}  // namespace thc

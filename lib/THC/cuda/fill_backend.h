// Each file of this folder puts its operations into the table.
#pragma once

#include "core/backend.h"

namespace thc {

using th::Backend;

void fill_pointwise(Backend& b);
void fill_pointwise_scalar(Backend& b);
void fill_pointwise_binary(Backend& b);
void fill_compare(Backend& b);
void fill_copy(Backend& b);
void fill_construct(Backend& b);
void fill_reduce(Backend& b);
void fill_scan(Backend& b);
void fill_index(Backend& b);
void fill_index_slices(Backend& b);
void fill_scatter(Backend& b);
void fill_mask(Backend& b);
void fill_sort(Backend& b);
void fill_blas(Backend& b);
void fill_vector_geometry(Backend& b);
void fill_convolve(Backend& b);
void fill_histogram(Backend& b);
void fill_random(Backend& b);
void fill_random_discrete(Backend& b);
void fill_sampling(Backend& b);
void fill_alias_sampling(Backend& b);
void fill_linear(Backend& b);
void fill_softmax(Backend& b);
void fill_conv(Backend& b);
void fill_pooling(Backend& b);
void fill_average_pooling(Backend& b);
void fill_batch_norm(Backend& b);
void fill_loss(Backend& b);
void fill_dropout(Backend& b);

}  // namespace thc

// Each file of this folder puts its operations into the table.
#pragma once

#include "core/backend.h"

namespace th::cpu {

void register_pointwise(Backend& b);
void register_compare(Backend& b);
void register_copy(Backend& b);
void register_construct(Backend& b);
void register_cat(Backend& b);
void register_reduce(Backend& b);
void register_scan(Backend& b);
void register_index(Backend& b);
void register_mask(Backend& b);
void register_sort(Backend& b);
void register_blas(Backend& b);
void register_linalg_solve(Backend& b);
void register_linalg_cholesky(Backend& b);
void register_linalg_eigen(Backend& b);
void register_linalg_qr(Backend& b);
void register_vector_geometry(Backend& b);
void register_convolve(Backend& b);
void register_histogram(Backend& b);
void register_random(Backend& b);
void register_sampling(Backend& b);
void register_alias_sampling(Backend& b);
void register_softmax(Backend& b);
void register_conv(Backend& b);
void register_pooling(Backend& b);
void register_average_pooling(Backend& b);
void register_batch_norm(Backend& b);
void register_loss(Backend& b);
void register_dropout(Backend& b);

}  // namespace th::cpu

// Each file of this folder puts its operations into the table.
#pragma once

#include "core/tables/forward.h"

namespace thc {

void register_pointwise(th::PointwiseTable& b);
void register_pointwise_scalar(th::PointwiseTable& b);
void register_pointwise_binary(th::PointwiseTable& b);
void register_compare(th::CompareTable& b);
void register_copy(th::DeviceFunctions& b);
void register_fill(th::FillTable& b);
void register_construct(th::FillTable& b);
void register_reduce(th::ReduceTable& b);
void register_scan(th::ReduceTable& b);
void register_index(th::IndexTable& b);
void register_index_slices(th::IndexTable& b);
void register_scatter(th::IndexTable& b);
void register_mask(th::IndexTable& b);
void register_sort(th::SortTable& b);
void register_blas(th::BlasTable& b);
void register_vector_geometry(th::LinalgTable& b);
void register_convolve(th::SignalTable& b);
void register_histogram(th::SignalTable& b);
void register_random(th::RandomTable& b);
void register_random_discrete(th::RandomTable& b);
void register_sampling(th::RandomTable& b);
void register_alias_sampling(th::SignalTable& b);
void register_softmax(th::NnTable& b);
void register_conv(th::ConvTable& b);
void register_pooling(th::PoolingTable& b);
void register_average_pooling(th::PoolingTable& b);
void register_resample(th::ResampleTable& b);
void register_batch_norm(th::NormalizationTable& b);
void register_row_norm(th::NormalizationTable& b);
void register_recurrent_cells(th::RecurrentTable& b);
void register_loss(th::LossTable& b);
void register_dropout(th::NnTable& b);
void register_quantized(th::QuantizedTable& b);
void register_packed_rows(th::QuantizedTable& b);
void register_optim(th::OptimTable& b);

}  // namespace thc

// Each file of this folder puts its operations into the table.
#pragma once

#include "core/tables/forward.h"

namespace th::cpu {

void register_pointwise(PointwiseTable& b);
void register_compare(CompareTable& b);
void register_copy(DeviceFunctions& b);
void register_fill(FillTable& b);
void register_construct(FillTable& b);
void register_cat(FillTable& b);
void register_reduce(ReduceTable& b);
void register_scan(ReduceTable& b);
void register_index(IndexTable& b);
void register_mask(IndexTable& b);
void register_sort(SortTable& b);
void register_blas(BlasTable& b);
void register_linalg_solve(LinalgTable& b);
void register_linalg_cholesky(LinalgTable& b);
void register_linalg_eigen(LinalgTable& b);
void register_linalg_qr(LinalgTable& b);
void register_vector_geometry(LinalgTable& b);
void register_convolve(SignalTable& b);
void register_histogram(SignalTable& b);
void register_random(RandomTable& b);
void register_sampling(RandomTable& b);
void register_alias_sampling(SignalTable& b);
void register_softmax(NnTable& b);
void register_conv(ConvTable& b);
void register_pooling(PoolingTable& b);
void register_average_pooling(PoolingTable& b);
void register_resample(ResampleTable& b);
void register_batch_norm(NormalizationTable& b);
void register_row_norm(NormalizationTable& b);
void register_recurrent_cells(RecurrentTable& b);
void register_lstm(RecurrentTable& b);
void register_few_states(RecurrentTable& b);
void register_attention(AttentionTable& b);
void register_quantized(QuantizedTable& b);
void register_packed_rows(QuantizedTable& b);
void register_loss(LossTable& b);
void register_dropout(NnTable& b);
void register_optim(OptimTable& b);

}  // namespace th::cpu

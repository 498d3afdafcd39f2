// The names of a backend's tables. A table has the functions of one file of ops, and all of them
// together are a Backend.
#pragma once

namespace th {

struct Backend;
struct DeviceFunctions;
struct PointwiseTable;
struct CompareTable;
struct FillTable;
struct ReduceTable;
struct IndexTable;
struct SortTable;
struct BlasTable;
struct LinalgTable;
struct SignalTable;
struct RandomTable;
struct NnTable;
struct ConvTable;
struct PoolingTable;
struct ResampleTable;
struct NormalizationTable;
struct AttentionTable;
struct RecurrentTable;
struct QuantizedTable;
struct LossTable;
struct OptimTable;

}  // namespace th

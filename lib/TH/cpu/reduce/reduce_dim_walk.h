// How a reduction of one dimension goes through a tensor.
#pragma once

#include <memory>

#include "cpu/reduce/reduce_elements.h"
#include "cpu/reduce/reduce_walk.h"

namespace th::cpu {

/// The positions in the accumulators of argmin and argmax, counted from 1, `stride` apart.
void store_positions(int64_t* to, int64_t stride, const char* acc, int64_t items, int compute);

/// A plan for reducing dimension `dim`: n elements, `stride` apart, for each result.
///
/// Results are made in blocks of neighbours along one of the other dimensions, the run. If the
/// reduced dimension is the one whose elements lie closest together, a block's results are reduced
/// row after row; otherwise all at once, like the columns of a matrix.
class DimWalk {
 public:
  DimWalk(const Reduction& reduction, const TH_Tensor& x, int dim);

  /// r and positions are compact. Allocates nothing.
  void run(TH_Tensor& r, TH_Tensor* positions) const;

 private:
  struct Outer {
    int64_t size, stride, out_stride;
  };
  struct Block {
    int64_t offset;  // of the first result's first element
    int64_t out;     // of the first result
    int64_t items;
  };

  bool direct() const { return !elements_.converts() && (columns_ ? run_stride_ : stride_) == 1; }
  char* partial(int64_t group, int64_t part) const {
    return partials_.get() + (group * parts_ + part) * width_ * kAccumulatorBytes;
  }
  void set_blocks();
  void set_parts(int64_t elements);
  Block locate(int64_t group) const;
  void reduce(TH_Tensor& r, TH_Tensor* positions, int64_t task) const;
  void take_rows(char* acc, const Block& block, int64_t begin, int64_t end) const;
  void take_columns(char* acc, const Block& block, int64_t begin, int64_t end) const;
  void take_folded(char* acc, const Block& block, int64_t begin, int64_t end) const;
  void store(TH_Tensor& r, TH_Tensor* positions, const Block& block, const char* acc) const;

  const Reduction& reduction_;
  Elements elements_;
  int64_t n_;
  int64_t stride_;
  bool columns_ = false;
  int64_t run_size_ = 1;
  int64_t run_stride_ = 1;
  int64_t run_out_ = 1;
  int64_t runs_ = 1;
  int64_t width_ = 1;   // results per block
  int64_t blocks_ = 1;  // blocks per run
  int64_t fold_ = 1;    // rows taken as one
  int64_t leaf_ = 1;
  int64_t parts_ = 1;  // per block, along the reduced dimension
  int outer_count_ = 0;
  Outer outer_[TH_MAX_DIMS];
  std::unique_ptr<char[]> partials_;
};

}  // namespace th::cpu

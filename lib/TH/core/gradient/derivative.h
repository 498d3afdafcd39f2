// The table of derivatives: what is known of each operation and view.
#pragma once

#include <cstdint>
#include <vector>

#include "core/call/call.h"

namespace th::gradient {

class Derivation;

struct Derivative {
  enum class Kind {
    Unknown,   ///< no row in the table: a mistake of ours, which the walk over the rows finds
    Known,     ///< `derive` gives the operands' gradients
    Constant,  ///< results are constants: `because`
    None,      ///< there is a gradient, but nobody has written it: an error when backward needs it
  };
  Kind kind = Kind::Unknown;
  const char* because = nullptr;
  const char* clauses = nullptr;
  void (*derive)(Derivation& d) = nullptr;
  /// Of each parameter: which others its clause reads (bits), when there is one.
  std::vector<uint32_t> reads;
  uint32_t covered = 0;     // parameters that have a clause
  bool covers_all = false;  // of those that are read
};

const Derivative& derivative_of(int operation);

/// For the files of `derivatives`: what the clauses read is found in their text.
void define(Derivative* table, Op op, const char* parameters, const char* clauses,
            void (*derive)(Derivation& d));
void define(Derivative* table, Op op, Derivative::Kind kind, const char* because);

/// The files of `rules`.
void define_views(Derivative* table);
void define_pointwise(Derivative* table);
void define_pointwise_gradients(Derivative* table);
void define_reduce(Derivative* table);
void define_index(Derivative* table);
void define_blas(Derivative* table);
void define_linalg(Derivative* table);
void define_signal(Derivative* table);
void define_nn(Derivative* table);
void define_normalization(Derivative* table);
void define_loss(Derivative* table);
void define_spatial(Derivative* table);
void define_sequence(Derivative* table);
void define_cells(Derivative* table);
void define_constants(Derivative* table);

/// Of a kPatch, and of a kRegion node.
void derive_patch(Derivation& d);
void derive_region(Derivation& d);

}  // namespace th::gradient

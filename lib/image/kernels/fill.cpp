#include "kernels/parts.h"

namespace th::image::TH_ISA {

void fill(Kernels& table) {
  fill_scale(table);
  fill_sample(table);
  fill_colour(table);
  fill_morphology(table);
  fill_split(table);
}

}  // namespace th::image::TH_ISA

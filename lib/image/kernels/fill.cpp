#include "kernels/parts.h"

void th::cpu::TH_ISA::set_kernels(image::Kernels& table) {
  using namespace image::TH_ISA;
  fill_scale(table);
  fill_sample(table);
  fill_colour(table);
  fill_morphology(table);
  fill_split(table);
}

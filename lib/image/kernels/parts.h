// Each file of kernels fills its part of the table.
#pragma once

#include "kernels/kernels.h"

namespace th::image::TH_ISA {
void fill_scale(Kernels& table);
void fill_sample(Kernels& table);
void fill_colour(Kernels& table);
void fill_morphology(Kernels& table);
void fill_split(Kernels& table);
}  // namespace th::image::TH_ISA

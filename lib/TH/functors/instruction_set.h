// Each instruction set compiles functors of its own; the names must differ for the linker. So they
// are in an inline namespace TH_ISA, which the build defines for kernels.
#pragma once

#ifndef TH_ISA
#define TH_ISA generic
#endif

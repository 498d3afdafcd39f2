// Convolutions of signals, histograms.
#include "core/gradient/derivation.h"

namespace th::gradient {

void define_signal(Derivative* table) {
  constexpr const char* kUse =
      "torch.conv2 and its kin are not differentiated; the convolutions of nn are";
  TH_UNDIFFERENTIATED(conv2, kUse)
  TH_UNDIFFERENTIATED(xcorr2, kUse)
  TH_UNDIFFERENTIATED(conv3, kUse)
  TH_UNDIFFERENTIATED(xcorr3, kUse)
  TH_CONSTANT(histc, "counts")
  TH_CONSTANT(bhistc, "counts")
}

}  // namespace th::gradient

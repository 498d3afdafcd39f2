// Convolution and correlation by their definition: every overlap of a kernel with its input, a
// thread for each element of the result. Layers have convolutions of their own (nn/).
#include "core/checks/signal.h"
#include "core/tables/signal.h"
#include "core/tensor/aliasing.h"
#include "cuda/launch.h"
#include "cuda/offsets.h"
#include "cuda/register.h"

namespace thc {
namespace {

/// Where one direction's overlap begins and ends, in taps of the kernel.
struct Overlap {
  int64_t begin, end;
  int64_t first;  // element of the input under tap `begin`

  TH_HD Overlap(int64_t position, int64_t pad, int64_t taps, int64_t size) {
    const int64_t start = position - pad;  // under tap 0
    begin = start < 0 ? -start : 0;
    end = start + taps > size ? size - start : taps;
    first = start + begin;
  }
};

template <class C>
struct Correlate {
  Elements<C> x, kernel, r;  // x and kernel are compact
  int64_t planes;
  bool bank;
  bool mirrored;
  int64_t in[3], taps[3], out[3], pad[3];

  TH_HD void operator()(int64_t i) const {
    const int64_t column = i % out[2];
    const int64_t row = i / out[2] % out[1];
    const int64_t slice = i / (out[2] * out[1]) % out[0];
    const int64_t q = i / (out[2] * out[1] * out[0]);
    const Overlap z(slice, pad[0], taps[0], in[0]);
    const Overlap y(row, pad[1], taps[1], in[1]);
    const Overlap x_overlap(column, pad[2], taps[2], in[2]);
    const int64_t volume = taps[0] * taps[1] * taps[2];
    auto sum = wrapping(C{0});
    for (int64_t plane = bank ? 0 : q; plane < (bank ? planes : q + 1); ++plane) {
      const int64_t filter = (bank ? q * planes + plane : q) * volume;
      for (int64_t kz = z.begin; kz < z.end; ++kz) {
        const int64_t iz = plane * in[0] + z.first + kz - z.begin;
        for (int64_t ky = y.begin; ky < y.end; ++ky) {
          const int64_t iy = iz * in[1] + y.first + ky - y.begin;
          const int64_t from = iy * in[2] + x_overlap.first - x_overlap.begin;
          for (int64_t kx = x_overlap.begin; kx < x_overlap.end; ++kx) {
            const int64_t tap = (kz * taps[1] + ky) * taps[2] + kx;
            sum += wrapping(kernel.load_at(filter + (mirrored ? volume - 1 - tap : tap))) *
                   wrapping(x.load_at(from + kx));
          }
        }
      }
    }
    r.store(i, static_cast<C>(sum));
  }
};

template <int Rank, bool Mirrored>
void operation(TH_Tensor* r, const TH_Tensor* x, const TH_Tensor* kernel, bool full) {
  const CorrelationSizes p = check_correlation(r, x, kernel, Rank, full);
  const Tensor input = contiguous(*x);
  const Tensor filters = contiguous(*kernel);
  const std::vector<int64_t> sizes = p.result(*x, Rank);
  Result result(r, sizes, Result::Any, {&input, &filters});
  TH_Tensor& to = result.tensor();
  ComputeTypes::dispatch(compute_dtype(input.dtype), [&]<class C>() {
    Correlate<C> correlate{Elements<C>(input),
                           Elements<C>(filters),
                           Elements<C>(to),
                           p.planes,
                           p.bank,
                           Mirrored,
                           {},
                           {},
                           {},
                           {}};
    for (size_t d = 0; d < 3; ++d) {
      correlate.in[d] = p.in[d];
      correlate.taps[d] = p.kernel[d];
      correlate.out[d] = p.out[d];
      correlate.pad[d] = p.full ? p.kernel[d] - 1 : 0;
    }
    launch(stream_for(to), numel(to), correlate);
  });
  result.finish();
}

}  // namespace

void register_convolve(th::SignalTable& b) {
  b.conv2 = operation<2, true>;
  b.xcorr2 = operation<2, false>;
  b.conv3 = operation<3, true>;
  b.xcorr3 = operation<3, false>;
}

}  // namespace thc

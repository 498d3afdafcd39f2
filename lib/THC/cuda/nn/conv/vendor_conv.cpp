// Convolutions by cuDNN. Its three passes take their arguments in the same order (two operands, the
// convolution, the result), so that the choice of an algorithm, its memory and the call are written
// once for all of them.
#include <algorithm>
#include <memory>
#include <type_traits>
#include <vector>

#include "core/memory/allocator.h"
#include "core/stream.h"
#include "core/tensor/aliasing.h"
#include "core/vendor/trouble.h"
#include "core/vendor/vendor_plans.h"
#include "cuda/nn/conv/cudnn_descriptors.h"

namespace thc {
namespace {

/// Room for measuring: as much as may be used and can be had.
class Trial {
 public:
  Trial(int device, cudaStream_t stream) : device_(device) {
    // cuDNN is asked for what the whole device could not hold when the workspace is unlimited.
    const auto whole = static_cast<int64_t>(device_properties(device).totalGlobalMem);
    for (bytes_ = std::min(vendor_options().workspace, whole / 2); bytes_ > 0; bytes_ /= 4) {
      block_ = device_pool(device).allocate(static_cast<size_t>(bytes_), stream);
      if (block_ != nullptr) {
        return;
      }
    }
  }
  ~Trial() {
    if (block_ != nullptr) {
      device_pool(device_).free(block_);
    }
  }
  Trial(const Trial&) = delete;
  void* data() const { return block_ == nullptr ? nullptr : block_->ptr; }
  size_t bytes() const { return static_cast<size_t>(bytes_); }

 private:
  int device_;
  int64_t bytes_ = 0;
  Block* block_ = nullptr;
};

/// An operand where cuDNN may read and write it with its widest loads: itself, or a copy where it
/// lies at another address. Weights do that which nn's getParameters() has laid side by side; what
/// cuDNN proposes for a case depends on sizes alone, and a kernel that meets such an address ends
/// the process.
class Aligned {
 public:
  /// `is_read`: a copy is to have the elements, too.
  explicit Aligned(const TH_Tensor& t, bool is_read = true)
      : is_copy_(reinterpret_cast<uintptr_t>(th::bytes(t)) % kWidestLoad != 0),
        tensor_(!is_copy_ ? Tensor(t)
                : is_read ? clone(t)
                          : Tensor::like(t, t.dtype, sizes_of(t))) {}

  void* bytes() const { return th::bytes(tensor_); }
  /// Put what was written where it belongs.
  void finish(const TH_Tensor& t) const {
    if (is_copy_) {
      Tensor to(t);
      th::copy(to, tensor_);
    }
  }

 private:
  static constexpr uintptr_t kWidestLoad = 16;
  bool is_copy_;
  Tensor tensor_;
};

/// One of the three passes: cuDNN's functions, which differ in their types alone. A, B, C: the
/// descriptors of the operands and of the result.
template <class A, class B, class C, class Perf, class Algorithm>
struct Pass {
  int number;
  cudnnStatus_t (*ask)(cudnnHandle_t, A, B, cudnnConvolutionDescriptor_t, C, int, int*, Perf*);
  cudnnStatus_t (*measure)(cudnnHandle_t, A, const void*, B, const void*,
                           cudnnConvolutionDescriptor_t, C, void*, int, int*, Perf*, void*, size_t);
  cudnnStatus_t (*run)(cudnnHandle_t, const void*, A, const void*, B, const void*,
                       cudnnConvolutionDescriptor_t, Algorithm, void*, size_t, const void*, C,
                       void*);
  const char *ask_name, *measure_name, *run_name;

  /// c = alpha (a with b) + beta c. False: no algorithm may be used.
  bool operator()(const TH_Tensor& a, const TH_Tensor& b, const TH_Tensor& c, const ConvShape& s,
                  double alpha, double beta) const {
    thread_local Plans plans;
    const VendorOptions& options = vendor_options();
    const cudaStream_t stream = stream_for(c);
    const cudnnHandle_t handle = cudnn_handle(c.device, stream);
    const Described<A> da(a);
    const Described<B> db(b);
    const Described<C> dc(c);
    const ConvolutionDescriptor convolution(c.dtype, s);
    const auto kept = plans.find(case_of(number, c, s, options), options, [&] {
      constexpr int kProposals = 16;
      Perf list[kProposals];
      int count = 0;
      if (options.benchmark) {
        // Measuring writes: not into what is there, to which the result may have to be added.
        const Tensor apart = Tensor::like(c, c.dtype, sizes_of(c));
        const Aligned from_a(a);
        const Aligned from_b(b);
        const Trial trial(c.device, stream);
        check_cudnn(with_room(measure_name,
                              [&] {
                                return measure(handle, da, from_a.bytes(), db, from_b.bytes(),
                                               convolution, dc, bytes(apart), kProposals, &count,
                                               list, trial.data(), trial.bytes());
                              }),
                    measure_name);
      } else {
        check_cudnn(
            with_room(
                ask_name,
                [&] { return ask(handle, da, db, convolution, dc, kProposals, &count, list); }),
            ask_name);
      }
      std::vector<Proposal> proposals;
      for (int i = 0; i < count; ++i) {
        proposals.push_back({list[i].algo, list[i].status == CUDNN_STATUS_SUCCESS,
                             list[i].determinism == CUDNN_DETERMINISTIC,
                             static_cast<int64_t>(list[i].memory), list[i].mathType});
      }
      return proposals;
    });
    Plan& plan = *kept;
    if (plan.empty()) {
      return false;
    }
    const Factors factors(c.dtype, alpha, beta);
    const Aligned from_a(a);
    const Aligned from_b(b);
    const Aligned to(c, beta != 0);
    const auto with = [&](const Proposal& choice) {
      std::unique_ptr<Scratch> workspace;
      if (choice.workspace > 0) {
        // Blocks that are guarded end where they were asked to, and cuDNN wants aligned memory.
        const int64_t whole = (choice.workspace + 511) / 512 * 512;
        workspace = std::make_unique<Scratch>(c.device, stream, whole);
      }
      if (allowed_math(c.dtype) != CUDNN_FMA_MATH) {  // never more than is allowed
        convolution.set_math(static_cast<cudnnMathType_t>(choice.math));
      }
      check_cudnn(run(handle, factors.alpha(), da, from_a.bytes(), db, from_b.bytes(), convolution,
                      static_cast<Algorithm>(choice.algorithm),
                      workspace ? workspace->template data<void>() : nullptr,
                      static_cast<size_t>(choice.workspace), factors.beta(), dc, to.bytes()),
                  run_name);
    };
    const bool done = run_first(plan, beta == 0, with, make_room);
    if (done) {
      to.finish(c);
    }
    return done;
  }

 private:
  template <class D>
  using Described = std::conditional_t<std::is_same_v<std::remove_cv_t<D>, cudnnFilterDescriptor_t>,
                                       FilterDescriptor, TensorDescriptor>;
};

/// f() where cuDNN is there. False where it refuses a case as a whole: its sizes, its types, or to
/// be used at all, which is then said once.
template <class F>
bool by_cudnn(const TH_Tensor& t, const F& f) {
  if (!vendor_options().cudnn || !is_floating(t.dtype) || cudnn() == nullptr) {
    return false;
  }
  try {
    return count_convolution(f(*cudnn()));
  } catch (const Refused&) {
    return count_convolution(false);
  } catch (const Unusable& e) {
    give_up_cudnn(e.what());
    return count_convolution(false);
  }
}

/// The images that cuDNN takes at a time: it counts elements in 32 bits.
int64_t images_at_once(const ConvShape& s) {
  const int64_t image = std::max(s.C * s.plane(), s.K * s.outputs());
  return image == 0 ? s.N : cudnn_most_elements / image;
}

/// f(part of images, part of outputs, s with their number) for all images; what f says. False for
/// an image that is too large by itself.
template <class F>
bool in_parts(const TH_Tensor& images, const TH_Tensor& outputs, const ConvShape& s, const F& f) {
  const int64_t most = images_at_once(s);
  if (s.N <= most) {
    return f(images, outputs, s);
  }
  if (most == 0) {
    return false;
  }
  for (int64_t n = 0; n < s.N; n += most) {
    ConvShape part = s;
    part.N = std::min(most, s.N - n);
    Tensor some_images;
    Tensor some_outputs;
    th::narrow(some_images, images, 0, n, part.N);
    th::narrow(some_outputs, outputs, 0, n, part.N);
    if (!f(some_images, some_outputs, part)) {
      return false;
    }
  }
  return true;
}

}  // namespace

bool vendor_conv(TH_Tensor& r, const TH_Tensor& x, const TH_Tensor& weight, const ConvShape& s) {
  return by_cudnn(x, [&](const CuDnn& f) {
    const Pass pass{0,
                    f.forward_algorithms,
                    f.find_forward,
                    f.forward,
                    "cudnnGetConvolutionForwardAlgorithm_v7",
                    "cudnnFindConvolutionForwardAlgorithmEx",
                    "cudnnConvolutionForward"};
    return in_parts(x, r, s, [&](const TH_Tensor& in, const TH_Tensor& out, const ConvShape& part) {
      return pass(in, weight, out, part, 1, 0);
    });
  });
}

bool vendor_conv_backward_input(TH_Tensor& r, const TH_Tensor& g, const TH_Tensor& weight,
                                const ConvShape& s) {
  return by_cudnn(g, [&](const CuDnn& f) {
    const Pass pass{1,
                    f.backward_data_algorithms,
                    f.find_backward_data,
                    f.backward_data,
                    "cudnnGetConvolutionBackwardDataAlgorithm_v7",
                    "cudnnFindConvolutionBackwardDataAlgorithmEx",
                    "cudnnConvolutionBackwardData"};
    return in_parts(r, g, s, [&](const TH_Tensor& in, const TH_Tensor& out, const ConvShape& part) {
      return pass(weight, out, in, part, 1, 0);
    });
  });
}

bool vendor_conv_backward_weight(TH_Tensor& grad_weight, const TH_Tensor& g, const TH_Tensor& x,
                                 const ConvShape& s, double scale) {
  return by_cudnn(g, [&](const CuDnn& f) {
    const Pass pass{2,
                    f.backward_filter_algorithms,
                    f.find_backward_filter,
                    f.backward_filter,
                    "cudnnGetConvolutionBackwardFilterAlgorithm_v7",
                    "cudnnFindConvolutionBackwardFilterAlgorithmEx",
                    "cudnnConvolutionBackwardFilter"};
    // Several parts add up apart: one that finds no memory has the whole operation made again.
    const bool at_once = s.N <= images_at_once(s);
    const Tensor sum = at_once ? Tensor(grad_weight) : clone(grad_weight);
    const bool done =
        in_parts(x, g, s, [&](const TH_Tensor& in, const TH_Tensor& out, const ConvShape& part) {
          return pass(in, out, sum, part, scale, 1);
        });
    if (done && !at_once) {
      th::copy(grad_weight, sum);
    }
    return done;
  });
}

}  // namespace thc

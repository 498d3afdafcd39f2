// Copying between any strides, types and devices, and filling.
#include <cstring>

#include "core/device_functions.h"
#include "core/event.h"
#include "core/memory/allocator.h"
#include "core/tables/fill.h"
#include "core/tensor/element_size.h"
#include "cuda/copy.h"
#include "cuda/elementwise.cuh"
#include "cuda/register.h"
#include "functors/order.h"
#include "functors/reduce.h"

namespace thc {
namespace {

struct Same {
  template <class T>
  TH_HD T operator()(T x) const {
    return x;
  }
};

template <class R, class X>
struct Convert {
  TH_HD Compute<R> operator()(Compute<X> x) const { return convert<Compute<R>>(x); }
};

/// Any types, any strides. Numbers travel as int64 or double, which hold all of them exactly.
struct ConvertStrided {
  char* r;
  const char* x;
  int32_t r_dtype;
  int32_t x_dtype;
  OffsetCalculator r_layout;
  OffsetCalculator x_layout;

  template <class From>
  TH_HD From from(int64_t offset) const {
    return reinterpret_cast<const From*>(x)[offset];
  }
  template <class To, class From>
  TH_HD void to(int64_t offset, From value) const {
    reinterpret_cast<To*>(r)[offset] = convert<To>(value);
  }
  template <class From>
  TH_HD void store(int64_t offset, From value) const {
    switch (r_dtype) {
#define TH_DTYPE(TAG, NAME, ELEMENT, C, FIELD, KIND, COMPUTED) \
  case TAG:                                                    \
    return to<ELEMENT>(offset, value);
#include "ops/dtypes.def"
#undef TH_DTYPE
      default:
        return;
    }
  }

  TH_HD void operator()(int64_t i) const {
    const int64_t here = x_layout.offset(i);
    const int64_t there = r_layout.offset(i);
    switch (x_dtype) {
#define TH_DTYPE(TAG, NAME, ELEMENT, C, FIELD, KIND, COMPUTED) \
  case TAG:                                                    \
    return store(there,                                        \
                 th::functors::Wide<ELEMENT>(static_cast<Compute<ELEMENT>>(from<ELEMENT>(here))));
#include "ops/dtypes.def"
#undef TH_DTYPE
      default:
        return;
    }
  }
};

size_t size_of(const TH_Tensor& t) { return static_cast<size_t>(numel(t) * element_size(t.dtype)); }

/// Both on one device; enqueues.
void copy_within(TH_Tensor& r, const TH_Tensor& x) {
  if (r.dtype == x.dtype && same_elements(r, x)) {
    return;
  }
  const cudaStream_t stream = stream_for(r);
  if (displaces(r, x)) {
    Tensor apart = Tensor::like(x, r.dtype, sizes_of(x));
    copy_within(apart, x);
    copy_within(r, apart);
    return;
  }
  const bool compact = is_contiguous(r) && is_contiguous(x);
  if (r.dtype == x.dtype) {
    if (compact) {
      THC_CHECK(cudaMemcpyAsync(bytes(r), bytes(x), size_of(r), cudaMemcpyDeviceToDevice, stream));
    } else {
      with_size(element_size(r.dtype), [&]<class U>() {
        if (!copy_transposed<U>(r, x, stream)) {
          elementwise<U, U>(r, Same{}, &x);
        }
      });
    }
    return;
  }
  if (compact) {
    bool done = false;
    AllTypes::dispatch(r.dtype, [&]<class R>() {
      AllTypes::dispatch(x.dtype, [&]<class X>() {
        if constexpr (!std::is_same_v<R, X>) {
          const TH_Tensor* const operands[] = {&x};
          done = detail::try_compact<R, X, 1>(r, Convert<R, X>{}, operands, numel(r), stream);
        }
      });
    });
    if (done) {
      return;
    }
  }
  launch(stream, numel(r),
         ConvertStrided{bytes(r), bytes(x), r.dtype, x.dtype, OffsetCalculator(r),
                        OffsetCalculator(x)});
}

/// Up to this size a copy into pinned memory costs the host less than waiting for the stream.
constexpr size_t kStaged = size_t{4} << 20;

/// x compactly where a device may read it after we have returned: in pinned memory, unless x is
/// large or there is none.
Tensor upload_source(const TH_Tensor& x) {
  const bool ready = is_contiguous(x);
  if (size_of(x) > kStaged || (ready && is_pinned(x))) {
    return ready ? Tensor(x) : contiguous(x);
  }
  try {
    Tensor staged;
    init(staged, x.dtype, TH_CPU, 0);
    TH_Storage* const memory = new_pinned_storage(x.dtype, numel(x));
    set_storage(staged, memory, 0, sizes_of(x), {});
    th::release(memory);  // the tensor has its own reference
    th::copy(staged, x);
    return staged;
  } catch (const Error&) {
    return contiguous(x);
  }
}

/// Host to device. Where x's memory is pageable it may be written again on return: CUDA promises
/// that only to who waits. Pinned memory may not until the stream has passed.
void upload(TH_Tensor& r, const TH_Tensor& x) {
  const cudaStream_t stream = stream_for(r);
  const Tensor source = upload_source(x);
  const bool direct = r.dtype == x.dtype && is_contiguous(r);
  Tensor staging;
  if (!direct) {
    staging = Tensor::like(r, x.dtype, sizes_of(x));
  }
  TH_Tensor& to = direct ? r : staging;
  const bool pinned = is_pinned(source);
  if (pinned) {
    note_use(source, stream);
  }
  THC_CHECK(
      cudaMemcpyAsync(bytes(to), bytes(source), size_of(source), cudaMemcpyHostToDevice, stream));
  if (!direct) {
    copy_within(r, staging);
  }
  if (!pinned) {
    THC_CHECK(cudaStreamSynchronize(stream));
  }
}

/// Device to host, waiting for it unless the result lies in pinned memory and `wait` is false.
void download(TH_Tensor& r, const TH_Tensor& x, bool wait) {
  const cudaStream_t stream = stream_for(x);
  Tensor source;
  if (r.dtype == x.dtype && is_contiguous(x)) {
    source = Tensor(x);
  } else {
    source = Tensor::like(x, r.dtype, sizes_of(x));
    copy_within(source, x);
  }
  if (is_contiguous(r)) {
    const bool pinned = is_pinned(r);
    if (pinned) {
      note_use(r, stream);
    }
    THC_CHECK(cudaMemcpyAsync(bytes(r), bytes(source), size_of(r), cudaMemcpyDeviceToHost, stream));
    if (wait || !pinned) {
      THC_CHECK(cudaStreamSynchronize(stream));
    }
    return;
  }
  Tensor staging = Tensor::like(r, r.dtype, sizes_of(r));
  THC_CHECK(
      cudaMemcpyAsync(bytes(staging), bytes(source), size_of(r), cudaMemcpyDeviceToHost, stream));
  THC_CHECK(cudaStreamSynchronize(stream));
  th::copy(r, staging);
}

/// From one device to another: work of the source's stream, between what the target's stream has
/// done so far and what it will do next.
void copy_across(TH_Tensor& r, const TH_Tensor& x) {
  Tensor target;  // r, or a compact place beside it
  if (is_contiguous(r)) {
    target = Tensor(r);
  } else {
    activate(r.device);
    target = Tensor::like(r, r.dtype, sizes_of(r));
  }
  const cudaStream_t to = stream_for(r);
  const cudaStream_t from = stream_for(x);
  Tensor source;
  if (r.dtype == x.dtype && is_contiguous(x)) {
    source = Tensor(x);
  } else {
    source = Tensor::like(x, r.dtype, sizes_of(x));
    copy_within(source, x);
  }
  wait_for(x.device, from, r.device, to);
  activate(x.device);
  THC_CHECK(
      cudaMemcpyPeerAsync(bytes(target), r.device, bytes(source), x.device, size_of(target), from));
  wait_for(r.device, to, x.device, from);
  if (!is_contiguous(r)) {
    copy_within(r, target);
  }
}

void copy_elements(TH_Tensor& r, const TH_Tensor& x, bool wait) {
  if (x.device_type == TH_CPU) {
    note_use(r, current_stream(r.device));
    upload(r, x);
    // A script may write to x at once; one with gaps was read already.
    if (wait && is_pinned(x) && is_contiguous(x)) {
      THC_CHECK(cudaStreamSynchronize(current_stream(r.device)));
    }
  } else if (r.device_type == TH_CPU) {
    note_use(x, current_stream(x.device));
    download(r, x, wait);
  } else {
    note_use(r, current_stream(r.device));
    note_use(x, current_stream(x.device));
    r.device == x.device ? copy_within(r, x) : copy_across(r, x);
  }
}

template <class T>
struct Constant {
  T value;
  TH_HD T operator()() const { return value; }
};

void fill(TH_Tensor* r, double value) {
  const int64_t n = numel(*r);
  if (n == 0) {
    return;
  }
  const cudaStream_t stream = stream_for(*r);
  AllTypes::dispatch(r->dtype, [&]<class T>() {
    using Bits = th::functors::Unsigned<T>;
    const auto bits = std::bit_cast<Bits>(from_number<T>(value));
    const auto byte = static_cast<uint8_t>(bits);
    if (is_contiguous(*r) && bits == static_cast<Bits>(byte * (~Bits{0} / 0xff))) {
      THC_CHECK(cudaMemsetAsync(bytes(*r), byte, size_of(*r), stream));
    } else {
      elementwise<Bits, Bits>(*r, Constant<Bits>{bits});
    }
  });
}

}  // namespace

void copy_async(TH_Tensor& r, const TH_Tensor& x) {
  TH_CHECK(numel(r) == numel(x), "sizes do not match: ", shape(r), " has ", numel(r),
           " elements and ", shape(x), " has ", numel(x));
  if (numel(r) > 0) {
    copy_elements(r, x, false);
  }
}

void register_copy(th::DeviceFunctions& b) {
  b.copy = [](TH_Tensor* r, const TH_Tensor* x) { copy_elements(*r, *x, true); };
}

void register_fill(th::FillTable& b) { b.fill = fill; }

}  // namespace thc

#include "core/composite/register.h"

#include "core/backend.h"

namespace th::composite {

void complete(Backend& b) {
  register_joining(b);
  register_reduce(b);
  register_conv(b);
  register_attention(b);
  register_recurrent(b);
  register_quantized(b);
}

}  // namespace th::composite

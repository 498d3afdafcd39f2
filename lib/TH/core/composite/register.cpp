#include "core/composite/register.h"

namespace th::composite {

void complete(Backend& b) { register_reduce(b); }

}  // namespace th::composite

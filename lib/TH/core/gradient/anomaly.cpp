#include "core/gradient/anomaly.h"

#include <cmath>
#include <unordered_map>
#include <vector>

#include "TH_gradient.h"
#include "core/call/signature.h"
#include "core/runtime/error.h"

namespace th::gradient {
namespace {

struct Write {
  int operation;
  int32_t place;
  int32_t version;  // that the memory had then
};

/// Of a thread that looks for anomalies.
struct Record {
  std::vector<std::string> places;
  std::unordered_map<std::string, int32_t> numbers;
  std::unordered_map<const TH_Storage*, Write> writes;  // the last one to each memory
};

Record& record() {
  thread_local Record own;
  return own;
}

std::string at(int32_t place) {
  return place == 0 ? "" : str(" (", record().places[static_cast<size_t>(place) - 1], ")");
}

void note_write(void*, const TH_Call* call, bool after) {
  if (!after || call->status != TH_OK) {
    return;
  }
  const auto parameters = parameters_of(call->operation);
  for (size_t i = 0; i < parameters.size(); ++i) {
    const int role = parameters[i].role;
    if ((role == TH_ROLE_OUT || role == TH_ROLE_INOUT) && call->values[i].tensor != nullptr &&
        call->values[i].tensor->store != nullptr) {
      try {
        const TH_Storage* store = call->values[i].tensor->store;
        record().writes[store] = {call->operation, state().place, *store->version};
      } catch (const std::bad_alloc&) {  // an error will know less
      }
    }
  }
}

bool has_nan(const TH_Tensor& t) {
  if (!is_floating(t.dtype) || numel(t) == 0) {
    return false;
  }
  const Enabled off(false);
  double least = 0;
  ops::min_all(&least, &t);
  return std::isnan(least);
}

}  // namespace

std::string describe(const Node& node) {
  if (node.op == kLeaf) {
    return "a Variable";
  } else if (node.op == kPatch || node.op == kRegion) {
    return str("the change of a region", at(node.place));
  } else if (node.op == kGone) {
    return "what made this tensor";
  } else if (node.op == kFunction) {
    const bool named = node.extras != nullptr && !node.extras->name.empty();
    return str(named ? node.extras->name : "a function of the script", at(node.place));
  }
  return str(TH_signature(node.op)->name, at(node.place));
}

void fail_changed(const Node& node, const Saved& saved, const char* parameter) {
  const Record& r = record();
  const auto found = r.writes.find(saved.store);
  // Elements and storages may be written past the operations.
  const bool known = found != r.writes.end() && found->second.version == *saved.store->version;
  fail("the derivative of ", describe(node), " reads ", parameter, ", a tensor of ",
       th::shape(saved.sizes()), " that was changed in place since",
       known ? str(", by ", TH_signature(found->second.operation)->name, at(found->second.place))
             : std::string(state().anomalies ? ", by no operation" : ""),
       "; change a copy, as in x:clone(), or make a new result, as in y = torch.add(x, 1)",
       state().anomalies ? "" : ". torch.detectAnomaly(true) before it tells the lines of both");
}

void check_covered(const Node& node, const Derivative& row) {
  const auto parameters = parameters_of(node.op);
  for (size_t i = 0; i < parameters.size(); ++i) {
    const int role = parameters[i].role;
    const Saved* saved =
        role == TH_ROLE_IN || role == TH_ROLE_INOUT ? node.arguments[i].tensor : nullptr;
    if (saved != nullptr && saved->edge >= 0 && (row.covered >> i & 1) == 0) {
      fail(describe(node), " has no derivative by ", parameters[i].name,
           "; where it is meant to be constant: x:detach()");
    }
  }
}

void look_for_anomaly(Op op, const TH_Value* values) {
  const auto parameters = parameters_of(static_cast<int>(op));
  for (size_t i = 0; i < parameters.size(); ++i) {
    const int role = parameters[i].role;
    if ((role == TH_ROLE_OUT || role == TH_ROLE_INOUT) && values[i].tensor != nullptr &&
        has_nan(*values[i].tensor)) {
      fail("made the first NaN, in ", parameters[i].name, at(state().place));
    }
  }
}

void look_for_anomaly(const Node& node, std::span<const Value> gradients) {
  for (const Value& gradient : gradients) {
    if (gradient.defined() && has_nan(gradient)) {
      fail("the derivative of ", describe(node), " made the first NaN");
    }
  }
}

}  // namespace th::gradient

using th::gradient::record;
using th::gradient::state;

int TH_Anomaly_watch(bool on) {
  return th::guarded("detectAnomaly", [&] {
    if (on && !state().anomalies) {
      TH_CHECK(TH_watchCalls(th::gradient::note_write, nullptr) == TH_OK, TH_lastError());
    } else if (!on && state().anomalies) {
      TH_unwatchCalls(th::gradient::note_write, nullptr);
      record().writes.clear();
    }
    state().anomalies = on;
    state().place = 0;
  });
}

void TH_Anomaly_place(const char* place) {
  th::guarded(nullptr, [&] {
    auto& r = record();
    const auto [entry, fresh] = r.numbers.try_emplace(place, 0);
    if (fresh) {
      r.places.emplace_back(place);
      entry->second = static_cast<int32_t>(r.places.size());
    }
    state().place = entry->second;
  });
}

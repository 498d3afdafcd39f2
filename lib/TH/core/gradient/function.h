// Nodes whose derivative the binding knows: functions of a script, layers.
#pragma once

#include <span>

#include "core/gradient/graph.h"

namespace th::gradient {

/// Makes the outputs results of such a node; false where no input needs a gradient. Without a name
/// errors speak of a function of the script.
bool record_function(int function, const char* name, std::span<const TH_Tensor* const> outputs,
                     std::span<const TH_Tensor* const> inputs,
                     std::span<const TH_Tensor* const> saved);

/// A tensor that such a node has kept; an error where it was changed since.
Value saved_value(Node& node, int index, bool as_variable);
/// An error where any of them was.
void check_saved(const Node& node);

}  // namespace th::gradient

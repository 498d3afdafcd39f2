--- The largest element at each place of a table of tensors of one size; the gradient goes to the
-- first that has it.
-- @classmod nn.CMaxTable
-- @example nn.CMaxTable():forward { torch.Tensor { 5, 2 }, torch.Tensor { 1, 3 } } --> { 5, 3 }

require 'nn.table.extremum'('nn.CMaxTable', 'cmax')

--- The smallest element at each place of a table of tensors of one size; the gradient goes to the
-- first that has it.
-- @classmod nn.CMinTable
-- @example nn.CMinTable():forward { torch.Tensor { 5, 2 }, torch.Tensor { 1, 3 } } --> { 1, 2 }

require 'nn.table.extremum'('nn.CMinTable', 'cmin')

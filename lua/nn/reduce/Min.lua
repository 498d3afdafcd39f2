--- The smallest element along a dimension.
-- @classmod nn.Min
-- @usage nn.Min(2):forward(torch.Tensor(4, 6)) -- 4

return require('nn').Extremum:of('min', 'Min')

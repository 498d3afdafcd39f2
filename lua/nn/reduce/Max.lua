--- The largest element along a dimension.
-- @classmod nn.Max
-- @usage nn.Max(2):forward(torch.Tensor(4, 6)) -- 4

return require('nn').Extremum:of('max', 'Max')

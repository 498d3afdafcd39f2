--- What pooling layers have in common; for layers to derive from.
-- @classmod nn.Pooling

local nn = require 'nn'

local Pooling = nn.declare('nn.Pooling', {})

Pooling.ceil_mode = false -- what old files lack

--- Round output sizes up: a window may reach over the edge. Only for layers with steps.
-- @return self
-- @example #nn.SpatialMaxPooling(2, 2, 2, 2):ceil():forward(torch.randn(1, 5, 5)) --> { 1, 3, 3 }
function Pooling:ceil()
   self.ceil_mode = true
   return self
end

--- Round output sizes down (the default).
-- @return self
-- @example #nn.SpatialMaxPooling(2, 2, 2, 2):floor():forward(torch.randn(1, 5, 5)) --> { 1, 2, 2 }
function Pooling:floor()
   self.ceil_mode = false
   return self
end

--- Free the buffers (`clearState` under its older name).
function Pooling:empty()
   self:clearState()
end

function Pooling:clearState()
   nn.utils.clear(self, 'indices')
   return nn.Module.clearState(self)
end

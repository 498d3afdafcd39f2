-- Reductions along a dimension.
local L = require('onnx.export.walk').layers

local function along(kind, keeps)
   return function(g, m, x)
      local axis = m:_getPositiveDimension(x.tensor) - 1
      if g.dynamic and axis == 0 and x.tensor:dim() > 1 then
         g:refuse('it reduces the batch, whose size may change: give dynamicBatch = false')
      end
      local keep = x.tensor:dim() == 1 or keeps(m)
      return g:reduce(kind, x, { axis }, keep)
   end
end

local function never()
   return false
end

for class, kind in pairs { Max = 'ReduceMax', Min = 'ReduceMin' } do
   L['nn.' .. class] = along(kind, never)
end

local function not_squeezed(m)
   return not m.squeeze
end

local sum, mean = along('ReduceSum', not_squeezed), along('ReduceMean', not_squeezed)

L['nn.Sum'] = function(g, m, x)
   return (m.sizeAverage and mean or sum)(g, m, x)
end
L['nn.Mean'] = L['nn.Sum']

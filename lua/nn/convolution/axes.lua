--- The names of the fields that hold a convolution's numbers, for each dimension: see
-- nn.Convolution.
-- @module nn.convolution.axes

local M = {}

local function axis(name)
   return {
      kernel = 'k' .. name, stride = 'd' .. name, padding = 'pad' .. name,
      dilation = 'dilation' .. name, extra = 'adj' .. name,
   }
end

M.image = { axis 'H', axis 'W' }
M.volume = { axis 'T', axis 'H', axis 'W' }

return M

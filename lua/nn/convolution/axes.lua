--- The names of the fields that hold a convolution's numbers, for each dimension, and what brings
-- the numbers to the operations: see nn.Convolution.
-- @module nn.convolution.axes

local ffi = require 'ffi'
local code = require 'nn.base.code'

local CHUNK = code.source()

local M = {
   --- What the operations read: filled before a call, the same for all layers.
   stride = ffi.new 'int64_t[3]', padding = ffi.new 'int64_t[3]', dilation = ffi.new 'int64_t[3]',
}

-- Written out, field by field: looking names up costs more than a small convolution's arithmetic.
local function write(axes)
   local lines = {}
   for d, axis in ipairs(axes) do
      for _, name in ipairs { 'stride', 'padding', 'dilation' } do
         lines[#lines + 1] = ('   %s[%d] = self.%s'):format(name, d - 1, axis[name])
      end
   end
   return code.run(('local stride, padding, dilation = ...\nreturn function(self)\n%s\nend'):format(
      table.concat(lines, '\n')), CHUNK, M.stride, M.padding, M.dilation)
end

local function of(...)
   local axes = {}
   for d, name in ipairs { ... } do
      axes[d] = {
         kernel = 'k' .. name, stride = 'd' .. name, padding = 'pad' .. name,
         dilation = 'dilation' .. name, extra = 'adj' .. name,
      }
   end
   axes.dims, axes.fill = #axes, write(axes)
   return axes
end

--- Lists of { kernel, stride, padding, dilation, extra }, with `dims`, and `fill(layer)`.
M.signal, M.image, M.volume = of 'W', of('H', 'W'), of('T', 'H', 'W')

return M

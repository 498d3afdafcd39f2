--- Consecutive slices of the input along a dimension; a copy.
--
-- A negative length counts from the end: -1 is up to the last slice, -2 up to the one before. A
-- negative offset leaves out `length` slices at the end: `nn.Narrow(2, -1, 7)` keeps the first 3 of
-- 10.
-- @classmod nn.Narrow
-- @example nn.Narrow(1, 2, -1):forward(torch.Tensor { 5, 6, 7 }) --> { 6, 7 }

local nn = require 'nn'
local check = require 'nn.check'
local dimension = require 'nn.base.dimension'
local C = require('torch.ffi').C

local Narrow = nn.declare('nn.Narrow', 'nn.Part', {
   arguments = [[
      dimension        integer     negative: counted from the last
      offset -> index  integer     the first slice
      length           integer = 1 how many
   ]],
})

function Narrow:__part(r, x)
   local d = dimension.of(self, x, self.dimension)
   local size, first, length = x:size(d), self.index, self.length
   if length < 0 then
      length = size - first + length + 2
   end
   if first < 0 then
      first, length = 1, size - length
   end
   if first < 1 or length < 1 or first + length - 1 > size then
      check.fail(self, 'input is %s, expected slices %d to %d in dimension %d',
         check.describe(x), first, first + length - 1, d)
   end
   check.status(self, C.TH_narrow(r, x, d - 1, first - 1, length))
   return r
end

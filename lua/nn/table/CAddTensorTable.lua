--- A tensor added to each of a table: { v, { a, b } } becomes { v + a, v + b }.
-- @classmod nn.CAddTensorTable
-- @example
-- local v, a, b = torch.Tensor { 1, 2 }, torch.Tensor { 3, 4 }, torch.Tensor { 5, 6 }
-- nn.CAddTensorTable():forward { v, { a, b } } --> { { 4, 6 }, { 6, 8 } }

local torch = require 'torch'
local nn = require 'nn'
local check = require 'nn.check'
local nested = require 'nn.nested'

local CAddTensorTable = nn.declare('nn.CAddTensorTable', { input = 'any' })

function CAddTensorTable:__initialize()
   self.output, self.gradInput = {}, {}
end

-- Torch7 makes the tables in the passes.
function CAddTensorTable:__upgrade(_)
   for _, field in ipairs { 'output', 'gradInput' } do
      if torch.isTensor(self[field]) then
         self[field] = {}
      end
   end
end

-- A tensor and a list, each of its tensors like the first.
local function read(self, x)
   check.entries(self, x, 'input', 2, 'entries, a tensor and a table of tensors')
   local v, list = x[1], x[2]
   check.any_tensor(self, v, 'input 1')
   check.entries(self, list, 'input 2', 1, 'tensor or more')
   for i = 1, #list do
      check.tensor(self, v, list[i], 'input 2', i)
      check.count(self, list[i], v, 'input 2', i)
   end
   return v, list
end

function CAddTensorTable:__computeOutput(y, x)
   local v, list = read(self, x)
   for i = 1, #list do
      y[i] = (y[i] or v.new()):resizeAs(list[i]):add(list[i], v)
   end
   return nested.truncate(y, #list)
end

-- The tensor's gradient is the sum; the others' are gradOutput's.
function CAddTensorTable:__computeGradInput(gx, x, g)
   local v, list = read(self, x)
   check.entries(self, g, 'gradOutput', #list, 'tensors')
   local sum, each = (gx[1] or v.new()):resizeAs(v), {}
   for i = 1, #list do
      check.tensor(self, v, g[i], 'gradOutput', i)
      check.count(self, g[i], v, 'gradOutput', i)
      each[i] = g[i]
      if i == 1 then
         sum:copy(g[i])
      else
         sum:add(g[i])
      end
   end
   return { sum, each }
end

--- A mixture of experts: the sum of their outputs, weighted by a gater's.
--
-- Shapes: the input is { gater, experts }. The gater is N x E, or E for one sample; the experts are
-- a table of E tensors N x ... (without N for one sample), or one tensor in which they are the
-- slices along `dim`. The output is as one expert.
-- Source: Jacobs et al., Neural Computation 3 (1991), 79-87.
-- @classmod nn.MixtureTable
-- @example
-- local gater, a, b = torch.Tensor { 0.25, 0.75 }, torch.Tensor { 4, 8 }, torch.Tensor { 0, 4 }
-- nn.MixtureTable():forward { gater, { a, b } } --> { 1, 5 }

local torch = require 'torch'
local nn = require 'nn'
local check = require 'nn.check'
local nested = require 'nn.nested'

local MixtureTable = nn.declare('nn.MixtureTable', {
   arguments = [[
      dim  integer? of the experts in a tensor; default 2 in a batch, 1 in one sample
   ]],
   input = 'any',
})

function MixtureTable:__initialize()
   self.gradInput = {}
end

-- The experts as a table of tensors; views of a tensor.
local function slices(self, gater, experts)
   if not torch.isTensor(experts) then
      return experts
   end
   local dim, list = self.dim or gater:dim(), {}
   if dim > experts:dim() then
      check.fail(self, 'input 2 is %s, expected %d dimensions or more', check.describe(experts),
         dim)
   end
   for i = 1, experts:size(dim) do
      list[i] = experts:narrow(dim, i, 1)
   end
   return list
end

-- The gater, and a table of the experts.
local function parts(self, x)
   check.entries(self, x, 'input', 2, 'entries, the gater and the experts')
   local gater = x[1]
   check.tensor(self, self.output, gater, 'input 1')
   if gater:dim() > 2 then
      check.fail(self, 'input 1 is %s, expected N x E or E', check.describe(gater))
   end
   local experts, count = slices(self, gater, x[2]), gater:size(gater:dim())
   if type(experts) ~= 'table' or #experts ~= count then
      check.fail(self, 'input 2 is %s, expected %d experts: input 1 is %s', check.list(experts),
         count, check.describe(gater))
   end
   for i = 1, count do -- there may be holes
      local expert = experts[i]
      check.tensor(self, self.output, expert, 'input 2', i)
      check.count(self, expert, experts[1], 'input 2', i)
   end
   return gater, experts
end

-- The gater's weights of the i-th expert, one for each sample, in its shape.
local function weights(gater, i, expert)
   local sizes = torch.LongStorage(expert:dim()):fill(1)
   if gater:dim() == 2 then
      sizes[1] = gater:size(1)
   end
   return gater:narrow(gater:dim(), i, 1):contiguous():view(sizes):expandAs(expert)
end

-- y in the shape of one expert of a tensor of them.
local function without(y, dim)
   local sizes = y:size():totable()
   table.remove(sizes, dim)
   return y:resize(torch.LongStorage(#sizes > 0 and sizes or { 1 }))
end

function MixtureTable:__computeOutput(y, x)
   local gater, experts = parts(self, x)
   y:resizeAs(experts[1]):zero()
   for i, expert in ipairs(experts) do
      y:addcmul(expert, weights(gater, i, expert))
   end
   return torch.isTensor(x[2]) and without(y, self.dim or gater:dim()) or y
end

-- gradInput's second part as a table: its own tensors, or slices of its tensor.
local function expert_gradients(self, gx, x, gater, experts)
   if torch.isTensor(x[2]) then
      gx[2] = (torch.isTensor(gx[2]) and gx[2] or gater.new()):resizeAs(x[2])
      return slices(self, gater, gx[2])
   end
   local list = nested.is_table(gx[2]) and gx[2] or {}
   for i, expert in ipairs(experts) do
      list[i] = (list[i] or gater.new()):resizeAs(expert)
   end
   gx[2] = nested.truncate(list, #experts)
   return list
end

function MixtureTable:__computeGradInput(gx, x, g)
   local gater, experts = parts(self, x)
   check.tensor(self, self.output, g, 'gradOutput')
   check.count(self, g, experts[1], 'gradOutput')
   gx[1] = (gx[1] or g.new()):resizeAs(gater)
   local by_expert = expert_gradients(self, gx, x, gater, experts)
   local samples = gater:dim() == 2 and gater:size(1) or 1
   for i, expert in ipairs(experts) do
      local gi = g:isSameSizeAs(expert) and g or g:contiguous():viewAs(expert)
      by_expert[i]:cmul(gi, weights(gater, i, expert))
      gx[1]:narrow(gater:dim(), i, 1):copy(torch.cmul(gi, expert):view(samples, -1):sum(2))
   end
   return gx
end

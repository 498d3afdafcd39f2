--- The input in another order of dimensions, and of the layer's element type.
--
-- Shapes are written as letters, one for a dimension, 'b' being the batch: from 'bchw' to 'chwb'
-- dimensions move, from 'bchw' to 'bf' all but the batch become one, 'f'. A shape without 'b' is
-- that of one sample; single samples and batches are taken either way. Without shapes only the
-- type changes.
-- @classmod nn.Convert
-- @example nn.Convert('bchw', 'bf'):forward(torch.Tensor(8, 3, 5, 5)):size() --> { 8, 75 }

local torch = require 'torch'
local nn = require 'nn'
local check = require 'nn.check'

local Convert = nn.declare('nn.Convert', {
   arguments = [[
      inputShape   string?              letters of the input's dimensions
      outputShape  string = inputShape  letters of the output's
   ]],
   input = 'any',
})

local function with_batch(shape)
   return shape:find 'b' and shape or 'b' .. shape
end

-- The letters of the input in the output's order, and how many of them each dimension takes.
local function arrange(self)
   local from, to = self.inputShape, self.outputShape
   local rest = from:gsub('[' .. to .. ']', '')
   local order, counts = {}, {}
   for letter in to:gmatch '.' do
      local taken = from:find(letter, 1, true) and letter or letter == 'f' and rest or ''
      if taken == '' then
         check.fail(self, "'%s' cannot become '%s': there is no %s", from, to, letter)
      end
      order[#order + 1] = taken
      counts[#counts + 1] = #taken
   end
   local letters = table.concat(order)
   if #letters ~= #from then
      check.fail(self, "'%s' cannot become '%s': a dimension is missing there", from, to)
   end
   return letters, counts
end

local function order_of(from, letters)
   local order = {}
   for letter in letters:gmatch '.' do
      order[#order + 1] = from:find(letter, 1, true)
   end
   return order
end

-- Layer -> number of dimensions of an input -> the dimensions of the input in the output's order,
-- and how many of them each dimension of the output takes.
local plans = setmetatable({}, { __mode = 'k' })

local function make_plans(self)
   local from = self.inputShape
   local letters, counts = arrange(self)
   local single = { unpack(counts) }
   table.remove(single, (self.outputShape:find 'b'))
   plans[self] = {
      [#from] = { order = order_of(from, letters), counts = counts },
      [#from - 1] = { order = order_of((from:gsub('b', '')), (letters:gsub('b', ''))),
         counts = single },
   }
   return plans[self]
end

local function plan(self, x)
   local found = (plans[self] or make_plans(self))[x.ndim]
   if not found then
      local dims = #self.inputShape
      check.fail(self, 'input is %s, expected %d dimensions (%s), or %d for a single sample',
         check.describe(x), dims, self.inputShape, dims - 1)
   end
   return found.order, found.counts
end

function Convert:__initialize()
   if self.inputShape then
      self.inputShape = with_batch(self.inputShape)
      self.outputShape = with_batch(self.outputShape)
      make_plans(self)
   end
end

function Convert:__computeOutput(y, x)
   check.any_tensor(self, x, 'input')
   if not self.inputShape then
      return y:resize(x:size()):copy(x)
   end
   local order, counts = plan(self, x)
   local permuted, sizes, d = x:permute(unpack(order)), {}, 0
   for i, count in ipairs(counts) do
      sizes[i] = 1
      for _ = 1, count do
         d = d + 1
         sizes[i] = sizes[i] * permuted:size(d)
      end
   end
   return y:resize(permuted:size()):copy(permuted):resize(torch.LongStorage(sizes))
end

function Convert:__computeGradInput(gx, x, g)
   check.any_tensor(self, x, 'input')
   check.any_tensor(self, g, 'gradOutput')
   check.count(self, g, x, 'gradOutput')
   gx:resize(x:size())
   if not self.inputShape then
      return gx:copy(g)
   end
   gx:permute(unpack((plan(self, x)))):copy(g)
   return gx
end

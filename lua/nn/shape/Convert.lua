--- The input in another order of dimensions, and of the layer's element type.
--
-- Shapes are written as letters, one for a dimension, 'b' being the batch: from 'bchw' to 'chwb'
-- dimensions move, from 'bchw' to 'bf' all but the batch become one, 'f'. A shape without 'b' is
-- that of one sample; single samples and batches are taken either way. Without shapes only the
-- type changes.
-- @classmod nn.Convert
-- @usage nn.Convert('bchw', 'bf'):forward(torch.Tensor(8, 3, 5, 5)) -- 8 x 75

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

function Convert:__initialize()
   if self.inputShape then
      self.inputShape = with_batch(self.inputShape)
      self.outputShape = with_batch(self.outputShape)
      arrange(self)
   end
end

-- The dimensions of the input in the output's order, and how many of them each dimension of the
-- output takes.
local function plan(self, x)
   local from = self.inputShape
   local letters, counts = arrange(self)
   if x:dim() == #from - 1 then
      from, letters = from:gsub('b', ''), letters:gsub('b', '')
      table.remove(counts, (self.outputShape:find 'b'))
   elseif x:dim() ~= #from then
      check.fail(self, 'input is %s, expected %d dimensions (%s), or %d for a single sample',
         check.describe(x), #from, from, #from - 1)
   end
   local order = {}
   for letter in letters:gmatch '.' do
      order[#order + 1] = from:find(letter, 1, true)
   end
   return order, counts
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
   check.any_tensor(self, g, 'gradOutput')
   check.count(self, g, x, 'gradOutput')
   gx:resize(x:size())
   if not self.inputShape then
      return gx:copy(g)
   end
   gx:permute(unpack((plan(self, x)))):copy(g)
   return gx
end

--- The input in another order of dimensions, and of the layer's element type.
--
-- Shapes are written as letters, one for a dimension, 'b' being the batch: from 'bchw' to 'chwb'
-- dimensions move, from 'bchw' to 'bf' all but the batch become one, 'f'. From 'b' to 'bf' or 'bt'
-- there is a dimension of size 1 more; from 'bf', with f of size 1, or 'bt' to 'b' there is one
-- less, the first of the targets t being taken. A shape without 'b' is that of one sample; single
-- samples and batches are taken either way. Without shapes only the type changes.
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

-- The input's letters in the output's order, those that are dropped at the end; how many of them
-- each dimension of the output takes; how many are dropped.
local function arrange(self)
   local from, to = self.inputShape, self.outputShape
   local rest = from:gsub('[' .. to .. ']', '')
   local letters, counts = '', {}
   for letter in to:gmatch '.' do
      local taken = from:find(letter, 1, true) and letter or letter == 'f' and rest
         or letter == 't' and '' or check.fail(self, "'%s' cannot become '%s': there is no %s",
            from, to, letter)
      letters, counts[#counts + 1] = letters .. taken, #taken
   end
   local missing = #from - #letters
   if missing > 1 or missing == 1 and rest ~= 'f' and rest ~= 't' then
      check.fail(self, "'%s' cannot become '%s': a dimension is missing there", from, to)
   end
   return missing == 1 and letters .. rest or letters, counts, missing
end

local function order_of(from, letters)
   local order = {}
   for letter in letters:gmatch '.' do
      order[#order + 1] = from:find(letter, 1, true)
   end
   return order
end

-- Layer -> number of dimensions of an input -> the dimensions of the input in the output's order,
-- how many of them each dimension of the output takes, how many are dropped.
local plans = setmetatable({}, { __mode = 'k' })

local function make_plans(self)
   local from = self.inputShape
   local letters, counts, dropped = arrange(self)
   local single = { unpack(counts) }
   table.remove(single, (self.outputShape:find 'b'))
   plans[self] = {
      [#from] = { order = order_of(from, letters), counts = counts, dropped = dropped },
      [#from - 1] = { order = order_of((from:gsub('b', '')), (letters:gsub('b', ''))),
         counts = single, dropped = dropped },
   }
   return plans[self]
end

local function plan_for(self, x)
   local plan = (plans[self] or make_plans(self))[x.ndim]
   if not plan then
      local dims = #self.inputShape
      check.fail(self, 'input is %s, expected %d dimensions (%s), or %d for a single sample',
         check.describe(x), dims, self.inputShape, dims - 1)
   end
   return plan
end

function Convert:__initialize()
   if self.inputShape then
      self.inputShape = with_batch(self.inputShape)
      self.outputShape = with_batch(self.outputShape)
      make_plans(self)
   end
end

-- What becomes the output, as a view of x.
local function chosen(self, x, plan)
   local permuted = x:permute(unpack(plan.order))
   if plan.dropped == 0 then
      return permuted
   elseif self.inputShape:find 'f' and permuted:size(permuted:dim()) > 1 then
      check.fail(self, "input is %s, expected 1 feature to convert '%s' to '%s'",
         check.describe(x), self.inputShape, self.outputShape)
   end
   return permuted:narrow(permuted:dim(), 1, 1)
end

function Convert:__computeOutput(y, x)
   check.any_tensor(self, x, 'input')
   if not self.inputShape then
      return y:resize(x:size()):copy(x)
   end
   local plan = plan_for(self, x)
   local view, sizes, d = chosen(self, x, plan), {}, 0
   for i, count in ipairs(plan.counts) do
      sizes[i] = 1
      for _ = 1, count do
         d = d + 1
         sizes[i] = sizes[i] * view:size(d)
      end
   end
   y:resize(view:size()):copy(view)
   return #sizes > 0 and y:resize(torch.LongStorage(sizes)) or y
end

function Convert:__computeGradInput(gx, x, g)
   check.any_backward(self, x, g)
   gx:resize(x:size())
   local view = gx
   if self.inputShape then
      local plan = plan_for(self, x)
      view = chosen(self, gx, plan)
      if plan.dropped > 0 then
         gx:zero()
      end
   end
   check.count(self, g, view, 'gradOutput')
   view:copy(g)
   return gx
end

-- --- what Torch7's layer was built of: a module for each conversion ------------------------------

--- Where a shape has a dimension.
-- @string axis_char its letter
-- @string[opt] shape default the input's
-- @bool[opt=false] silent nil instead of an error
-- @return from 1 on
function Convert:findAxis(axis_char, shape, silent)
   shape = shape or self.inputShape
   local at = shape:find(axis_char, 1, true)
   if not at and not silent then
      check.fail(self, "there is no %s in '%s', expected one", axis_char, shape)
   end
   return at
end

--- The module that converts the input's shape to another of the same dimensions.
-- @string newShape
function Convert:transpose(newShape)
   return nn.Convert(self.inputShape, newShape)
end

--- The module that converts the input's shape to 'bf'.
function Convert:bf()
   return nn.Convert(self.inputShape, 'bf')
end

--- The module that converts the input's shape to 'b'.
function Convert:b()
   return nn.Convert(self.inputShape, 'b')
end

--- The module that converts the input's shape to 'bt'.
function Convert:bt()
   return nn.Convert(self.inputShape, 'bt')
end

--- The module that leaves the shape alone.
function Convert.default(_)
   return nn.Identity()
end

--- The module that does what this one does.
function Convert:buildConverter()
   return self.inputShape and self:transpose(self.outputShape) or self:default()
end

--- Modules one after the other, of which each may look at what lies beside the stream.
--
-- Input: a tensor, or a table of the tensor that flows and what lies beside it. A class says what
-- its i-th module is given, `__inputOf(current, input, i)`: the tensor alone, or a table { current,
-- context } with `mask` and the like. The gradient of a context is the sum over the modules.
-- @classmod nn.Stream

local torch = require 'torch'
local nn = require 'nn'
local check = require 'nn.check'
local passes = require 'nn.containers.passes'
local spent = require 'nn.containers.spent'
local th = require 'torch.ffi'

local Stream = nn.declare('nn.Stream', 'nn.Container', {})

--- What module i is given; default: what flows, and all that lies beside.
-- @param current what flows
-- @param input the input of the stream
-- @int i
function Stream.__inputOf(_, current, input, _)
   if th.isTensor(input) then
      return current
   end
   local given = { current }
   for key, value in pairs(input) do
      if key ~= 1 then
         given[key] = value
      end
   end
   return given
end

-- A class with `features` takes sequences of them.
local function check_stream(self, x)
   check.tensor(self, self.output, x, 'input')
   if x:dim() ~= 3 or x:size(3) ~= self.features then
      check.fail(self, 'input is %s, expected N x T x %d', check.describe(x), self.features)
   end
end

function Stream:updateOutput(input)
   local current, given = check.first(self, input), {}
   if self.features then
      check_stream(self, current)
   end
   for i, module in ipairs(self.modules) do
      given[i] = self:__inputOf(current, input, i)
      current = self:rethrowErrors(module, i, 'updateOutput', given[i])
   end
   self.given, self.output = given, current
   return current
end

-- The sum of the gradients of a context.
local function add_context(self, sum, g)
   if sum then
      return sum:add(g)
   end
   self.sum = (self.sum or g.new()):resizeAs(g):copy(g)
   return self.sum
end

function Stream:__pass(method, input, gradOutput, factor)
   local g, context, shares = gradOutput, nil, spent.shares(self, method)
   check.first(self, input)
   check.kept(self, self.given)
   for i = #self.modules, 1, -1 do
      local used, beside = g, nil
      g = self:__back(i, method, self.given[i], used, factor)
      if type(g) == 'table' then
         beside = g[2]
         if beside and passes.gives_gradient[method] then
            context = add_context(self, context, beside)
         end
         g = g[1]
      end
      if shares then
         spent.release({ used, beside }, gradOutput, { g, context })
      end
   end
   return th.isTensor(input) and g or { g, context }
end

passes.give_all(Stream)
Stream.__buffers = { 'given', 'sum' }

function Stream:__tostring__()
   local lines = { torch.type(self) .. ' {' }
   for i, module in ipairs(self.modules) do
      lines[#lines + 1] = ('  (%d): %s'):format(i, (tostring(module):gsub('\n', '\n  ')))
   end
   lines[#lines + 1] = '}'
   return table.concat(lines, '\n')
end

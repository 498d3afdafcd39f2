--- Modules side by side; for containers to derive from.
--
-- A container says what goes to its i-th module and how results come together; the passes follow.
--
--    __count(input)                       how many modules take part; default all
--    __inputOf(input, i)                  what module i is given; default the input itself
--    __gradOutputOf(gradOutput, i)        module i's share of the gradient; default gradOutput[i]
--    __join(outputs, input)               the output, of the modules' outputs; default their list
--    __joinGradients(gradients, input)    gradInput, of the modules' gradInputs; likewise
-- @classmod nn.Branches

local torch = require 'torch'
local nn = require 'nn'
local check = require 'nn.check'
local passes = require 'nn.containers.passes'
local spent = require 'nn.containers.spent'

local Branches = nn.declare('nn.Branches', 'nn.Container', {})

--- How many modules take part, from the first on; default all.
-- @param input
function Branches:__count(_)
   return #self.modules
end

--- What module i is given; default the input itself.
-- @param input
-- @int i
function Branches.__inputOf(_, input, _)
   return input
end

--- Module i's share of the gradient; default gradOutput[i].
-- @param gradOutput
-- @int i
function Branches:__gradOutputOf(gradOutput, i)
   if type(gradOutput) ~= 'table' then
      check.fail(self, 'gradOutput is %s, expected a table with an entry for each module',
         check.describe(gradOutput))
   end
   return gradOutput[i]
end

--- The output, of the modules' outputs; default the list of them.
-- @tparam table outputs
function Branches.__join(_, outputs)
   return outputs
end

--- gradInput, of the modules' gradInputs; default the list of them.
-- @tparam table gradients
-- @param input
function Branches.__joinGradients(_, gradients, _)
   return gradients
end

function Branches:updateOutput(input)
   local outputs = {}
   for i = 1, self:__count(input) do
      outputs[i] = self:rethrowErrors(self.modules[i], i, 'updateOutput', self:__inputOf(input, i))
   end
   self.output = self:__join(outputs, input)
   return self.output
end

-- Call a method of every module with its share; the results. The loop has a function of its own:
-- LuaJIT compiles it better so.
local function each(self, method, input, gradOutput, factor, shares)
   local results = {}
   for i = 1, self:__count(input) do
      local own = self:__gradOutputOf(gradOutput, i)
      results[i] = self:rethrowErrors(self.modules[i], i, method, self:__inputOf(input, i), own,
         factor)
      if shares then -- a part is a handle of its own
         spent.release(own, gradOutput, results[i])
      end
   end
   return results
end

function Branches:__pass(method, input, gradOutput, factor)
   local shares = spent.shares(self, method)
   local gradients = each(self, method, input, gradOutput, factor, shares)
   if not passes.gives_gradient[method] then
      return nil
   end
   local joined = self:__joinGradients(gradients, input)
   if shares then
      spent.release(gradients, gradOutput, joined)
   end
   return joined
end

passes.give_all(Branches)

function Branches:__tostring__()
   local lines = { torch.type(self) .. ' {', '  input' }
   for i, module in ipairs(self.modules) do
      local last = i == #self.modules
      local text = tostring(module):gsub('\n', last and '\n         ' or '\n    |    ')
      lines[#lines + 1] = ('  %s(%d): %s'):format(last and '   `-> ' or '  |`-> ', i, text)
   end
   lines[#lines + 1] = '     ... -> output\n}'
   return table.concat(lines, '\n')
end

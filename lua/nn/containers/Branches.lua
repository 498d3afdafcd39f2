--- Modules side by side; for containers to derive from.
--
-- A container says what goes to its i-th module and how results come together; the passes follow.
--
--    __count(input)                       how many modules take part; default all
--    __inputOf(input, i)                  what module i is given; default the input itself
--    __gradOutputOf(gradOutput, i)        module i's share of the gradient; default gradOutput[i]
--    __join(outputs, input)               the output, of the modules' outputs; default their list
--    __joinGradients(gradients, input)    gradInput, of the modules' gradInputs; likewise
--    __takeGradient(gradients, i, input)  that of module i has come: what must be read before the
--                                         next module may write over it; default nothing
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

-- Scripts let the gradInputs of layers share one storage (as with -shareGradInput of
-- fb.resnet.torch): what a module gave is then gone when the next one has run. Torch7's containers
-- that add or join gradients have read it by then.
--- The gradient of module i has come, in `gradients[i]`; those of later modules may lie in the same
-- memory.
-- @tparam table gradients
-- @int i
-- @param input
function Branches.__takeGradient(_, _, _, _) end

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
   local results, gives_gradient = {}, passes.gives_gradient[method]
   for i = 1, self:__count(input) do
      local own = self:__gradOutputOf(gradOutput, i)
      results[i] = self:rethrowErrors(self.modules[i], i, method, self:__inputOf(input, i), own,
         factor)
      if gives_gradient then
         self:__takeGradient(results, i, input)
      end
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

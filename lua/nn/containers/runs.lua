--- Neighbours in a sequence that are computed as one, in evaluation:
--
--    a convolution, its batch normalisation             by weights with the normalisation's numbers
--    either, or a sequence that ends so, an nn.ReLU     max(0, .) while a cache has the result
--    an nn.ConcatTable of such a sequence and a short   the sum as well
--    cut, an nn.CAddTable, an nn.ReLU or none
--
-- The result goes into the last one's output; the others have empty outputs. Who needs those gets
-- them by `given`. Modules with methods of their own, and all while something hangs on nn.seam, run
-- one by one.
-- @module nn.containers.runs

local nn = require 'nn'
local endings = require 'nn.containers.endings'
local folding = require 'nn.normalization.folding'
local th = require 'torch.ffi'

local M = {}

local is = endings.is

-- In-place module -> the memory that its output got here, held so that no other has its address.
local made = setmetatable({}, { __mode = 'k' })

local function is_own(module)
   local own = made[module]
   return own ~= nil and own.store == module.output.store
end

-- Where a result goes. One by one, the output of a module in place is a view of what it was given:
-- perhaps a tensor of the script, which is not written to here.
local function room(module)
   local output = module.output
   return module.inplace and not is_own(module) and output.new() or output
end

-- What a result ends with, into the output of the last module of three at most; nil where there is
-- none that fits.
local function ending_with(rectifier, addend, sum)
   local relu = is.rectifier(rectifier)
   local last = relu and rectifier or sum
   if not last or not th.isTensor(last.output) then
      return nil
   end
   return { output = room(last), addend = addend, relu = relu or false }
end

-- The result is in the last module's output, and in no other's.
local function leave(ending, last, between)
   if between then
      between.output = between.output.new()
   end
   last.output = ending.output
   if last.inplace and not is_own(last) then
      made[last] = last.output.new():set(last.output)
   end
   return ending.output
end

-- A method of an nn.ConcatTable: the main branch gets the other's output to add.
local function sum_up(branches, input, main, sum, rectifier)
   local short = branches.modules[3 - main]
   local pending, addend
   if main == 1 then
      pending = branches:rethrowErrors(branches.modules[1], 1, '__begin', input)
      addend = branches:rethrowErrors(short, 2, 'updateOutput', input)
   else
      addend = branches:rethrowErrors(short, 1, 'updateOutput', input)
      pending = branches:rethrowErrors(branches.modules[2], 2, '__begin', input)
   end
   local ending = ending_with(rectifier, addend, sum)
   local y = branches:rethrowErrors(branches.modules[main], main, '__finish', pending, ending)
   branches.output = main == 1 and { y, addend } or { addend, y }
   return ending and ending.done and ending
end

-- A residual sum.
local function residual(sequence, i, input)
   local modules = sequence.modules
   local branches, sum, rectifier = modules[i], modules[i + 1], modules[i + 2]
   local main = endings.main_branch(branches)
   if not main then
      return nil
   end
   local ending = sequence:rethrowErrors(branches, i, '__sumUp', input, main, sum, rectifier)
   if not ending then
      return branches.output, i + 1
   elseif ending.relu then
      return leave(ending, rectifier, sum), i + 3
   end
   return leave(ending, sum), i + 2
end

--- What a sequence does with its i-th module and those after it that are computed with it.
-- @param sequence
-- @int i
-- @param input what module i is given
-- @return the output of the last of them; nil where module i is to be run by itself
-- @return which module comes next
function M.several(sequence, i, input)
   local modules = sequence.modules
   local module, second = modules[i], modules[i + 1]
   local folds = endings.folds(sequence, module, second)
   if not sequence.joined then
      return nil
   elseif folds then
      local ending = ending_with(modules[i + 2])
      local y = sequence:rethrowErrors(module, i, '__convolveAndNormalise', input, second, ending)
      if ending then
         return leave(ending, modules[i + 2]), i + 3
      end
      return y, i + 2
   elseif is.branches(module) and is.sum(second) then
      return residual(sequence, i, input)
   elseif not is.rectifier(second) then
      return nil
   end
   local ending = ending_with(second)
   if ending and endings.convolves(module) then
      sequence:rethrowErrors(module, i, '__convolveAndEnd', input, ending)
      return leave(ending, second), i + 2
   elseif ending and endings.ends_so(module) then
      local pending = sequence:rethrowErrors(module, i, '__begin', input)
      local y = sequence:rethrowErrors(module, i, '__finish', pending, ending)
      if ending.done then
         return leave(ending, second), i + 2
      end
      return y, i + 1
   end
   return nil
end

local function is_empty(output)
   return th.isTensor(output) and output.ndim == 0
end

-- Whether a module's output was left out, or a part of it.
local function is_left_out(output)
   if type(output) == 'table' then
      return is_empty(output[1]) or is_empty(output[2])
   end
   return is_empty(output)
end

--- The output of the module before the i-th, computed now if it was left out.
-- @param sequence
-- @int i
-- @param input what the sequence was given
function M.given(sequence, i, input)
   local before = sequence.modules[i - 1]
   local output = before.output
   if not is_left_out(output) or is_empty(sequence.output) or not endings.leaves_out(before) then
      return output
   end
   local first = i > 2 and M.given(sequence, i - 1, input) or input
   return sequence:rethrowErrors(before, i - 1, 'updateOutput', first)
end

--- Called when the layers are defined.
function M.define()
   endings.define()
   local Convolution, Sequential = nn.SpatialConvolution, nn.Sequential
   nn.ConcatTable.__sumUp = sum_up

   -- A convolution instead of its updateOutput.
   function Convolution:__convolveAndEnd(input, ending)
      self:__checkInput(input)
      ending.output = self:__convolve(ending.output, input, self.bias, nil, ending)
      self.output:set()
      ending.done = true
      return self.output
   end

   function Convolution:__convolveAndNormalise(input, norm, ending)
      self:__checkInput(input)
      local weight, bias = folding.current(self, norm, 1)
      self.output:set()
      if not ending then
         norm.output = self:__convolve(norm.output, input, bias, weight)
         return norm.output
      end
      ending.output = self:__convolve(ending.output, input, bias, weight, ending)
      norm.output:set()
      ending.done = true
      return norm.output
   end

   -- All but the last run; what that is to be given.
   function Sequential:__begin(input)
      local last = endings.last_run(self)
      local pending = { input = self:__run(input, last - 1) }
      local module = self.modules[last]
      if endings.ends_so(module) then
         pending.inner = self:rethrowErrors(module, last, '__begin', pending.input)
      end
      return pending
   end

   -- The last run, with the ending if it fits: then ending.done.
   function Sequential:__finish(pending, ending)
      local last, modules = endings.last_run(self), self.modules
      local module, norm, input = modules[last], modules[last + 1], pending.input
      local fits = ending and endings.fits(module, input, ending.addend)
      if pending.inner then
         self.output = self:rethrowErrors(module, last, '__finish', pending.inner, ending)
      elseif norm then
         self.output = self:rethrowErrors(module, last, '__convolveAndNormalise', input, norm,
            fits and ending or nil)
      elseif fits then
         self.output = self:rethrowErrors(module, last, '__convolveAndEnd', input, ending)
      else
         self.output = self:rethrowErrors(module, last, 'updateOutput', input)
      end
      return self.output
   end
end

return M

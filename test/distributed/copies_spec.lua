-- Copies of every layer, as a stage of a pipeline has them: two batches under way at a time give
-- what one after the other gives.
local torch = require 'torch'
local copies = require 'distributed.pipeline.copies'
local nested = require 'nn.nested'
local nests = require 'test.support.nests'
local samples = require 'test.support.samples'

local clone, map, is_integer, same = nests.clone, nests.map, nests.is_integer, nests.same

local function slope(y)
   return map(function(t)
      local g = t.new():resize(t:size())
      return is_integer(t) and g:zero() or g:uniform(-1, 1)
   end, y)
end

-- Gradients by two inputs, the second of which goes forward before the first goes back, or after.
local function gradients(all, by_turns, inputs, slopes)
   torch.manualSeed(11)
   local x, z, first, g = clone(inputs[1]), clone(inputs[2]), all[1], nil
   first:forward(x)
   if not by_turns then
      g = clone(first:backward(x, clone(slopes[1])))
   end
   local second = by_turns and copies.take(all, 2) or first
   second:forward(z)
   if by_turns then
      g = clone(first:backward(x, clone(slopes[1])))
   end
   return { g, clone(second:backward(z, clone(slopes[2]))) }
end

describe('copies for micro-batches', function()
   for name, list in pairs(samples.layers) do
      it('of nn.' .. name, function()
         for _, sample in ipairs(list) do
            torch.manualSeed(5)
            local layer = sample.new()
            layer:training()
            layer:zeroGradParameters()
            local alone, inputs, slopes = layer:clone(), { sample.input(), sample.input() }, {}
            for i, x in ipairs(inputs) do
               slopes[i] = slope(layer:clone():forward(clone(x)))
            end
            local wanted = gradients({ alone }, false, inputs, slopes)
            local pair = copies.update({}, layer)
            assert.equal(layer, pair[1])
            same(wanted, gradients(pair, true, inputs, slopes), 'the gradient', 1e-15)
            local own, slopes_of = layer:parameters()
            local others, theirs = alone:parameters()
            same(nested.append({}, theirs), nested.append({}, slopes_of), 'of parameters', 1e-15)
            for i, p in ipairs(own or {}) do -- what one learns, both have
               p:fill(i)
               assert.equal(i, pair[2]:parameters()[i]:max())
               assert.is_not_nil(others[i])
            end
         end
      end)
   end
end)

--- Layers split over the devices of one process, against the whole ones on the CPU.
local assert = require 'luassert'
local torch = require 'torch'
local distributed = require 'distributed'
local nn = require 'nn'
local nested = require 'nn.nested'
local joined = require 'test.support.joined'
local numbers = require 'test.support.numbers'

local M = {}

local TOLERANCE = 1e-12 -- doubles; sums are made in another order

local function on_cuda(nest)
   return nested.map(function(t)
      return t:type((t:type():gsub('^torch%.', 'torch.Cuda')))
   end, nest)
end

--- All parameters of a network whose layers may be split, in one vector.
function M.parameters(net)
   return joined(distributed.whole(net):parameters())
end

--- Compare outputs, gradients and, after steps, parameters, the whole again, and copies.
-- @param layer of doubles
-- @param input
-- @tab settings devices, by; cuda: whether the parts are there, or all on the CPU; positions:
-- whether there are no gradients by the input
-- @return the split layer
function M.check(layer, input, settings)
   torch.manualSeed(4)
   local on = settings.cuda and on_cuda or function(nest) return nest end
   local whole = layer:clone()
   local parts = distributed.split(layer:clone(), { devices = settings.devices, by = settings.by })
   if settings.cuda then
      parts:cudaDouble()
   end
   for step = 1, 3 do
      whole:zeroGradParameters()
      parts:zeroGradParameters()
      local y = whole:forward(input)
      numbers.same(y, parts:forward(on(input)):double(), TOLERANCE)
      local g = torch.randn(y:size())
      local gx, gz = whole:backward(input, g, 0.5), parts:backward(on(input), on(g), 0.5)
      if not settings.positions then
         numbers.same(joined(gx), joined(gz), TOLERANCE)
      end
      whole:updateParameters(0.1)
      parts:updateParameters(0.1)
      if step == 1 then -- parameters move
         local vectors = parts:getParameters()
         assert.equal(settings.cuda and #settings.devices or nil,
            not torch.isTensor(vectors) and #vectors or nil)
      end
   end
   local again = distributed.whole(parts)
   assert.equal(torch.type(whole), torch.type(again))
   assert.equal('torch.DoubleTensor', again:type())
   numbers.same(joined(whole:parameters()), joined(again:parameters()), TOLERANCE)
   numbers.same(whole:forward(input), again:forward(input), TOLERANCE)
   for _, copy in ipairs { torch.deserialize(torch.serialize(parts)), parts:clone() } do
      numbers.same(whole:forward(input), copy:forward(on(input)):double(), TOLERANCE)
   end
   return parts
end

--- Specs of all that can be split.
-- @func it busted's
-- @tab settings as of `check`
function M.specs(it, settings)
   local function check(layer, input, more)
      local all = { devices = settings.devices, cuda = settings.cuda }
      for name, value in pairs(more or {}) do
         all[name] = value
      end
      return M.check(layer, input, all)
   end
   local positions = { positions = true }

   it('has the outputs and gradients of the whole nn.Linear', function()
      torch.manualSeed(1)
      for _, by in ipairs { 'columns', 'rows' } do
         for _, bias in ipairs { true, false } do
            for _, x in ipairs { torch.randn(5, 7), torch.randn(7), torch.randn(7, 5):t() } do
               check(nn.Linear(7, 8, bias), x, { by = by })
            end
         end
      end
   end)

   it('has those of the whole nn.LookupTable', function()
      torch.manualSeed(1)
      local x = torch.LongTensor(4, 5):random(11)
      check(nn.LookupTable(11, 3), x, positions)
      check(nn.LookupTable(11, 3, 7), x, positions)
      check(nn.LookupTable(11, 3, 0, 0.5), x, positions)
      check(nn.LookupTable(11, 3):scaleGradByFreq(), x, positions)
      check(nn.LookupTable(11, 3), torch.LongTensor { 1, 2 }, positions) -- rows of one device
   end)

   it('has those of the whole attention, and of a Transformer', function()
      torch.manualSeed(1)
      local x, mask = torch.randn(2, 4, 12), torch.ByteTensor(2, 4):zero()
      mask[1][4] = 1
      check(nn.MultiHeadAttention(12, 3, true), x)
      check(nn.MultiHeadAttention(12, 4, false, 0, false), x)
      check(nn.MultiHeadAttention(12, 6), { x, torch.randn(2, 5, 12) })
      check(nn.MultiHeadAttention(12, 6), { x, x:clone(), torch.randn(2, 4, 12) })
      check(nn.MultiHeadAttention(12, 3), { x, mask = mask })
      local turning = nn.MultiHeadAttention(12, 3)
      turning.rotary = nn.RotaryEmbedding(4)
      check(turning, x)
      check(nn.TransformerEncoderLayer(12, 6, 24, 0), x)
      check(nn.Sequential():add(nn.LookupTable(9, 12))
         :add(nn.TransformerEncoder(2, 12, 3, 24, 0, true)):add(nn.Mean(2)):add(nn.Linear(12, 1)),
         torch.LongTensor(2, 4):random(9), positions)
   end)

   it('has a pair of linear layers without gathering between', function()
      torch.manualSeed(1)
      local parts = check(nn.Sequential():add(nn.Linear(4, 10)):add(nn.ReLU()):add(nn.Linear(10, 5))
         :add(nn.LogSoftMax()), torch.randn(3, 4))
      local widths = {}
      for i, t in ipairs(parts:get(2).output) do
         widths[i] = t:size(2)
      end
      assert.same({ 4, 3, 3 }, widths)
      check(nn.Sequential():add(nn.ConcatTable():add(nn.Linear(4, 3)):add(nn.Linear(4, 3)))
         :add(nn.CAddTable()), torch.randn(3, 4))
   end)

   it('keeps parts in common where layers have parameters in common', function()
      torch.manualSeed(1)
      local words, last = nn.LookupTable(11, 6), nn.Linear(6, 11)
      last:share(words, 'weight', 'gradWeight')
      local net = nn.Sequential():add(words):add(nn.MultiHeadAttention(6, 3)):add(nn.Mean(2))
         :add(nn.Tanh()):add(last)
      local parts = check(net, torch.LongTensor(4, 5):random(11), positions)
      for i = 1, #settings.devices do
         local one, other = parts:get(1):get(i):get(1), parts:get(5):get(i):get(1)
         assert.is_true(one.weight:isSetTo(other.weight))
         assert.is_true(one.gradWeight:isSetTo(other.gradWeight))
      end
      local whole = distributed.whole(parts)
      assert.is_true(whole:get(1).weight:isSetTo(whole:get(5).weight))
   end)
end

return M
